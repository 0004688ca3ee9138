import type { ReactiveElement } from 'lit';
import type { ChatMessage } from '../../../model/message.ts';
import type { StickToBottom } from '../stick-to-bottom.ts';
import { MessageElements, type ColumnItem } from './message-elements.ts';
import type { IndexRange } from './visible-range.ts';

/** Up to this many messages are all rendered. */
export const MAX_RENDERED_MESSAGES = 60;
/** Up to this many, all are rendered while the code for virtual scrolling loads; of more messages only the last ones. */
const MAX_WHILE_LOADING = 2 * MAX_RENDERED_MESSAGES;
const LAST_WHILE_LOADING = 20;

/** Decides which messages are in the document: all of a short conversation. `virtual-window.ts` does it for a long one. */
export class MessageWindow {
  /** All messages in order. */
  messages: readonly ChatMessage[] = [];
  /** The children of the column. */
  items: readonly ColumnItem[] = [];
  readonly rows: MessageElements;
  protected readonly list: ReactiveElement;
  protected readonly follow: StickToBottom;
  protected range: IndexRange = { from: 0, to: 0 };
  /** Id of the message to scroll to once it is rendered. */
  protected target: string | undefined;
  protected renderAll = false;
  #frame: number | undefined;

  constructor(list: ReactiveElement, follow: StickToBottom, rows = new MessageElements(list)) {
    this.list = list;
    this.follow = follow;
    this.rows = rows;
  }

  /** Whether some messages are not in the document. */
  get hasOffscreenMessages(): boolean {
    return this.range.from > 0;
  }

  /**
   * Whether the first message is in the document and the viewport is near it. A pending correction of the scroll position is
   * included.
   */
  get isAtStart(): boolean {
    const { clientHeight, scrollHeight, scrollTop } = this.list;
    if (this.range.from > 0 || clientHeight === 0) return false;
    const top = this.follow.following ? scrollHeight - clientHeight : scrollTop + this.follow.anchor.drift();
    return top < clientHeight;
  }

  /** Whether the last message is rendered, or the user has jumped to its estimated position. */
  get hasEnd(): boolean {
    // While there is a target, the list is about to scroll, and a late scroll event reports the previous position.
    return this.target === undefined;
  }

  /** Whether all messages are rendered, for printing or because the code for virtual scrolling has failed to load. */
  set rendersAll(all: boolean) {
    this.renderAll = all;
    this.list.requestUpdate();
  }

  /** Drops the stored position. The next range starts from the rendered elements. */
  resetAnchor(): void {
    // There is none: all messages are rendered.
  }

  /** Scrolls to a message. @returns whether it exists */
  scrollToMessage(id: string): boolean {
    if (!this.messages.some((message) => message.id === id)) return false;
    this.follow.stopFollowing();
    this.target = id;
    this.list.requestUpdate();
    this.scheduleSettle();
    return true;
  }

  forgetTarget(): void {
    this.target = undefined;
  }

  /** Returns the id of the message that is to be scrolled to, and forgets it. */
  takeTarget(): string | undefined {
    const { target } = this;
    this.target = undefined;
    return target;
  }

  /** Computes the children of the column for the current messages. */
  layOut(messages: readonly ChatMessage[]): readonly ColumnItem[] {
    if (messages !== this.messages) this.rows.prune(messages);
    this.messages = messages;
    const { length } = messages;
    const from = this.renderAll || length <= MAX_WHILE_LOADING ? 0 : length - LAST_WHILE_LOADING;
    this.range = { from, to: length };
    const rendered = messages.slice(from);
    this.rows.releaseExcept(new Set(rendered.map(({ id }) => id)));
    this.items = rendered.map((message, offset) => {
      const index = from + offset;
      return { key: message.id, index, element: this.rows.render(message, { messages, index, isPartial: from > 0 }) };
    });
    return this.items;
  }

  /** Restores positions. Call it when the children of the column are in the document. */
  afterRender(): void {
    this.rows.restoreScroll();
  }

  /** Requests another range when the viewport comes near the end of the rendered one. @returns whether it did */
  updateRange(): boolean {
    return false;
  }

  /** Corrects the scroll position before the next paint. */
  settle(): Promise<void> {
    // A message that is not rendered yet is scrolled to by the window for long conversations.
    const isMissing = this.range.from > 0 && this.target !== undefined && !this.rows.get(this.target);
    if (!isMissing) this.applyScroll();
    return Promise.resolve();
  }

  onResize(_entries: readonly ResizeObserverEntry[]): void {
    // No height has to be known.
  }

  protected rowAt(index: number): HTMLElement | undefined {
    return this.rows.get(this.messages[index]?.id ?? '');
  }

  protected scheduleSettle(): void {
    if (this.#frame !== undefined) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = undefined;
      void this.settle();
    });
  }

  protected applyScroll(): void {
    if (this.follow.following) {
      this.follow.scrollToEnd();
      return;
    }
    const target = this.target === undefined ? undefined : this.rows.get(this.target);
    this.target = undefined;
    if (target) {
      // The first message scrolls to the very beginning, including the content before it.
      const line = target === this.rowAt(0) ? this.list.firstElementChild : target;
      this.follow.scrollBy((line ?? target).getBoundingClientRect().top - this.list.getBoundingClientRect().top);
    } else this.follow.compensate(this.absorb);
  }

  /** Takes pixels out of the space before the range. @returns whether there was enough of it */
  protected absorb = (_px: number): boolean => false;
}
