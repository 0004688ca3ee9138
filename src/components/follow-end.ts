import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { Anchor } from './anchor.ts';

/** How near the end counts as being there, in CSS pixels. */
const NEAR_PX = 48;

export interface FollowEndHooks {
  /** The reader has come to the end, or left it. */
  changed(): void;
  /** What stands at the end is the last message; false where messages are left out that the view is coming to. */
  hasEnd(): boolean;
  /** The view has moved. */
  scrolled(): void;
  /** What is observed has another size now; nothing is painted yet. */
  resized(entries: readonly ResizeObserverEntry[]): void;
}

/**
 * The one owner of a scroll position. As long as the reader is at the end it follows what grows there; any gesture of theirs
 * wins at once, and their coming back to the end begins it again. Anywhere else what they read stays where it is.
 */
export class FollowEnd implements ReactiveController {
  /** Whether the end is followed. */
  following = true;
  /** What stays in its place while the end is not followed. */
  readonly anchor: Anchor;
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #hooks: FollowEndHooks;
  readonly #observer: ResizeObserver;
  readonly #observed = new Set<Element>();
  /** Where the host was scrolled to. */
  #last = 0;
  /** As high as the content was when the reader saw it last. */
  #seen = Infinity;
  /** What is taken out of the document loses its scroll position. */
  #lost = false;

  constructor(host: ReactiveControllerHost & HTMLElement, hooks: FollowEndHooks) {
    this.#host = host;
    this.#hooks = hooks;
    this.anchor = new Anchor(host);
    this.#observer = new ResizeObserver((entries) => {
      hooks.resized(entries);
      this.#hold();
    });
    host.addController(this);
  }

  hostConnected(): void {
    this.#observer.observe(this.#host);
    for (const element of this.#observed) this.#observer.observe(element);
    this.#host.addEventListener('scroll', this.#scrolled, { passive: true });
    this.#host.addEventListener('wheel', this.#pulled, { passive: true });
    this.#host.addEventListener('touchmove', this.#pulled, { passive: true });
  }

  hostDisconnected(): void {
    this.#lost = true;
    this.#observer.disconnect();
    this.#host.removeEventListener('scroll', this.#scrolled);
    this.#host.removeEventListener('wheel', this.#pulled);
    this.#host.removeEventListener('touchmove', this.#pulled);
  }

  /** What may change its size inside the host: these, and nothing else. */
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

  /** Goes to the end and follows it. */
  toEnd(): void {
    this.#set(true);
    this.#toEnd();
  }

  /** Goes elsewhere, by `px` down. */
  leaveEnd(px: number): void {
    this.#set(false);
    this.#scrollTo(this.#host.scrollTop + px);
    this.anchor.take();
  }

  /** Goes back to where the view was before the browser moved it. */
  restore(top: number): void {
    if (this.#host.scrollTop !== top) this.#scrollTo(top);
  }

  /** Leaves the end without going anywhere. */
  stay(): void {
    this.#set(false);
  }

  /**
   * Makes up for what has changed above the reader's place: in the room of what is left out there, or else by scrolling.
   *
   * @param absorb - takes so many pixels out of that room; false where it has not so many
   */
  keep(absorb: (px: number) => boolean): void {
    const drift = this.anchor.drift();
    if (Math.abs(drift) < 0.5 || absorb(drift)) return;
    this.#scrollTo(this.#host.scrollTop + drift);
    this.anchor.accept();
  }

  #hold(): void {
    if (this.#host.clientHeight === 0) return;
    if (this.following) this.#toEnd();
    else if (this.#lost) this.#scrollTo(this.#last);
    // No size may change here: an observer that causes what it observes is reported to the page.
    else this.keep(() => false);
    this.#lost = false;
    this.#seen = this.#host.scrollHeight;
  }

  #toEnd(): void {
    const { scrollHeight, clientHeight, scrollTop } = this.#host;
    if (scrollHeight - clientHeight - scrollTop > 0.5) this.#scrollTo(scrollHeight);
  }

  #scrollTo(top: number): void {
    this.#host.scrollTop = top;
    // What is our own doing is no gesture of the reader's when its event comes.
    this.#last = this.#host.scrollTop;
  }

  /** Whoever has gone down to the end that they saw has meant the end, however much has come since. */
  get #atEnd(): boolean {
    const { scrollHeight, clientHeight, scrollTop } = this.#host;
    const end = scrollTop > this.#last ? Math.min(scrollHeight, this.#seen) : scrollHeight;
    return end - clientHeight - scrollTop < NEAR_PX;
  }

  readonly #scrolled = (): void => {
    // Taken out of the layout, everything is at the top.
    if (this.#lost || this.#host.clientHeight === 0) return;
    // Growth alone also leaves the end behind, until the observer has caught up: only going up is the reader's doing.
    if (this.#atEnd && this.#hooks.hasEnd()) this.#set(true);
    else if (this.#host.scrollTop < this.#last) this.#set(false);
    this.#last = this.#host.scrollTop;
    this.#seen = this.#host.scrollHeight;
    if (!this.following) this.anchor.take();
    this.#hooks.scrolled();
  };

  /** A pull upwards, before anything has moved. */
  readonly #pulled = (event: Event): void => {
    if (event instanceof WheelEvent && event.deltaY < 0 && this.#host.scrollTop > 0) this.#set(false);
  };

  #set(following: boolean): void {
    if (this.following === following) return;
    this.following = following;
    if (!following) this.anchor.take();
    this.#hooks.changed();
  }
}
