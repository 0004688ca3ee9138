/**
 * Formulas in a text: `$$…$$`, `\[…\]`, `\(…\)`, and `$…$` where it can't be money. A formula ends before a blank line, so that
 * one that is never closed takes no more with it than its own lines.
 */
import { Hooks, type MarkedOptions, type Tokens } from 'marked';

export interface MathToken extends Tokens.Generic {
  readonly type: 'math';
  /** Between its marks. */
  readonly text: string;
  /** On lines of its own. */
  readonly display: boolean;
}

/** Characters of a formula, counting an escape as one. */
const LONGEST = 4096;
/** A line end that is not before a blank line, and one behind a backslash. */
const LINE = String.raw`\\(?=\n)|\n(?![ \t]*\n)`;
/** What stands between marks. Each begins in a way of its own, so that no text is read twice. */
const IN_DOLLARS = String.raw`(?:[^$\\\n]|\\[^\n]|\$(?!\$)|${LINE})`;
const IN_BRACKETS = String.raw`(?:[^\\\n]|\\[^[\]\n]|${LINE})`;
const IN_PARENTHESES = String.raw`(?:[^\\\n]|\\[^()\n]|${LINE})`;
const SOME = `{1,${String(LONGEST)}}?`;
const ANY = `{0,${String(LONGEST)}}`;

// Marks with nothing between them are none, and the second may begin a formula.
const DISPLAY = String.raw`\$\$(?!\s*\$\$)(${IN_DOLLARS}${SOME})\$\$|\\\[(?!\s*\\\])(${IN_BRACKETS}${SOME})\\\]`;
const INLINE = String.raw`\\\((?!\s*\\\))(${IN_PARENTHESES}${SOME})\\\)|\$(?![\s$])((?:[^$\\\n]|\\[^\n])${SOME})(?<!\s)\$(?!\d)`;
/** A formula on its way to the end of the text. */
const HALF_DISPLAY = String.raw`(?:\$\$${IN_DOLLARS}${ANY}|\\\[${IN_BRACKETS}${ANY})(?:[\\$]|\n[ \t]*)?$`;
/** One mark alone is money rather than a formula when it goes on for long, or with a number and no sign of mathematics. */
const HALF_INLINE = String.raw`\\\(${IN_PARENTHESES}${ANY}(?:\\|\n[ \t]*)?$|\$(?:$|(?:(?![\s$\d])|(?=\d[^$\n]*[\\^_{=]))[^$\n]{0,80}$)`;

export const FORMULA = new RegExp(`${DISPLAY}|${INLINE}`, 'y');
export const HALF_FORMULA = new RegExp(`${HALF_DISPLAY}|${HALF_INLINE}`, 'y');
const HERE = new RegExp(`^(?:${DISPLAY}|${INLINE})`);
const LINES = new RegExp(String.raw`^ {0,3}(?:${DISPLAY})[ \t]*(?:\n|$)`);
const DISPLAY_HERE = new RegExp(DISPLAY, 'y');
const HALF_DISPLAY_HERE = new RegExp(HALF_DISPLAY, 'y');
const LINE_END = /[ \t]*(?:\n|($))/y;
/** What formulas on lines of their own begin with. */
const MARK = /\$\$|\\\[|\$$|\\$/;
/** Where a text may begin to be a formula. */
const BEGINS = /\$(?!\s)|\\[([]/;
const LINE_BEGINS = /\n(?:[ \t]*\n| {0,3}(?:\$\$|\\\[))/g;
/** The same behind the marks of quotes, items and tasks. */
const BLOCK_BEGINS = /^[ \t>*+\-.)\dxX[\]]*?(\$\$|\\\[)/gm;

function tokenOf([raw, dollars, brackets, parentheses, dollar]: RegExpExecArray): MathToken {
  const text = dollars ?? brackets ?? parentheses ?? dollar ?? '';
  return { type: 'math', raw, text, display: (dollars ?? brackets) !== undefined };
}

function readWith(pattern: RegExp): (src: string) => MathToken | undefined {
  return (src) => {
    const found = pattern.exec(src);
    return found ? tokenOf(found) : undefined;
  };
}

/** Where the lines of a paragraph end because those of a formula begin; −1 where none do. */
export function startOfLines(src: string): number {
  for (const { 0: found, index } of src.matchAll(LINE_BEGINS)) {
    if (/^\n[ \t]*\n/.test(found)) return -1;
    if (LINES.test(src.slice(index + 1))) return index + 1;
  }
  return -1;
}

const extensions: NonNullable<MarkedOptions['extensions']> = {
  renderers: {},
  childTokens: {},
  block: [readWith(LINES)],
  startBlock: [startOfLines],
  inline: [readWith(HERE)],
  startInline: [(src) => src.search(BEGINS)],
};

const OPAQUE = new RegExp(`\`[^\`]*\`|${DISPLAY}|${INLINE}`, 'g');

/** What marked has to be told. `words`: those that it reads at the moment. */
export function mathOptions(words: () => string): MarkedOptions {
  const hooks = new Hooks();
  // An asterisk in a formula closes nothing that was open before it.
  hooks.emStrongMask = (masked) => {
    let text = '';
    let from = 0;
    for (const { 0: found, index } of words().matchAll(OPAQUE)) {
      if (found.startsWith('`')) continue;
      text += masked.slice(from, index) + 'a'.repeat(found.length);
      from = index + found.length;
    }
    return text + masked.slice(from);
  };
  return { extensions, hooks };
}

/** A formula of several lines at the end of a text. */
export interface OpenFormula {
  /** Where its line begins. */
  readonly line: number;
  readonly at: number;
  /** Its end is there, but not the end of its line: with more behind it, it stands in a paragraph. */
  readonly closed: boolean;
}

/**
 * Where what is not certain yet begins: a formula takes in no blank line and no more than so many characters, so it may end what
 * stands in the last lines in another way, or begin there. Undefined where there is no mark of one.
 */
export function uncertainFrom(text: string): number | undefined {
  const from = startOfLast(text);
  return MARK.test(text.slice(from)) ? from : undefined;
}

/** Where the last lines begin: behind the last blank one, or as far back as a formula reaches. */
function startOfLast(text: string): number {
  const reach = Math.max(0, text.length - 2 * LONGEST - 8);
  let from = reach;
  for (const { index } of text.slice(reach).matchAll(/\n[ \t]*(?=\n)/g)) from = reach + index;
  return from;
}

/** The first formula in the last lines of a text that may still become lines of its own. */
export function openFormula(text: string): OpenFormula | undefined {
  BLOCK_BEGINS.lastIndex = startOfLast(text);
  for (let found = BLOCK_BEGINS.exec(text); found; found = BLOCK_BEGINS.exec(text)) {
    const line = found.index;
    const at = line + found[0].length - 2;
    DISPLAY_HERE.lastIndex = at;
    if (DISPLAY_HERE.test(text)) {
      LINE_END.lastIndex = DISPLAY_HERE.lastIndex;
      const end = LINE_END.exec(text);
      if (end?.[1] !== undefined) return { line, at, closed: true };
      if (end) BLOCK_BEGINS.lastIndex = LINE_END.lastIndex;
      continue;
    }
    HALF_DISPLAY_HERE.lastIndex = at;
    if (HALF_DISPLAY_HERE.test(text)) return { line, at, closed: false };
  }
  return undefined;
}
