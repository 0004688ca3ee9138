/**
 * The icons of A2UI's basic catalog, in the style of the widget's icons. None is a shield, because that is the icon
 * of the widget's permissions.
 */
import { html, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { renderIcon } from '../../../primitives/content-icon.ts';
import type { IconName } from '../../../primitives/icon.ts';
import { lazyIcon } from '../../../primitives/lazy-icons.ts';

/** The names for which the widget itself has an icon. */
const KNOWN: Readonly<Record<string, IconName>> = {
  add: 'plus',
  arrowDownward: 'down',
  arrowUpward: 'up',
  attachFile: 'clip',
  check: 'check',
  close: 'close',
  download: 'download',
  edit: 'edit',
  error: 'alert',
  help: 'question',
  moreHoriz: 'more',
  pause: 'pause',
  refresh: 'again',
  search: 'search',
  stop: 'stop',
};

const SHAPES: Readonly<Record<string, SVGTemplateResult>> = {
  arrowBack: svg`<path d="M16.25 10H4M9.25 4.75 4 10l5.25 5.25"/>`,
  arrowForward: svg`<path d="M3.75 10H16M10.75 4.75 16 10l-5.25 5.25"/>`,
  info: svg`<circle cx="10" cy="10" r="7"/><path d="M10 9.5v4M10 6.6v.1"/>`,
  warning: svg`<path d="M10 3.25 17.25 16H2.75zM10 8v3.75M10 13.7v.1"/>`,
  accountCircle: svg`<circle cx="10" cy="10" r="7"/><circle cx="10" cy="8.25" r="2.25"/><path d="M5.5 15.2c1-1.7 2.6-2.5 4.5-2.5s3.5.8 4.5 2.5"/>`,
  calendarToday: svg`<rect x="3.25" y="4.25" width="13.5" height="12.5" rx="2"/><path d="M3.25 8.25h13.5M7 2.75v3M13 2.75v3"/>`,
  call: svg`<path d="M4.5 3.75h2.6l1.3 3.4-1.7 1.2a9 9 0 0 0 4.9 4.9l1.2-1.7 3.4 1.3v2.6c0 .6-.5 1-1 1A12.2 12.2 0 0 1 3.5 4.75c0-.5.4-1 1-1z"/>`,
  delete: svg`<path d="M4 5.5h12M8 5.5V3.75h4V5.5M5.5 5.5l.7 10.75h7.6l.7-10.75M8.5 8.5v5M11.5 8.5v5"/>`,
  favorite: svg`<path class="filled" d="M10 16.25C5.5 13 3.25 10.5 3.25 7.75a3.5 3.5 0 0 1 6.75-1.3 3.5 3.5 0 0 1 6.75 1.3c0 2.75-2.25 5.25-6.75 8.5z"/>`,
  folder: svg`<path d="M3 6a1.75 1.75 0 0 1 1.75-1.75h3l1.75 2h5.75A1.75 1.75 0 0 1 17 8v6.25A1.75 1.75 0 0 1 15.25 16H4.75A1.75 1.75 0 0 1 3 14.25z"/>`,
  home: svg`<path d="m3.25 9.25 6.75-5.5 6.75 5.5M5.25 8v8.25h9.5V8M8.25 16.25v-4.5h3.5v4.5"/>`,
  locationOn: svg`<path d="M10 17.25c3.5-3.3 5.25-6 5.25-8.5a5.25 5.25 0 0 0-10.5 0c0 2.5 1.75 5.2 5.25 8.5z"/><circle cx="10" cy="8.75" r="1.75"/>`,
  mail: svg`<rect x="2.75" y="4.25" width="14.5" height="11.5" rx="2"/><path d="m3.5 6 6.5 5 6.5-5"/>`,
  menu: svg`<path d="M3.75 6h12.5M3.75 10h12.5M3.75 14h12.5"/>`,
  notifications: svg`<path d="M5.5 8.5a4.5 4.5 0 0 1 9 0c0 3.5 1.25 5 1.75 5.5H3.75c.5-.5 1.75-2 1.75-5.5zM8.5 16.5a1.75 1.75 0 0 0 3 0"/>`,
  payment: svg`<rect x="2.75" y="4.75" width="14.5" height="10.5" rx="2"/><path d="M2.75 8.25h14.5M5.5 12h3"/>`,
  person: svg`<circle cx="10" cy="7" r="3"/><path d="M4.25 16.25c.8-3 3-4.5 5.75-4.5s4.95 1.5 5.75 4.5"/>`,
  photo: svg`<rect x="2.75" y="3.75" width="14.5" height="12.5" rx="2"/><circle cx="7" cy="8" r="1.25"/><path d="m3.25 14.75 4.25-4 2.5 2.25 3-3 3.75 3.75"/>`,
  play: svg`<path d="M6.5 4.25v11.5l9-5.75z"/>`,
  send: svg`<path d="M3.25 16.25 17 10 3.25 3.75l1.75 6.25zM5 10h6"/>`,
  shoppingCart: svg`<path d="M2.75 3.75h2l1.75 9h8.5l1.75-6.5H5.3"/><circle cx="7.5" cy="15.75" r="1"/><circle cx="14" cy="15.75" r="1"/>`,
  star: svg`<path class="filled" d="m10 3.25 2.1 4.3 4.7.7-3.4 3.3.8 4.7-4.2-2.2-4.2 2.2.8-4.7-3.4-3.3 4.7-.7z"/>`,
  favoriteOff: svg`<path d="M10 16.25C5.5 13 3.25 10.5 3.25 7.75a3.5 3.5 0 0 1 6.75-1.3 3.5 3.5 0 0 1 6.75 1.3c0 2.75-2.25 5.25-6.75 8.5z"/>`,
  starOff: svg`<path d="m10 3.25 2.1 4.3 4.7.7-3.4 3.3.8 4.7-4.2-2.2-4.2 2.2.8-4.7-3.4-3.3 4.7-.7z"/>`,
  starHalf: svg`<path class="filled" d="M10 3.25v10.8l-4.2 2.2.8-4.7-3.4-3.3 4.7-.7z"/><path d="m10 3.25 2.1 4.3 4.7.7-3.4 3.3.8 4.7-4.2-2.2"/>`,
  camera: svg`<path d="M3 7a1.5 1.5 0 0 1 1.5-1.5h2L7.75 3.5h4.5l1.25 2h2A1.5 1.5 0 0 1 17 7v7.5a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 3 14.5z"/><circle cx="10" cy="10.5" r="2.75"/>`,
  fastForward: svg`<path d="M3.5 5v10l6.5-5zM10 5v10l6.5-5z"/>`,
  rewind: svg`<path d="M16.5 5v10L10 10zM10 5v10l-6.5-5z"/>`,
  skipNext: svg`<path d="M5 4.5v11l8-5.5zM15 4.5v11"/>`,
  skipPrevious: svg`<path d="M15 4.5v11L7 10zM5 4.5v11"/>`,
  lock: svg`<rect x="4.25" y="8.75" width="11.5" height="8" rx="1.75"/><path d="M6.75 8.75V6.5a3.25 3.25 0 0 1 6.5 0v2.25"/>`,
  lockOpen: svg`<rect x="4.25" y="8.75" width="11.5" height="8" rx="1.75"/><path d="M6.75 8.75V6.5a3.25 3.25 0 0 1 6.3-1.1"/>`,
  moreVert: svg`<circle class="filled" cx="10" cy="4.75" r="1.35"/><circle class="filled" cx="10" cy="10" r="1.35"/><circle class="filled" cx="10" cy="15.25" r="1.35"/>`,
  notificationsOff: svg`<path d="M5.5 8.5a4.5 4.5 0 0 1 9 0c0 3.5 1.25 5 1.75 5.5H3.75c.5-.5 1.75-2 1.75-5.5zM8.5 16.5a1.75 1.75 0 0 0 3 0M3.25 3.25l13.5 13.5"/>`,
  print: svg`<path d="M6 7V3.25h8V7M6 14H4.5A1.5 1.5 0 0 1 3 12.5v-4A1.5 1.5 0 0 1 4.5 7h11A1.5 1.5 0 0 1 17 8.5v4a1.5 1.5 0 0 1-1.5 1.5H14"/><path d="M6 11.5h8v5.25H6z"/>`,
  settings: svg`<path d="M3.5 6h6M14 6h2.5M3.5 14H6M10.5 14h6"/><circle cx="11.75" cy="6" r="2.1"/><circle cx="8.25" cy="14" r="2.1"/>`,
  share: svg`<circle cx="5.5" cy="10" r="2"/><circle cx="14" cy="5" r="2"/><circle cx="14" cy="15" r="2"/><path d="m7.25 9 5-3M7.25 11l5 3"/>`,
  upload: svg`<path d="M10 12V3M6 6.75l4-4 4 4M3.75 16.25h12.5"/>`,
  visibility: svg`<path d="M2.75 10c1.8-3.4 4.3-5 7.25-5s5.45 1.6 7.25 5c-1.8 3.4-4.3 5-7.25 5s-5.45-1.6-7.25-5z"/><circle cx="10" cy="10" r="2.25"/>`,
  visibilityOff: svg`<path d="M2.75 10c1.8-3.4 4.3-5 7.25-5s5.45 1.6 7.25 5c-1.8 3.4-4.3 5-7.25 5s-5.45-1.6-7.25-5z"/><circle cx="10" cy="10" r="2.25"/><path d="m3.75 3.25 12.5 13.5"/>`,
  volumeDown: svg`<path d="M4 8v4h2.75l4 3.25V4.75L6.75 8zM13.25 8a3 3 0 0 1 0 4"/>`,
  volumeMute: svg`<path d="M6 8v4h2.75l4 3.25V4.75L8.75 8z"/>`,
  volumeOff: svg`<path d="M4 8v4h2.75l4 3.25V4.75L6.75 8zM13.5 8l4 4M17.5 8l-4 4"/>`,
  volumeUp: svg`<path d="M4 8v4h2.75l4 3.25V4.75L6.75 8zM13.25 8a3 3 0 0 1 0 4M15 5.75a6 6 0 0 1 0 8.5"/>`,
};
/** Icons that are mirrored in text from right to left. */
const MIRRORED = new Set(['arrowBack', 'arrowForward']);
/** Other names of the same icons. */
const SAME: Readonly<Record<string, string>> = { event: 'calendarToday', phone: 'call' };

/** `shopping_cart` is the spelling of the Material Icons font, which the catalog's names come from. */
const camelCase = (name: string): string => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Undefined for an unknown name. */
export function surfaceIcon(given: string): unknown {
  const name = camelCase(given);
  if (Object.hasOwn(KNOWN, name)) return lazyIcon(KNOWN[name] ?? 'open', 'small');
  const shape = Object.hasOwn(SAME, name) ? (SAME[name] ?? name) : name;
  const svgShape = Object.hasOwn(SHAPES, shape) ? SHAPES[shape] : undefined;
  return svgShape && renderIcon(svgShape, MIRRORED.has(shape) ? 'small mirrored' : 'small');
}

/** An icon that the agent sent as path data, on the grid of Material icons. */
export const drawnIcon = (path: string): TemplateResult =>
  html`<svg class="icon small" viewBox="0 0 24 24" aria-hidden="true">
    <path class="filled" stroke="none" d=${path} />
  </svg>`;
