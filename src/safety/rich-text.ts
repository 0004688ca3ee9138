/**
 * What is on show as other programs take it from the clipboard: plain HTML, without styles and without anything that is the
 * widget's own. The list is that for HTML of a model: whoever pastes it gets nothing that we would not show.
 */
import { ALLOWED_ELEMENTS, DROPPED_WITH_CONTENT, isAllowedAttribute } from './allow-list.ts';
import { safeLink } from './urls.ts';

export function richText(elements: Iterable<Element>): string {
  // In a document that shows nothing no picture is loaded.
  const page = document.implementation.createHTMLDocument('');
  for (const element of elements) page.body.append(...copyOf(element, page));
  // Read, never written: no string becomes markup here.
  return page.body.innerHTML;
}

function copyOf(node: Node, page: Document): readonly (Node | string)[] {
  if (node instanceof Text) return [node.data];
  if (!(node instanceof Element)) return [];
  const name = node.localName;
  if (name === 'input') return [node.matches(':checked') ? '☑ ' : '☐ '];
  if (isControl(node)) return [];
  // What stands around the code is the widget's.
  const inside = name === 'agent-chat-code' ? node.querySelectorAll('pre') : node.childNodes;
  const content = [...inside].flatMap((child) => copyOf(child, page));
  if (!ALLOWED_ELEMENTS.has(name)) return content;
  const copy = page.createElement(name);
  for (const { name: attribute, value } of node.attributes) {
    const kept = isAllowedAttribute(name, attribute) ? valueOf(attribute, value) : undefined;
    if (kept !== undefined) copy.setAttribute(attribute, kept);
  }
  copy.append(...content);
  return [copy];
}

/** Nothing to read: what is pressed, drawn, or said to screen readers alone. The source of a formula stands for it. */
const isControl = (element: Element): boolean =>
  DROPPED_WITH_CONTENT.has(element.localName) ||
  (element.matches('button, [hidden], .hidden-visually, [aria-hidden="true"]') && !element.matches('.formula-source'));

/** Addresses as they are, if another program may have them. */
function valueOf(attribute: string, value: string): string | undefined {
  if (attribute !== 'href' && attribute !== 'src' && attribute !== 'cite') return value;
  const url = safeLink(value);
  return attribute === 'src' && url?.protocol !== 'https:' ? undefined : url?.href;
}
