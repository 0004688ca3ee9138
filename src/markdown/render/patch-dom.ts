/**
 * Patches the DOM with virtual nodes. Elements and text need no templates: a long answer would have twice the nodes
 * because of template markers, and creating nodes is what takes longest when an answer grows.
 */
import { RenderedTemplate, type RenderedPart } from './template-part.ts';
import {
  isElementNode,
  isListNode,
  isTextNode,
  listNode,
  type Attributes,
  type ElementNode,
  type VNode,
} from './vnode.ts';
import { RenderedText } from './text-part.ts';

/** A list of rendered parts. An update costs time in proportion to the new parts only. */
export class RenderedList implements RenderedPart {
  readonly #parts: RenderedPart[] = [];
  #settled = 0;
  #key: readonly unknown[] = [];

  get first(): ChildNode | undefined {
    return this.#firstFrom(0);
  }

  draw(vnode: VNode, parent: Node, before: Node | null): boolean {
    if (!isListNode(vnode)) return false;
    const { count, settled, key, changed, at } = vnode;
    // If another Markdown text takes this place, it may have fewer settled parts.
    const isSame = key.every((part, index) => part === this.#key[index]) && settled >= this.#settled;
    const from = isSame ? this.#settled : 0;
    if (isSame) for (const index of changed ?? []) if (index < from) this.#renderPart(index, at(index), parent, before);
    for (let index = from; index < count; index++) this.#renderPart(index, at(index), parent, before);
    for (const part of this.#parts.splice(count)) part.remove();
    this.#settled = settled;
    this.#key = key;
    return true;
  }

  remove(): void {
    for (const part of this.#parts.splice(0)) part.remove();
  }

  #renderPart(index: number, vnode: VNode, parent: Node, before: Node | null): void {
    const part = this.#parts[index];
    const nextNode = index + 1 < this.#parts.length ? (this.#firstFrom(index + 1) ?? before) : before;
    if (part?.draw(vnode, parent, nextNode)) return;
    part?.remove();
    this.#parts[index] = createPart(vnode, parent, nextNode);
  }

  #firstFrom(index: number): ChildNode | undefined {
    for (let position = index; position < this.#parts.length; position++) {
      const first = this.#parts[position]?.first;
      if (first) return first;
    }
    return undefined;
  }
}

class RenderedElement implements RenderedPart {
  readonly first: HTMLElement;
  readonly #tag: string;
  #content = new RenderedList();
  #attributes: Attributes = {};

  constructor(vnode: ElementNode, parent: Node, before: Node | null) {
    this.#tag = vnode.tag;
    this.first = document.createElement(vnode.tag);
    this.#fill(vnode);
    parent.insertBefore(this.first, before);
  }

  draw(vnode: VNode): boolean {
    if (!isElementNode(vnode) || vnode.tag !== this.#tag) return false;
    this.#fill(vnode);
    return true;
  }

  remove(): void {
    this.first.remove();
  }

  #fill({ attributes, properties, content }: ElementNode): void {
    const { first } = this;
    for (const name of Object.keys(this.#attributes)) if (attributes[name] === undefined) first.removeAttribute(name);
    for (const [name, value] of Object.entries(attributes))
      if (value !== undefined && value !== this.#attributes[name]) first.setAttribute(name, value);
    this.#attributes = attributes;
    Object.assign(first, properties);
    // A custom element with properties and without content renders its content itself.
    if (properties && content.length === 0) return;
    try {
      this.#content.draw(listNode(content), first, null);
    } catch {
      // Other code has moved or removed our nodes, usually a translator of the browser: render the content again, untranslated.
      first.replaceChildren();
      this.#content = new RenderedList();
      this.#content.draw(listNode(content), first, null);
    }
  }
}

/** What a custom element (a block of code) or a template (an image) counts as: each has about as many nodes, which it may create later. */
const COMPONENT_NODES = 16;

/** Number of elements, texts and templates created so far, in all Markdown texts. */
export let createdNodes = 0;

function createPart(vnode: VNode, parent: Node, before: Node | null): RenderedPart {
  if (isListNode(vnode)) {
    const list = new RenderedList();
    list.draw(vnode, parent, before);
    return list;
  }
  createdNodes += isTextNode(vnode) || (isElementNode(vnode) && !vnode.tag.includes('-')) ? 1 : COMPONENT_NODES;
  if (isTextNode(vnode)) return new RenderedText(vnode, parent, before);
  return isElementNode(vnode)
    ? new RenderedElement(vnode, parent, before)
    : new RenderedTemplate(vnode, parent, before);
}
