import { svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { iconOf, shapes, type IconName, type IconStyle, type LazyIconName } from './icon.ts';

/** Icons that no first answer shows. */
const lazyShapes = {
  'zoom-out': svg`<path d="M4.5 10h11"/>`,
  open: svg`<circle cx="10" cy="10" r="7" stroke-dasharray="2.2 2.2"/>`,
  thought: svg`<path d="M7.75 14.25h4.5M8.5 17h3M7.75 14.25v-1c0-.7-.35-1.3-.85-1.75a4.9 4.9 0 1 1 6.2 0c-.5.45-.85 1.05-.85 1.75v1"/>`,
  done: svg`<circle cx="10" cy="10" r="7"/><path d="m7 10.25 2.1 2.1L13 8.25"/>`,
  file: svg`<path d="M11.5 2.75H6A1.75 1.75 0 0 0 4.25 4.5v11c0 .97.78 1.75 1.75 1.75h8c.97 0 1.75-.78 1.75-1.75V7zM11.5 2.75V7h4.25"/>`,
  shield: svg`<path d="m10 2.75 6 2.25v4.5c0 3.7-2.4 6.3-6 7.75-3.6-1.45-6-4.05-6-7.75V5z"/><path d="m7.5 10 1.75 1.75L12.75 8.25"/>`,
  bin: svg`<path d="M3.75 5.5h12.5M8 5.5V3.75h4V5.5M5.25 5.5l.75 10.75h8l.75-10.75M8.5 8.75v4.5M11.5 8.75v4.5"/>`,
  expand: svg`<path d="M11.75 3.5h4.75v4.75M8.25 16.5H3.5v-4.75M16.5 3.5 11 9M3.5 16.5 9 11"/>`,
  pause: svg`<circle cx="10" cy="10" r="7"/><path d="M8.25 7.5v5M11.75 7.5v5"/>`,
  chart: svg`<path d="M3.5 3.5v13h13M7.25 13.25V10M10.75 13.25V6.5M14.25 13.25V8.5"/>`,
  table: svg`<rect x="2.75" y="3.75" width="14.5" height="12.5" rx="2.25"/><path d="M2.75 8.25h14.5M8 8.25v8"/>`,
  external: svg`<path d="M8 4.5H5.5a2 2 0 0 0-2 2v8a2 2 0 0 0 2 2h8a2 2 0 0 0 2-2V12M11.75 3.5h4.75v4.75M16.25 3.75 9.5 10.5"/>`,
  question: svg`<circle cx="10" cy="10" r="7"/><path d="M8 8.1c.2-1 1-1.6 2-1.6 1.15 0 2 .75 2 1.75 0 1.5-2 1.6-2 3.1M10 13.7v.1"/>`,
  mic: svg`<rect x="7.5" y="2.75" width="5" height="9" rx="2.5"/><path d="M4.75 9.5a5.25 5.25 0 0 0 10.5 0M10 14.75v2.5"/>`,
  speaker: svg`<path d="M3.5 8v4h2.75L10 15.25V4.75L6.25 8zM12.75 7.5a3.5 3.5 0 0 1 0 5M14.75 5.25a6.6 6.6 0 0 1 0 9.5"/>`,
  thumb: svg`<path d="M7 9.25v7.25H4.75a1 1 0 0 1-1-1v-5.25a1 1 0 0 1 1-1zm0 0 2.9-5.6a1.6 1.6 0 0 1 2.95 1l-.55 3.1h2.75a1.6 1.6 0 0 1 1.55 1.95l-1.15 5.2a1.6 1.6 0 0 1-1.55 1.25H7"/>`,
  share: svg`<path d="M10 12.25V3.5M6.5 6.5 10 3l3.5 3.5M5.75 9.5h-.5a1.5 1.5 0 0 0-1.5 1.5v4.25a1.5 1.5 0 0 0 1.5 1.5h9.5a1.5 1.5 0 0 0 1.5-1.5V11a1.5 1.5 0 0 0-1.5-1.5h-.5"/>`,
  clip: svg`<path d="m15.75 9.25-5.9 5.9a3.6 3.6 0 0 1-5.1-5.1l6.3-6.3a2.4 2.4 0 0 1 3.4 3.4l-6.2 6.2a1.2 1.2 0 0 1-1.7-1.7l5.3-5.3"/>`,
} as const satisfies Readonly<Record<LazyIconName, SVGTemplateResult>>;

const allShapes = { ...shapes, ...lazyShapes };

/** Any icon, for modules that are loaded on demand. The drawings follow the rules of `icon.ts`. */
export const lazyIcon = (name: IconName, style: IconStyle = 'large'): TemplateResult =>
  iconOf(name, allShapes[name], style);
