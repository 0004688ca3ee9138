import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { Localize } from '../locales/localize.ts';
import { icon } from '../primitives/icon.ts';
import { LightElement } from '../primitives/light-element.ts';
import { toAttachment } from '../model/attachment.ts';
import type { ChatMessage } from '../model/message.ts';
import { textOf } from '../model/text-of.ts';
import type { AttachSettings } from '../runtime/attachments/attachments.ts';
import type { ComposerFiles } from './composer-files.ts';
import type { ComposerMenu, Offer, Offers } from './composer-menu.ts';
import type { dictationButton, DictationProps } from './dictation-button.ts';
import { modelPicker, type ModelOption } from './model-picker.ts';
import { ModelEvent, SubmitEvent } from './composer-events.ts';
import { lazy } from '../renderers/lazy.ts';
import { SentHistory } from './sent-history.ts';
import { triggerAt, type Trigger } from './trigger.ts';

const loadDictation = async (): Promise<typeof dictationButton> =>
  (await import('./dictation-button.ts')).dictationButton;

const NO_FILES: ReturnType<ComposerFiles['take']> = { attachments: [], giveBack: () => undefined };

/** Where the reader writes. It grows with the words, and knows an Enter that ends a word of an input method from one that sends. */
export class AgentChatComposer extends LightElement {
  static override properties = {
    localize: { attribute: false },
    placeholder: { attribute: false },
    busy: { attribute: false },
    disabled: { attribute: false },
    readonly: { attribute: false },
    submitKey: { attribute: false },
    maxLength: { attribute: false },
    sent: { attribute: false },
    attach: { attribute: false },
    voice: { attribute: false },
    models: { attribute: false },
    model: { attribute: false },
    commands: { attribute: false },
    mentions: { attribute: false },
    text: { state: true },
    waits: { state: true },
    problem: { state: true },
  };
  declare localize: Localize;
  declare placeholder: string;
  /** A reply is running: it can be stopped, and what is sent waits. */
  declare busy: boolean;
  declare disabled: boolean;
  declare readonly: boolean;
  declare submitKey: 'auto' | 'enter' | 'mod-enter';
  declare maxLength: number;
  /** What was sent before, the newest last. */
  declare sent: () => readonly string[];
  /** Which files may be attached; undefined when none may. */
  declare attach: AttachSettings | undefined;
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
  /** Why it can't go out. */
  declare protected problem: string | undefined;
  #files: ComposerFiles | undefined;
  #menu: ComposerMenu | undefined;
  readonly #history = new SentHistory();

  constructor() {
    super();
    this.placeholder = '';
    this.busy = false;
    this.disabled = false;
    this.readonly = false;
    this.submitKey = 'auto';
    this.maxLength = Number.POSITIVE_INFINITY;
    this.sent = () => [];
    this.voice = false;
    this.models = [];
    this.text = '';
    this.waits = false;
  }

  get #input(): HTMLTextAreaElement | null {
    return this.querySelector('textarea');
  }

  override focus(options?: FocusOptions): void {
    this.#input?.focus(options);
  }

  /** Nothing that could go out. */
  get isEmpty(): boolean {
    return this.text.trim() === '' && (this.#files?.files.length ?? 0) === 0;
  }

  get takesFiles(): boolean {
    return this.attach !== undefined && !this.disabled && !this.readonly;
  }

  /** A message that was not sent comes back, behind what stands here. */
  async restore(message: ChatMessage): Promise<void> {
    const text = textOf(message);
    this.text = this.text.trim() === '' ? text : `${this.text}\n\n${text}`;
    this.dispatchEvent(new Event('agent-chat-typed'));
    this.focus();
    const attachments = message.blocks.flatMap(toAttachment);
    if (attachments.length > 0) (await this.#loadFiles())?.restore(attachments);
  }

  /** Puts files to the draft. What can't go out is shown there too, with the reason. */
  async addFiles(files: readonly File[]): Promise<void> {
    if (this.takesFiles && files.length > 0) await (await this.#loadFiles())?.add(files);
  }

  async #loadFiles(): Promise<ComposerFiles | undefined> {
    try {
      const { ComposerFiles } = await import('./composer-files.ts');
      return (this.#files ??= new ComposerFiles(this, this.#attachSettings, this.#filesChanged));
    } catch {
      this.problem = this.localize('error.load');
      return undefined;
    }
  }

  protected override render(): TemplateResult {
    const { localize, busy } = this;
    const empty = this.isEmpty;
    return html`${this.#menu?.view(localize)} ${this.#files?.view(localize)} ${this.#line()}
      <form class="composer-bar" @submit=${this.#submit}>
        ${this.attach ? this.#attachButton(this.attach) : nothing}
        <slot name="composer-start"></slot>
        <textarea
          class="input"
          part="input"
          rows="1"
          dir="auto"
          autocomplete="off"
          enterkeyhint=${this.#entersLine() ? 'enter' : 'send'}
          aria-label=${localize('composer.label')}
          aria-autocomplete=${this.commands || this.mentions ? 'list' : nothing}
          aria-controls=${this.#menu?.isOpen ? 'composer-menu' : nothing}
          aria-activedescendant=${this.#menu?.activeId ?? nothing}
          placeholder=${this.placeholder}
          .value=${this.text}
          ?disabled=${this.disabled}
          ?readonly=${this.readonly}
          @input=${this.#typed}
          @keydown=${this.#pressed}
          @paste=${this.#pasted}
          @click=${this.#lookForNames}
          @blur=${this.#closeMenu}
        ></textarea>
        <slot name="composer-end"></slot>
        ${modelPicker({ localize, models: this.models, model: this.model, choose: this.#chooseModel })}
        ${this.voice ? lazy(loadDictation, this.#dictation()) : nothing}
        ${
          busy
            ? html`<button
                type="button"
                class="icon-button send stop ${empty ? '' : 'quiet'}"
                part="stop-button"
                aria-label=${localize('composer.stop')}
                title=${localize('composer.stop')}
                @click=${this.#stop}
              >
                ${icon('stop')}
              </button>`
            : nothing
        }
        ${
          busy && empty
            ? nothing
            : html`<button
                type="submit"
                class="icon-button send"
                part="send-button"
                aria-label=${localize(busy ? 'composer.queue' : 'composer.send')}
                title=${localize(busy ? 'composer.queue' : 'composer.send')}
                ?disabled=${empty || this.disabled || this.readonly}
              >
                ${icon('up')}
              </button>`
        }
      </form>`;
  }

  #attachButton({ accept }: AttachSettings): TemplateResult {
    const label = this.localize('attach.add');
    return html`<button
        type="button"
        class="icon-button"
        part="attach-button"
        aria-label=${label}
        title=${label}
        ?disabled=${this.disabled || this.readonly}
        @click=${this.#choose}
      >
        ${icon('plus')}</button
      ><input type="file" multiple hidden accept=${accept} @change=${this.#chosen} />`;
  }

  #line(): TemplateResult | typeof nothing {
    const words = this.problem ?? (this.waits ? this.localize('attach.waits') : undefined);
    return words === undefined ? nothing : html`<p class="line composer-line" role="status">${words}</p>`;
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
    this.text = (event.currentTarget as HTMLTextAreaElement).value;
    this.dispatchEvent(new Event('agent-chat-typed'));
    void this.#lookForNames();
  };

  /** Offers names where a sign stands before the caret. */
  readonly #lookForNames = async (): Promise<void> => {
    const input = this.#input;
    const trigger = input ? triggerAt(input.value, input.selectionEnd) : undefined;
    const offers = trigger?.kind === 'command' ? this.commands : this.mentions;
    if (!this.#menu && !(trigger && offers)) return;
    try {
      const { ComposerMenu } = await import('./composer-menu.ts');
      this.#menu ??= new ComposerMenu(this, {
        offers: (kind) => (kind === 'command' ? this.commands : this.mentions),
        pick: this.#pick,
        changed: () => {
          this.requestUpdate();
        },
      });
      await this.#menu.look(trigger);
    } catch {
      // Without the chunk names are written by hand.
    }
  };

  readonly #pick = ({ start, end }: Trigger, { name }: Offer): void => {
    const caret = start + name.length + 2;
    this.text = `${this.text.slice(0, start + 1)}${name} ${this.text.slice(end).trimStart()}`;
    this.dispatchEvent(new Event('agent-chat-typed'));
    void this.updateComplete.then(() => {
      this.#input?.setSelectionRange(caret, caret);
    });
  };

  readonly #closeMenu = (): void => {
    this.#menu?.close();
  };

  /** On a touch keyboard Enter breaks the line, unless the page wants otherwise. */
  #entersLine(): boolean {
    return this.submitKey === 'mod-enter' || (this.submitKey === 'auto' && matchMedia('(pointer: coarse)').matches);
  }

  readonly #pressed = (event: KeyboardEvent): void => {
    if (composes(event)) return;
    if (this.#menu?.press(event)) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    if (event.shiftKey) return;
    const mod = event.ctrlKey || event.metaKey;
    if (!mod && !event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) this.#recall(event);
    if (event.key !== 'Enter') return;
    if (this.#entersLine() && !mod) return;
    event.preventDefault();
    this.#submit();
  };

  #recall(event: KeyboardEvent): void {
    const text = this.#history.recall(this.sent(), this.text, event.key === 'ArrowUp' ? 'older' : 'newer');
    if (text === undefined || this.readonly) return;
    event.preventDefault();
    this.text = text;
    this.dispatchEvent(new Event('agent-chat-typed'));
  }

  readonly #submit = (event?: Event): void => {
    event?.preventDefault();
    if (this.isEmpty || this.disabled || this.readonly) return;
    const files = this.#files;
    this.waits = files?.busy ?? false;
    if (this.waits) return;
    this.problem = files?.ready === false ? this.localize('attach.blocked') : undefined;
    if (this.problem === undefined) this.dispatchEvent(new SubmitEvent(this.text.trim(), files?.take() ?? NO_FILES));
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
        this.text = text;
        this.dispatchEvent(new Event('agent-chat-typed'));
      },
      problem: (words) => {
        this.problem = words;
      },
    };
  }

  readonly #attachSettings = (): AttachSettings => {
    if (!this.attach) throw new Error('Files are taken only where they may be attached.');
    return this.attach;
  };

  readonly #filesChanged = (): void => {
    this.problem = undefined;
    this.requestUpdate();
    if (this.waits && this.#files?.busy === false) this.#submit();
  };

  readonly #choose = (): void => {
    this.querySelector<HTMLInputElement>('input[type="file"]')?.click();
  };

  readonly #chosen = (event: Event): void => {
    const input = event.currentTarget as HTMLInputElement;
    void this.addFiles([...(input.files ?? [])]);
    // The same file may be chosen once more.
    input.value = '';
    this.focus();
  };

  /** A picture that comes with words is what a word processor makes of them. */
  readonly #pasted = (event: ClipboardEvent): void => {
    const { files, types } = event.clipboardData ?? new DataTransfer();
    if (!this.attach || files.length === 0 || types.includes('text/plain')) return;
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
