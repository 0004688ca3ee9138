import { html, nothing, type TemplateResult } from 'lit';
import { deceptiveHost, safeLink, withoutBidi } from '../safety/urls.ts';

/**
 * A link that the browser opens in a tab of its own, or just its content when the address is not one that may be followed.
 * `words`: the content as a reader sees it. Where they look like another host, the real one stands behind them. The
 * direction of the content ends with it.
 */
export function link(href: string, content: unknown, title = '', words = ''): TemplateResult {
  const url = safeLink(href);
  if (!url) return html`${content}`;
  const host = deceptiveHost(url, words);
  return html`<a
      dir="auto"
      href=${url.href}
      title=${withoutBidi(title) || nothing}
      target="_blank"
      rel="noopener noreferrer nofollow"
      >${content}</a
    >${host ? html` <span class="real-host">(${host})</span>` : nothing}`;
}
