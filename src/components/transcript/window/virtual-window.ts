import type { ReactiveElement } from 'lit';
import { enumerate } from '../../../enumerate.ts';
import type { ChatMessage } from '../../../model/message.ts';
import type { StickToBottom } from '../stick-to-bottom.ts';
import { HeightCache } from './height-cache.ts';
import { messageAtShare, rangeAround, messageRuns, type IndexRange } from './visible-range.ts';
import type { ColumnItem } from './message-elements.ts';
import { MAX_RENDERED_MESSAGES, MessageWindow } from './message-window.ts';

/** Overscan on either side, in viewport heights, and the part of it that must remain before more is rendered. */
const OVERSCAN = 1;
const MIN_OVERSCAN = 0.5;
/** Initial viewport height before the first measurement, in CSS pixels. */
const INITIAL_VIEW_PX = 800;
/** Maximum number of corrections in one frame when height estimates were wrong. */
const MAX_ROUNDS = 4;

/** The message around which the range is rendered, and the distance of its top from the top of the viewport. */
interface RangeAnchor {
  readonly id: string;
  readonly index: number;
  readonly offset: number;
  /** Offset in the content, when it is far from all rendered messages. */
  readonly top?: number;
}

/**
 * Virtual scrolling: decides which messages are in the document. These are the messages near the viewport and those that can't be
 * removed. Spacers stand for the rest. See `docs/decisions/transcript.md`.
 */
export class VirtualWindow extends MessageWindow {
  readonly #heights = new HeightCache();
  #anchor: RangeAnchor | undefined;
  #viewHeight = INITIAL_VIEW_PX;
  /** The scroll position before other messages were rendered. */
  #savedTop: number | undefined;

  /** @param before - the window that has rendered the messages until now. Their heights are measured, so that no gap appears. */
  constructor(list: ReactiveElement, follow: StickToBottom, before: MessageWindow) {
    super(list, follow, before.rows);
    this.messages = before.messages;
    this.items = before.items;
    if (this.items.length > 0) {
      this.#viewHeight = list.clientHeight || INITIAL_VIEW_PX;
      this.#measure();
    }
    const target = before.takeTarget();
    if (target !== undefined) this.scrollToMessage(target);
  }

  /** Whether some messages are not in the document. */
  override get hasOffscreenMessages(): boolean {
    return this.items.some((item) => 'leftOut' in item);
  }

  /** Whether the last message is rendered, or the user has jumped to its estimated position. */
  override get hasEnd(): boolean {
    if (!super.hasEnd) return false;
    const { to } = this.range;
    if (to === this.messages.length) return true;
    const last = this.rowAt(to - 1)?.getBoundingClientRect().bottom ?? -Infinity;
    return last <= this.list.getBoundingClientRect().top;
  }

  /** Drops the stored position. The next range starts from the rendered elements. */
  override resetAnchor(): void {
    this.#anchor = undefined;
  }

  override scrollToMessage(id: string): boolean {
    if (!super.scrollToMessage(id)) return false;
    this.#anchor = { id, index: this.messages.findIndex((message) => message.id === id), offset: 0 };
    return true;
  }

  /** Computes the children of the column for the current messages. */
  override layOut(messages: readonly ChatMessage[]): readonly ColumnItem[] {
    if (messages !== this.messages) {
      // The rendered elements have the indexes of the previous messages.
      const keepPosition = messages.length > MAX_RENDERED_MESSAGES && this.items.length > 0 && !this.follow.following;
      if (keepPosition) this.#anchor ??= this.#anchorAt(this.list.getBoundingClientRect());
      this.messages = messages;
      this.#heights.prune(messages);
      this.rows.prune(messages);
    }
    this.range = this.#targetRange();
    const before = new Map(this.items.map((item) => [item.key, item]));
    const near = new Set(messages.slice(this.range.from, this.range.to).map(({ id }) => id));
    const runs = messageRuns(this.range, this.#indexesOf(this.rows.pinnedIds(near)), messages.length);
    const rendered = runs.flatMap(({ from, to, isRendered }) => (isRendered ? messages.slice(from, to) : []));
    this.rows.releaseExcept(new Set(rendered.map(({ id }) => id)));
    const isPartial = rendered.length < messages.length;
    this.items = runs.flatMap((run): readonly ColumnItem[] =>
      run.isRendered
        ? messages.slice(run.from, run.to).map((message, offset) => {
            const index = run.from + offset;
            return {
              key: message.id,
              index,
              element: this.rows.render(message, { messages, index, isPartial }),
            };
          })
        : [this.#spacer(run, before)],
    );
    return this.items;
  }

  /** Restores positions. Call it when the children of the column are in the document. */
  override afterRender(): void {
    super.afterRender();
    const anchor = this.#anchor?.top === undefined ? undefined : this.rows.get(this.#anchor.id);
    if (anchor && this.#anchor?.top !== undefined) {
      this.follow.anchor.setAnchor(anchor, this.#anchor.top);
      this.#anchor = { id: this.#anchor.id, index: this.#anchor.index, offset: this.#anchor.offset };
    }
    if (this.messages.length > MAX_RENDERED_MESSAGES) this.scheduleSettle();
  }

  /** Requests another range when the viewport comes near the end of the rendered one. @returns whether it did */
  override updateRange(): boolean {
    if (!this.hasOffscreenMessages || this.renderAll || this.target !== undefined) return false;
    if (this.follow.following) {
      const { from, to } = this.#targetRange();
      if (from >= this.range.from && to === this.range.to) return false;
    } else {
      this.#savedTop = undefined;
      const view = this.list.getBoundingClientRect();
      if (view.height === 0 || this.#hasOverscan(view)) return false;
      this.#anchor = this.#anchorAt(view);
      const { from, to } = this.#targetRange();
      if (from === this.range.from && to === this.range.to) return false;
      this.#savedTop = this.list.scrollTop;
    }
    this.list.requestUpdate();
    return true;
  }

  /** Corrects the scroll position before the next paint, and renders more messages if these don't fill the viewport. */
  override async settle(): Promise<void> {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      this.#restoreTop();
      this.#measure();
      this.applyScroll();
      if (!this.updateRange()) break;
      await this.list.updateComplete;
      await Promise.all(this.items.map(async ({ element }) => 'updateComplete' in element && element.updateComplete));
    }
  }

  override onResize(entries: readonly ResizeObserverEntry[]): void {
    const indexes = new Map<Element, number>();
    for (const item of this.items) if ('index' in item) indexes.set(item.element, item.index);
    for (const { target, contentRect } of entries) {
      const index = indexes.get(target) ?? -1;
      const message = this.messages[index];
      if (message) this.#heights.set(message, index, contentRect.height);
      else if (target === this.list && contentRect.height > 0) this.#viewHeight = contentRect.height;
    }
    // Not in the observer: a size change there is reported to the host page as a resize observer loop error.
    if (this.hasOffscreenMessages) this.scheduleSettle();
  }

  /** The range of messages to render. */
  #targetRange(): IndexRange {
    const count = this.messages.length;
    if (count <= MAX_RENDERED_MESSAGES || this.renderAll) return { from: 0, to: count };
    const view = this.#viewHeight;
    const beyond = view * OVERSCAN;
    if (this.follow.following) return rangeAround(count, { above: view + beyond, below: 0 }, count, this.#heightAt);
    const { index, offset } = (this.#anchor = this.#currentAnchor());
    const room = { above: beyond + offset, below: view + beyond - offset };
    return rangeAround(index, room, count, this.#heightAt);
  }

  readonly #heightAt = (index: number): number => {
    const message = this.messages[index];
    return message ? this.#heights.get(message) : 0;
  };

  /** The anchor with its current index: messages may have been inserted before it. */
  #currentAnchor(): RangeAnchor {
    const anchor = this.#anchor ?? this.#anchorAt(this.list.getBoundingClientRect());
    if (this.messages[anchor.index]?.id === anchor.id) return anchor;
    const index = this.messages.findIndex((message) => message.id === anchor.id);
    return { ...anchor, index: index < 0 ? Math.min(anchor.index, this.messages.length - 1) : index };
  }

  /** The first visible message. If none of the visible area is rendered, the message that would be there. */
  #anchorAt({ top: line, bottom: end }: DOMRect): RangeAnchor {
    for (const [itemIndex, item] of enumerate(this.items)) {
      const { top, bottom, height } = item.element.getBoundingClientRect();
      if (bottom <= line && itemIndex < this.items.length - 1) continue;
      if ('index' in item) return this.#anchorOf(item.index, top - line);
      const next = this.items[itemIndex + 1];
      if (bottom < end && next && 'index' in next) return this.#anchorOf(next.index, bottom - line);
      const { index, share } = messageAtShare(item.leftOut, (line - top) / Math.max(1, height), this.#heightAt);
      const offset = Math.max(0, top - line) - share * this.#heightAt(index);
      const content = this.list.firstElementChild?.getBoundingClientRect().top ?? 0;
      return { ...this.#anchorOf(index, offset), top: line + offset - content };
    }
    return this.#anchorOf(0, 0);
  }

  #anchorOf(index: number, offset: number): RangeAnchor {
    return { id: this.messages[index]?.id ?? '', index, offset };
  }

  #indexesOf(ids: readonly string[]): readonly number[] {
    return ids.map((id) => this.messages.findIndex((message) => message.id === id)).filter((index) => index >= 0);
  }

  /** A spacer with the height of the messages that it replaces. It keeps its height while these stay the same. */
  #spacer({ from, to }: IndexRange, before: ReadonlyMap<string, ColumnItem>): ColumnItem {
    const key = `from ${this.messages[from]?.id ?? ''} to ${this.messages[to - 1]?.id ?? ''}: ${String(to - from)}`;
    const existing = before.get(key);
    if (existing) return { ...existing, leftOut: { from, to } };
    const element = document.createElement('div');
    element.className = 'left-out';
    setHeight(element, this.#heights.sum(this.messages, from, to));
    return { key, element, leftOut: { from, to } };
  }

  /** Whether the rendered range extends far enough beyond the viewport. */
  #hasOverscan(view: DOMRect): boolean {
    const { from, to } = this.range;
    const first = this.rowAt(from)?.getBoundingClientRect().top ?? Infinity;
    const last = this.rowAt(to - 1)?.getBoundingClientRect().bottom ?? -Infinity;
    const spare = view.height * MIN_OVERSCAN;
    const above = from === 0 || first <= view.top - spare;
    return above && (to === this.messages.length || last >= view.bottom + spare);
  }

  /** Restores the scroll position. WebKit changes it when the spacer above the viewport is replaced during a layout. */
  #restoreTop(): void {
    if (this.#savedTop !== undefined && !this.follow.following) this.follow.restoreTop(this.#savedTop);
    this.#savedTop = undefined;
  }

  #measure(): void {
    for (const item of this.items) {
      if (!('index' in item)) continue;
      const message = this.messages[item.index];
      if (message) this.#heights.set(message, item.index, item.element.offsetHeight);
    }
  }

  /** Takes pixels out of the spacer before the range, if enough of it is left to scroll up in. */
  protected override absorb = (px: number): boolean => {
    const itemIndex = this.items.findIndex((item) => 'index' in item && item.index === this.range.from);
    const spacer = this.items[itemIndex - 1];
    if (!spacer || !('leftOut' in spacer)) return false;
    const height = spacer.element.getBoundingClientRect().height - px;
    const { from, to } = spacer.leftOut;
    if (height < Math.min(this.#viewHeight, this.#heights.sum(this.messages, from, to))) return false;
    setHeight(spacer.element, height);
    return true;
  };
}

/** (Not as an attribute, which a strict Content Security Policy blocks.) */
function setHeight(element: HTMLElement, px: number): void {
  element.style.setProperty('height', `${String(px)}px`);
}
