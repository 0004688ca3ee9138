import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import type { ChatMessage } from '../../model/message.ts';
import { LightElement } from '../../primitives/light-dom-element.ts';
import { copyWithOffscreenMessages, selectTranscript } from './copy-selection.ts';
import { StickToBottom } from './stick-to-bottom.ts';
import { VirtualWindow } from './virtual-window.ts';
import { elementList } from './element-list-directive.ts';
import { TurnSpacer } from './turn-spacer.ts';

/** Notifies the widget that the user reached or left the end. */
class FollowEvent extends Event {
  readonly following: boolean;
  constructor(following: boolean) {
    super('follow');
    this.following = following;
  }
}

/**
 * The scrollable list of messages. It is a log with `aria-live="off"`: the announcer reports complete sentences instead. Of a
 * long conversation only the messages near the viewport are in the document.
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
  readonly #follow: StickToBottom = new StickToBottom(this, {
    changed: () => {
      this.#window.resetAnchor();
      this.#sawEnd = undefined;
      this.#notifyEnd();
    },
    // The end of the spacer below an answer is not the end of the answer: new text fills the spacer and moves nothing.
    hasEnd: () => this.#window.hasEnd && !this.#turnSpacer.isOpen,
    scrolled: () => {
      this.#notifyEnd();
      this.#window.updateRange();
      this.notifyStart();
    },
    resized: (entries) => {
      this.#window.onResize(entries);
      this.#turnSpacer.onResize(entries);
      // Don't render inside the resize observer.
      if (this.#sawEnd !== this.isEndVisible) requestAnimationFrame(this.#notifyEnd);
      this.notifyStart();
    },
  });
  readonly #window = new VirtualWindow(this, this.#follow);
  readonly #turnSpacer: TurnSpacer = new TurnSpacer(this, {
    row: (id) => this.#window.rows.get(id),
    revealMessage: (id) => this.reach(id),
  });
  #shown: readonly ChatMessage[] = [];
  #sawEnd: boolean | undefined = true;
  #isPrinting = false;
  #startPending = false;

  constructor() {
    super();
    this.messages = [];
    this.empty = nothing;
    this.head = nothing;
    this.tail = nothing;
    this.label = '';
    this.addEventListener('copy', (event) => {
      copyWithOffscreenMessages(event, this, this.#window);
    });
    this.addEventListener('keydown', this.#onKeydown);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.setAttribute('role', 'log');
    this.setAttribute('aria-live', 'off');
    this.tabIndex = 0;
    addEventListener('beforeprint', this.#renderAll);
    addEventListener('afterprint', this.#renderVisible);
    void customElements.whenDefined('agent-chat-message').then(() => {
      this.requestUpdate();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('beforeprint', this.#renderAll);
    removeEventListener('afterprint', this.#renderVisible);
  }

  get following(): boolean {
    return this.#follow.following;
  }

  /** Whether some messages are not in the document. */
  get hasOffscreenMessages(): boolean {
    return this.#window.hasOffscreenMessages;
  }

  /** The messages without those that are never rendered. */
  get visibleMessages(): readonly ChatMessage[] {
    return this.#shown;
  }

  /** Whether there is no unread content below the viewport. */
  get isEndVisible(): boolean {
    return this.following || this.#turnSpacer.isOpen;
  }

  /** Scrolls a message of the user to the top. It stays there while the answer fills the space below. */
  scrollTurnToTop(id: string): void {
    this.#turnSpacer.start(id);
    this.#follow.stopFollowing();
    this.requestUpdate();
  }

  scrollToEnd(): void {
    this.#window.forgetTarget();
    this.#follow.scrollToEnd();
    this.requestUpdate();
  }

  scrollToMessage(id: string): void {
    this.#window.scrollToMessage(id);
  }

  /** Scrolls to a message and resolves with its element once it is rendered. */
  async reach(id: string): Promise<Element | undefined> {
    if (!this.#window.scrollToMessage(id)) return undefined;
    await this.updateComplete;
    await this.#window.settle();
    return this.#window.rows.get(id);
  }

  protected override willUpdate(changes: PropertyValues<this>): void {
    if (changes.has('label')) this.setAttribute('aria-label', this.label);
    if (changes.has('messages')) this.#shown = visibleMessages(this.messages);
  }

  protected override render(): TemplateResult {
    return html`<div class="column">
      ${this.head} ${this.#shown.length === 0 ? this.empty : nothing}
      ${elementList(this.#window.layOut(this.#shown, this.localize).map(({ element }) => element))} ${this.tail}
    </div>`;
  }

  protected override updated(): void {
    this.#turnSpacer.update(this.#shown);
    this.#window.afterRender();
    const rows = this.#window.items.flatMap((item) => ('index' in item ? [item.element] : []));
    this.#follow.observe(new Set([...this.querySelectorAll(':scope > .column'), ...rows]));
  }

  readonly #notifyEnd = (): void => {
    const { isEndVisible } = this;
    if (this.#sawEnd === isEndVisible) return;
    this.#sawEnd = isEndVisible;
    this.dispatchEvent(new FollowEvent(this.following));
  };

  /** Emits `start` when the user is near the first message: there may be older ones. */
  notifyStart(): void {
    if (this.#startPending || !this.#window.isAtStart) return;
    this.#startPending = true;
    // A listener may render, which must not happen while sizes are observed. And messages that were just inserted above move the
    // viewport away from the start only after the next frame.
    requestAnimationFrame(() => {
      requestAnimationFrame(() => {
        this.#startPending = false;
        if (this.#window.isAtStart) this.dispatchEvent(new Event('start'));
      });
    });
  }

  readonly #onKeydown = (event: KeyboardEvent): void => {
    const [target] = event.composedPath();
    const isEditable = target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;
    if (isEditable || event.defaultPrevented || event.isComposing || event.altKey || event.shiftKey) return;
    const mod = event.ctrlKey || event.metaKey;
    if (event.key === 'Home' && !mod) this.scrollToMessage(this.#shown[0]?.id ?? '');
    else if (event.key === 'End' && !mod) this.scrollToEnd();
    else if (event.key === 'a' && mod) selectTranscript(this);
    else return;
    event.preventDefault();
  };

  /** Renders synchronously, because the browser prints the document as it is after the event. */
  readonly #renderAll = (): void => {
    if (!this.hasOffscreenMessages) return;
    this.#isPrinting = true;
    this.#window.rendersAll = true;
    this.renderNow();
  };

  readonly #renderVisible = (): void => {
    if (this.#isPrinting) this.#window.rendersAll = false;
    this.#isPrinting = false;
  };
}

/**
 * The messages without trailing queued ones and tool results, which are rendered elsewhere. Returns the same list if nothing is
 * left out.
 */
function visibleMessages(messages: readonly ChatMessage[]): readonly ChatMessage[] {
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
