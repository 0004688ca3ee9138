/** Renders Markdown on the page and returns its visible text. */
import { html, render } from 'lit';
import { createLocalize } from '../../../src/locales/localize.ts';
import { AgentChatHtml } from '../../../src/markdown/render/html-block.ts';
import { AgentChatMarkdownTable } from '../../../src/markdown/render/table-columns.ts';
import { markdown } from '../../../src/markdown/markdown-directive.ts';
import { renderAllSlices } from '../../../src/markdown/time-slices.ts';
import type { MarkdownView } from '../../../src/markdown/render/markdown-context.ts';
import { AgentChatCode } from '../../../src/primitives/code/code-block.ts';
import { AgentChatCopy } from '../../../src/primitives/copy-button.ts';
import { defineOnce } from '../../../src/primitives/define-once.ts';
import { AgentChatMath } from '../../../src/primitives/math/formula.ts';

defineOnce('agent-chat-copy', AgentChatCopy);
defineOnce('agent-chat-code', AgentChatCode);
defineOnce('agent-chat-math', AgentChatMath);
defineOnce('agent-chat-html', AgentChatHtml);
defineOnce('agent-chat-rows', AgentChatMarkdownTable);

/** Images and citations are rendered as plain elements with their data. */
export const view: MarkdownView = {
  localize: createLocalize('en'),
  image: (src, alt) => html`<s-image data-src=${src} data-alt=${alt}></s-image>`,
  cite: (number) => html`<s-cite>${number}</s-cite>`,
};

export interface Shown {
  readonly place: HTMLElement;
  /** Renders the next state of the text. `growing`: more will come. */
  update(source: string, growing?: boolean): void;
}

const places: HTMLElement[] = [];
afterEach(() => {
  for (const place of places.splice(0)) place.remove();
});

/** A container for one text, removed after the test. */
export function show(source = '', growing = false, settings: MarkdownView = view): Shown {
  const place = document.createElement('div');
  document.body.append(place);
  places.push(place);
  const update = (text: string, more = false): void => {
    render(html`${markdown(text, settings, { growing: more })}`, place);
    // A long text is rendered over several frames.
    renderAllSlices();
  };
  update(source, growing);
  return { place, update };
}

/** A text that was rendered in these steps to its end. */
export function grown(beginnings: readonly string[], source: string): HTMLElement {
  const { place, update } = show('', true);
  for (const beginning of beginnings) update(beginning, true);
  update(source);
  return place;
}

/** The elements below a node as lines of an outline: tags, attributes, properties and text, without Lit's comments. */
export function outline(place: Node): string {
  const lines: string[] = [];
  let words = '';
  const flush = (indent: string): void => {
    if (words.trim()) lines.push(`${indent}${JSON.stringify(words.replace(/\s+/g, ' '))}`);
    words = '';
  };
  const walk = (node: Node, indent: string): void => {
    for (const child of node.childNodes) {
      if (child instanceof Text) words += child.data;
      if (!(child instanceof Element)) continue;
      flush(indent);
      lines.push(indent + tagOf(child));
      if (!hasOwnContent(child)) walk(child, `${indent}  `);
      flush(`${indent}  `);
    }
    flush(indent);
  };
  walk(place, '');
  return lines.join('\n');
}

/** Elements that render their content themselves, later. */
const hasOwnContent = (element: Element): boolean =>
  element instanceof AgentChatCode || element instanceof AgentChatHtml || element instanceof AgentChatMath;

function tagOf(element: Element): string {
  const attributes = Array.from(element.attributes, ({ name, value }) => (value ? `${name}=${value}` : name)).sort();
  if (element instanceof HTMLInputElement) attributes.push(element.checked ? 'checked' : 'unchecked');
  if (element instanceof AgentChatCode)
    attributes.push(element.language, JSON.stringify(element.code), element.complete ? 'whole' : 'growing');
  if (element instanceof AgentChatHtml) attributes.push(JSON.stringify(element.source));
  if (element instanceof AgentChatMath)
    attributes.push(JSON.stringify(element.formula), element.display ? 'in lines' : 'in a line');
  return [element.localName, ...attributes].filter(Boolean).join(' ');
}

/** The visible text with one blank between words. Code is included, HTML blocks without their tags. */
export function wordsOf(place: Element): string {
  const words: string[] = [];
  const walk = (node: Node): void => {
    if (node instanceof Text) words.push(node.data);
    else if (node instanceof AgentChatCode) words.push(` ${node.code} `);
    else if (node instanceof AgentChatMath) words.push('∑');
    else {
      const isBlock =
        node instanceof Element && /^(?:p|h\d|li|t[dhr]|blockquote|div|br|hr|agent-chat-html)$/.test(node.localName);
      if (isBlock) words.push(' ');
      node.childNodes.forEach(walk);
      if (isBlock) words.push(' ');
    }
  };
  walk(place);
  return words.join('').replace(/\s+/g, ' ').trim();
}
