import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { Localize } from '../locales/localize.ts';
import type { ChatMessage } from '../model/message.ts';
import { LightElement } from '../primitives/light-element.ts';
import { copyLeftOut, selectAll } from './copy-left-out.ts';
import { FollowEnd } from './follow-end.ts';
import { MessageWindow } from './message-window.ts';
import { theseElements } from './these-elements.ts';
import { TurnRoom } from './turn-room.ts';

/** Something for the widget: the reader has come to the end, or left it. */
class FollowEvent extends Event {
  readonly following: boolean;
  constructor(following: boolean) {
    super('follow');
    this.following = following;
  }
}

/**
 * The messages, scrolled. A log that is itself silent: what is to be said aloud is said elsewhere, in whole sentences. Of a long
 * conversation only what is near the view is in the document.
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
  /** What stands there before the first message. */
  declare empty: unknown;
  /** What stands above the first one. */
  declare head: unknown;
  /** What stands behind the last one. */
  declare tail: unknown;
  declare label: string;
  declare localize: Localize;
  readonly #follow: FollowEnd = new FollowEnd(this, {
    changed: () => {
      this.#window.turn();
      this.#sawEnd = undefined;
      this.#tellEnd();
    },
    // The end of the room below an answer is not the end of the answer: what comes next fills that room, and moves nothing.
    hasEnd: () => this.#window.hasEnd && !this.#turn.isOpen,
    scrolled: () => {
      this.#tellEnd();
      this.#window.look();
      this.tellStart();
    },
    resized: (entries) => {
      this.#window.noteSizes(entries);
      this.#turn.noteSizes(entries);
      // Nothing is drawn while sizes are observed.
      if (this.#sawEnd !== this.seesEnd) requestAnimationFrame(this.#tellEnd);
      this.tellStart();
    },
  });
  readonly #window = new MessageWindow(this, this.#follow);
  readonly #turn: TurnRoom = new TurnRoom(this, {
    row: (id) => this.#window.rows.get(id),
    reach: (id) => this.reach(id),
  });
  #shown: readonly ChatMessage[] = [];
  #sawEnd: boolean | undefined = true;
  #printing = false;
  #telling = false;

  constructor() {
    super();
    this.messages = [];
    this.empty = nothing;
    this.head = nothing;
    this.tail = nothing;
    this.label = '';
    this.addEventListener('copy', (event) => {
      copyLeftOut(event, this, this.#window);
    });
    this.addEventListener('keydown', this.#pressed);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.setAttribute('role', 'log');
    this.setAttribute('aria-live', 'off');
    this.tabIndex = 0;
    addEventListener('beforeprint', this.#drawAll);
    addEventListener('afterprint', this.#drawSome);
    void customElements.whenDefined('agent-chat-message').then(() => {
      this.requestUpdate();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('beforeprint', this.#drawAll);
    removeEventListener('afterprint', this.#drawSome);
  }

  get following(): boolean {
    return this.#follow.following;
  }

  /** Some messages are not in the document. */
  get leavesOut(): boolean {
    return this.#window.leavesOut;
  }

  /** The messages that are shown at all. */
  get shown(): readonly ChatMessage[] {
    return this.#shown;
  }

  /** Nothing is below the view that is yet to be read. */
  get seesEnd(): boolean {
    return this.following || this.#turn.isOpen;
  }

  /** Puts a message of the reader's at the top, where it stays while its answer fills the room below. */
  anchorTurn(id: string): void {
    this.#turn.make(id);
    this.#follow.stay();
    this.requestUpdate();
  }

  scrollToEnd(): void {
    this.#window.forgetTarget();
    this.#follow.toEnd();
    this.requestUpdate();
  }

  scrollToMessage(id: string): void {
    this.#window.seek(id);
  }

  /** The element of a message, once it is drawn and in view. */
  async reach(id: string): Promise<Element | undefined> {
    if (!this.#window.seek(id)) return undefined;
    await this.updateComplete;
    await this.#window.settle();
    return this.#window.rows.get(id);
  }

  protected override willUpdate(changes: PropertyValues<this>): void {
    if (changes.has('label')) this.setAttribute('aria-label', this.label);
    if (changes.has('messages')) this.#shown = shownOf(this.messages);
  }

  protected override render(): TemplateResult {
    return html`<div class="column">
      ${this.head} ${this.#shown.length === 0 ? this.empty : nothing}
      ${theseElements(this.#window.lay(this.#shown, this.localize).map(({ element }) => element))} ${this.tail}
    </div>`;
  }

  protected override updated(): void {
    this.#turn.draw(this.#shown);
    this.#window.laid();
    const rows = this.#window.items.flatMap((item) => ('index' in item ? [item.element] : []));
    this.#follow.observe(new Set([...this.querySelectorAll(':scope > .column'), ...rows]));
  }

  readonly #tellEnd = (): void => {
    const { seesEnd } = this;
    if (this.#sawEnd === seesEnd) return;
    this.#sawEnd = seesEnd;
    this.dispatchEvent(new FollowEvent(this.following));
  };

  /** Says so when the reader is near the first message: there may be older ones. */
  tellStart(): void {
    if (this.#telling || !this.#window.isAtStart) return;
    this.#telling = true;
    // Whoever hears of it may draw, which must not happen while sizes are observed; and what has just come above the reader's place
    // has moved them away from the start once its frame is over.
    requestAnimationFrame(() => {
      requestAnimationFrame(() => {
        this.#telling = false;
        if (this.#window.isAtStart) this.dispatchEvent(new Event('start'));
      });
    });
  }

  readonly #pressed = (event: KeyboardEvent): void => {
    const [target] = event.composedPath();
    const writes = target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;
    if (writes || event.defaultPrevented || event.isComposing || event.altKey || event.shiftKey) return;
    const mod = event.ctrlKey || event.metaKey;
    if (event.key === 'Home' && !mod) this.scrollToMessage(this.#shown[0]?.id ?? '');
    else if (event.key === 'End' && !mod) this.scrollToEnd();
    else if (event.key === 'a' && mod) selectAll(this);
    else return;
    event.preventDefault();
  };

  /** At once: the page is printed as it is when the event is over. */
  readonly #drawAll = (): void => {
    if (!this.leavesOut) return;
    this.#printing = true;
    this.#window.whole = true;
    this.drawNow();
  };

  readonly #drawSome = (): void => {
    if (this.#printing) this.#window.whole = false;
    this.#printing = false;
  };
}

/** What waits to be sent stands elsewhere, and what tools gave stands in the answers. The same list where that is all. */
function shownOf(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  // One that is queued and has its reply behind it waits for the network, in its place.
  const end = messages.findLastIndex(({ status }) => status !== 'queued');
  const isShown = ({ role }: ChatMessage, index: number): boolean => index <= end && role !== 'tool';
  return messages.every(isShown) ? messages : messages.filter(isShown);
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-message-list': AgentChatMessageList;
  }
}
