import { svg, type TemplateResult } from 'lit';
import { iconShape, renderIcon, contentIconShapes } from './content-icon.ts';

/** On a grid of 20, with round caps. Icons that point in the text direction are mirrored in right-to-left text. */
const shapes = {
  ...contentIconShapes,
  plus: svg`<path d="M10 4.5v11M4.5 10h11"/>`,
  'zoom-out': svg`<path d="M4.5 10h11"/>`,
  up: svg`<path d="M10 15.75V4.5M5.25 9.25 10 4.5l4.75 4.75"/>`,
  down: svg`<path d="M10 4.25V15.5M5.25 10.75 10 15.5l4.75-4.75"/>`,
  stop: svg`<rect class="filled" x="5.5" y="5.5" width="9" height="9" rx="1.75"/>`,
  clip: svg`<path d="m15.75 9.25-5.9 5.9a3.6 3.6 0 0 1-5.1-5.1l6.3-6.3a2.4 2.4 0 0 1 3.4 3.4l-6.2 6.2a1.2 1.2 0 0 1-1.7-1.7l5.3-5.3"/>`,
  close: svg`<path d="m5.5 5.5 9 9M14.5 5.5l-9 9"/>`,
  'chevron-down': svg`<path d="m5.5 8 4.5 4.5L14.5 8"/>`,
  'chevron-right': svg`<path d="m8 5.5 4.5 4.5L8 14.5"/>`,
  'chevron-left': svg`<path d="M12 5.5 7.5 10l4.5 4.5"/>`,
  search: svg`<circle cx="9" cy="9" r="5.25"/><path d="m13 13 3.75 3.75"/>`,
  thought: svg`<path d="M7.75 14.25h4.5M8.5 17h3M7.75 14.25v-1c0-.7-.35-1.3-.85-1.75a4.9 4.9 0 1 1 6.2 0c-.5.45-.85 1.05-.85 1.75v1"/>`,
  done: svg`<circle cx="10" cy="10" r="7"/><path d="m7 10.25 2.1 2.1L13 8.25"/>`,
  failed: svg`<circle cx="10" cy="10" r="7"/><path d="m7.75 7.75 4.5 4.5M12.25 7.75l-4.5 4.5"/>`,
  running: svg`<path d="M10 3a7 7 0 1 1-7 7"/>`,
  open: svg`<circle cx="10" cy="10" r="7" stroke-dasharray="2.2 2.2"/>`,
  file: svg`<path d="M11.5 2.75H6A1.75 1.75 0 0 0 4.25 4.5v11c0 .97.78 1.75 1.75 1.75h8c.97 0 1.75-.78 1.75-1.75V7zM11.5 2.75V7h4.25"/>`,
  shield: svg`<path d="m10 2.75 6 2.25v4.5c0 3.7-2.4 6.3-6 7.75-3.6-1.45-6-4.05-6-7.75V5z"/><path d="m7.5 10 1.75 1.75L12.75 8.25"/>`,
  again: svg`<path d="M16 10a6 6 0 1 1-1.9-4.4l2.15 1.9M16.25 4v3.5h-3.5"/>`,
  edit: svg`<path d="m13 3.75 3.25 3.25L7.25 16H4v-3.25zM11 5.75 14.25 9"/>`,
  more: svg`<circle class="filled" cx="4.75" cy="10" r="1.35"/><circle class="filled" cx="10" cy="10" r="1.35"/><circle class="filled" cx="15.25" cy="10" r="1.35"/>`,
  compose: svg`<path d="M9.5 3.75h-4a2 2 0 0 0-2 2v8.75a2 2 0 0 0 2 2h8.75a2 2 0 0 0 2-2v-4M15 2.9 17.1 5l-6.6 6.6-2.75.65.65-2.75z"/>`,
  threads: svg`<path d="M3.5 5.5h13M3.5 10h13M3.5 14.5h7.5"/>`,
  bin: svg`<path d="M3.75 5.5h12.5M8 5.5V3.75h4V5.5M5.25 5.5l.75 10.75h8l.75-10.75M8.5 8.75v4.5M11.5 8.75v4.5"/>`,
  download: svg`<path d="M10 3v9M6 8.25l4 4 4-4M3.75 16.25h12.5"/>`,
  expand: svg`<path d="M11.75 3.5h4.75v4.75M8.25 16.5H3.5v-4.75M16.5 3.5 11 9M3.5 16.5 9 11"/>`,
  external: svg`<path d="M8 4.5H5.5a2 2 0 0 0-2 2v8a2 2 0 0 0 2 2h8a2 2 0 0 0 2-2V12M11.75 3.5h4.75v4.75M16.25 3.75 9.5 10.5"/>`,
  alert: svg`<circle cx="10" cy="10" r="7"/><path d="M10 6.5v4M10 13.4v.1"/>`,
  pause: svg`<circle cx="10" cy="10" r="7"/><path d="M8.25 7.5v5M11.75 7.5v5"/>`,
  table: svg`<rect x="2.75" y="3.75" width="14.5" height="12.5" rx="2.25"/><path d="M2.75 8.25h14.5M8 8.25v8"/>`,
  chart: svg`<path d="M3.5 3.5v13h13M7.25 13.25V10M10.75 13.25V6.5M14.25 13.25V8.5"/>`,
  page: svg`<rect x="2.75" y="3.75" width="14.5" height="12.5" rx="2.25"/><path d="M2.75 7.5h14.5M5.25 5.65h.1M7.25 5.65h.1"/>`,
  chat: svg`<path d="M10 3.25c4 0 7 2.6 7 6s-3 6-7 6c-.9 0-1.8-.13-2.6-.38L3.75 16.5l.9-3.1C3.6 12.3 3 10.85 3 9.25c0-3.4 3-6 7-6z"/>`,
  question: svg`<circle cx="10" cy="10" r="7"/><path d="M8 8.1c.2-1 1-1.6 2-1.6 1.15 0 2 .75 2 1.75 0 1.5-2 1.6-2 3.1M10 13.7v.1"/>`,
  mic: svg`<rect x="7.5" y="2.75" width="5" height="9" rx="2.5"/><path d="M4.75 9.5a5.25 5.25 0 0 0 10.5 0M10 14.75v2.5"/>`,
  speaker: svg`<path d="M3.5 8v4h2.75L10 15.25V4.75L6.25 8zM12.75 7.5a3.5 3.5 0 0 1 0 5M14.75 5.25a6.6 6.6 0 0 1 0 9.5"/>`,
  thumb: svg`<path d="M7 9.25v7.25H4.75a1 1 0 0 1-1-1v-5.25a1 1 0 0 1 1-1zm0 0 2.9-5.6a1.6 1.6 0 0 1 2.95 1l-.55 3.1h2.75a1.6 1.6 0 0 1 1.55 1.95l-1.15 5.2a1.6 1.6 0 0 1-1.55 1.25H7"/>`,
  quote: svg`<path d="M8.5 6.25H6a2 2 0 0 0-2 2v2.5h4.5zm0 4.5c0 1.9-1 3-2.75 3.5M16 6.25h-2.5a2 2 0 0 0-2 2v2.5H16zm0 4.5c0 1.9-1 3-2.75 3.5"/>`,
  share: svg`<path d="M10 12.25V3.5M6.5 6.5 10 3l3.5 3.5M5.75 9.5h-.5a1.5 1.5 0 0 0-1.5 1.5v4.25a1.5 1.5 0 0 0 1.5 1.5h9.5a1.5 1.5 0 0 0 1.5-1.5V11a1.5 1.5 0 0 0-1.5-1.5h-.5"/>`,
  queued: svg`<path d="M4 4.5v3.75a2.5 2.5 0 0 0 2.5 2.5h9M12 7.25l3.5 3.5-3.5 3.5"/>`,
  mark: svg`<path d="M4 12.5c1.6 0 1.9-5.5 4-5.5s1.9 6.5 4 6.5 2-4.5 4-4.5"/>`,
} as const;

export type IconName = keyof typeof shapes;

export const isIconName = (name: string): name is IconName => Object.hasOwn(shapes, name);

const MIRRORED = new Set<IconName>(['chevron-right', 'chevron-left', 'queued']);

/** A decorative icon next to text, or in a button that has a label; it never names anything itself. */
export const icon = (name: IconName, style: 'large' | 'small' = 'large'): TemplateResult =>
  renderIcon(
    iconShape(name, shapes[name]),
    `${style} ${name === 'running' ? 'spinning' : ''} ${MIRRORED.has(name) ? 'mirrored' : ''}`,
  );
