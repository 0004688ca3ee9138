import { html, nothing, type TemplateResult } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import { icon } from '../../primitives/icon.ts';

/**
 * The button that scrolls to the end of the transcript.
 *
 * @param unseen - the number of new messages at the end
 */
export function scrollButton(unseen: number, localize: Localize, scrollToEnd: () => void): TemplateResult {
  return html`<button type="button" class="scroll-button" part="scroll-button" @click=${scrollToEnd}>
    ${icon('down', 'small')}
    ${unseen > 0 ? html`<span class="tabular">${localize('scroll.new', { count: unseen })}</span>` : nothing}
    <span class="hidden-visually">${localize('scroll.end')}</span>
  </button>`;
}
