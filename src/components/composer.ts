import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { Localize } from '../locales/localize.ts';
import { LightElement } from '../primitives/light-element.ts';
import { toAttachment } from '../model/attachment.ts';
import type { ChatMessage } from '../model/message.ts';
import { textOf } from '../model/text-of.ts';
import type { AttachSettings } from '../runtime/attachments/attachments.ts';
import type { Offers } from './composer-menu.ts';
import { DraftFiles } from './draft-files.ts';
import { NamesMenu } from './names-menu.ts';
import { sendButtons } from './send-buttons.ts';
import type { dictationButton, DictationProps } from './dictation-button.ts';
import { modelPicker, type ModelOption } from './model-picker.ts';
import { ModelEvent, SubmitEvent } from './composer-events.ts';
import { lazy } from '../renderers/lazy.ts';
import { SentHistory } from './sent-history.ts';

const loadDictation = async (): Promise<typeof dictationButton> =>
  (await import('./dictation-button.ts')).dictationButton;

/** Where the reader writes. It grows with the words, and knows an Enter that ends a word of an input method from one that sends. */
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
  /** A reply is running: it can be stopped, and what is sent waits. */
  declare busy: boolean;
  declare disabled: boolean;
  declare readonly: boolean;
  declare submitKey: 'auto' | 'enter' | 'mod-enter';
  /** What was sent before, the newest last. */
  declare sent: () => readonly string[];
  /** Opens what was sent last for other words; undefined where that can't be done. */
  declare editLast: (() => void) | undefined;
  /** Which files may be attached, as in `<input accept>`; undefined when none may. */
  declare accept: string | undefined;
  /** How, as it is now; always the same function. */
  declare attach: () => AttachSettings;
  /** What is said can be written. */
  declare voice: boolean;
  declare models: readonly ModelOption[];
  declare model: string | undefined;
  /** What `/` offers. */
  declare commands: Offers | undefined;
  /** What `@` offers. */
  declare mentions: Offers | undefined;
  declare text: string;
  /** It goes out as soon as its files are ready. */
  declare protected waits: boolean;
  /** What stands here was sent last. */
  declare protected recalled: boolean;
  /** Why it can't go out. */
  declare protected problem: string | undefined;
  readonly #files = new DraftFiles({
    root: this,
    attach: () => (this.accept === undefined ? undefined : this.attach()),
    changed: () => {
      this.#filesChanged();
    },
    failed: () => {
      this.problem = this.localize('error.load');
    },
  });
  readonly #names = new NamesMenu({
    root: this,
    input: () => this.#input,
    offers: (kind) => (kind === 'command' ? this.commands : this.mentions),
    write: (text, caret) => {
      this.#write(text);
      void this.updateComplete.then(() => {
        this.#input?.setSelectionRange(caret, caret);
      });
    },
    changed: () => {
      this.requestUpdate();
    },
  });
  readonly #history = new SentHistory();

  constructor() {
    super();
    this.placeholder = '';
    this.busy = false;
    this.disabled = false;
    this.readonly = false;
    this.submitKey = 'auto';
    this.sent = () => [];
    this.voice = false;
    this.models = [];
    this.text = '';
    this.waits = false;
    this.recalled = false;
  }

  get #input(): HTMLTextAreaElement | null {
    return this.querySelector('textarea');
  }

  override focus(options?: FocusOptions): void {
    this.#input?.focus(options);
  }

  /** Nothing that could go out. */
  get isEmpty(): boolean {
    return this.text.trim() === '' && this.#files.isEmpty;
  }

  get takesFiles(): boolean {
    return this.accept !== undefined && !this.disabled && !this.readonly;
  }

  /** Puts words behind those that stand here, and the caret behind them. */
  addWords(text: string): void {
    this.#write(this.text.trim() === '' ? text : `${this.text.trimEnd()}\n\n${text}`);
    this.focus();
    void this.updateComplete.then(() => {
      this.#input?.setSelectionRange(this.text.length, this.text.length);
    });
  }

  /** A message that was not sent comes back, behind what stands here. */
  async restore(message: ChatMessage): Promise<void> {
    this.addWords(textOf(message));
    await this.#files.restore(message.blocks.flatMap(toAttachment));
  }

  /** The files of a reader who is gone. */
  dropFiles(): void {
    this.#files.clear();
  }

  /** Puts files to the draft. What can't go out is shown there too, with the reason. */
  async addFiles(files: readonly File[]): Promise<void> {
    if (this.takesFiles) await this.#files.add(files);
  }

  protected override render(): TemplateResult {
    const { localize, busy } = this;
    return html`${this.#names.view(localize)} ${this.#files.view(localize)} ${this.#line()}
      <form class="composer-bar" @submit=${this.#submit}>
        ${this.#files.button(localize, !this.takesFiles)}
        <slot name="composer-start"></slot>
        <textarea
          class="input"
          part="input"
          rows="1"
          dir="auto"
          autocomplete="off"
          enterkeyhint=${this.entersLine ? 'enter' : 'send'}
          aria-label=${localize('composer.label')}
          aria-autocomplete=${this.commands || this.mentions ? 'list' : nothing}
          aria-controls=${this.#names.isOpen ? 'composer-menu' : nothing}
          aria-activedescendant=${this.#names.activeId ?? nothing}
          placeholder=${this.placeholder}
          .value=${this.text}
          ?disabled=${this.disabled}
          ?readonly=${this.readonly}
          @input=${this.#typed}
          @keydown=${this.#pressed}
          @paste=${this.#pasted}
          @click=${this.#names.look}
          @blur=${this.#names.close}
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

  #line(): TemplateResult | typeof nothing {
    const words = this.problem ?? (this.waits ? this.localize('attach.waits') : undefined);
    if (words !== undefined) return html`<p class="line composer-line" role="status">${words}</p>`;
    if (!this.recalled || !this.editLast) return nothing;
    return html`<p class="line composer-line">
      <span role="status">${this.localize('composer.recalled')}</span>
      <button type="button" class="link" @click=${this.#editLast}>${this.localize('composer.edit-last')}</button>
    </p>`;
  }

  protected override updated(changes: PropertyValues<this>): void {
    if (changes.has('text')) this.#grow();
  }

  /** As high as its words, up to what the sheet allows, where the browser does not do that itself. */
  #grow(): void {
    const input = this.#input;
    if (!input || CSS.supports('field-sizing', 'content')) return;
    input.style.setProperty('block-size', 'auto');
    input.style.setProperty('block-size', `${String(input.scrollHeight)}px`);
  }

  readonly #typed = (event: InputEvent): void => {
    this.#write((event.currentTarget as HTMLTextAreaElement).value);
    void this.#names.look();
  };

  #write(text: string): void {
    this.text = text;
    this.recalled = false;
    this.dispatchEvent(new Event('agent-chat-typed'));
  }

  /** On a touch keyboard Enter breaks the line, unless the page wants otherwise. */
  get entersLine(): boolean {
    return this.submitKey === 'mod-enter' || (this.submitKey === 'auto' && matchMedia('(pointer: coarse)').matches);
  }

  readonly #pressed = (event: KeyboardEvent): void => {
    if (composes(event)) return;
    if (this.#names.press(event)) return;
    if (event.shiftKey) return;
    const mod = event.ctrlKey || event.metaKey;
    if (!mod && !event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) this.#recall(event);
    if (event.key !== 'Enter') return;
    if (this.entersLine && !mod) return;
    event.preventDefault();
    this.#submit();
  };

  #recall(event: KeyboardEvent): void {
    const text = this.#history.recall(this.sent(), this.text, event.key === 'ArrowUp' ? 'older' : 'newer');
    if (text === undefined || this.readonly) return;
    event.preventDefault();
    this.#write(text);
    this.recalled = text !== '' && this.#history.isLast;
  }

  readonly #editLast = (): void => {
    this.#write('');
    this.editLast?.();
  };

  readonly #submit = (event?: Event): void => {
    event?.preventDefault();
    if (this.isEmpty || this.disabled || this.readonly) return;
    this.waits = this.#files.busy;
    if (this.waits) return;
    this.problem = this.#files.ready ? undefined : this.localize('attach.blocked');
    if (this.problem === undefined) this.dispatchEvent(new SubmitEvent(this.text.trim(), this.#files.take()));
  };

  readonly #chooseModel = (id: string): void => {
    this.dispatchEvent(new ModelEvent(id));
  };

  #dictation(): DictationProps {
    return {
      localize: this.localize,
      disabled: this.disabled || this.readonly,
      text: () => this.text,
      write: (text) => {
        this.#write(text);
      },
      problem: (words) => {
        this.problem = words;
      },
    };
  }

  #filesChanged(): void {
    this.problem = undefined;
    this.requestUpdate();
    if (this.waits && !this.#files.busy) this.#submit();
  }

  /** A picture that comes with words is what a word processor makes of them. */
  readonly #pasted = (event: ClipboardEvent): void => {
    const { files, types } = event.clipboardData ?? new DataTransfer();
    if (!this.takesFiles || files.length === 0 || types.includes('text/plain')) return;
    event.preventDefault();
    void this.addFiles([...files]);
  };

  readonly #stop = (): void => {
    this.dispatchEvent(new Event('agent-chat-stop'));
  };
}

/**
 * While an input method composes, Enter chooses a word. Safari ends the composition before it tells of the key, and says only
 * by the old key code that the key was the input method's.
 */
const composes = (event: KeyboardEvent): boolean =>
  event.isComposing || (event as { readonly keyCode: number }).keyCode === 229;

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-composer': AgentChatComposer;
  }
}
