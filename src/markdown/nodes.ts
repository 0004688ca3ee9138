/**
 * Nodes of what is shown. Elements and words need no template: with its markers at each place a long answer has twice the nodes,
 * and most of a frame goes into making them.
 */
import { DrawnTemplate, type Drawn } from './drawn.ts';
import { isBox, isGrowth, isWords, several, type Attributes, type Box, type Shown } from './shown.ts';
import { DrawnWords } from './words.ts';

/** One behind another. An update costs as much as has come, however much is there already. */
export class DrawnList implements Drawn {
  readonly #parts: Drawn[] = [];
  #settled = 0;
  #key: readonly unknown[] = [];

  get first(): ChildNode | undefined {
    return this.#firstFrom(0);
  }

  draw(shown: Shown, parent: Node, before: Node | null): boolean {
    if (!isGrowth(shown)) return false;
    const { count, settled, key, again, at } = shown;
    // What was whole is not any more where another text has begun in the same place.
    const same = key.every((part, index) => part === this.#key[index]) && settled >= this.#settled;
    const from = same ? this.#settled : 0;
    if (same) for (const index of again ?? []) if (index < from) this.#drawPart(index, at(index), parent, before);
    for (let index = from; index < count; index++) this.#drawPart(index, at(index), parent, before);
    for (const part of this.#parts.splice(count)) part.remove();
    this.#settled = settled;
    this.#key = key;
    return true;
  }

  remove(): void {
    for (const part of this.#parts.splice(0)) part.remove();
  }

  #drawPart(index: number, shown: Shown, parent: Node, before: Node | null): void {
    const part = this.#parts[index];
    const next = index + 1 < this.#parts.length ? (this.#firstFrom(index + 1) ?? before) : before;
    if (part?.draw(shown, parent, next)) return;
    part?.remove();
    this.#parts[index] = drawn(shown, parent, next);
  }

  #firstFrom(index: number): ChildNode | undefined {
    for (let place = index; place < this.#parts.length; place++) {
      const first = this.#parts[place]?.first;
      if (first) return first;
    }
    return undefined;
  }
}

class DrawnBox implements Drawn {
  readonly first: HTMLElement;
  readonly #tag: string;
  readonly #content = new DrawnList();
  #attributes: Attributes = {};

  constructor(shown: Box, parent: Node, before: Node | null) {
    this.#tag = shown.tag;
    this.first = document.createElement(shown.tag);
    this.#fill(shown);
    parent.insertBefore(this.first, before);
  }

  draw(shown: Shown): boolean {
    if (!isBox(shown) || shown.tag !== this.#tag) return false;
    this.#fill(shown);
    return true;
  }

  remove(): void {
    this.first.remove();
  }

  #fill({ attributes, properties, content }: Box): void {
    const { first } = this;
    for (const name of Object.keys(this.#attributes)) if (attributes[name] === undefined) first.removeAttribute(name);
    for (const [name, value] of Object.entries(attributes))
      if (value !== undefined && value !== this.#attributes[name]) first.setAttribute(name, value);
    this.#attributes = attributes;
    Object.assign(first, properties);
    // What is inside of an element that draws itself is not ours.
    if (!properties || content.length > 0) this.#content.draw(several(content), first, null);
  }
}

function drawn(shown: Shown, parent: Node, before: Node | null): Drawn {
  if (isWords(shown)) return new DrawnWords(shown, parent, before);
  if (isBox(shown)) return new DrawnBox(shown, parent, before);
  if (!isGrowth(shown)) return new DrawnTemplate(shown, parent, before);
  const list = new DrawnList();
  list.draw(shown, parent, before);
  return list;
}
