import { html, nothing, type TemplateResult } from 'lit';
import { decodeEntities } from '../safety/entities.ts';
import { deceptiveHost, safeLink, withoutBidi } from '../safety/urls.ts';

/**
 * A link that the browser opens in a tab of its own, or just its words when the address is not one that may be followed. Where
 * the words look like another host, the real one stands behind them.
 */
export function link(href: string, content: unknown, title = '', words = ''): TemplateResult {
  const url = safeLink(decodeEntities(href));
  if (!url) return html`${content}`;
  const host = deceptiveHost(url, words);
  return html`<a
      href=${url.href}
      title=${withoutBidi(title) || nothing}
      target="_blank"
      rel="noopener noreferrer nofollow"
      >${content}</a
    >${host ? html` <span class="real-host">(${host})</span>` : nothing}`;
}
