import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import type { ChatMessage } from '../../model/message.ts';
import { LightElement } from '../../primitives/light-dom-element.ts';
import { plainMessages } from './plain-messages.ts';
import type { ShownQuestions } from './window/shown-questions.ts';

/** Shows the messages of a list. The implementation (`message-list-view.ts`) loads with the conversation chunk. */
export interface MessageListView {
  readonly following: boolean;
  readonly hasOffscreenMessages: boolean;
  readonly isEndVisible: boolean;
  readonly questions: ShownQuestions;
  /** The rendered messages, as a child of the column. */
  rows(messages: readonly ChatMessage[]): unknown;
  scrollTurnToTop(id: string): void;
  scrollToEnd(): void;
  scrollToMessage(id: string): void;
  reach(id: string): Promise<Element | undefined>;
  notifyStart(): void;
}

/**
 * The scrollable list of messages. It is a log with `aria-live="off"`: the announcer reports complete sentences instead.
 * While its view loads, the messages are plain text.
 */
export class AgentChatMessageList extends LightElement {
  static override properties = {
    messages: { attribute: false },
    empty: { attribute: false },
    head: { attribute: false },
    tail: { attribute: false },
    label: { attribute: false },
    localize: { attribute: false },
  };
  declare messages: readonly ChatMessage[];
  /** Content of an empty conversation. */
  declare empty: unknown;
  /** Content before the first message. */
  declare head: unknown;
  /** Content after the last message. */
  declare tail: unknown;
  declare label: string;
  declare localize: Localize;
  /** Set by the conversation chunk. */
  static View: (new (list: AgentChatMessageList) => MessageListView) | undefined;
  #view: MessageListView | undefined;
  /** Scrolls when the view is loaded. */
  #scrollLater: ((view: MessageListView) => void) | undefined;
  #shown: readonly ChatMessage[] = [];

  constructor() {
    super();
    this.messages = [];
    this.empty = nothing;
    this.head = nothing;
    this.tail = nothing;
    this.label = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.setAttribute('role', 'log');
    this.setAttribute('aria-live', 'off');
    this.tabIndex = 0;
    void customElements.whenDefined('agent-chat-message').then(() => {
      this.requestUpdate();
    });
  }

  /** Whether the list stays at its end when content is added. */
  get following(): boolean {
    return this.#view?.following ?? true;
  }

  /** Whether some messages are not in the document. */
  get hasOffscreenMessages(): boolean {
    return this.#view?.hasOffscreenMessages ?? false;
  }

  /** The messages without those that are never rendered. */
  get listedMessages(): readonly ChatMessage[] {
    return this.#shown;
  }

  /** Whether the end is in view: the list follows it, or the answer has not filled the space below the user's message yet. */
  get isEndVisible(): boolean {
    return this.#view?.isEndVisible ?? true;
  }

  /** The questions that the user has seen. Undefined while the view loads. */
  get questions(): ShownQuestions | undefined {
    return this.#view?.questions;
  }

  /** Scrolls a message of the user to the top. It stays there while the answer fills the space below. */
  scrollTurnToTop(id: string): void {
    this.#scroll((view) => {
      view.scrollTurnToTop(id);
    });
  }

  scrollToEnd(): void {
    this.#scroll((view) => {
      view.scrollToEnd();
    });
  }

  scrollToMessage(id: string): void {
    this.#scroll((view) => {
      view.scrollToMessage(id);
    });
  }

  /** Scrolls to a message and resolves with its element once it is rendered. */
  async reach(id: string): Promise<Element | undefined> {
    return this.#view?.reach(id);
  }

  /** Emits `start` when the user is near the first message: there may be older ones. */
  notifyStart(): void {
    this.#view?.notifyStart();
  }

  #scroll(act: (view: MessageListView) => void): void {
    if (this.#view) act(this.#view);
    else this.#scrollLater = act;
  }

  protected override willUpdate(changes: PropertyValues<this>): void {
    if (changes.has('label')) this.setAttribute('aria-label', this.label);
    if (changes.has('messages')) this.#shown = listedMessages(this.messages);
    this.#view ??= AgentChatMessageList.View && new AgentChatMessageList.View(this);
  }

  protected override render(): TemplateResult {
    return html`<div class="column">
      ${this.head} ${this.#shown.length === 0 ? this.empty : nothing}
      ${this.#view ? nothing : plainMessages(this.#shown, this.localize)} ${this.#view?.rows(this.#shown)} ${this.tail}
    </div>`;
  }

  protected override updated(): void {
    if (this.#view) {
      this.#scrollLater?.(this.#view);
      this.#scrollLater = undefined;
    } else if (this.#shown.length > 0) this.scrollTop = this.scrollHeight;
  }
}

/**
 * The messages without queued ones at the end and tool results, which are rendered elsewhere. Returns the same list if nothing
 * is left out.
 */
function listedMessages(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  // A queued message with a reply after it waits for the network and stays in the list.
  const end = messages.findLastIndex(({ status }) => status !== 'queued');
  const isShown = ({ role }: ChatMessage, index: number): boolean => index <= end && role !== 'tool';
  return messages.every(isShown) ? messages : messages.filter(isShown);
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-message-list': AgentChatMessageList;
  }
}
