import type { ReactiveElement } from 'lit';
import type { Localize } from '../locales/localize.ts';
import type { ChatMessage } from '../model/message.ts';
import type { FollowEnd } from './follow-end.ts';
import { Heights } from './heights.ts';
import { placeAt, rangeAround, stretchesOf, type Range } from './message-range.ts';
import { MessageRows, type Item, type Row } from './message-rows.ts';

/** So few messages are all drawn. */
const FEW = 60;
/** How much is drawn beyond the view on either side, in heights of the view, and how much of it may be used up. */
const BEYOND = 1;
const SPARE = 0.5;
/** The height of the view before it was measured, in CSS pixels. */
const VIEW_PX = 800;
/** How often what is drawn is corrected in one frame, after guesses about heights turned out wrong. */
const ROUNDS = 4;

/** Where the messages that are drawn are laid around: one of them, and how far below the top of the view it begins. */
interface Seat {
  readonly id: string;
  readonly index: number;
  readonly offset: number;
  /** Where that is in the content, when it is far from all that is drawn. */
  readonly top?: number;
}

/**
 * Which messages of a conversation are in the document: those near the view, and those that can't be taken out of it. Empty boxes
 * have the room of the rest. See `docs/decisions/transcript.md`.
 */
export class MessageWindow {
  /** The messages in their order, drawn or left out. */
  messages: readonly ChatMessage[] = [];
  /** What stands in the column. */
  items: readonly Item[] = [];
  readonly rows: MessageRows;
  readonly #list: ReactiveElement;
  readonly #follow: FollowEnd;
  readonly #heights = new Heights();
  #range: Range = { from: 0, to: 0 };
  #seat: Seat | undefined;
  /** The message to go to, once it is drawn. */
  #target: string | undefined;
  #whole = false;
  #view = VIEW_PX;
  #frame: number | undefined;
  /** Where the view was before other messages were drawn. */
  #scrolled: number | undefined;

  constructor(list: ReactiveElement, follow: FollowEnd) {
    this.#list = list;
    this.#follow = follow;
    this.rows = new MessageRows(list);
  }

  /** Some messages are not in the document. */
  get leavesOut(): boolean {
    return this.items.some((item) => 'leftOut' in item);
  }

  /** The first message is in the document, and the view is near it: also once the reader's place is kept, which is for later. */
  get isAtStart(): boolean {
    const { clientHeight, scrollHeight, scrollTop } = this.#list;
    if (this.#range.from > 0 || clientHeight === 0) return false;
    const place = this.#follow.following ? scrollHeight - clientHeight : scrollTop + this.#follow.anchor.drift();
    return place < this.#view;
  }

  /** The last message is drawn, or the reader has gone straight to where it will be. */
  get hasEnd(): boolean {
    // The view is on its way elsewhere, and a scroll event that comes late tells of where it was.
    if (this.#target !== undefined) return false;
    const { to } = this.#range;
    if (to === this.messages.length) return true;
    const last = this.#rowAt(to - 1)?.getBoundingClientRect().bottom ?? -Infinity;
    return last <= this.#list.getBoundingClientRect().top;
  }

  /** All is drawn, as for paper. */
  set whole(whole: boolean) {
    this.#whole = whole;
    this.#list.requestUpdate();
  }

  /** Where the reader goes from here is seen from the elements that are there. */
  turn(): void {
    this.#seat = undefined;
  }

  /** Goes to a message. Whether there is one. */
  seek(id: string): boolean {
    const index = this.messages.findIndex((message) => message.id === id);
    if (index < 0) return false;
    this.#follow.stay();
    this.#seat = { id, index, offset: 0 };
    this.#target = id;
    this.#list.requestUpdate();
    this.#settleSoon();
    return true;
  }

  forgetTarget(): void {
    this.#target = undefined;
  }

  /** What is to stand in the column now. */
  lay(messages: readonly ChatMessage[], localize: Localize): readonly Item[] {
    if (messages !== this.messages) {
      // What is drawn has the places of the messages before.
      const elsewhere = messages.length > FEW && this.items.length > 0 && !this.#follow.following;
      if (elsewhere) this.#seat ??= this.#seatAt(this.#list.getBoundingClientRect());
      this.messages = messages;
      this.#heights.tidy(messages);
      this.rows.tidy(messages);
    }
    this.#range = this.#aim();
    const before = new Map(this.items.map((item) => [item.key, item]));
    const near = new Set(messages.slice(this.#range.from, this.#range.to).map(({ id }) => id));
    const stretches = stretchesOf(this.#range, this.#places(this.rows.alive(near)), messages.length);
    const drawn = stretches.flatMap(({ from, to, drawn }) => (drawn ? messages.slice(from, to) : []));
    this.rows.keep(new Set(drawn.map(({ id }) => id)));
    const some = drawn.length < messages.length;
    this.items = stretches.flatMap((stretch): readonly Item[] =>
      stretch.drawn
        ? messages.slice(stretch.from, stretch.to).map((message, place) => {
            const index = stretch.from + place;
            return { key: message.id, index, element: this.rows.draw(message, { messages, index, some, localize }) };
          })
        : [this.#room(stretch, before)],
    );
    return this.items;
  }

  /** To be called when that stands there. */
  laid(): void {
    this.rows.restoreScroll();
    const seat = this.#seat?.top === undefined ? undefined : this.rows.get(this.#seat.id);
    if (seat && this.#seat?.top !== undefined) {
      this.#follow.anchor.hold(seat, this.#seat.top);
      this.#seat = { id: this.#seat.id, index: this.#seat.index, offset: this.#seat.offset };
    }
    if (this.messages.length > FEW) this.#settleSoon();
  }

  /** Draws other messages where the view has come near the end of those that are drawn. Whether it has. */
  look(): boolean {
    if (!this.leavesOut || this.#whole || this.#target !== undefined) return false;
    if (this.#follow.following) {
      const { from, to } = this.#aim();
      if (from >= this.#range.from && to === this.#range.to) return false;
    } else {
      this.#scrolled = undefined;
      const view = this.#list.getBoundingClientRect();
      if (view.height === 0 || this.#covers(view)) return false;
      this.#seat = this.#seatAt(view);
      const { from, to } = this.#aim();
      if (from === this.#range.from && to === this.#range.to) return false;
      this.#scrolled = this.#list.scrollTop;
    }
    this.#list.requestUpdate();
    return true;
  }

  /** Before anything is painted: puts what is drawn where it belongs, and draws more where that does not fill the view. */
  async settle(): Promise<void> {
    for (let round = 0; round < ROUNDS; round++) {
      this.#restore();
      this.#measure();
      this.#place();
      if (!this.look()) break;
      await this.#list.updateComplete;
      await Promise.all(this.items.map(async ({ element }) => 'updateComplete' in element && element.updateComplete));
    }
  }

  noteSizes(entries: readonly ResizeObserverEntry[]): void {
    const places = new Map<Element, number>();
    for (const item of this.items) if ('index' in item) places.set(item.element, item.index);
    for (const { target, contentRect } of entries) {
      const index = places.get(target) ?? -1;
      const message = this.messages[index];
      if (message) this.#heights.set(message, index, contentRect.height);
      else if (target === this.#list && contentRect.height > 0) this.#view = contentRect.height;
    }
    // Not here: what is drawn in an observer has another size than it has told of, which the page would hear as an error.
    if (this.leavesOut) this.#settleSoon();
  }

  /** The messages to draw. */
  #aim(): Range {
    const count = this.messages.length;
    if (count <= FEW || this.#whole) return { from: 0, to: count };
    const view = this.#view;
    const beyond = view * BEYOND;
    if (this.#follow.following) return rangeAround(count, { above: view + beyond, below: 0 }, count, this.#heightAt);
    const { index, offset } = (this.#seat = this.#seatNow());
    const room = { above: beyond + offset, below: view + beyond - offset };
    return rangeAround(index, room, count, this.#heightAt);
  }

  readonly #heightAt = (index: number): number => {
    const message = this.messages[index];
    return message ? this.#heights.of(message) : 0;
  };

  /** The seat, where it is now: messages may have come before it. */
  #seatNow(): Seat {
    const seat = this.#seat ?? this.#seatAt(this.#list.getBoundingClientRect());
    if (this.messages[seat.index]?.id === seat.id) return seat;
    const found = this.messages.findIndex((message) => message.id === seat.id);
    return { ...seat, index: found < 0 ? Math.min(seat.index, this.messages.length - 1) : found };
  }

  /** The first message in view; where nothing that is in view is drawn, the one that would be there. */
  #seatAt({ top: line, bottom: end }: DOMRect): Seat {
    for (const [place, item] of this.items.entries()) {
      const { top, bottom, height } = item.element.getBoundingClientRect();
      if (bottom <= line && place < this.items.length - 1) continue;
      if ('index' in item) return this.#seatOf(item.index, top - line);
      const next = this.items[place + 1];
      if (bottom < end && next && 'index' in next) return this.#seatOf(next.index, bottom - line);
      const { index, share } = placeAt(item.leftOut, (line - top) / Math.max(1, height), this.#heightAt);
      const offset = Math.max(0, top - line) - share * this.#heightAt(index);
      const content = this.#list.firstElementChild?.getBoundingClientRect().top ?? 0;
      return { ...this.#seatOf(index, offset), top: line + offset - content };
    }
    return this.#seatOf(0, 0);
  }

  #seatOf(index: number, offset: number): Seat {
    return { id: this.messages[index]?.id ?? '', index, offset };
  }

  #places(ids: readonly string[]): readonly number[] {
    return ids.map((id) => this.messages.findIndex((message) => message.id === id)).filter((index) => index >= 0);
  }

  /** An empty box as high as the messages that are left out. It stays as high as it is while these are the same. */
  #room({ from, to }: Range, before: ReadonlyMap<string, Item>): Item {
    const key = `from ${this.messages[from]?.id ?? ''} to ${this.messages[to - 1]?.id ?? ''}: ${String(to - from)}`;
    const old = before.get(key);
    if (old) return { ...old, leftOut: { from, to } };
    const element = document.createElement('div');
    element.className = 'left-out';
    setHeight(element, this.#heights.sum(this.messages, from, to));
    return { key, element, leftOut: { from, to } };
  }

  /** Whether what is drawn goes far enough beyond the view. */
  #covers(view: DOMRect): boolean {
    const { from, to } = this.#range;
    const first = this.#rowAt(from)?.getBoundingClientRect().top ?? Infinity;
    const last = this.#rowAt(to - 1)?.getBoundingClientRect().bottom ?? -Infinity;
    const spare = view.height * SPARE;
    const above = from === 0 || first <= view.top - spare;
    return above && (to === this.messages.length || last >= view.bottom + spare);
  }

  #rowAt(index: number): Row | undefined {
    return this.rows.get(this.messages[index]?.id ?? '');
  }

  #settleSoon(): void {
    if (this.#frame !== undefined) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = undefined;
      void this.settle();
    });
  }

  /** WebKit scrolls back, as if the list had become short, when the room above the view is another one after a layout. */
  #restore(): void {
    if (this.#scrolled !== undefined && !this.#follow.following) this.#follow.restore(this.#scrolled);
    this.#scrolled = undefined;
  }

  #measure(): void {
    for (const item of this.items) {
      if (!('index' in item)) continue;
      const message = this.messages[item.index];
      if (message) this.#heights.set(message, item.index, item.element.offsetHeight);
    }
  }

  #place(): void {
    if (this.#follow.following) {
      this.#follow.toEnd();
      return;
    }
    const target = this.#target === undefined ? undefined : this.rows.get(this.#target);
    this.#target = undefined;
    if (target) {
      // Above the first message is what stands at the very beginning.
      const line = target === this.#rowAt(0) ? this.#list.firstElementChild : target;
      this.#follow.leaveEnd((line ?? target).getBoundingClientRect().top - this.#list.getBoundingClientRect().top);
    } else this.#follow.keep(this.#absorb);
  }

  /** Takes pixels out of the room before what is drawn, as long as enough is left of it to scroll up in. */
  readonly #absorb = (px: number): boolean => {
    const place = this.items.findIndex((item) => 'index' in item && item.index === this.#range.from);
    const room = this.items[place - 1];
    if (!room || !('leftOut' in room)) return false;
    const height = room.element.getBoundingClientRect().height - px;
    const { from, to } = room.leftOut;
    if (height < Math.min(this.#view, this.#heights.sum(this.messages, from, to))) return false;
    setHeight(room.element, height);
    return true;
  };
}

/** (Not as an attribute, which a strict policy forbids.) */
function setHeight(element: HTMLElement, px: number): void {
  element.style.setProperty('height', `${String(px)}px`);
}
