import { html, nothing, render } from 'lit';
import type { IconName } from '../../primitives/icon.ts';
import { lazyIcon } from '../../primitives/lazy-icons.ts';
import { applyLanguage } from '../../primitives/apply-language.ts';
import { adoptStylesheet, createStylesheet } from '../../theme/stylesheet.ts';
import { zoomOf } from '../shared/css-zoom.ts';
import styles from './menu.css?inline';

const style = createStylesheet(styles);

export interface MenuEntry {
  readonly symbol?: IconName;
  readonly label: string;
  /** Whether the action is destructive. */
  readonly isDestructive?: boolean;
  /** Whether the menu stays open after the action. */
  readonly staysOpen?: boolean;
  /** Runs the action, after the focus is back on the button. */
  run(): void;
}

/**
 * Opens or closes a menu next to its button in the top layer, following the ARIA menu button pattern. Arrow keys, Home, End and
 * the first letter move the focus. Escape, Tab, a click elsewhere and a second click on the button close it.
 */
export function toggleMenu(button: HTMLElement, groups: readonly (readonly MenuEntry[])[]): void {
  // This is called after a chunk has loaded: the widget may have been removed meanwhile.
  if (!button.isConnected) return;
  const root = button.getRootNode() as ShadowRoot;
  if (button.ariaExpanded === 'true') {
    root.querySelector('.menu')?.dispatchEvent(new Event('close'));
    return;
  }
  const menu = document.createElement('div');
  const controller = new AbortController();
  const { signal } = controller;
  const close = (): void => {
    if (signal.aborted) return;
    controller.abort();
    if (menu.contains(activeIn(menu))) button.focus();
    button.ariaExpanded = 'false';
    menu.remove();
  };
  const updatePosition = (): void => {
    positionMenu(menu, button);
  };
  menu.className = 'menu';
  menu.popover = 'manual';
  menu.role = 'menu';
  menu.ariaLabel = button.ariaLabel;
  applyLanguage(root, menu);
  adoptStylesheet(root, style);
  render(
    groups
      .filter((group) => group.length > 0)
      .map(
        (group, index) =>
          html`${index > 0 ? html`<hr />` : nothing}${group.map((entry) => renderEntry(entry, close, updatePosition))}`,
      ),
    menu,
  );
  menu.addEventListener('close', close, { signal });
  menu.addEventListener(
    'keydown',
    (event) => {
      onKeydown(event, menu, close);
    },
    { signal },
  );
  menu.addEventListener(
    'focusout',
    ({ relatedTarget: next }) => {
      if (next instanceof Node && next !== button && !menu.contains(next)) close();
    },
    { signal },
  );
  closeOnPressOutside(root, [menu, button], close, signal);
  // The button may move while the menu is open.
  for (const type of ['scroll', 'resize'])
    addEventListener(type, updatePosition, { signal, capture: true, passive: true });
  button.ariaExpanded = 'true';
  // In the same landmark as the button.
  (button.closest('header') ?? root).append(menu);
  menu.showPopover();
  updatePosition();
  menu.querySelector('button')?.focus({ preventScroll: true });
}

/** Closes a menu on a press elsewhere in this tree or around it. A tree does not see into a closed shadow root within it. */
function closeOnPressOutside(tree: Node, inside: readonly EventTarget[], close: () => void, signal: AbortSignal): void {
  tree.addEventListener(
    'pointerdown',
    (event) => {
      if (!event.composedPath().some((node) => inside.includes(node))) close();
    },
    { signal, capture: true },
  );
  if (tree instanceof ShadowRoot) closeOnPressOutside(tree.host.getRootNode(), [tree.host], close, signal);
}

const renderEntry = (
  { symbol, label, isDestructive, staysOpen, run }: MenuEntry,
  close: () => void,
  updatePosition: () => void,
): unknown =>
  html`<button
    type="button"
    role="menuitem"
    tabindex="-1"
    class=${isDestructive ? 'danger' : nothing}
    @click=${() => {
      if (!staysOpen) close();
      run();
      if (staysOpen) updatePosition();
    }}
  >
    ${symbol ? lazyIcon(symbol, 'small') : nothing}<span class="clip" dir="auto">${label}</span>
  </button>`;

function onKeydown(event: KeyboardEvent, menu: HTMLElement, close: () => void): void {
  const items = [...menu.querySelectorAll('button')];
  const at = items.findIndex((item) => item === activeIn(menu));
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key] ?? byLetter(items, at, event.key);
  if (event.key === 'Escape') close();
  else if (event.key === 'Tab') {
    // The browser moves the focus on from the button.
    close();
    return;
  } else if (to === undefined) return;
  else items.at(to % items.length)?.focus();
  event.preventDefault();
  // Otherwise Escape would also stop the reply.
  event.stopPropagation();
}

/** Index of the next entry that starts with the letter. */
function byLetter(items: readonly HTMLElement[], at: number, key: string): number | undefined {
  if (key.length !== 1 || key === ' ') return undefined;
  const startsWithKey = ({ textContent }: HTMLElement): boolean =>
    textContent.trim().toLowerCase().startsWith(key.toLowerCase());
  const next = items.findIndex((item, index) => index > at && startsWithKey(item));
  const index = next < 0 ? items.findIndex(startsWithKey) : next;
  return index < 0 ? undefined : index;
}

const activeIn = (menu: HTMLElement): Element | null => (menu.getRootNode() as Document | ShadowRoot).activeElement;

/** Minimum distance from the edges of the window, in pixels. */
const MARGIN = 8;

/**
 * Places the menu below the button, or above it if it does not fit. It is aligned with the start or the end of the button,
 * whichever fits.
 */
function positionMenu(menu: HTMLElement, button: HTMLElement): void {
  const { top, bottom, left, right } = button.getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const below = bottom + 4;
  const y = below + height + MARGIN <= clientHeight ? below : Math.max(MARGIN, top - height - 4);
  const rightToLeft = getComputedStyle(button).direction === 'rtl';
  const [startX, endX] = rightToLeft ? [right - width, left] : [left, right - width];
  const fits = (x: number): boolean => x >= MARGIN && x + width + MARGIN <= clientWidth;
  const x = [startX, endX].find(fits) ?? Math.max(MARGIN, clientWidth - width - MARGIN);
  const zoom = zoomOf(menu);
  menu.style.setProperty('top', `${String(y / zoom)}px`);
  menu.style.setProperty('left', `${String(x / zoom)}px`);
}
