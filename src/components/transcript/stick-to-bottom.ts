import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { ScrollAnchor } from './scroll-anchor.ts';

/** Distance from the end that counts as being at the end, in CSS pixels. */
const NEAR_PX = 48;

export interface StickToBottomHooks {
  /** The user reached or left the end. */
  changed(): void;
  /** Whether the end of the content is the last message. False while the last messages are not in the document. */
  hasEnd(): boolean;
  /** The scroll position changed. */
  scrolled(): void;
  /** An observed element changed its size; nothing is painted yet. */
  resized(entries: readonly ResizeObserverEntry[]): void;
}

/**
 * Owns the scroll position. While the user is at the end, the list follows new content. Scrolling up stops that, and
 * scrolling back to the end resumes it. Elsewhere the visible content stays in place.
 */
export class StickToBottom implements ReactiveController {
  /** Whether the list follows the end. */
  following = true;
  /** The element that stays in place while the end is not followed. */
  readonly anchor: ScrollAnchor;
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #hooks: StickToBottomHooks;
  readonly #observer: ResizeObserver;
  readonly #observed = new Set<Element>();
  /** The last scroll position. */
  #lastTop = 0;
  /** Height of the content at the last scroll event. */
  #seenHeight = Infinity;
  /** The host was removed from the document, which resets its scroll position. */
  #wasDetached = false;

  constructor(host: ReactiveControllerHost & HTMLElement, hooks: StickToBottomHooks) {
    this.#host = host;
    this.#hooks = hooks;
    this.anchor = new ScrollAnchor(host);
    this.#observer = new ResizeObserver((entries) => {
      hooks.resized(entries);
      this.#onResize();
    });
    host.addController(this);
  }

  hostConnected(): void {
    this.#observer.observe(this.#host);
    for (const element of this.#observed) this.#observer.observe(element);
    this.#host.addEventListener('scroll', this.#onScroll, { passive: true });
    this.#host.addEventListener('wheel', this.#onWheel, { passive: true });
  }

  hostDisconnected(): void {
    this.#wasDetached = true;
    this.#observer.disconnect();
    this.#host.removeEventListener('scroll', this.#onScroll);
    this.#host.removeEventListener('wheel', this.#onWheel);
  }

  /** Sets the elements whose size is observed. */
  observe(elements: ReadonlySet<Element>): void {
    for (const element of this.#observed) {
      if (elements.has(element)) continue;
      this.#observed.delete(element);
      this.#observer.unobserve(element);
    }
    for (const element of elements) {
      if (this.#observed.has(element)) continue;
      this.#observed.add(element);
      this.#observer.observe(element);
    }
  }

  /** Scrolls to the end and follows it. */
  scrollToEnd(): void {
    this.#setFollowing(true);
    this.#scrollToEnd();
  }

  /** Scrolls by `px` down and stops following the end. */
  scrollBy(px: number): void {
    this.#setFollowing(false);
    this.#scrollTo(this.#host.scrollTop + px);
    this.anchor.capture();
  }

  /** Restores a scroll position that the browser changed. */
  restoreTop(top: number): void {
    if (this.#host.scrollTop !== top) this.#scrollTo(top);
  }

  /** Stops following the end without scrolling. */
  stopFollowing(): void {
    this.#setFollowing(false);
  }

  /**
   * Compensates for changes above the anchor: by resizing the spacer there, or by scrolling.
   *
   * @param absorb - takes `px` from that spacer; returns false if the spacer is too small
   */
  compensate(absorb: (px: number) => boolean): void {
    const drift = this.anchor.drift();
    if (Math.abs(drift) < 0.5 || absorb(drift)) return;
    this.#scrollTo(this.#host.scrollTop + drift);
    this.anchor.accept();
  }

  #onResize(): void {
    if (this.#host.clientHeight === 0) return;
    if (this.following) this.#scrollToEnd();
    else if (this.#wasDetached) this.#scrollTo(this.#lastTop);
    // Don't change sizes here: the browser reports a resize observer loop as an error.
    else this.compensate(() => false);
    this.#wasDetached = false;
    this.#seenHeight = this.#host.scrollHeight;
  }

  #scrollToEnd(): void {
    const { scrollHeight, clientHeight, scrollTop } = this.#host;
    if (scrollHeight - clientHeight - scrollTop > 0.5) this.#scrollTo(scrollHeight);
  }

  #scrollTo(top: number): void {
    this.#host.scrollTop = top;
    // The scroll event of our own change must not count as a gesture of the user.
    this.#lastTop = this.#host.scrollTop;
  }

  /** Scrolling down to the end that was visible counts as reaching the end, even if content was added since. */
  get #atEnd(): boolean {
    const { scrollHeight, clientHeight, scrollTop } = this.#host;
    const end = scrollTop > this.#lastTop ? Math.min(scrollHeight, this.#seenHeight) : scrollHeight;
    return end - clientHeight - scrollTop < NEAR_PX;
  }

  readonly #onScroll = (): void => {
    // An element without layout has the scroll position 0.
    if (this.#wasDetached || this.#host.clientHeight === 0) return;
    // New content also moves the end away until the observer has run. Only scrolling up is a gesture of the user.
    if (this.#atEnd && this.#hooks.hasEnd()) this.#setFollowing(true);
    else if (this.#host.scrollTop < this.#lastTop) this.#setFollowing(false);
    this.#lastTop = this.#host.scrollTop;
    this.#seenHeight = this.#host.scrollHeight;
    if (!this.following) this.anchor.capture();
    this.#hooks.scrolled();
  };

  /** A wheel or touchpad gesture upwards, before the scroll position changes. A finger on the screen is noticed by `#onScroll`. */
  readonly #onWheel = ({ deltaY }: WheelEvent): void => {
    if (deltaY < 0 && this.#host.scrollTop > 0) this.#setFollowing(false);
  };

  #setFollowing(following: boolean): void {
    if (this.following === following) return;
    this.following = following;
    if (!following) this.anchor.capture();
    this.#hooks.changed();
  }
}
