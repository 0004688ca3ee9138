import { html, type TemplateResult } from 'lit';
import { icon, type EarlyIconName } from '../../primitives/icon.ts';

export const button = (
  iconName: EarlyIconName | SVGElement | undefined,
  label: string,
  onClick: () => void,
  disabled = false,
): TemplateResult =>
  html`<button
    type="button"
    class="icon-button ${iconName === 'edit' ? 'edit' : ''}"
    part="toolbar-button"
    aria-label=${label}
    title=${label}
    ?disabled=${disabled}
    @click=${onClick}
  >
    ${typeof iconName === 'string' ? icon(iconName, 'small') : iconName?.cloneNode(true)}
  </button>`;
