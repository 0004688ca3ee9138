import type { TemplateResult } from 'lit';
import type { Localize } from '../locales/localize.ts';
import type { ChatMessage } from '../model/message.ts';
import { textOf } from '../model/text-of.ts';
import type { AttachSettings } from '../runtime/attachments/attachments.ts';
import type { ChatStatus } from '../runtime/chat-state.ts';
import type { DraftPlace } from '../runtime/keeping/keeper-host.ts';
import type { StorageProblem } from '../runtime/keeping/trouble.ts';
import { SUBMIT_KEYS, type AgentChatSettings } from './agent-chat-settings.ts';
import { known } from './attributes.ts';
import type { AgentChatComposer } from './composer.ts';
import type { SubmitEvent } from './composer-events.ts';
import { AgentChatDraftEvent } from './events.ts';
import { foot } from './foot.ts';
import type { Keeping } from './keeping.ts';
import { usableModels } from './page-input.ts';
import type { ReaderActions } from './reader-actions.ts';
import type { Transcript } from './transcript.ts';

export interface ComposerAreaElement extends AgentChatSettings {
  readonly messages: readonly ChatMessage[];
  readonly status: ChatStatus;
  stop(): void;
}

/** What of the widget the composer has to do with. */
export interface ComposerAreaParts {
  localize(): Localize;
  readonly keeping: Keeping;
  readonly actions: ReaderActions;
  readonly transcript: Transcript;
  /** The controls to leave out. */
  without(): ReadonlySet<string>;
  /** The reader has changed a setting. */
  change(name: string, value: unknown): void;
}

/** The composer and what stands around it: what is written goes out from here, and comes back when it could not. */
export class ComposerArea implements DraftPlace {
  readonly #element: ComposerAreaElement;
  readonly #parts: ComposerAreaParts;
  /** Why the conversation can't be kept, until the reader has seen it. */
  #notice: StorageProblem | undefined;

  constructor(element: ComposerAreaElement, parts: ComposerAreaParts) {
    this.#element = element;
    this.#parts = parts;
  }

  /** Where a word about what was done is shown. */
  get box(): Element | null {
    return this.#element.renderRoot.querySelector('.foot-area');
  }

  get #composer(): AgentChatComposer | null {
    return this.#element.renderRoot.querySelector('agent-chat-composer');
  }

  get text(): string {
    return this.#composer?.text ?? '';
  }

  setText(text: string): void {
    if (this.#composer) this.#composer.text = text;
    else this.setDraft(text);
  }

  /** As the page wants it, and kept as if the reader had written it. */
  setDraft(text: string): void {
    void this.#whenDrawn().then((composer) => {
      composer.text = text;
      this.#parts.keeping.type(text);
    });
  }

  /** Puts words behind those of the composer, and the focus there. */
  readonly write = (text: string): void => {
    this.#composer?.addWords(text);
  };

  focus(options?: FocusOptions): void {
    void this.#whenDrawn().then((composer) => {
      composer.focus(options);
    });
  }

  dropFiles(): void {
    this.#composer?.dropFiles();
  }

  /** Where files can be dropped; undefined while none may be attached. */
  get takesFiles(): AgentChatComposer | undefined {
    const composer = this.#composer;
    return composer?.takesFiles ? composer : undefined;
  }

  /** Enter breaks the line here. */
  get entersLine(): boolean {
    return this.#composer?.entersLine ?? false;
  }

  /** Says why the conversation can't be kept. Undefined takes that back. */
  tell(problem: StorageProblem | undefined): void {
    this.#notice = problem;
    this.#element.requestUpdate();
  }

  draw(): TemplateResult {
    const element = this.#element;
    const { localize, keeping, actions, transcript, without, change } = this.#parts;
    return foot({
      localize: localize(),
      status: element.status,
      placeholder: element.placeholder,
      disclaimer: element.disclaimer,
      problem: actions.problem,
      notice: this.#notice,
      dismiss: () => {
        this.tell(undefined);
      },
      queued: keeping.chat.store.state.queue,
      scrollButton: transcript.scrollButton(),
      disabled: element.disabled,
      readonly: element.readonly,
      submitKey: known('submitKey', element.submitKey, SUBMIT_KEYS),
      sent: this.#sentTexts,
      editLast: without().has('edit') ? undefined : this.#editLast,
      unqueue: (id) => keeping.chat.unqueue(id),
      rewrite: (id, composer) => {
        const message = keeping.chat.unqueue(id);
        if (message) void composer.restore(message);
      },
      sendNow: (id) => {
        keeping.chat.sendNow(id);
      },
      accept: this.#accept,
      attach: this.#attachSettings,
      voice: element.voice === 'input' || element.voice === 'both',
      models: usableModels(element.models),
      model: element.model,
      chooseModel: (id) => {
        change('model', id);
      },
      commands: element.commands,
      mentions: element.mentions,
      submit: (event, composer) => void this.#submit(event, composer),
      stop: () => {
        element.stop();
      },
      typed: (text) => {
        actions.forgetProblem();
        keeping.type(text);
        element.dispatchEvent(new AgentChatDraftEvent(text));
      },
    });
  }

  /** What was not sent is in the composer again; while the reader is asked for their consent it stays there. */
  async #submit({ text, attachments, giveBack }: SubmitEvent, composer: AgentChatComposer): Promise<void> {
    const { actions, keeping } = this.#parts;
    if (this.#element.consent && !(await actions.agreed())) {
      giveBack();
      return;
    }
    composer.text = '';
    keeping.type('');
    const sent = await actions.send(attachments.length > 0 ? { text, attachments } : text);
    if (sent || !composer.isEmpty) return;
    this.setDraft(text);
    giveBack();
  }

  readonly #attachSettings = (): AttachSettings => ({
    accept: this.#accept ?? '',
    upload: this.#element.upload,
    limits: this.#parts.keeping.chat.limits,
  });

  /** A bare attribute takes any file. */
  get #accept(): string | undefined {
    const { attachments } = this.#element;
    return attachments === '' ? '*' : (attachments ?? undefined);
  }

  readonly #sentTexts = (): readonly string[] =>
    this.#element.messages.filter(({ role }) => role === 'user').map(textOf);

  readonly #editLast = (): void => {
    void import('./edit-last.ts').then(({ editLast }) => editLast(this.#parts.transcript.list, this.#element.messages));
  };

  async #whenDrawn(): Promise<AgentChatComposer> {
    await this.#element.updateComplete;
    const composer = this.#composer;
    if (!composer) throw new Error('The composer is drawn with the element.');
    await composer.updateComplete;
    return composer;
  }
}
