/**
 * Formulas: `$$…$$`, `\[…\]`, `\(…\)`, and `$…$` where it cannot be a price. A formula ends before a blank line, so
 * that an unclosed one affects its own paragraph only.
 */
import type { Hooks, MarkedOptions, Tokens } from 'marked';

export interface MathToken extends Tokens.Generic {
  readonly type: 'math';
  /** The source between the delimiters. */
  readonly text: string;
  /** Whether it is a display formula, on its own lines. */
  readonly display: boolean;
}

/** Maximum number of characters of a formula; an escape counts as one. */
const LONGEST = 4096;
/** A line end that does not precede a blank line, and one after a backslash. */
const LINE = String.raw`\\(?=\n)|\n(?![ \t]*\n)`;
/** The text between delimiters. The alternatives start differently, so that no text is read twice. */
const IN_DOLLARS = String.raw`(?:[^$\\\n]|\\[^\n]|\$(?!\$)|${LINE})`;
const IN_BRACKETS = String.raw`(?:[^\\\n]|\\[^[\]\n]|${LINE})`;
const IN_PARENTHESES = String.raw`(?:[^\\\n]|\\[^()\n]|${LINE})`;
const SOME = `{1,${String(LONGEST)}}?`;
const ANY = `{0,${String(LONGEST)}}`;

// Empty delimiters do not match; the second may start a formula.
const DISPLAY = String.raw`\$\$(?!\s*\$\$)(${IN_DOLLARS}${SOME})\$\$|\\\[(?!\s*\\\])(${IN_BRACKETS}${SOME})\\\]`;
const INLINE = String.raw`\\\((?!\s*\\\))(${IN_PARENTHESES}${SOME})\\\)|\$(?![\s$])((?:[^$\\\n]|\\[^\n])${SOME})(?<!\s)\$(?!\d)`;
/** An incomplete formula at the end of the text. */
const HALF_DISPLAY = String.raw`(?:\$\$${IN_DOLLARS}${ANY}|\\\[${IN_BRACKETS}${ANY})(?:[\\$]|\n[ \t]*)?$`;
/** A single `$` is a price rather than a formula if long text follows, or a number without a mathematical sign. */
const HALF_INLINE = String.raw`\\\(${IN_PARENTHESES}${ANY}(?:\\|\n[ \t]*)?$|\$(?:$|(?:(?![\s$\d])|(?=\d[^$\n]*[\\^_{=]))[^$\n]{0,80}$)`;

export const FORMULA = new RegExp(`${DISPLAY}|${INLINE}`, 'y');
export const INCOMPLETE_FORMULA = new RegExp(`${HALF_DISPLAY}|${HALF_INLINE}`, 'y');
const HERE = new RegExp(`^(?:${DISPLAY}|${INLINE})`);
const LINES = new RegExp(String.raw`^ {0,3}(?:${DISPLAY})[ \t]*(?:\n|$)`);
const DISPLAY_HERE = new RegExp(DISPLAY, 'y');
const HALF_DISPLAY_HERE = new RegExp(HALF_DISPLAY, 'y');
const LINE_END = /[ \t]*(?:\n|($))/y;
/** The start of a display formula. */
const MARK = /\$\$|\\\[|\$$|\\$/;
/** The possible start of a formula. */
const START = /\$(?!\s)|\\[([]/;
const LINE_BEGINS = /\n(?:[ \t]*\n| {0,3}(?:\$\$|\\\[))/g;
/** The same after the markers of quotes, items and tasks. */
const BLOCK_START = /^[ \t>*+\-.)\dxX[\]]*?(\$\$|\\\[)/gm;

function tokenOf([raw, dollars, brackets, parentheses, dollar]: RegExpExecArray): MathToken {
  const text = dollars ?? brackets ?? parentheses ?? dollar ?? '';
  return { type: 'math', raw, text, display: (dollars ?? brackets) !== undefined };
}

function readWith(pattern: RegExp): (src: string) => MathToken | undefined {
  return (src) => {
    const match = pattern.exec(src);
    return match ? tokenOf(match) : undefined;
  };
}

/** Returns the offset where a paragraph ends because a display formula starts; −1 if there is none. */
export function displayFormulaStart(src: string): number {
  for (const { 0: match, index } of src.matchAll(LINE_BEGINS)) {
    if (/^\n[ \t]*\n/.test(match)) return -1;
    if (LINES.test(src.slice(index + 1))) return index + 1;
  }
  return -1;
}

const extensions: NonNullable<MarkedOptions['extensions']> = {
  renderers: {},
  childTokens: {},
  block: [readWith(LINES)],
  startBlock: [displayFormulaStart],
  inline: [readWith(HERE)],
  startInline: [(src) => src.search(START)],
};

const OPAQUE = new RegExp(`\`[^\`]*\`|${DISPLAY}|${INLINE}`, 'g');

/** Options for marked. `words` returns the inline text that is being parsed. */
export function mathOptions(words: () => string): MarkedOptions {
  // An asterisk in a formula must not close emphasis.
  const emStrongMask = (masked: string): string => {
    let text = '';
    let from = 0;
    for (const { 0: match, index } of words().matchAll(OPAQUE)) {
      if (match.startsWith('`')) continue;
      text += masked.slice(from, index) + 'a'.repeat(match.length);
      from = index + match.length;
    }
    return text + masked.slice(from);
  };
  // The lexer calls no other hook.
  return { extensions, hooks: { emStrongMask } as Hooks };
}

/** A display formula at the end of a text. */
export interface OpenFormula {
  /** Offset of its first line. */
  readonly line: number;
  readonly at: number;
  /** Whether its closing delimiter has arrived, but not the line end: with text after it, it becomes inline. */
  readonly closed: boolean;
}

/**
 * Returns the offset of the part that is still uncertain: an open formula may change how the last lines end. It
 * includes no blank line and has limited length. Undefined if the lines have no formula delimiter.
 */
export function uncertainMathStart(text: string): number | undefined {
  const from = startOfLast(text);
  return MARK.test(text.slice(from)) ? from : undefined;
}

/** Returns the start of the last lines: after the last blank line, or as far back as a formula can reach. */
function startOfLast(text: string): number {
  const reach = Math.max(0, text.length - 2 * LONGEST - 8);
  let from = reach;
  for (const { index } of text.slice(reach).matchAll(/\n[ \t]*(?=\n)/g)) from = reach + index;
  return from;
}

/** Returns the first formula in the last lines that may still become a display formula. */
export function findOpenFormula(text: string): OpenFormula | undefined {
  BLOCK_START.lastIndex = startOfLast(text);
  for (let match = BLOCK_START.exec(text); match; match = BLOCK_START.exec(text)) {
    const line = match.index;
    const at = line + match[0].length - 2;
    DISPLAY_HERE.lastIndex = at;
    if (DISPLAY_HERE.test(text)) {
      LINE_END.lastIndex = DISPLAY_HERE.lastIndex;
      const end = LINE_END.exec(text);
      if (end?.[1] !== undefined) return { line, at, closed: true };
      if (end) BLOCK_START.lastIndex = LINE_END.lastIndex;
      continue;
    }
    HALF_DISPLAY_HERE.lastIndex = at;
    if (HALF_DISPLAY_HERE.test(text)) return { line, at, closed: false };
  }
  return undefined;
}
