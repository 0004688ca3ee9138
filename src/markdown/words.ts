import { noChange } from 'lit';
import { directive, Directive, type ChildPart } from 'lit/directive.js';
import { insertPart, removePart, setChildPartValue, setCommittedValue } from 'lit/directive-helpers.js';
import { changeText } from '../primitives/growing-text.ts';
import { decodeEntities } from '../safety/entities.ts';
import { splitMarks } from './citation-marks.ts';
import type { MarkdownView } from './view.ts';

/** Words, then in turns a mark and the words behind it. */
class Words extends Directive {
  readonly #texts: Text[] = [];
  readonly #marks: ChildPart[] = [];

  render(_text: string, _view: MarkdownView): unknown {
    return noChange;
  }

  override update(place: ChildPart, [text, view]: Parameters<this['render']>): unknown {
    const { texts, marks } = inTurns(text);
    for (const [index, wanted] of texts.entries()) {
      const node = this.#texts[index] ?? this.#append(place);
      const cut = texts.length > this.#texts.length && wanted.length < node.length && node.data.startsWith(wanted);
      // A mark that comes into the middle of words cuts their node in two: what is selected on either side stays.
      if (cut) this.#texts.splice(index + 1, 0, node.splitText(wanted.length));
      else changeText(node, node.data, wanted);
    }
    for (const node of this.#texts.splice(texts.length)) node.remove();
    for (const [index, number] of marks.entries()) {
      setChildPartValue((this.#marks[index] ??= this.#insert(place, index)), view.cite?.(number));
    }
    for (const mark of this.#marks.splice(marks.length)) removePart(mark);
    return noChange;
  }

  #append(place: ChildPart): Text {
    const node = document.createTextNode('');
    // (Its `parentNode` is where it will be: a template is drawn before it is put there.)
    place.startNode?.parentNode?.insertBefore(node, place.endNode);
    // Lit takes away what it knows to be there.
    if (this.#texts.length === 0) setCommittedValue(place, node);
    this.#texts.push(node);
    return node;
  }

  #insert(place: ChildPart, index: number): ChildPart {
    const mark = insertPart(place);
    const { startNode, endNode } = mark;
    if (startNode && endNode) this.#texts[index + 1]?.before(startNode, endNode);
    return mark;
  }
}

function inTurns(text: string): { readonly texts: readonly string[]; readonly marks: readonly number[] } {
  const texts = [''];
  const marks: number[] = [];
  for (const piece of splitMarks(text)) {
    if (typeof piece === 'number') {
      marks.push(piece);
      texts.push('');
    } else texts[texts.length - 1] = decodeEntities(piece);
  }
  return { texts, marks };
}

/** Words that usually go on, with the marks of citations between them. Without marks they are one text node. */
export const words = directive(Words);
