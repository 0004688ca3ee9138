import createDOMPurify, { type Config } from 'dompurify';
import { createAccentLimiter } from './accent-limiter.ts';
import { ALLOWED_ELEMENTS, allowedAttributes } from './allowed-html.ts';
import { filterHtml } from './filter-html.ts';
import { markOfElement, MAX_PART, SKIPPED_PART, UNREADABLE_CONTENT, withoutPadding } from './displayed-text.ts';
import { deceptiveTarget, deceptiveWord, titleWithoutTarget } from './link-text.ts';
import { trustedPolicy } from './policy.ts';
import { separateCells } from './separate-cells.ts';
import { safeLink, withoutInvisible } from './urls.ts';

const purify = createDOMPurify();

/**
 * The policy is shared and passes input through: DOMPurify's own policy name would already be in use when a second copy
 * loads. Its types expect a `TrustedTypePolicy`, but it only calls `createHTML`.
 */
const policy = trustedPolicy() as Config['TRUSTED_TYPES_POLICY'] | undefined;

const config = {
  ALLOWED_TAGS: [...ALLOWED_ELEMENTS],
  ALLOWED_ATTR: [...allowedAttributes],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  KEEP_CONTENT: true,
  RETURN_DOM_FRAGMENT: true,
  ...(policy && { TRUSTED_TYPES_POLICY: policy }),
} as const satisfies Config;

/** Returns the displayed text of a node, with a mark where it is displayed in another order. */
function textOf(node: Node): string {
  if (!(node instanceof Element)) return node.textContent ?? '';
  if (node.localName === 'br') return '\n';
  if (node.localName === 'img') return UNREADABLE_CONTENT;
  const folded = node.localName === 'details' ? SKIPPED_PART : '';
  const text = folded + markOf(node) + [...node.childNodes].map(textOf).join('');
  // All other elements begin and end a line.
  return node.matches(INLINE) ? text : `\n${text}\n`;
}

const markOf = (element: Element): string => markOfElement(element.localName, element.getAttribute('dir') ?? '');

/** Maximum number of nodes that are read on each side of a link. */
const MAX_NEAR = 128;
const INLINE =
  'a, abbr, b, bdi, bdo, cite, code, del, dfn, em, i, ins, kbd, mark, q, rp, rt, ruby, s, samp, small, span, strong, sub, sup, time, u, var, wbr';

/** Returns the text next to a link on one side, also that around the elements in which it begins or ends a line. */
function textNear(link: Node, side: 'previousSibling' | 'nextSibling'): string {
  const isAfter = side === 'nextSibling';
  let text = '';
  let node: Node = link;
  for (let count = 0; count < MAX_NEAR && text.length < MAX_PART; count++) {
    const next: Node | null = node[side];
    const parent = node.parentElement;
    if (!next && !parent) return text;
    const read = next ? textOf(next) : parent && !isAfter ? markOf(parent) : '';
    text = withoutPadding(isAfter ? text + read : read + text);
    if (!next && !parent?.matches(INLINE)) return text;
    node = next ?? parent ?? node;
  }
  if (text.length >= MAX_PART) return text;
  // So many nodes with so little text hide text from this comparison: with the mark, the link always shows its target.
  return isAfter ? `${text}\u202d` : '\u202e' + text;
}

/** Applies the link policy to a link in model HTML. */
function applyLinkPolicy(link: Element): void {
  const url = safeLink(link.getAttribute('href') ?? '');
  if (!url) {
    link.removeAttribute('href');
    return;
  }
  link.setAttribute('href', url.href);
  link.setAttribute('dir', 'auto');
  link.setAttribute('target', '_blank');
  link.setAttribute('rel', 'noopener noreferrer nofollow');
  const titles = [link, ...link.querySelectorAll('[title]')].map((named) => named.getAttribute('title') ?? '');
  const text = [...link.childNodes].map(textOf).join('');
  const target =
    deceptiveTarget(url, text, ...titles) ??
    deceptiveWord(url, text, [textNear(link, 'previousSibling'), textNear(link, 'nextSibling')]);
  if (!target) return;
  const real = link.ownerDocument.createElement('span');
  real.className = 'real-host';
  real.textContent = `(${target})`;
  link.after(' ', real);
}

/** An image in model HTML; an empty `<span>` marks its position. */
export interface ModelImage {
  readonly place: Element;
  readonly src: string;
  readonly alt: string;
}

/**
 * Elements that draw a line or quotation marks, in eight others: a browser paints those of all of them at each text, in
 * quadratic time. More lines say nothing.
 */
const OVERDECORATED = Array.from({ length: 9 }, () => ':is(del, ins, q, s, u)').join(' ');

/**
 * Converts model HTML to nodes of this document. Images are removed while the nodes are inert and returned separately,
 * because showing one is decided elsewhere.
 */
export function sanitizeHtml(html: string): {
  readonly nodes: DocumentFragment;
  readonly images: readonly ModelImage[];
} {
  const nodes = purify.sanitize(filterHtml(html), config);
  for (const element of nodes.querySelectorAll(OVERDECORATED)) element.className = 'plain';
  // Before images are removed: a link with an image always shows its target.
  for (const link of nodes.querySelectorAll('a')) applyLinkPolicy(link);
  for (const table of nodes.querySelectorAll('table')) separateCells(table);
  const images = [...nodes.querySelectorAll('img')].map((image) => {
    const place = nodes.ownerDocument.createElement('span');
    image.replaceWith(place);
    return { place, src: image.getAttribute('src') ?? '', alt: image.getAttribute('alt') ?? '' };
  });
  for (const named of nodes.querySelectorAll('[title]')) {
    const title = withoutInvisible(named.getAttribute('title') ?? '');
    const safeTitle = named.localName === 'a' ? title : titleWithoutTarget(title);
    if (safeTitle === undefined) named.removeAttribute('title');
    else named.setAttribute('title', safeTitle);
  }
  const limitAccents = createAccentLimiter();
  const texts = nodes.ownerDocument.createTreeWalker(nodes, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { currentNode: node } = texts;
    const shown = limitAccents(node.nodeValue ?? '');
    if (shown !== node.nodeValue) node.nodeValue = shown;
  }
  document.adoptNode(nodes);
  return { nodes, images };
}
