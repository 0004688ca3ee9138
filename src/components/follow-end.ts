import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** How near the end counts as being there, in CSS pixels. */
const NEAR_PX = 48;

/**
 * The one owner of a scroll position. As long as the reader is at the end it follows what grows there; any gesture of theirs
 * wins at once, and their coming back to the end begins it again.
 */
export class FollowEnd implements ReactiveController {
  /** Whether the end is followed. */
  following = true;
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #changed: () => void;
  #observer: ResizeObserver | undefined;
  /** What grows inside the host. */
  #content: Element | undefined;

  constructor(host: ReactiveControllerHost & HTMLElement, changed: () => void) {
    this.#host = host;
    this.#changed = changed;
    host.addController(this);
  }

  hostConnected(): void {
    this.#observer = new ResizeObserver(() => {
      if (this.following) this.#toEnd();
    });
    this.#observer.observe(this.#host);
    // A host that was moved in the document has a new observer for what it had.
    if (this.#content) this.#observer.observe(this.#content);
    this.#host.addEventListener('scroll', this.#scrolled, { passive: true });
    this.#host.addEventListener('wheel', this.#pulled, { passive: true });
    this.#host.addEventListener('touchmove', this.#pulled, { passive: true });
  }

  hostDisconnected(): void {
    this.#observer?.disconnect();
    this.#host.removeEventListener('scroll', this.#scrolled);
    this.#host.removeEventListener('wheel', this.#pulled);
    this.#host.removeEventListener('touchmove', this.#pulled);
  }

  /** What grows inside the host. */
  observe(content: Element): void {
    this.#content = content;
    this.#observer?.observe(content);
  }

  /** Goes to the end and follows it. */
  toEnd(): void {
    this.#set(true);
    this.#toEnd();
  }

  #toEnd(): void {
    const { scrollHeight, clientHeight, scrollTop } = this.#host;
    if (scrollHeight - clientHeight - scrollTop > 0.5) this.#host.scrollTop = scrollHeight;
  }

  get #atEnd(): boolean {
    const { scrollHeight, clientHeight, scrollTop } = this.#host;
    return scrollHeight - clientHeight - scrollTop < NEAR_PX;
  }

  readonly #scrolled = (): void => {
    // Growth alone also leaves the end behind, until the observer has caught up: only going up is the reader's doing.
    if (this.#atEnd) this.#set(true);
    else if (this.#host.scrollTop < this.#last) this.#set(false);
    this.#last = this.#host.scrollTop;
  };
  #last = 0;

  /** A pull upwards, before anything has moved. */
  readonly #pulled = (event: Event): void => {
    if (event instanceof WheelEvent && event.deltaY < 0 && this.#host.scrollTop > 0) this.#set(false);
  };

  #set(following: boolean): void {
    if (this.following === following) return;
    this.following = following;
    this.#changed();
  }
}
