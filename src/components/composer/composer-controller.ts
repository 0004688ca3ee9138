import type { TemplateResult } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import type { ChatMessage } from '../../model/message.ts';
import { textOf } from '../../model/message-text.ts';
import type { MessageOrigin } from '../../runtime/chat/message-origin.ts';
import { queuedOf, type ChatStatus } from '../../runtime/chat/chat-state.ts';
import type { ComposerDraft } from '../../storage/settings/manager-host.ts';
import type { StorageProblem } from '../../storage/stores/storage-errors.ts';
import { SUBMIT_KEYS, type AgentChatSettings } from '../settings/agent-chat-properties.ts';
import { validEnumValue } from '../shared/attribute-converters.ts';
import type { AgentChatComposer, DraftSettings } from './composer.ts';
import type { ComposerSubmitEvent } from './composer-events.ts';
import { AgentChatDraftEvent } from '../shared/events.ts';
import { composerFooter } from './composer-area.ts';
import type { ConversationsController } from '../shared/conversations-controller.ts';
import { usableModels } from '../settings/validate-items.ts';
import type { UserActions } from '../shared/user-actions.ts';
import type { TranscriptController } from '../transcript/transcript-controller.ts';

export interface ComposerHostElement extends AgentChatSettings {
  readonly messages: readonly ChatMessage[];
  readonly status: ChatStatus;
  stop(): void;
}

/** Dependencies of the composer controller. */
export interface ComposerDependencies {
  localize(): Localize;
  readonly conversations: ConversationsController;
  readonly actions: UserActions;
  readonly transcript: TranscriptController;
  /** The controls that the host page disables. */
  without(): ReadonlySet<string>;
  /** Called when the user changes a setting. */
  change(name: string, value: unknown): void;
}

/** A draft that was put back was begun before any question of the agent was seen, so that it answers none. */
const NONE: readonly string[] = [];

/** Controls the composer and its footer: sends the text, and restores it if sending fails. */
export class ComposerController implements ComposerDraft {
  readonly #element: ComposerHostElement;
  readonly #parts: ComposerDependencies;
  /** Why the conversation can't be stored, until the user dismisses it. */
  #notice: StorageProblem | undefined;
  /** The questions that the user had seen when they began to write the draft. */
  #seen: readonly string[] | undefined;
  /** Whether a submitted text is still in the composer, for example while the user is asked for consent. */
  #submitting = false;

  constructor(element: ComposerHostElement, parts: ComposerDependencies) {
    this.#element = element;
    this.#parts = parts;
  }

  /** The element that contains toasts. */
  get toastContainer(): Element | null {
    return this.#element.renderRoot.querySelector('.foot-area');
  }

  get #composer(): AgentChatComposer | null | undefined {
    // The page may call a method before the element is in a document.
    const { renderRoot } = this.#element as Partial<Pick<ComposerHostElement, 'renderRoot'>>;
    return renderRoot?.querySelector('agent-chat-composer');
  }

  get text(): string {
    return this.#composer?.text ?? '';
  }

  /** Puts a stored draft back. */
  setText(text: string): void {
    this.#seen = text ? NONE : undefined;
    if (this.#composer) this.#composer.text = text;
    else this.#setDraft(text);
  }

  /** Sets the draft. It is stored as if the user had typed it. */
  setDraft(text: string): void {
    this.#seen = text ? this.#look() : undefined;
    this.#setDraft(text);
  }

  #setDraft(text: string): void {
    void this.#whenRendered().then((composer) => {
      composer.text = text;
      this.#parts.conversations.storeDraft(text);
    });
  }

  /** Puts a message that was not sent back into the composer. */
  readonly restoreDraft = (message: ChatMessage): void => {
    void this.#composer?.restore(message);
    this.#seen = NONE;
  };

  /** Appends text to the draft and focuses the composer. */
  readonly write = (text: string): void => {
    this.#composer?.appendText(text);
  };

  #look(): readonly string[] {
    return this.#parts.transcript.list.questions?.look() ?? NONE;
  }

  focus(options?: FocusOptions): void {
    void this.#whenRendered().then((composer) => {
      composer.focus(options);
    });
  }

  cancelSend(): void {
    this.#composer?.cancelSend();
  }

  reset(): void {
    this.#submitting = false;
    this.#seen = undefined;
    this.#composer?.reset();
  }

  /** The composer if files can be dropped on it; undefined while none may be attached. */
  get dropTarget(): AgentChatComposer | undefined {
    const composer = this.#composer;
    return composer?.acceptsFiles ? composer : undefined;
  }

  /** Whether Enter inserts a line break. */
  get enterBreaksLine(): boolean {
    return this.#composer?.enterBreaksLine ?? false;
  }

  /** Shows why the conversation can't be stored; undefined removes the notice. */
  showStorageProblem(problem: StorageProblem | undefined): void {
    this.#notice = problem;
    this.#element.requestUpdate();
  }

  render(): TemplateResult {
    const element = this.#element;
    const { localize, conversations, actions, transcript, without, change } = this.#parts;
    this.#composer?.checkRecipient();
    return composerFooter({
      localize: localize(),
      status: element.status,
      placeholder: element.placeholder,
      disclaimer: element.disclaimer,
      problem: actions.problem,
      notice: this.#notice,
      dismiss: () => {
        this.showStorageProblem(undefined);
      },
      queued: queuedOf(conversations.chat.store.state),
      scrollButton: transcript.scrollButton(),
      disabled: element.disabled,
      readonly: element.readonly,
      submitKey: validEnumValue('submitKey', element.submitKey, SUBMIT_KEYS),
      sent: this.#sentTexts,
      editLast: without().has('edit') ? undefined : this.#editLast,
      unqueue: (id) => conversations.chat.unqueue(id),
      editQueued: (id) => {
        const message = conversations.chat.unqueue(id);
        if (message) this.restoreDraft(message);
      },
      sendNow: (id) => {
        conversations.chat.sendNow(id);
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
      onInput: (text) => {
        const isBegun = text || this.#composer?.querySelector('.hearing');
        this.#seen = isBegun ? (this.#seen ?? this.#look()) : undefined;
        actions.forgetProblem();
        conversations.storeDraft(text);
        element.dispatchEvent(new AgentChatDraftEvent(text));
      },
    });
  }

  /**
   * Submits the draft. Its files leave the composer immediately. Its text leaves when the message joins the conversation or the
   * messages that wait for the storage; with `consent` only when the message is sent. Both return if the message is not sent.
   */
  async #submit({ text, attachments, restoreDraft }: ComposerSubmitEvent, composer: AgentChatComposer): Promise<void> {
    const { actions, conversations } = this.#parts;
    // Enter was pressed again before the consent dialog opened.
    if (this.#submitting) {
      restoreDraft();
      return;
    }
    this.#submitting = true;
    const outcome = { taken: false };
    const { chat } = conversations;
    const origin: MessageOrigin = {
      seen: this.#parts.transcript.list.questions?.inView(this.#seen ?? NONE) ?? [],
      taken: () => {
        outcome.taken = true;
        this.#submitting = false;
        conversations.storeDraft('', chat);
        // Meanwhile another conversation may have been opened, with its own draft.
        if (conversations.chat !== chat) return;
        if (composer.text.trim() !== text) return;
        composer.text = '';
        this.#seen = undefined;
      },
      restoreDraft: (message) => {
        // Meanwhile another conversation may have been opened: its draft gets neither the text nor the files.
        if (conversations.chat !== chat) conversations.storeDraft(text, chat);
        else if (!composer.isEmpty) this.restoreDraft(message);
        else {
          this.setText(text);
          this.#parts.conversations.storeDraft(text);
          restoreDraft();
        }
      },
    };
    await actions.send(attachments.length > 0 ? { text, attachments } : text, origin);
    if (outcome.taken) return;
    this.#submitting = false;
    restoreDraft();
  }

  readonly #attachSettings = (): DraftSettings => ({
    accept: this.#accept ?? '',
    upload: this.#element.upload,
    limits: this.#parts.conversations.chat.limits,
    watchRecipient: () => {
      const { turns } = this.#parts.conversations.chat.parts;
      const { recipient } = turns;
      const isSameUser = turns.watchUser();
      return () => isSameUser() && !turns.formerRecipient(recipient);
    },
  });

  /** The accepted file types; undefined for no files. An empty attribute accepts any file. */
  get #accept(): string | undefined {
    const { attachments } = this.#element;
    return attachments === '' ? '*' : (attachments ?? undefined);
  }

  readonly #sentTexts = (): readonly string[] => this.#element.messages.filter(isRecallable).map(textOf);

  readonly #editLast = (): void => {
    void import('./edit-last-message.ts').then(({ editLastMessage }) =>
      editLastMessage(this.#parts.transcript.list, this.#element.messages.filter(isRecallable)),
    );
  };

  async #whenRendered(): Promise<AgentChatComposer> {
    await this.#element.updateComplete;
    const composer = this.#composer;
    if (!composer) throw new Error('The composer is not rendered yet.');
    await composer.updateComplete;
    return composer;
  }
}

/** Whether ArrowUp can recall the message: it is a visible message of the user, and has text. */
const isRecallable = (message: ChatMessage): boolean =>
  message.role === 'user' && message.metadata?.['hidden'] !== true && textOf(message) !== '';
