/** A form in which our elements and the HTML of another renderer can be compared: what a user sees and can do. */
import { AgentChatHtml } from '../../../src/markdown/render/html-block.ts';
import { renderHtml } from '../../../src/markdown/render/render-html.ts';
import { safeLink } from '../../../src/safety/urls.ts';
import { sanitizeHtml } from '../../../src/safety/sanitize.ts';
import { AgentChatCode } from '../../../src/primitives/code/code-block.ts';
import { AgentChatMath } from '../../../src/primitives/math/formula.ts';

/** Boxes for layout, and spans that mark a place. */
const TRANSPARENT =
  'div:not([align], .alert), input, agent-chat-html, agent-chat-rows, span:not([lang], [dir]), tbody, thead';
/** What we add to a text: an icon, a button, the real target of a link. */
const ADDED = '.real-host, agent-chat-alert-icon, agent-chat-rest';
const CHECKED = '\u2611 ';
const UNCHECKED = '\u2610 ';
const BLOCKS =
  /^(?:p|h\d|li|ul|ol|t[dhr]|table|blockquote|div|br|hr|pre|dl|dt|dd|details|summary|section|article|center|figure|caption)$/;

const ATTRIBUTES = ['title', 'start', 'open'] as const;

export function canonicalOfOurs(place: ParentNode): string {
  // The elements load the sanitizer, and render later.
  for (const block of place.querySelectorAll('agent-chat-html'))
    if (block instanceof AgentChatHtml) renderHtml(block, block.source, block.view, new WeakSet());
  return canonical(place);
}

/** The HTML of another renderer, with our rules about what may pass. */
export function canonicalOfHtml(html: string): string {
  // The sanitizer removes classes and checkboxes.
  const { nodes, images } = sanitizeHtml(
    html
      .replaceAll('<code class="language-', '<code lang="')
      .replace(/<input [^>]*type="checkbox"[^>]*>/g, (box) => (box.includes('checked') ? CHECKED : UNCHECKED)),
  );
  for (const { place, src, alt } of images) {
    const image = document.createElement('s-image');
    image.dataset['src'] = src;
    image.dataset['alt'] = alt;
    place.replaceWith(image);
  }
  return canonical(nodes);
}

function canonical(place: ParentNode): string {
  const lines: string[] = [];
  let words = '';
  const flush = (): void => {
    const text = words.replace(/[^\S\u00a0]+/g, ' ').replace(/^ | $/g, '');
    if (text) lines.push(JSON.stringify(text));
    words = '';
  };
  const line = (text: string): void => {
    flush();
    lines.push(text);
  };
  const walk = (node: Node): void => {
    if (node instanceof Text) words += node.data;
    if (!(node instanceof Element)) {
      if (node instanceof DocumentFragment) node.childNodes.forEach(walk);
      return;
    }
    if (node.matches(ADDED)) return;
    if (node instanceof HTMLInputElement) words += node.checked ? CHECKED : UNCHECKED;
    const tag = tagOf(node);
    const code = codeOf(node);
    if (code !== undefined) line(`pre ${code}`);
    else if (tag === undefined) {
      node.childNodes.forEach(walk);
    } else {
      line(`<${tag}>`);
      const begin = lines.length;
      if (!(node instanceof AgentChatMath)) node.childNodes.forEach(walk);
      flush();
      // The HTML parser leaves empty elements where tags are not nested correctly.
      if (lines.length === begin && /^(?:p|b|i|em|strong|del)$/.test(tag)) lines.pop();
      else lines.push(`</${node.localName}>`);
    }
    if (BLOCKS.test(node.localName)) flush();
  };
  place.childNodes.forEach(walk);
  flush();
  return lines.join('\n');
}

/** Code, and its language. */
function codeOf(node: Element): string | undefined {
  if (node instanceof AgentChatCode) return JSON.stringify([node.language, withoutLastLineEnd(node.code)]);
  const [code] = node.children;
  if (node.localName !== 'pre' || node.childNodes.length !== 1 || code?.localName !== 'code') return undefined;
  const language = code.getAttribute('lang') ?? '';
  return JSON.stringify([language, withoutLastLineEnd(code.textContent)]);
}

const withoutLastLineEnd = (text: string): string => text.replace(/\n$/, '');

/** The tag with what matters of its attributes; undefined if the element shows only its content. */
function tagOf(node: Element): string | undefined {
  if (node.matches(TRANSPARENT)) return undefined;
  const parts = [node.localName];
  if (node.localName === 'a') {
    const link = safeLink(node.getAttribute('href') ?? '');
    if (!link) return undefined;
    parts.push(link.href.replaceAll('[', '%5B').replaceAll(']', '%5D'));
  }
  if (node instanceof HTMLElement && node.localName === 's-image')
    parts.push(JSON.stringify([node.dataset['src'], node.dataset['alt']]));
  if (node instanceof AgentChatMath) parts.push(JSON.stringify(node.formula), String(node.display));
  const align = node.getAttribute('align') ?? /^(?:left|center|right)\b/.exec(node.className)?.[0];
  if (/^t[dh]$/.test(node.localName) && align) parts.push(align);
  for (const name of ATTRIBUTES)
    if (node.hasAttribute(name)) parts.push(`${name}=${node.getAttribute(name)?.trim() ?? ''}`);
  return parts.join(' ');
}
