import { html, svg, type SVGTemplateResult, type TemplateResult } from 'lit';

/** Icons used in Markdown. All others (`icon.ts`) are not part of the Markdown element: its lazy parts include them. */
export const contentIconShapes = {
  copy: svg`<rect x="7" y="7" width="9.5" height="9.5" rx="2"/><path d="M13 7V5.5a2 2 0 0 0-2-2H5.5a2 2 0 0 0-2 2V11a2 2 0 0 0 2 2H7"/>`,
  check: svg`<path d="m4.5 10.5 3.75 3.75L15.5 6.5"/>`,
  'image-off': svg`<path d="M5.5 3.75h9.25a2.5 2.5 0 0 1 2.5 2.5v8.25M14.75 16.25h-9.5a2.5 2.5 0 0 1-2.5-2.5V5M3 14l3.75-3.5 2 1.75M2.75 2.75l14.5 14.5"/>`,
} as const;

/**
 * Custom icons of the host page that replace ours, by name. Filled by `custom-icons.ts`; the Markdown element alone
 * needs no registry.
 */
export const customIcons = new Map<string, SVGTemplateResult>();

export const iconShape = (name: string, ours: SVGTemplateResult): SVGTemplateResult => customIcons.get(name) ?? ours;

export const contentIcon = (name: keyof typeof contentIconShapes, style: 'large' | 'small' = 'large'): TemplateResult =>
  renderIcon(iconShape(name, contentIconShapes[name]), style);

/** Renders a shape as an icon, also one from a lazy part that is in no set. */
export const renderIcon = (shape: SVGTemplateResult, style = 'small'): TemplateResult =>
  html`<svg class="icon ${style}" viewBox="0 0 20 20" aria-hidden="true">${shape}</svg>`;
