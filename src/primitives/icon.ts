import { svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { iconShape, renderIcon, contentIconShapes } from './content-icon.ts';

/** The icons of the first answer; those of lazy parts are in `lazy-icons.ts`. On a grid of 20, with round caps. Icons that point in the text direction are mirrored in right-to-left text. */
export const shapes = {
  ...contentIconShapes,
  plus: svg`<path d="M10 4.5v11M4.5 10h11"/>`,
  up: svg`<path d="M10 15.75V4.5M5.25 9.25 10 4.5l4.75 4.75"/>`,
  down: svg`<path d="M10 4.25V15.5M5.25 10.75 10 15.5l4.75-4.75"/>`,
  stop: svg`<rect class="filled" x="5.5" y="5.5" width="9" height="9" rx="1.75"/>`,
  close: svg`<path d="m5.5 5.5 9 9M14.5 5.5l-9 9"/>`,
  'chevron-down': svg`<path d="m5.5 8 4.5 4.5L14.5 8"/>`,
  'chevron-right': svg`<path d="m8 5.5 4.5 4.5L8 14.5"/>`,
  'chevron-left': svg`<path d="M12 5.5 7.5 10l4.5 4.5"/>`,
  search: svg`<circle cx="9" cy="9" r="5.25"/><path d="m13 13 3.75 3.75"/>`,
  failed: svg`<circle cx="10" cy="10" r="7"/><path d="m7.75 7.75 4.5 4.5M12.25 7.75l-4.5 4.5"/>`,
  running: svg`<path d="M10 3a7 7 0 1 1-7 7"/>`,
  again: svg`<path d="M16 10a6 6 0 1 1-1.9-4.4l2.15 1.9M16.25 4v3.5h-3.5"/>`,
  edit: svg`<path d="m13 3.75 3.25 3.25L7.25 16H4v-3.25zM11 5.75 14.25 9"/>`,
  more: svg`<circle class="filled" cx="4.75" cy="10" r="1.35"/><circle class="filled" cx="10" cy="10" r="1.35"/><circle class="filled" cx="15.25" cy="10" r="1.35"/>`,
  compose: svg`<path d="M9.5 3.75h-4a2 2 0 0 0-2 2v8.75a2 2 0 0 0 2 2h8.75a2 2 0 0 0 2-2v-4M15 2.9 17.1 5l-6.6 6.6-2.75.65.65-2.75z"/>`,
  threads: svg`<path d="M3.5 5.5h13M3.5 10h13M3.5 14.5h7.5"/>`,
  download: svg`<path d="M10 3v9M6 8.25l4 4 4-4M3.75 16.25h12.5"/>`,
  alert: svg`<circle cx="10" cy="10" r="7"/><path d="M10 6.5v4M10 13.4v.1"/>`,
  page: svg`<rect x="2.75" y="3.75" width="14.5" height="12.5" rx="2.25"/><path d="M2.75 7.5h14.5M5.25 5.65h.1M7.25 5.65h.1"/>`,
  chat: svg`<path d="M10 3.25c4 0 7 2.6 7 6s-3 6-7 6c-.9 0-1.8-.13-2.6-.38L3.75 16.5l.9-3.1C3.6 12.3 3 10.85 3 9.25c0-3.4 3-6 7-6z"/>`,
  quote: svg`<path d="M8.5 6.25H6a2 2 0 0 0-2 2v2.5h4.5zm0 4.5c0 1.9-1 3-2.75 3.5M16 6.25h-2.5a2 2 0 0 0-2 2v2.5H16zm0 4.5c0 1.9-1 3-2.75 3.5"/>`,
  queued: svg`<path d="M4 4.5v3.75a2.5 2.5 0 0 0 2.5 2.5h9M12 7.25l3.5 3.5-3.5 3.5"/>`,
  mark: svg`<path d="M4 12.5c1.6 0 1.9-5.5 4-5.5s1.9 6.5 4 6.5 2-4.5 4-4.5"/>`,
} as const;

/** The names of `lazy-icons.ts`: a page may replace an icon before it is loaded. */
const LAZY_NAMES = [
  'zoom-out',
  'open',
  'thought',
  'done',
  'file',
  'shield',
  'bin',
  'expand',
  'pause',
  'chart',
  'table',
  'external',
  'question',
  'mic',
  'speaker',
  'thumb',
  'share',
  'clip',
] as const;

export type EarlyIconName = keyof typeof shapes;
export type LazyIconName = (typeof LAZY_NAMES)[number];
export type IconName = EarlyIconName | LazyIconName;

export const isEarlyIcon = (name: string): name is EarlyIconName => Object.hasOwn(shapes, name);
export const isIconName = (name: string): name is IconName =>
  isEarlyIcon(name) || LAZY_NAMES.includes(name as LazyIconName);

const MIRRORED = new Set<IconName>(['chevron-right', 'chevron-left', 'queued']);

/** A decorative icon next to text, or in a button that has a label; it never names anything itself. */
export const icon = (name: EarlyIconName, style: IconStyle = 'large'): TemplateResult =>
  iconOf(name, shapes[name], style);

export const iconOf = (name: IconName, shape: SVGTemplateResult, style: IconStyle): TemplateResult =>
  renderIcon(
    iconShape(name, shape),
    `${style} ${name === 'running' ? 'spinning' : ''} ${MIRRORED.has(name) ? 'mirrored' : ''}`,
  );

export type IconStyle = 'large' | 'small';
