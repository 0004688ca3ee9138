/** References: where they are named, and where they are defined. */

/** Which blocks name a reference, and which of them have to be read again because it came behind them. */
export class References {
  readonly #blocks = new Map<string, number[]>();
  /** The one that has waited longest comes first. */
  readonly late = new Set<number>();

  /** Notes the references that the words of a block may name. @returns whether there are any */
  add(block: number, words: readonly string[]): boolean {
    const labels = new Set(words.flatMap(labelsIn));
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
}

/** The labels of a text's references, spelled as marked compares them. */
const labelsIn = (words: string): string[] =>
  words.includes('[')
    ? Array.from(words.matchAll(/\[((?:[^[\]\\]|\\[\s\S])+)\]/g), ([, label = '']) => spelled(label))
    : [];

const spelled = (label: string): string => label.trim().replace(/\s+/g, ' ').toLowerCase().toUpperCase().toLowerCase();

/** What a definition is made of, in its order. Each part may be the last of a text that is still growing. */
const PARTS = [
  /^ {0,3}\[(?:\\[\s\S]|[^[\]\\\n]|\n(?![ \t]*\n))*/,
  /^\](?:$|: *(?:\n[ \t]*)?)/,
  /^(?:<(?:\\.|[^\n<>\\])*>?|[^<\s]\S*)/,
  /^ *(?:\n[ \t]*)?/,
  /^(?:"(?:\\[\s\S]|[^"\\])*"?|'(?:\\[\s\S]|[^'\\\n]|\n(?!\n))*'?|\((?:\\[\s\S]|[^()\\])*\)?)/,
  /^ */,
];

/**
 * Whether a block that begins like a definition may still become one, or another one: the text ends before that is certain. Its
 * label and its title may go on over what looks like other blocks by now.
 */
export function mayDefine(text: string): boolean {
  let rest = text;
  for (const part of PARTS) {
    const found = part.exec(rest)?.[0];
    if (found === undefined) return false;
    rest = rest.slice(found.length);
    if (rest === '' || rest === '\\') return true;
  }
  return false;
}
