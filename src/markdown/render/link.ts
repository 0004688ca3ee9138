import type { TextAround } from '../../safety/displayed-text.ts';
import { linkTextCheck } from '../../safety/load-link-text.ts';
import { safeLink, withoutInvisible } from '../../safety/urls.ts';
import { elementNode, listNode, type Attributes, type VNode } from './vnode.ts';

/**
 * Renders a link that opens in a new tab, or only its content if the URL is not safe. The content has its own text direction. Until
 * the check of its text is loaded, it leads nowhere; if the check can't be loaded, its target is always shown.
 *
 * @param text - the displayed text of the content: if it names another target, the real one is shown after the link
 */
export function linkNode(href: string, content: readonly VNode[], title = '', text = '', around?: TextAround): VNode {
  const url = safeLink(href);
  if (!url) return listNode(content);
  const check = linkTextCheck();
  if (!check) return elementNode('a', content, { dir: 'auto' });
  const attributes: Attributes = {
    dir: 'auto',
    href: url.href,
    title: withoutInvisible(title) || undefined,
    target: '_blank',
    rel: 'noopener noreferrer nofollow',
  };
  const anchor = elementNode('a', content, attributes);
  const target =
    check === 'failed'
      ? url.host || url.pathname
      : (check.deceptiveTarget(url, text, title) ?? check.deceptiveWord(url, text, around));
  return target ? listNode([anchor, ' ', elementNode('span', [`(${target})`], { class: 'real-host' })]) : anchor;
}
