/**
 * Converts visible content to clipboard HTML, without styles and without elements of the widget itself. It uses the
 * allow-list for model HTML, so that pasted content contains nothing that the widget would not show.
 */
import { ALLOWED_ELEMENTS, DROPPED_WITH_CONTENT, isAllowedAttribute } from './allowed-html.ts';
import { safeLink } from './urls.ts';

export function toRichText(elements: Iterable<Element>): string {
  // A document that is not displayed loads no images.
  const page = document.implementation.createHTMLDocument('');
  for (const element of elements) page.body.append(...copyOf(element, page));
  // Read only: no string becomes markup here.
  return page.body.innerHTML;
}

function copyOf(node: Node, page: Document): readonly (Node | string)[] {
  if (node instanceof Text) return [node.data];
  if (!(node instanceof Element)) return [];
  const name = node.localName;
  if (name === 'input') return [node.matches(':checked') ? '☑ ' : '☐ '];
  if (isControl(node)) return [];
  // The elements around the code are part of the widget.
  const inside = name === 'agent-chat-code' ? node.querySelectorAll('pre') : node.childNodes;
  const content = [...inside].flatMap((child) => copyOf(child, page));
  if (!ALLOWED_ELEMENTS.has(name)) return content;
  const copy = page.createElement(name);
  for (const { name: attribute, value } of node.attributes) {
    const allowedValue = isAllowedAttribute(name, attribute) ? valueOf(attribute, value) : undefined;
    if (allowedValue !== undefined) copy.setAttribute(attribute, allowedValue);
  }
  copy.append(...content);
  return [copy];
}

/** Not content: controls, drawings, and text for screen readers only. For a formula its source is used. */
const isControl = (element: Element): boolean =>
  DROPPED_WITH_CONTENT.has(element.localName) ||
  (element.matches('button, [hidden], .hidden-visually, [aria-hidden="true"]') && !element.matches('.formula-source'));

/** URLs are copied unchanged if they are safe in other programs. */
function valueOf(attribute: string, value: string): string | undefined {
  if (attribute !== 'href' && attribute !== 'src' && attribute !== 'cite') return value;
  const url = safeLink(value);
  return attribute === 'src' && url?.protocol !== 'https:' ? undefined : url?.href;
}
