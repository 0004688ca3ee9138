import { enPanel } from '../../locales/english/en-panel.ts';
import { addEnglish } from '../../locales/english/loaded-english.ts';
import type { Localize } from '../../locales/localize.ts';
import styles from './panel-handles.css?inline';
import { adoptStylesheet, createStylesheet } from '../../theme/stylesheet.ts';
import { trackDrag } from './pointer-drag.ts';
import { applyPosition } from './apply-position.ts';
import type { PersistedPanelState, PanelPosition } from './persisted-panel-state.ts';
import { DocumentStylesheet } from './document-stylesheet.ts';
import type { Mode } from '../settings/agent-chat-properties.ts';
import {
  RESIZE_EDGES,
  freeCorner,
  MIN_SIZE,
  moveRect,
  mergePosition,
  resizeRect,
  type PanelRect,
  type ResizeEdge,
  type PanelSize,
} from './panel-geometry.ts';
import { returnLauncher } from './return-launcher.ts';
import { trackVisualViewport } from './visual-viewport.ts';
import { zoomOf } from '../shared/css-zoom.ts';

addEnglish(enPanel);

const style = createStylesheet(styles);
/** Distance of one press of an arrow key. */
const ARROW_STEP_PX = 16;
/** Distance of one press of "larger" or "smaller". */
const RESIZE_STEP_PX = 80;

export interface PanelPositionHost {
  localize(): Localize;
  mode(): Mode;
  placement(): 'start' | 'end';
  /** Whether the panel fills the window of a phone. */
  fills(): boolean;
  storedState(): PersistedPanelState | undefined;
}

/** Moves and resizes an open panel with the pointer and the keyboard, and sets the document styles that depend on its position. */
export class PanelPositionController {
  readonly #host: PanelPositionHost;
  readonly #documentStyles = new DocumentStylesheet();
  #panel: HTMLElement | undefined;
  #abort: AbortController | undefined;
  /** The position set by the user, also if it can't be stored. */
  #position: PanelPosition = {};

  constructor(host: PanelPositionHost) {
    this.#host = host;
  }

  /** Whether the user can move and resize the panel. */
  get isMovable(): boolean {
    return this.#panel !== undefined && !this.#host.fills() && this.#host.mode() === 'floating';
  }
  /** Whether the panel is a sidebar, of which the user can change only the width. */
  get isSidebar(): boolean {
    return this.#panel !== undefined && !this.#host.fills() && this.#host.mode() === 'sidebar';
  }

  /** Whether the panel is in the inline-end half of the window. */
  get isAtEnd(): boolean {
    return this.#isRight !== this.#rightToLeft;
  }

  /** Called when the panel has opened or its layout has changed. */
  activate(panel: HTMLElement): void {
    this.deactivate();
    this.#panel = panel;
    this.#position = this.#host.storedState()?.position ?? this.#position;
    adoptStylesheet(panel, style);
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    if (this.#host.fills() || this.#host.mode() === 'fullscreen') {
      signal.addEventListener('abort', trackVisualViewport(panel.closest<HTMLElement>('.sheet') ?? panel));
      this.#documentStyles.set(':root { overflow: hidden !important; }');
      return;
    }
    returnLauncher(panel);
    if (this.isMovable) this.#float(panel, signal);
    else this.#dock(panel, signal);
  }

  deactivate(): void {
    this.#abort?.abort();
    this.#documentStyles.remove();
    this.#panel = undefined;
  }

  larger(): void {
    this.#grow(RESIZE_STEP_PX);
  }

  smaller(): void {
    this.#grow(-RESIZE_STEP_PX);
  }

  /** Resets position and size to those of the page. */
  reset(): void {
    this.#apply({});
    this.#store();
  }

  /** Moves the panel to the other side of the window. */
  switchSide(): void {
    const box = this.#box();
    const view = this.#view;
    this.#applyBox(moveRect(box, this.#isRight ? -view.width : view.width, 0, view), box);
    this.#store();
  }

  /** Starts keyboard mode: arrow keys move, Shift + arrow keys resize. Enter, Escape or losing the focus ends it. */
  startKeyboardMode(onDone: () => void): void {
    const header = this.#panel?.querySelector<HTMLElement>('.header');
    if (!header || !this.#abort) return;
    const localize = this.#host.localize();
    const controller = new AbortController();
    const finish = (): void => {
      controller.abort();
      for (const name of ['tabindex', 'role', 'aria-label', 'data-keys']) header.removeAttribute(name);
      this.#store();
    };
    header.tabIndex = -1;
    header.setAttribute('role', 'group');
    header.setAttribute('aria-label', localize('place.keys'));
    header.dataset['keys'] = localize('place.keys');
    header.addEventListener(
      'keydown',
      (event) => {
        const [right, down] = ARROWS[event.key] ?? [0, 0];
        if (right !== 0 || down !== 0) this.#step(right * ARROW_STEP_PX, down * ARROW_STEP_PX, event.shiftKey);
        else if (event.key === 'Enter' || event.key === 'Escape') {
          finish();
          onDone();
        } else return;
        event.preventDefault();
        event.stopPropagation();
      },
      { signal: controller.signal },
    );
    header.addEventListener(
      'focusout',
      ({ target }) => {
        if (target === header) finish();
      },
      { signal: controller.signal },
    );
    header.focus();
  }

  #step(right: number, down: number, resizes: boolean): void {
    const box = this.#box();
    this.#applyBox(
      resizes
        ? resizeRect(box, freeCorner(this.#side), right, down, this.#view)
        : moveRect(box, right, down, this.#view),
      box,
    );
  }

  /** Makes the panel movable by its header and resizable by its edges. */
  #float(panel: HTMLElement, signal: AbortSignal): void {
    const grips = RESIZE_EDGES.map((edge) => {
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
        const edge = event.target.closest<HTMLElement>('.grip')?.dataset['edge'] as ResizeEdge | undefined;
        if (edge === undefined && !(event.target.closest('.header') && !isControl(event))) return;
        // Prevents text selection during the drag.
        event.preventDefault();
        const before = this.#box();
        const initial = this.#position;
        trackDrag(event, panel, {
          move: (right, down) => {
            const view = this.#view;
            this.#apply(initial);
            this.#applyBox(
              edge ? resizeRect(before, edge, right, down, view) : moveRect(before, right, down, view),
              before,
            );
          },
          end: (cancelled) => {
            if (cancelled) this.#apply(initial);
            this.#store();
          },
        });
      },
      { signal },
    );
  }

  /** Docks a sidebar: its inner edge is a resize separator, and a document variable contains its width. */
  #dock(panel: HTMLElement, signal: AbortSignal): void {
    const separator = document.createElement('div');
    const localize = this.#host.localize();
    separator.className = 'separator';
    separator.tabIndex = 0;
    separator.setAttribute('role', 'separator');
    separator.setAttribute('aria-orientation', 'vertical');
    separator.setAttribute('aria-label', localize('place.width'));
    panel.append(separator);
    const publishWidth = (): void => {
      const width = Math.round(panel.getBoundingClientRect().width);
      separator.ariaValueMin = String(MIN_SIZE.width);
      separator.ariaValueMax = String(this.#view.width);
      separator.ariaValueNow = String(width);
      this.#documentStyles.set(`:root { --agent-chat-sidebar-${this.#host.placement()}: ${String(width)}px; }`);
    };
    const observer = new ResizeObserver(publishWidth);
    observer.observe(panel);
    signal.addEventListener('abort', () => {
      observer.disconnect();
      separator.remove();
    });
    const resizeBy = (right: number, before = this.#box()): void => {
      this.#apply({ width: before.width + (this.#side === 'right' ? -right : right) });
    };
    separator.addEventListener(
      'pointerdown',
      (event) => {
        if (event.button !== 0) return;
        event.preventDefault();
        separator.focus();
        const before = this.#box();
        const initial = this.#position;
        trackDrag(event, separator, {
          move: (right) => {
            resizeBy(right, before);
          },
          end: (cancelled) => {
            if (cancelled) this.#apply(initial);
            this.#store();
          },
        });
      },
      { signal },
    );
    separator.addEventListener(
      'keydown',
      (event) => {
        const [right] = ARROWS[event.key] ?? [0];
        if (right !== 0) resizeBy(right * ARROW_STEP_PX);
        else if (event.key === 'Home') this.#apply({ width: MIN_SIZE.width });
        else if (event.key === 'End') this.#apply({ width: this.#view.width });
        else if (event.key === 'Enter') this.#apply({});
        else return;
        this.#store();
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
    if (this.isSidebar) this.#apply({ width: Math.max(MIN_SIZE.width, box.width + px) });
    else {
      const right = this.#side === 'right' ? -px : px;
      this.#applyBox(resizeRect(box, freeCorner(this.#side), right, -px, this.#view), box);
    }
    this.#store();
  }

  #applyBox(box: PanelRect, before: PanelRect): void {
    this.#apply(mergePosition(box, before, this.#side, this.#view, this.#position));
  }

  #apply(position: PanelPosition): void {
    this.#position = position;
    if (this.#panel) applyPosition(this.#panel, position);
  }

  #store(): void {
    const state = this.#host.storedState();
    if (state) state.position = this.#position;
  }

  #box(): PanelRect {
    const { left, top, width, height } = this.#panel?.getBoundingClientRect() ?? { left: 0, top: 0, ...MIN_SIZE };
    const zoom = this.#zoom;
    return { left: left / zoom, top: top / zoom, width: width / zoom, height: height / zoom };
  }

  /** The window without scroll bars: the containing block of fixed elements. */
  get #view(): PanelSize {
    const { clientWidth, clientHeight } = document.documentElement;
    const zoom = this.#zoom;
    return { width: clientWidth / zoom, height: clientHeight / zoom };
  }

  get #zoom(): number {
    return this.#panel ? zoomOf(this.#panel) : 1;
  }

  get #isRight(): boolean {
    const { left, width } = this.#box();
    return left + width / 2 > this.#view.width / 2;
  }

  get #rightToLeft(): boolean {
    return this.#panel !== undefined && getComputedStyle(this.#panel).direction === 'rtl';
  }

  /** The side of the window from which the inline position is measured. */
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

/** Whether a press was on a control in the header. */
const isControl = (event: Event): boolean =>
  event
    .composedPath()
    .some((node) => node instanceof HTMLElement && node.matches('button, a, input, select, textarea, [tabindex="0"]'));
