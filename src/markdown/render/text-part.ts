import { enumerate } from '../../enumerate.ts';
import { limitAccents } from '../../limit-accents.ts';
import { patchText } from '../../primitives/patch-text.ts';
import { decodeEntities } from '../../safety/entities.ts';
import { splitCitationPlaceholders } from '../parse/citation-placeholders.ts';
import { RenderedTemplate, type RenderedPart } from './template-part.ts';
import { isTextNode, type VNode, type CitedText } from './vnode.ts';
import type { MarkdownView } from './markdown-context.ts';

/** Renders text with citation marks in it. */
export function citedText(text: string, view: MarkdownView): string | CitedText {
  const limit = view.limitAccents ?? limitAccents;
  const texts = [''];
  const marks: CitedText['marks'][number][] = [];
  const pieces = splitCitationPlaceholders(text).flatMap((piece) =>
    typeof piece === 'string' && view.references ? view.references(piece) : [piece],
  );
  for (const piece of pieces) {
    if (typeof piece === 'string') texts.push((texts.pop() ?? '') + limit(decodeEntities(piece)));
    else {
      const mark = view.cite?.(piece);
      if (!mark) continue;
      marks.push(mark);
      texts.push('');
    }
  }
  return marks.length === 0 ? (texts[0] ?? '') : { texts, marks };
}

/** Streaming text. Without citation marks it is a single text node. */
export class RenderedText implements RenderedPart {
  readonly #texts: Text[] = [];
  readonly #marks: RenderedTemplate[] = [];

  constructor(shown: string | CitedText, parent: Node, before: Node | null) {
    this.draw(shown, parent, before);
  }

  get first(): ChildNode | undefined {
    return this.#texts[0];
  }

  draw(shown: VNode, parent: Node, before: Node | null): boolean {
    if (!isTextNode(shown)) return false;
    const { texts, marks } = typeof shown === 'string' ? { texts: [shown], marks: [] } : shown;
    for (const [index, targetText] of enumerate(texts))
      this.#drawText(index, targetText, texts.length, { parent, before });
    for (const node of this.#texts.splice(texts.length)) node.remove();
    for (const [index, mark] of enumerate(marks)) {
      if (this.#marks[index]?.draw(mark)) continue;
      this.#marks[index] = new RenderedTemplate(mark, parent, this.#texts[index + 1] ?? before);
    }
    for (const mark of this.#marks.splice(marks.length)) mark.remove();
    return true;
  }

  remove(): void {
    for (const part of [...this.#texts, ...this.#marks]) part.remove();
  }

  #drawText(
    index: number,
    targetText: string,
    count: number,
    { parent, before }: { readonly parent: Node; readonly before: Node | null },
  ): void {
    const node = this.#texts[index];
    if (!node) {
      this.#texts[index] = parent.insertBefore(document.createTextNode(targetText), before);
      return;
    }
    // A browser translation wrapped, replaced or split the node: the caller renders everything again.
    const isSplitByOthers = this.#texts.length === 1 && this.#marks.length === 0 && node.nextSibling !== before;
    if (node.parentNode !== parent || isSplitByOthers) throw new Error('A text node was replaced.');
    const cut = count > this.#texts.length && targetText.length < node.length && node.data.startsWith(targetText);
    // A mark inserted into text splits its node; a selection on either side stays.
    if (cut) this.#texts.splice(index + 1, 0, node.splitText(targetText.length));
    else patchText(node, node.data, targetText);
  }
}
