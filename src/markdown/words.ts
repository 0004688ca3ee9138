import { changeText } from '../primitives/growing-text.ts';
import { decodeEntities } from '../safety/entities.ts';
import { splitMarks } from './citation-marks.ts';
import { DrawnTemplate, type Drawn } from './drawn.ts';
import { isWords, type Shown, type Words } from './shown.ts';
import type { MarkdownView } from './view.ts';

/** Words with the marks of citations between them. */
export function words(text: string, view: MarkdownView): string | Words {
  const texts = [''];
  const marks: Words['marks'][number][] = [];
  for (const piece of splitMarks(text)) {
    if (typeof piece === 'string') texts.push((texts.pop() ?? '') + decodeEntities(piece));
    else {
      const mark = view.cite?.(piece);
      if (!mark) continue;
      marks.push(mark);
      texts.push('');
    }
  }
  return marks.length === 0 ? (texts[0] ?? '') : { texts, marks };
}

/** Words that usually go on. Without marks they are one text node. */
export class DrawnWords implements Drawn {
  readonly #texts: Text[] = [];
  readonly #marks: DrawnTemplate[] = [];

  constructor(shown: string | Words, parent: Node, before: Node | null) {
    this.draw(shown, parent, before);
  }

  get first(): ChildNode | undefined {
    return this.#texts[0];
  }

  draw(shown: Shown, parent: Node, before: Node | null): boolean {
    if (!isWords(shown)) return false;
    const { texts, marks } = typeof shown === 'string' ? { texts: [shown], marks: [] } : shown;
    for (const [index, wanted] of texts.entries()) this.#drawText(index, wanted, texts.length, { parent, before });
    for (const node of this.#texts.splice(texts.length)) node.remove();
    for (const [index, mark] of marks.entries()) {
      if (this.#marks[index]?.draw(mark)) continue;
      this.#marks[index] = new DrawnTemplate(mark, parent, this.#texts[index + 1] ?? before);
    }
    for (const mark of this.#marks.splice(marks.length)) mark.remove();
    return true;
  }

  remove(): void {
    for (const part of [...this.#texts, ...this.#marks]) part.remove();
  }

  #drawText(
    index: number,
    wanted: string,
    count: number,
    { parent, before }: { readonly parent: Node; readonly before: Node | null },
  ): void {
    const node = this.#texts[index];
    if (!node) {
      this.#texts[index] = parent.insertBefore(document.createTextNode(wanted), before);
      return;
    }
    const cut = count > this.#texts.length && wanted.length < node.length && node.data.startsWith(wanted);
    // A mark that comes into the middle of words cuts their node in two: what is selected on either side stays.
    if (cut) this.#texts.splice(index + 1, 0, node.splitText(wanted.length));
    else changeText(node, node.data, wanted);
  }
}
