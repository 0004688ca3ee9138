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
/** The same in the source, where an escape has two characters, with the delimiters and the line end. */
const MAX_SOURCE = 2 * LONGEST + 8;
/** A backslash at the end of a line, or a line end that no blank line follows. */
const LINE = String.raw`\\(?=\n)|\n(?![ \t]*\n)`;
/** The text between delimiters. At each position at most one alternative matches, so that no text is read twice. */
const IN_DOLLARS = String.raw`(?:[^$\\\n]|\\[^\n]|\$(?!\$)|${LINE})`;
const IN_BRACKETS = String.raw`(?:[^\\\n]|\\[^[\]\n]|${LINE})`;
const IN_PARENTHESES = String.raw`(?:[^\\\n]|\\[^()\n]|${LINE})`;
const AT_LEAST_ONE = `{1,${String(LONGEST)}}?`;
const ANY_NUMBER = `{0,${String(LONGEST)}}`;

// Delimiters without text between them (`$$ $$`) are no formula, but the second may start one.
const DISPLAY = String.raw`\$\$(?!\s*\$\$)(${IN_DOLLARS}${AT_LEAST_ONE})\$\$|\\\[(?!\s*\\\])(${IN_BRACKETS}${AT_LEAST_ONE})\\\]`;
const INLINE = String.raw`\\\((?!\s*\\\))(${IN_PARENTHESES}${AT_LEAST_ONE})\\\)|\$(?![\s$])((?:[^$\\\n]|\\[^\n])${AT_LEAST_ONE})(?<!\s)\$(?!\d)`;
/** A display formula without its end, at the end of the text. Half a closing delimiter or a line end may follow. */
const HALF_DISPLAY = String.raw`(?:\$\$${IN_DOLLARS}${ANY_NUMBER}|\\\[${IN_BRACKETS}${ANY_NUMBER})(?:[\\$]|\n[ \t]*)?$`;
/**
 * The same in a line. A `$` without its end is a price if more than 80 characters follow on its line, or if a digit
 * follows and none of `\ ^ _ { =` after it.
 */
const HALF_INLINE = String.raw`\\\(${IN_PARENTHESES}${ANY_NUMBER}(?:\\|\n[ \t]*)?$|\$(?:$|(?:(?![\s$\d])|(?=\d[^$\n]*[\\^_{=]))[^$\n]{0,80}$)`;

export const FORMULA = new RegExp(`${DISPLAY}|${INLINE}`, 'y');
export const INCOMPLETE_FORMULA = new RegExp(`${HALF_DISPLAY}|${HALF_INLINE}`, 'y');
const FORMULA_AT_START = new RegExp(`^(?:${DISPLAY}|${INLINE})`);
const DISPLAY_LINES = new RegExp(String.raw`^ {0,3}(?:${DISPLAY})[ \t]*(?:\n|$)`);
const DISPLAY_AT_INDEX = new RegExp(DISPLAY, 'y');
const HALF_DISPLAY_AT_INDEX = new RegExp(HALF_DISPLAY, 'y');
/** The rest of a line. Group 1 matches only at the end of the text. */
const LINE_END = /[ \t]*(?:\n|($))/y;
/** What opens a display formula, or its first character at the end of the text. */
const MARK = /\$\$|\\\[|\$$|\\$/;
/** The possible start of a formula. */
const START = /\$(?!\s)|\\[([]/;
/** A blank line, or a line that starts with what opens a display formula. */
const LINE_BEGINS = /\n(?:[ \t]*\n| {0,3}(?:\$\$|\\\[))/g;
/** What opens a display formula at the start of a line, or after the markers of quotes, items and tasks. */
const BLOCK_START = /^[ \t>*+\-.)\dxX[\]]*?(?:\$\$|\\\[)/gm;

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
    if (DISPLAY_LINES.test(src.slice(index + 1))) return index + 1;
  }
  return -1;
}

const extensions: NonNullable<MarkedOptions['extensions']> = {
  renderers: {},
  childTokens: {},
  block: [readWith(DISPLAY_LINES)],
  startBlock: [displayFormulaStart],
  inline: [readWith(FORMULA_AT_START)],
  startInline: [(src) => src.search(START)],
};

/** Code is matched so that no formula is found in it. */
const OPAQUE = new RegExp(`\`[^\`]*\`|${DISPLAY}|${INLINE}`, 'g');

/** Options for marked. `currentText` returns the inline text that is being parsed. */
export function mathOptions(currentText: () => string): MarkedOptions {
  // An asterisk in a formula must not close emphasis.
  const emStrongMask = (masked: string): string => {
    let text = '';
    let from = 0;
    for (const { 0: match, index } of currentText().matchAll(OPAQUE)) {
      if (match.startsWith('`')) continue;
      text += masked.slice(from, index) + 'a'.repeat(match.length);
      from = index + match.length;
    }
    return text + masked.slice(from);
  };
  // As `Hooks`, because the lexer calls no other hook.
  return { extensions, hooks: { emStrongMask } as Hooks };
}

/** A display formula that later text may still change. */
export interface OpenFormula {
  /** Offset of its first line. */
  readonly line: number;
  /** Offset of its delimiter. */
  readonly at: number;
  /** Whether its closing delimiter has arrived, but not the line end. If text follows on that line, it becomes inline. */
  readonly closed: boolean;
}

/**
 * Returns the offset of the part that is still uncertain, because an open formula may change how the last lines end. Its
 * length is limited. Undefined if it has no formula delimiter.
 */
export function uncertainMathStart(text: string): number | undefined {
  const from = startOfLast(text);
  return MARK.test(text.slice(from)) ? from : undefined;
}

/** Returns the line end before the last blank line, or the offset as far back as a formula can reach. */
function startOfLast(text: string): number {
  const reach = Math.max(0, text.length - MAX_SOURCE);
  let from = reach;
  for (const { index } of text.slice(reach).matchAll(/\n[ \t]*(?=\n)/g)) from = reach + index;
  return from;
}

/** Returns the first formula in the last lines that may still become a display formula. */
export function findOpenFormula(text: string): OpenFormula | undefined {
  BLOCK_START.lastIndex = startOfLast(text);
  for (let match = BLOCK_START.exec(text); match; match = BLOCK_START.exec(text)) {
    const line = match.index;
    // What opens it always has two characters.
    const at = line + match[0].length - 2;
    DISPLAY_AT_INDEX.lastIndex = at;
    if (DISPLAY_AT_INDEX.test(text)) {
      LINE_END.lastIndex = DISPLAY_AT_INDEX.lastIndex;
      const end = LINE_END.exec(text);
      if (end?.[1] !== undefined) return { line, at, closed: true };
      if (end) BLOCK_START.lastIndex = LINE_END.lastIndex;
      continue;
    }
    HALF_DISPLAY_AT_INDEX.lastIndex = at;
    if (HALF_DISPLAY_AT_INDEX.test(text)) return { line, at, closed: false };
  }
  return undefined;
}
