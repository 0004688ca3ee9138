import { html, nothing, type TemplateResult } from 'lit';
import { deceptiveHost, safeLink, withoutBidi } from '../safety/urls.ts';
import { box, several, type Attributes, type Shown } from './shown.ts';

/** An address that may be followed, what the link says of it, and the real host where its words look like another one. */
function followed(href: string, title: string, words: string) {
  const url = safeLink(href);
  return url && { href: url.href, title: withoutBidi(title), host: deceptiveHost(url, words) };
}

/**
 * A link that the browser opens in a tab of its own, or just its content when the address is not one that may be followed.
 * `words`: the content as a reader sees it. Where they look like another host, the real one stands behind them. The
 * direction of the content ends with it.
 */
export function link(href: string, content: unknown, title = '', words = ''): TemplateResult {
  const to = followed(href, title, words);
  if (!to) return html`${content}`;
  return html`<a
      dir="auto"
      href=${to.href}
      title=${to.title || nothing}
      target="_blank"
      rel="noopener noreferrer nofollow"
      >${content}</a
    >${to.host ? html` <span class="real-host">(${to.host})</span>` : nothing}`;
}

/** The same in a text. */
export function shownLink(href: string, content: readonly Shown[], title = '', words = ''): Shown {
  const to = followed(href, title, words);
  if (!to) return several(content);
  const attributes: Attributes = {
    dir: 'auto',
    href: to.href,
    title: to.title || undefined,
    target: '_blank',
    rel: 'noopener noreferrer nofollow',
  };
  const anchor = box('a', content, attributes);
  return to.host ? several([anchor, ' ', box('span', [`(${to.host})`], { class: 'real-host' })]) : anchor;
}
