import { html, nothing, type TemplateResult } from 'lit';
import { deceptiveTarget, deceptiveWord, type TextAround } from '../../safety/link-text.ts';
import { safeLink, withoutInvisible } from '../../safety/urls.ts';
import { elementNode, listNode, type Attributes, type VNode } from './vnode.ts';

/** Returns the attributes of a safe link, its title, and the real target if the text names another one. */
function followed(href: string, title: string, text: string, around?: TextAround) {
  const url = safeLink(href);
  const target = url && (deceptiveTarget(url, text, title) ?? deceptiveWord(url, text, around));
  return url && { href: url.href, title: withoutInvisible(title), target };
}

/**
 * Renders a link that opens in a new tab, or only its content if the URL is not safe. The content has its own text
 * direction.
 *
 * @param text - the displayed text of the content: if it names another target, the real one is shown after the link
 */
export function renderLink(href: string, content: unknown, title = '', text = ''): TemplateResult {
  const to = followed(href, title, text);
  if (!to) return html`${content}`;
  return html`<a
      dir="auto"
      href=${to.href}
      title=${to.title || nothing}
      target="_blank"
      rel="noopener noreferrer nofollow"
      >${content}</a
    >${to.target ? renderRealTarget(to.target) : nothing}`;
}

/** Renders the real target after a link that is rendered elsewhere. */
export const renderRealTarget = (target: string): TemplateResult => html` <span class="real-host">(${target})</span>`;

/** The same link as a virtual node. */
export function linkNode(href: string, content: readonly VNode[], title = '', text = '', around?: TextAround): VNode {
  const to = followed(href, title, text, around);
  if (!to) return listNode(content);
  const attributes: Attributes = {
    dir: 'auto',
    href: to.href,
    title: to.title || undefined,
    target: '_blank',
    rel: 'noopener noreferrer nofollow',
  };
  const anchor = elementNode('a', content, attributes);
  return to.target ? listNode([anchor, ' ', elementNode('span', [`(${to.target})`], { class: 'real-host' })]) : anchor;
}
