/** Link references: where they are used, and where they are defined. */
import { enumerate } from '../../enumerate.ts';

/** Tracks which blocks use a reference, and which must be parsed again because its definition came after them. */
export class LinkReferenceTracker {
  /** The indexes of the blocks that use each label. */
  readonly #blocks = new Map<string, number[]>();
  /** The indexes of the blocks that must be parsed again, oldest first. */
  readonly late = new Set<number>();

  /** Records the references that a block's texts may use. @returns whether there are any */
  add(block: number, texts: readonly string[]): boolean {
    const labels = new Set(texts.flatMap(labelsIn));
    for (const label of labels) {
      const blocks = this.#blocks.get(label);
      if (blocks) blocks.push(block);
      else this.#blocks.set(label, [block]);
    }
    return labels.size > 0;
  }

  define(label: string): void {
    for (const block of this.#blocks.get(label) ?? []) this.late.add(block);
  }

  /** The text is complete: footnote references without a definition are plain text. */
  endNotes(defined: object): void {
    for (const label of this.#blocks.keys())
      if (label.startsWith('^') && !Object.hasOwn(defined, label)) this.define(label);
  }
}

/** Returns the labels used in a text, normalized as in marked. */
const labelsIn = (text: string): string[] =>
  text.includes('[')
    ? [...text.matchAll(/\\[\s\S]|\[((?:[^[\]\\]|\\[\s\S])+)\]/g)].flatMap(([, label]) =>
        label === undefined ? [] : normalizeReferenceLabel(label),
      )
    : [];

export const normalizeReferenceLabel = (label: string): string =>
  label.trim().replace(/\s+/g, ' ').toLowerCase().toUpperCase().toLowerCase();

/** The parts of a definition, in order. A streaming text may end after any of them. */
const PARTS = [
  /^ {0,3}\[(?:\\[\s\S]|[^[\]\\\n]|\n(?![ \t]*\n))*/,
  /^\](?:$|: *(?:\n[ \t]*)?)/,
  /^(?:<(?:\\.|[^\n<>\\])*>?|[^<\s]\S*)/,
  /^ *(?:\n[ \t]*)?/,
  /^(?:"(?:\\[\s\S]|[^"\\])*"?|'(?:\\[\s\S]|[^'\\\n]|\n(?!\n))*'?|\((?:\\[\s\S]|[^()\\])*\)?)/,
  /^ */,
];
/** Maximum length of a label, as in CommonMark, with its indentation and bracket. */
const MAX_LABEL = 999 + '   ['.length;
/** Maximum length of a title: the text after it cannot be split before it is known that there is none. */
const MAX_TITLE = 4096;
const LIMITS = [MAX_LABEL, Infinity, Infinity, Infinity, MAX_TITLE, Infinity];

/** Reads the definition that a text begins with, as far as there is one. */
function readDefinition(text: string): { readonly isOpen: boolean; readonly tooLong?: { readonly start: number } } {
  let offset = 0;
  for (const [index, part] of enumerate(PARTS)) {
    const found = part.exec(text.slice(offset))?.[0];
    if (found === undefined) return { isOpen: false };
    if (found.length > (LIMITS[index] ?? Infinity)) return { isOpen: false, tooLong: { start: offset } };
    offset += found.length;
    const rest = text.slice(offset);
    if (rest === '' || rest === '\\') return { isOpen: true };
  }
  return { isOpen: false };
}

/**
 * Whether a block that starts like a definition may still become one or change: the text ends too early to decide. Its
 * label and title may continue across text that looks like other blocks now.
 */
export const mayBecomeDefinition = (text: string): boolean => readDefinition(text).isOpen;

/** Returns a definition without a title that is too long; an empty text if nothing remains. */
export function withoutLongTitle(raw: string): string {
  const { tooLong } = readDefinition(raw);
  if (!tooLong) return raw;
  const before = raw.slice(0, tooLong.start);
  return /\n[ \t]*$/.test(before) ? before : '';
}
