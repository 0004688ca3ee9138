import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import { LightElement } from '../../primitives/light-dom-element.ts';
import { toAttachment } from '../../model/attachment.ts';
import type { ChatMessage } from '../../model/message.ts';
import { textOf } from '../../model/message-text.ts';
import type { AttachSettings } from '../../runtime/attachments/attachments.ts';
import type { ModelOption, AutocompleteSource } from '../settings/setting-types.ts';
import { DraftAttachments } from './draft-attachments.ts';
import { pastedFiles } from './dropped-and-pasted-files.ts';
import { Autocomplete } from './autocomplete.ts';
import { sendButtons } from './send-buttons.ts';
import type { dictationButton, DictationProps } from './dictation-button.ts';
import { modelPicker } from './model-picker.ts';
import { ModelChangeEvent, ComposerSubmitEvent } from './composer-events.ts';
import { isComposing, enterBreaksLine, isSendKey, type SubmitKey } from '../shared/send-key.ts';
import { lazy } from '../../renderers/core/lazy.ts';
import { InputHistory } from './input-history.ts';

const loadDictation = async (): Promise<typeof dictationButton> =>
  (await import('./dictation-button.ts')).dictationButton;

export interface DraftSettings extends AttachSettings {
  /** Stores the current recipient and user. The returned function returns whether both are still the same. */
  watchRecipient(): () => boolean;
}

/**
 * The text input of the chat. It grows with its text. Enter does not send while an input method (IME) is composing, or while the
 * menu of commands or mentions is open: there it chooses an entry.
 */
export class AgentChatComposer extends LightElement {
  static override properties = {
    localize: { attribute: false },
    placeholder: { attribute: false },
    busy: { attribute: false },
    disabled: { attribute: false },
    readonly: { attribute: false },
    submitKey: { attribute: false },
    sent: { attribute: false },
    accept: { attribute: false },
    attach: { attribute: false },
    voice: { attribute: false },
    models: { attribute: false },
    model: { attribute: false },
    commands: { attribute: false },
    mentions: { attribute: false },
    text: { state: true },
    editLast: { attribute: false },
    waits: { state: true },
    recalled: { state: true },
    problem: { state: true },
  };
  declare localize: Localize;
  declare placeholder: string;
  /** Whether a reply is running: it can be stopped, and new messages are queued. */
  declare busy: boolean;
  declare disabled: boolean;
  declare readonly: boolean;
  declare submitKey: SubmitKey;
  /** Returns the texts of the sent messages, the newest last. The arrow keys recall them. */
  declare sent: () => readonly string[];
  /** Opens the editor of the last sent message; undefined where editing is disabled. */
  declare editLast: (() => void) | undefined;
  /** The accepted file types, as in `<input accept>`; undefined when no files may be attached. */
  declare accept: string | undefined;
  /** Returns the current attachment settings. Its identity never changes, so it causes no update. */
  declare attach: () => DraftSettings;
  /** Whether dictation is enabled. */
  declare voice: boolean;
  declare models: readonly ModelOption[];
  declare model: string | undefined;
  /** The commands offered after `/`. */
  declare commands: AutocompleteSource | undefined;
  /** The mentions offered after `@`. */
  declare mentions: AutocompleteSource | undefined;
  declare text: string;
  /**
   * Set while a send waits for files to load: returns whether the recipient is still the one at the time of the press. The draft is
   * submitted when all files are ready. A file that fails blocks it.
   */
  declare protected waits: false | (() => boolean) | undefined;
  /** Whether the text is the last sent message, recalled from the history. */
  declare protected recalled: boolean | undefined;
  /** Why the draft can't be sent. */
  declare protected problem: string | undefined;
  readonly #files = new DraftAttachments({
    root: this,
    attachSettings: () => this.attach(),
    changed: () => {
      this.#filesChanged();
    },
    cancelSend: () => {
      this.cancelSend();
    },
    failed: () => {
      this.problem = this.localize('error.load');
    },
  });
  readonly #autocomplete = new Autocomplete({
    root: this,
    input: () => this.#input,
    sourceOf: (kind) => (kind === 'command' ? this.commands : this.mentions),
    write: (text, caret) => {
      this.#setText(text);
      void this.updateComplete.then(() => {
        this.#input?.setSelectionRange(caret, caret);
      });
    },
    requestUpdate: () => {
      this.requestUpdate();
    },
  });
  #history = new InputHistory();

  constructor() {
    super();
    // The template of the composer footer sets the other properties.
    this.text = '';
  }

  get #input(): HTMLTextAreaElement | null {
    return this.querySelector('textarea');
  }

  override focus(options?: FocusOptions): void {
    this.#input?.focus(options);
  }

  /** Whether there is neither text nor an attachment. */
  get isEmpty(): boolean {
    return this.text.trim() === '' && this.#files.isEmpty;
  }

  get acceptsFiles(): boolean {
    return this.accept !== undefined && !this.disabled && !this.readonly;
  }

  /** Appends text to the draft and moves the caret to its end. */
  appendText(text: string): void {
    this.#setText(this.text.trim() === '' ? text : `${this.text.trimEnd()}\n\n${text}`);
    this.focus();
    void this.updateComplete.then(() => {
      this.#input?.setSelectionRange(this.text.length, this.text.length);
    });
  }

  /** Appends the text and the files of a message that was not sent. */
  async restore(message: ChatMessage): Promise<void> {
    this.appendText(textOf(message));
    await this.#files.restore(message.blocks.flatMap(toAttachment));
  }

  /** Clears everything, because another user is signed in. */
  reset(): void {
    // Before the files: removing a file calls `#filesChanged`, which would send a text that waits for it.
    Object.assign(this, { text: '', problem: undefined, waits: false, recalled: false });
    this.#files.clear();
    this.#autocomplete.close();
    this.#history = new InputHistory();
  }

  /** Cancels a send that waits for files. The draft stays until the user presses send again. */
  cancelSend(): void {
    this.waits = false;
  }

  /** Cancels a send that waits for files if its recipient has changed since the user pressed send. */
  checkRecipient(): void {
    if (this.waits && !this.waits()) this.cancelSend();
  }

  /** Adds files to the draft. Refused files are listed with the reason. */
  async addFiles(files: readonly File[]): Promise<void> {
    if (this.acceptsFiles) await this.#files.add(files);
  }

  protected override render(): TemplateResult {
    const { localize, busy } = this;
    return html`${this.#autocomplete.view(localize)} ${this.#files.view(localize)} ${this.#statusLine()}
      <form class="composer-bar" @submit=${this.#submit}>
        ${this.accept === undefined ? nothing : this.#files.button(localize, !this.acceptsFiles)}
        <slot name="composer-start"></slot>
        <textarea
          class="input"
          part="input"
          rows="1"
          dir="auto"
          autocomplete="off"
          enterkeyhint=${this.enterBreaksLine ? 'enter' : 'send'}
          aria-label=${localize('composer.label')}
          aria-autocomplete=${this.commands || this.mentions ? 'list' : nothing}
          aria-controls=${this.#autocomplete.isOpen ? 'composer-menu' : nothing}
          aria-activedescendant=${this.#autocomplete.activeId ?? nothing}
          placeholder=${this.placeholder}
          .value=${this.text}
          ?disabled=${this.disabled}
          ?readonly=${this.readonly}
          @input=${this.#onInput}
          @keydown=${this.#onKeydown}
          @paste=${this.#onPaste}
          @click=${this.#autocomplete.update}
          @blur=${this.#autocomplete.close}
        ></textarea>
        <slot name="composer-end"></slot>
        ${modelPicker({ localize, models: this.models, model: this.model, choose: this.#chooseModel })}
        ${this.voice ? lazy(loadDictation, this.#dictation()) : nothing}
        ${sendButtons({
          localize,
          busy,
          empty: this.isEmpty,
          disabled: this.disabled || this.readonly,
          stop: this.#stop,
        })}
      </form>`;
  }

  #statusLine(): TemplateResult | typeof nothing {
    const text = this.problem ?? (this.waits ? this.localize('attach.waits') : undefined);
    if (text !== undefined) return html`<p class="line composer-line" role="status">${text}</p>`;
    if (!this.recalled || !this.editLast) return nothing;
    return html`<p class="line composer-line">
      <span role="status">${this.localize('composer.recalled')}</span>
      <button type="button" class="link" @click=${this.#editLast}>${this.localize('composer.edit-last')}</button>
    </p>`;
  }

  protected override updated(changes: PropertyValues<this>): void {
    if (changes.has('text')) this.#resize();
  }

  /** Fits the height to the text in browsers without `field-sizing`. The stylesheet limits the height. */
  #resize(): void {
    const input = this.#input;
    if (!input || CSS.supports('field-sizing', 'content')) return;
    input.style.setProperty('block-size', 'auto');
    input.style.setProperty('block-size', `${String(input.scrollHeight)}px`);
  }

  readonly #onInput = (event: InputEvent): void => {
    this.#setText((event.currentTarget as HTMLTextAreaElement).value);
    void this.#autocomplete.update();
  };

  #setText(text: string): void {
    this.text = text;
    this.recalled = false;
    this.dispatchEvent(new Event('agent-chat-typed'));
  }

  /** Whether Enter inserts a line break. */
  get enterBreaksLine(): boolean {
    return enterBreaksLine(this.submitKey);
  }

  readonly #onKeydown = (event: KeyboardEvent): void => {
    if (isComposing(event)) return;
    if (this.#autocomplete.handleKeydown(event)) return;
    if (event.shiftKey) return;
    const mod = event.ctrlKey || event.metaKey;
    if (!mod && !event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) this.#recall(event);
    if (!isSendKey(event, this.submitKey)) return;
    event.preventDefault();
    this.#submit();
  };

  /** Replaces the text by an earlier or later one of the history. */
  #recall(event: KeyboardEvent): void {
    const text = this.#history.recall(this.sent(), this.text, event.key === 'ArrowUp' ? 'older' : 'newer');
    if (text === undefined || this.readonly) return;
    event.preventDefault();
    this.#setText(text);
    this.recalled = text !== '' && this.#history.isLast;
  }

  readonly #editLast = (): void => {
    this.#setText('');
    this.editLast?.();
  };

  readonly #submit = (event?: Event): void => {
    event?.preventDefault();
    if (this.disabled || this.readonly) return;
    this.waits = this.#files.busy && this.attach().watchRecipient();
    if (this.waits || this.isEmpty) return;
    this.problem = this.#files.ready ? undefined : this.localize('attach.blocked');
    if (this.problem === undefined) this.dispatchEvent(new ComposerSubmitEvent(this.text.trim(), this.#files.take()));
  };

  readonly #chooseModel = (id: string): void => {
    this.dispatchEvent(new ModelChangeEvent(id));
  };

  #dictation(): DictationProps {
    return {
      localize: this.localize,
      disabled: this.disabled || this.readonly,
      text: () => this.text,
      write: (text) => {
        this.#setText(text);
      },
      problem: (text) => {
        this.problem = text;
      },
    };
  }

  #filesChanged(): void {
    this.problem = undefined;
    this.requestUpdate();
    this.checkRecipient();
    if (this.waits && !this.#files.busy) this.#submit();
  }

  readonly #onPaste = (event: ClipboardEvent): void => {
    const files = pastedFiles(event);
    if (!this.acceptsFiles || files.length === 0) return;
    event.preventDefault();
    void this.addFiles(files);
  };

  readonly #stop = (): void => {
    this.dispatchEvent(new Event('agent-chat-stop'));
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-composer': AgentChatComposer;
  }
}
