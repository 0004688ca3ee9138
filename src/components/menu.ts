import { html, nothing, render } from 'lit';
import { icon, type IconName } from '../primitives/icon.ts';
import { inLanguageOf } from '../primitives/in-language.ts';
import { adoptSheet, sheet } from '../theme/sheet.ts';
import styles from '../theme/menu.css?inline';

const style = sheet(styles);

export interface MenuEntry {
  readonly symbol?: IconName;
  readonly words: string;
  /** What it takes away is gone. */
  readonly danger?: boolean;
  /** The menu stays for another press. */
  readonly stays?: boolean;
  /** Called when the focus is back where it was. */
  run(): void;
}

/**
 * A menu beside its button and over everything, as the ARIA pattern has it: arrow keys, Home, End, the first letter; Escape, Tab and a
 * press elsewhere close it. A second press of its button does, too.
 */
export function toggleMenu(button: HTMLElement, groups: readonly (readonly MenuEntry[])[]): void {
  // It comes with a chunk: the widget may have gone meanwhile.
  if (!button.isConnected) return;
  const root = button.getRootNode() as ShadowRoot;
  if (button.ariaExpanded === 'true') {
    root.querySelector('.menu')?.dispatchEvent(new Event('close'));
    return;
  }
  const menu = document.createElement('div');
  const stop = new AbortController();
  const { signal } = stop;
  const close = (): void => {
    if (signal.aborted) return;
    stop.abort();
    if (menu.contains(activeIn(menu))) button.focus();
    button.ariaExpanded = 'false';
    menu.remove();
  };
  const settle = (): void => {
    place(menu, button);
  };
  menu.className = 'menu';
  menu.popover = 'manual';
  menu.role = 'menu';
  menu.ariaLabel = button.ariaLabel;
  inLanguageOf(root, menu);
  adoptSheet(root, style);
  render(
    groups
      .filter((group) => group.length > 0)
      .map(
        (group, index) => html`${index > 0 ? html`<hr />` : nothing}${group.map((entry) => row(entry, close, settle))}`,
      ),
    menu,
  );
  const isOutside = (event: Event): boolean => !event.composedPath().some((node) => node === menu || node === button);
  menu.addEventListener('close', close, { signal });
  menu.addEventListener(
    'keydown',
    (event) => {
      press(event, menu, close);
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
  document.addEventListener(
    'pointerdown',
    (event) => {
      if (isOutside(event)) close();
    },
    { signal, capture: true },
  );
  // What is around it may move while it is open.
  for (const type of ['scroll', 'resize']) addEventListener(type, settle, { signal, capture: true, passive: true });
  button.ariaExpanded = 'true';
  // In the landmark that its button stands in.
  (button.closest('header') ?? root).append(menu);
  menu.showPopover();
  settle();
  menu.querySelector('button')?.focus({ preventScroll: true });
}

const row = ({ symbol, words, danger, stays, run }: MenuEntry, close: () => void, settle: () => void): unknown =>
  html`<button
    type="button"
    role="menuitem"
    tabindex="-1"
    class=${danger ? 'danger' : nothing}
    @click=${() => {
      if (!stays) close();
      run();
      if (stays) settle();
    }}
  >
    ${symbol ? icon(symbol, 'small') : nothing}<span class="clip" dir="auto">${words}</span>
  </button>`;

function press(event: KeyboardEvent, menu: HTMLElement, close: () => void): void {
  const items = [...menu.querySelectorAll('button')];
  const at = items.findIndex((item) => item === activeIn(menu));
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key] ?? byLetter(items, at, event.key);
  if (event.key === 'Escape') close();
  else if (event.key === 'Tab') {
    // On from the button.
    close();
    return;
  } else if (to === undefined) return;
  else items.at(to % items.length)?.focus();
  event.preventDefault();
  // Escape would stop the reply.
  event.stopPropagation();
}

/** The next entry that begins so. */
function byLetter(items: readonly HTMLElement[], at: number, key: string): number | undefined {
  if (key.length !== 1 || key === ' ') return undefined;
  const begins = ({ textContent }: HTMLElement): boolean =>
    textContent.trim().toLowerCase().startsWith(key.toLowerCase());
  const next = items.findIndex((item, index) => index > at && begins(item));
  const found = next < 0 ? items.findIndex(begins) : next;
  return found < 0 ? undefined : found;
}

const activeIn = (menu: HTMLElement): Element | null => (menu.getRootNode() as Document | ShadowRoot).activeElement;

/** Pixels between it and the edges of the window. */
const MARGIN = 8;

/** Below the button, or above it where there is more room; it begins or ends with the button, whichever the window leaves room for. */
function place(menu: HTMLElement, button: HTMLElement): void {
  const { top, bottom, left, right } = button.getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const below = bottom + 4;
  const y = below + height + MARGIN <= clientHeight ? below : Math.max(MARGIN, top - height - 4);
  const rightToLeft = getComputedStyle(button).direction === 'rtl';
  const [starts, ends] = rightToLeft ? [right - width, left] : [left, right - width];
  const fits = (x: number): boolean => x >= MARGIN && x + width + MARGIN <= clientWidth;
  const x = [starts, ends].find(fits) ?? Math.max(MARGIN, clientWidth - width - MARGIN);
  menu.style.setProperty('top', `${String(y)}px`);
  menu.style.setProperty('left', `${String(x)}px`);
}
