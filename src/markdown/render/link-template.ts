/** Links outside of Markdown. */
import { html, nothing, type TemplateResult } from 'lit';
import { deceptiveTarget } from '../../safety/link-text.ts';
import { safeLink } from '../../safety/urls.ts';

/**
 * Renders a link that opens in a new tab, or only its content if the URL is not safe. The content has its own text
 * direction.
 *
 * @param text - the displayed text of the content: if it names another target, the real one is shown after the link
 */
export function renderLink(href: string, content: unknown, text: string): TemplateResult {
  const url = safeLink(href);
  if (!url) return html`${content}`;
  const target = deceptiveTarget(url, text);
  return html`<a dir="auto" href=${url.href} target="_blank" rel="noopener noreferrer nofollow">${content}</a
    >${target ? renderRealTarget(target) : nothing}`;
}

/** Renders the real target after a link that is rendered elsewhere. */
export const renderRealTarget = (target: string): TemplateResult => html` <span class="real-host">(${target})</span>`;
