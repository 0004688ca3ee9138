import type { Localize } from '../locales/localize.ts';
import styles from '../theme/place.css?inline';
import { adoptSheet, sheet } from '../theme/sheet.ts';
import { follow } from './drag.ts';
import { layOut } from './lay-out.ts';
import type { OpenState, PanelPlace } from './open-state.ts';
import { PageSheet } from './page-sheet.ts';
import type { Mode } from './agent-chat-settings.ts';
import { EDGES, freeCorner, LEAST, moved, placeOf, resized, type Box, type Edge, type Size } from './panel-shape.ts';
import { followVisiblePart } from './visible-part.ts';

const style = sheet(styles);
/** One press of an arrow key, one press of "larger". */
const STEP_PX = 16;
const LEAP_PX = 80;

export interface PlaceHost {
  localize(): Localize;
  mode(): Mode;
  placement(): 'start' | 'end';
  /** The panel fills the window of a phone. */
  fills(): boolean;
  kept(): OpenState | undefined;
}

/** An open panel in the window: where it is, how large, and what the page behind it hears of that. */
export class Place {
  readonly #host: PlaceHost;
  readonly #page = new PageSheet();
  #panel: HTMLElement | undefined;
  #stop: AbortController | undefined;
  /** As the reader has it, also where that can't be kept. */
  #place: PanelPlace = {};

  constructor(host: PlaceHost) {
    this.#host = host;
  }

  /** The reader can move and resize it. */
  get isFree(): boolean {
    return this.#panel !== undefined && !this.#host.fills() && this.#host.mode() === 'floating';
  }
  get isSidebar(): boolean {
    return this.#panel !== undefined && !this.#host.fills() && this.#host.mode() === 'sidebar';
  }

  /** It is in that half of the window where lines end. */
  get isAtEnd(): boolean {
    return this.#isRight !== this.#rightToLeft;
  }

  /** It is open, or open in another way. */
  enter(panel: HTMLElement): void {
    this.leave();
    this.#panel = panel;
    this.#place = this.#host.kept()?.place ?? this.#place;
    adoptSheet(panel, style);
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    if (this.#host.fills() || this.#host.mode() === 'fullscreen') {
      signal.addEventListener('abort', followVisiblePart(panel.closest<HTMLElement>('.sheet') ?? panel));
      this.#page.set(':root { overflow: hidden !important; }');
    } else if (this.isFree) this.#float(panel, signal);
    else this.#dock(panel, signal);
  }

  leave(): void {
    this.#stop?.abort();
    this.#page.remove();
    this.#panel = undefined;
  }

  larger(): void {
    this.#grow(LEAP_PX);
  }

  smaller(): void {
    this.#grow(-LEAP_PX);
  }

  /** As the page has made it. */
  reset(): void {
    this.#set({});
    this.#keep();
  }

  /** Into the other corner below. */
  cross(): void {
    const box = this.#box();
    const view = viewSize();
    this.#shape(moved(box, this.#isRight ? -view.width : view.width, 0, view), box);
    this.#keep();
  }

  /** The arrow keys move it, with Shift they resize it, until Enter, Escape, or the focus goes elsewhere. */
  takeKeys(done: () => void): void {
    const header = this.#panel?.querySelector<HTMLElement>('.header');
    if (!header || !this.#stop) return;
    const localize = this.#host.localize();
    const end = new AbortController();
    const finish = (): void => {
      end.abort();
      for (const name of ['tabindex', 'role', 'aria-label', 'data-keys']) header.removeAttribute(name);
      this.#keep();
    };
    header.tabIndex = -1;
    header.setAttribute('role', 'group');
    header.setAttribute('aria-label', localize('place.keys'));
    header.dataset['keys'] = localize('place.keys');
    header.addEventListener(
      'keydown',
      (event) => {
        const [right, down] = ARROWS[event.key] ?? [0, 0];
        if (right !== 0 || down !== 0) this.#step(right * STEP_PX, down * STEP_PX, event.shiftKey);
        else if (event.key === 'Enter' || event.key === 'Escape') {
          finish();
          done();
        } else return;
        event.preventDefault();
        event.stopPropagation();
      },
      { signal: end.signal },
    );
    header.addEventListener(
      'focusout',
      ({ target }) => {
        if (target === header) finish();
      },
      { signal: end.signal },
    );
    header.focus();
  }

  #step(right: number, down: number, resizes: boolean): void {
    const box = this.#box();
    this.#shape(
      resizes ? resized(box, freeCorner(this.#side), right, down, viewSize()) : moved(box, right, down, viewSize()),
      box,
    );
  }

  /** By its header it is moved, by its edges resized. */
  #float(panel: HTMLElement, signal: AbortSignal): void {
    const grips = EDGES.map((edge) => {
      const grip = document.createElement('div');
      grip.className = 'grip';
      grip.dataset['edge'] = edge;
      return grip;
    });
    panel.append(...grips);
    panel.classList.add('free');
    signal.addEventListener('abort', () => {
      panel.classList.remove('free');
      for (const grip of grips) grip.remove();
    });
    panel.addEventListener(
      'pointerdown',
      (event) => {
        if (event.button !== 0 || !(event.target instanceof Element)) return;
        const edge = event.target.closest<HTMLElement>('.grip')?.dataset['edge'] as Edge | undefined;
        if (edge === undefined && !(event.target.closest('.header') && !isControl(event))) return;
        // It would select text on the way.
        event.preventDefault();
        const before = this.#box();
        const place = this.#place;
        follow(event, panel, {
          move: (right, down) => {
            const view = viewSize();
            this.#set(place);
            this.#shape(edge ? resized(before, edge, right, down, view) : moved(before, right, down, view), before);
          },
          end: (cancelled) => {
            if (cancelled) this.#set(place);
            this.#keep();
          },
        });
      },
      { signal },
    );
  }

  /** At the side of the window: its inner edge is a separator, and the page is told how wide it is. */
  #dock(panel: HTMLElement, signal: AbortSignal): void {
    const separator = document.createElement('div');
    const localize = this.#host.localize();
    separator.className = 'separator';
    separator.tabIndex = 0;
    separator.setAttribute('role', 'separator');
    separator.setAttribute('aria-orientation', 'vertical');
    separator.setAttribute('aria-label', localize('place.width'));
    panel.append(separator);
    const tell = (): void => {
      const width = Math.round(panel.getBoundingClientRect().width);
      separator.ariaValueMin = String(LEAST.width);
      separator.ariaValueMax = String(viewSize().width);
      separator.ariaValueNow = String(width);
      this.#page.set(`:root { --agent-chat-sidebar-${this.#host.placement()}: ${String(width)}px; }`);
    };
    const watch = new ResizeObserver(tell);
    watch.observe(panel);
    signal.addEventListener('abort', () => {
      watch.disconnect();
      separator.remove();
    });
    const pull = (right: number, before = this.#box()): void => {
      this.#set({ width: before.width + (this.#side === 'right' ? -right : right) });
    };
    separator.addEventListener(
      'pointerdown',
      (event) => {
        if (event.button !== 0) return;
        event.preventDefault();
        separator.focus();
        const before = this.#box();
        const place = this.#place;
        follow(event, separator, {
          move: (right) => {
            pull(right, before);
          },
          end: (cancelled) => {
            if (cancelled) this.#set(place);
            this.#keep();
          },
        });
      },
      { signal },
    );
    separator.addEventListener(
      'keydown',
      (event) => {
        const [right] = ARROWS[event.key] ?? [0];
        if (right !== 0) pull(right * STEP_PX);
        else if (event.key === 'Home') this.#set({ width: LEAST.width });
        else if (event.key === 'End') this.#set({ width: viewSize().width });
        else if (event.key === 'Enter') this.#set({});
        else return;
        this.#keep();
        event.preventDefault();
        event.stopPropagation();
      },
      { signal },
    );
    separator.addEventListener(
      'dblclick',
      () => {
        this.reset();
      },
      { signal },
    );
  }

  #grow(px: number): void {
    const box = this.#box();
    if (this.isSidebar) this.#set({ width: Math.max(LEAST.width, box.width + px) });
    else {
      const right = this.#side === 'right' ? -px : px;
      this.#shape(resized(box, freeCorner(this.#side), right, -px, viewSize()), box);
    }
    this.#keep();
  }

  #shape(box: Box, before: Box): void {
    this.#set(placeOf(box, before, this.#side, viewSize(), this.#place));
  }

  #set(place: PanelPlace): void {
    this.#place = place;
    if (this.#panel) layOut(this.#panel, place);
  }

  #keep(): void {
    const kept = this.#host.kept();
    if (kept) kept.place = this.#place;
  }

  #box(): Box {
    const { left, top, width, height } = this.#panel?.getBoundingClientRect() ?? { left: 0, top: 0, ...LEAST };
    return { left, top, width, height };
  }

  get #isRight(): boolean {
    const { left, width } = this.#box();
    return left + width / 2 > viewSize().width / 2;
  }

  get #rightToLeft(): boolean {
    return this.#panel !== undefined && getComputedStyle(this.#panel).direction === 'rtl';
  }

  /** The side of the window from which its place is counted. */
  get #side(): 'left' | 'right' {
    return (this.#host.placement() === 'end') === this.#rightToLeft ? 'left' : 'right';
  }
}

const ARROWS: Readonly<Record<string, readonly [right: number, down: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The window without its scroll bars, in which what is fixed has its place. */
const viewSize = (): Size => ({
  width: document.documentElement.clientWidth,
  height: document.documentElement.clientHeight,
});

/** A press that is meant for something in the header. */
const isControl = (event: Event): boolean =>
  event
    .composedPath()
    .some((node) => node instanceof HTMLElement && node.matches('button, a, input, select, textarea, [tabindex="0"]'));
