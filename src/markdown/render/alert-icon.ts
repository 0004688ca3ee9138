import { svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { defineOnce } from '../../primitives/define-once.ts';
import { LightElement } from '../../primitives/light-dom-element.ts';
import { renderIcon } from '../../primitives/content-icon.ts';
import { adoptStylesheet, createStylesheet } from '../../theme/stylesheet.ts';
import css from './alert.css?inline';

const style = createStylesheet(css);

const CIRCLE = svg`<circle cx="10" cy="10" r="7"/>`;
const shapes: Readonly<Record<string, SVGTemplateResult>> = {
  note: svg`${CIRCLE}<path d="M10 9.5v4M10 6.6v.1"/>`,
  tip: svg`<path d="M7.75 14.25h4.5M8.5 17h3M7.75 14.25v-1c0-.7-.35-1.3-.85-1.75a4.9 4.9 0 1 1 6.2 0c-.5.45-.85 1.05-.85 1.75v1"/>`,
  important: svg`<path d="M4.5 3.75h11a1.5 1.5 0 0 1 1.5 1.5v7a1.5 1.5 0 0 1-1.5 1.5H10L6.5 17v-3.25h-2a1.5 1.5 0 0 1-1.5-1.5v-7a1.5 1.5 0 0 1 1.5-1.5zM10 6.25v3M10 11.4v.1"/>`,
  warning: svg`<path d="M10 3.5 17.25 16H2.75zM10 8v3.5M10 13.6v.1"/>`,
  caution: svg`<path d="M7.1 3h5.8L17 7.1v5.8L12.9 17H7.1L3 12.9V7.1zM10 6.5v4M10 13.4v.1"/>`,
};

/** The icon of an alert. It loads with the first alert, together with the colours, because few texts have one. */
export class AgentChatAlertIcon extends LightElement {
  static override properties = { kind: { attribute: false } };
  declare kind: string;

  override connectedCallback(): void {
    super.connectedCallback();
    adoptStylesheet(this, style);
  }

  protected override render(): TemplateResult {
    return renderIcon(shapes[this.kind] ?? CIRCLE);
  }
}

export const define = (): void => {
  defineOnce('agent-chat-alert-icon', AgentChatAlertIcon);
};
