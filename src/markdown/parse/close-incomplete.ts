/**
 * Closes incomplete syntax at the end of streaming text as it will probably end, so that raw delimiters never flash.
 * Syntax that is too short to identify is hidden. Every function here reads its text once.
 */
import { isCjk } from './cjk-emphasis.ts';
import { FORMULA, INCOMPLETE_FORMULA, findOpenFormula } from './math-syntax.ts';

/** Longer lines are treated as text, whatever they begin with. */
const LONGEST_MARKS = 80;
/** Block markers without content: quotes and lists, a task, heading, thematic break, underline, fence, cell, definition. */
const ONLY_MARKS =
  /^[ \t]*(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]*)*(?:#{1,6}|\d{1,3}|[_=][-_*+=]*|`{1,3}|~{1,3}|\||\[[^[\]]{0,40}(?:\]:?)?)?$/;

/**
 * Closes the blocks at the end of a text. `inside` is the type of the block that contains the last line; it decides
 * what a marker there means. `math`: parse formulas.
 */
export function closeIncompleteBlocks(text: string, inside: string, math: boolean): string {
  if (inside === 'def') return text;
  // Incomplete tags are hidden where the HTML is rendered.
  if (inside === 'html') return text.replace(INCOMPLETE_ENTITY, '');
  if (math && inside !== 'code') {
    const formula = findOpenFormula(text);
    // Markers inside an incomplete formula are not lists or thematic breaks; the formula is hidden.
    if (formula && !formula.closed) return closeLine(text.slice(0, formula.at), '');
  }
  return closeLine(text, inside);
}

function closeLine(text: string, inside: string): string {
  const lineStart = text.lastIndexOf('\n') + 1;
  const line = text.slice(lineStart);
  // Backticks at the end of code start its closing fence.
  if (inside === 'code') return lineStart > 0 && /^[ \t>]*[`~]+[ \t]*$/.test(line) ? text.slice(0, lineStart) : text;
  const table = inside === 'table' ? undefined : closeTable(text, lineStart);
  if (table !== undefined) return table;
  return line.length <= LONGEST_MARKS && ONLY_MARKS.test(line.trimEnd()) ? text.slice(0, lineStart) : text;
}

const TABLE_LINE = /^ {0,3}\|/;
const TABLE_RULE = /^ {0,3}[|:-][|:\- \t]*$/;

/** Treats a line of cells as a table header before its delimiter row has arrived. `lineStart`: offset of the last line. */
function closeTable(text: string, lineStart: number): string | undefined {
  const line = text.slice(lineStart);
  const above = lineStart > 0 ? text.slice(text.lastIndexOf('\n', lineStart - 2) + 1, lineStart - 1) : '';
  if (isTableHead(line) && !TABLE_LINE.test(above)) return `${text}\n${ruleFor(line)}`;
  return isTableHead(above) && (line === '' || TABLE_RULE.test(line))
    ? text.slice(0, lineStart) + ruleFor(above)
    : undefined;
}

/** A longer line is shown as text until its delimiter row makes it a table header. */
const LONGEST_TABLE_LINE = 4096;
const isTableHead = (line: string): boolean =>
  line.length <= LONGEST_TABLE_LINE && TABLE_LINE.test(line) && !TABLE_RULE.test(line);

const ruleFor = (head: string): string =>
  `${'|-'.repeat(
    head
      .trim()
      .replace(/^\||(?<!\\)\|$/g, '')
      .split(/(?<!\\)\|/).length,
  )}|`;

/** A part of an inline text. The element that it `opens` after its text stays open to the end and contains the next part. */
export interface ClosedInlinePart {
  readonly text: string;
  readonly opens?: { readonly type: 'strong' | 'em' | 'del' } | { readonly type: 'codespan'; readonly text: string };
}

/** Emphasis delimiters as they are found; `at` is the offset of those that are not paired yet. */
interface Delimiters {
  readonly mark: '*' | '_' | '~';
  readonly at: number;
  readonly length: number;
}

interface Bracket {
  readonly at: number;
  readonly isImage: boolean;
  /** The number of delimiters that were open before it. */
  readonly outer: number;
}

/** Deeper nested delimiters are shown as text. */
const MAX_SHOWN = 8;
/** Maximum number of unpaired delimiters to track. */
const MAX_OPEN = 64;
/** A longer image description is treated as text after a bracket. */
const LONGEST_ALT = 300;

/** Splits an inline text into parts: unclosed syntax opens a part, incomplete syntax is hidden. */
export function closeIncompleteInline(source: string, math: boolean): readonly ClosedInlinePart[] {
  const scanner = new InlineScanner(source, math);
  scanner.run();
  return scanner.pieces();
}

const BACKTICKS = /`+/y;
const MARKS = /\*+|_+|~+/y;
const TAG =
  /<(?:\/?[a-z][\w-]*(?:\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*\s*\/?|!--[\s\S]*?--|[a-z][\w+.-]{1,31}:[^\s<>]*|[^\s<>@]+@[^\s<>]+)>/iy;
/** An incomplete tag. Long text without a `=` is not a tag: `a <b and then`. */
const INCOMPLETE_TAG =
  /<(?:\/?$|\/?[a-z][^<>=]{0,40}$|[a-z][\w-]*\s[^<>=]*=(?:[^<>"']|"[^"]*(?:"|$)|'[^']*(?:'|$))*$|[!?][^>]*$)/iy;
const INCOMPLETE_URL = /<(?=(?:https?|mailto):[^\s<>]*$)/iy;
// `(?!…)` after a repetition prevents backtracking: no character is tried twice.
const TARGET =
  /\(\s*(?!\s)(?:<(?:\\.|[^\n<>\\])*>|(?:\\.|[^\s\\()<]|\((?:\\.|[^\s\\()])*\))*)(?:\s+(?!\s)(?:"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'|\((?:\\[\s\S]|[^()\\])*\)))?\s*\)/y;
const INCOMPLETE_TARGET =
  /\(\s*(?!\s)(?:<(?:\\.|[^\n<>\\])*(?!\\.|[^\n<>\\])>?|(?:\\.|[^\s\\()<]|\((?:\\.|[^\s\\()])*(?!\\.|[^\s\\()])\)?)*)(?:\s+(?!\s)(?:"(?:\\[\s\S]|[^"\\])*(?!\\[\s\S]|[^"\\])"?|'(?:\\[\s\S]|[^'\\])*(?!\\[\s\S]|[^'\\])'?|\((?:\\[\s\S]|[^()\\])*(?!\\[\s\S]|[^()\\])\)?)?)?\s*$/y;
const LABEL = /\[(?:\\.|[^[\]\\])*\]/y;
const INCOMPLETE_LABEL = /\[(?:\\.|[^[\]\\])*$/y;
const NOTE = /\[\^[^\s[\]]{1,80}\](?![([])/y;
const INCOMPLETE_NOTE = /\[\^[^\s[\]]{0,80}$/y;
const INCOMPLETE_ENTITY = /&(?:#x?[\da-f]{0,6}|[a-z][a-z\d]{0,8})?$/i;
/** A `!` that may begin an image. After a word it is the end of a sentence. */
const INCOMPLETE_IMAGE = /(?<!\S)!$/;

class InlineScanner {
  readonly #source: string;
  /** End of the visible text. */
  #end: number;
  #code: { readonly at: number; readonly ticks: number } | undefined;
  #open: Delimiters[] = [];
  readonly #brackets: Bracket[] = [];
  /** Hidden ranges: offset and length. */
  readonly #hidden = new Map<number, number>();
  /** Offsets of backtick runs by their length: a run is closed by the next one of the same length. */
  readonly #ticks = new Map<number, number[]>();

  readonly #math: boolean;

  constructor(source: string, math: boolean) {
    this.#math = math;
    const end = source.slice(-12);
    const incomplete = source.replace(/\\\\/g, '').endsWith('\\')
      ? '\\'
      : (INCOMPLETE_ENTITY.exec(end) ?? INCOMPLETE_IMAGE.exec(end))?.[0];
    this.#source = source.slice(0, source.length - (incomplete ?? '').length);
    this.#end = this.#source.length;
    for (const { index, 0: ticks } of this.#source.matchAll(/`+/g)) {
      const offsets = this.#ticks.get(ticks.length);
      if (offsets) offsets.push(index);
      else this.#ticks.set(ticks.length, [index]);
    }
  }

  run(): void {
    for (let at = 0; at < this.#end;) at += this.#step(at);
    for (const { at, isImage } of this.#brackets) {
      if (!isImage) this.#hidden.set(at, 1);
      else if (this.#end - at <= LONGEST_ALT) {
        this.#cut(at);
        break;
      }
    }
  }

  /** Returns the text up to each delimiter that stays open. */
  pieces(): readonly ClosedInlinePart[] {
    const pieces: ClosedInlinePart[] = [];
    let from = 0;
    const end = this.#code?.at ?? this.#end;
    for (const { mark, at, length } of this.#open.slice(0, MAX_SHOWN)) {
      if (at + length > end) break;
      const hasText =
        this.#code !== undefined ||
        this.#text(at + length, end)
          .replace(/[*_~]+/g, '')
          .trim() !== '';
      if (!hasText) {
        this.#hidden.set(at, length);
        continue;
      }
      pieces.push({ text: this.#text(from, at), opens: { type: typeOf(mark, length) } });
      if (mark !== '~' && length > 2) pieces.push({ text: '', opens: { type: 'strong' } });
      from = at + length;
    }
    const text = this.#text(from, end);
    if (!this.#code) return [...pieces, { text }];
    const { at, ticks } = this.#code;
    return [...pieces, { text, opens: { type: 'codespan', text: codeOf(this.#source.slice(at + ticks, this.#end)) } }];
  }

  /** Reads the syntax at an offset. @returns its length */
  #step(at: number): number {
    switch (this.#source[at]) {
      case '\\':
        return this.#formula(at) || 2;
      case '$':
        return this.#formula(at) || 1;
      case '`':
        return this.#backticks(at);
      case '<':
        return this.#tag(at);
      case '[':
        if (this.#source[at + 1] === '^') return this.#note(at);
        this.#brackets.push({ at, isImage: false, outer: this.#open.length });
        return 1;
      case '!':
        if (this.#source[at + 1] !== '[') return 1;
        this.#brackets.push({ at, isImage: true, outer: this.#open.length });
        return 2;
      case ']':
        return this.#closeBracket(at);
      case '*':
      case '_':
      case '~':
        return this.#delimiters(at);
      default:
        return 1;
    }
  }

  /** Incomplete footnote references are hidden too. */
  #note(at: number): number {
    const length = this.#lengthOf(NOTE, at);
    if (length === 0 && this.#lengthOf(INCOMPLETE_NOTE, at) > 0) this.#cut(at);
    return length || 2;
  }

  /** An incomplete formula is hidden. */
  #formula(at: number): number {
    if (!this.#math) return 0;
    const length = this.#lengthOf(FORMULA, at);
    if (length === 0 && this.#lengthOf(INCOMPLETE_FORMULA, at) > 0) this.#cut(at);
    return length;
  }

  #backticks(at: number): number {
    const ticks = this.#lengthOf(BACKTICKS, at);
    const offsets = this.#ticks.get(ticks) ?? [];
    while ((offsets[0] ?? at + 1) <= at) offsets.shift();
    const [close] = offsets;
    if (close !== undefined) return close + ticks - at;
    const inside = this.#source.slice(at + ticks, this.#end).replace(/(?<!`)`+$/, '');
    if (inside.trim() === '') this.#cut(at);
    else {
      this.#end = at + ticks + inside.length;
      this.#code = { at, ticks };
    }
    return this.#source.length;
  }

  #tag(at: number): number {
    const length = this.#lengthOf(TAG, at);
    if (length > 0) return length;
    if (this.#lengthOf(INCOMPLETE_URL, at) > 0) this.#hidden.set(at, 1);
    else if (this.#lengthOf(INCOMPLETE_TAG, at) > 0) this.#cut(at);
    return 1;
  }

  /** A link with an incomplete URL shows its text; an incomplete image is hidden. */
  #closeBracket(at: number): number {
    const bracket = this.#brackets.pop();
    const next = at + 1;
    if (!bracket) return 1;
    const target = this.#lengthOf(TARGET, next) || this.#lengthOf(LABEL, next);
    if (target > 0) {
      // Delimiters opened in a link's text cannot be closed after the link.
      this.#open.length = Math.min(this.#open.length, bracket.outer);
      return 1 + target;
    }
    const incomplete =
      next === this.#end || this.#lengthOf(INCOMPLETE_TARGET, next) > 0 || this.#lengthOf(INCOMPLETE_LABEL, next) > 0;
    if (!incomplete) return 1;
    this.#cut(bracket.isImage ? bracket.at : at);
    if (!bracket.isImage) this.#hidden.set(bracket.at, 1);
    return 1;
  }

  #delimiters(at: number): number {
    const length = this.#lengthOf(MARKS, at);
    // The last delimiters may be incomplete: they are hidden, and what they would close is closed.
    if (at + length >= this.#source.length) {
      this.#cut(at);
      return length;
    }
    const mark = this.#source[at] as Delimiters['mark'];
    const before = characterBefore(this.#source, at);
    const after = String.fromCodePoint(this.#source.codePointAt(at + length) ?? 32);
    const { opens, closes } = flanks(mark, before, after);
    let unpaired = closes ? this.#close(mark, length, opens) : length;
    if (mark === '~' && length !== 2) unpaired = 0;
    if (mark === '*' && length === 1 && /^[\da-z]{2}$/i.test(before + after)) unpaired = 0;
    if (unpaired > 0 && opens && this.#open.length < MAX_OPEN)
      this.#open.push({ mark, at: at + length - unpaired, length: unpaired });
    return length;
  }

  /** Pairs delimiters with open ones. @returns how many stay unpaired */
  #close(mark: Delimiters['mark'], length: number, opens: boolean): number {
    let unpaired = length;
    for (let index = this.#open.length - 1; index >= 0 && unpaired > 0; index--) {
      const open = this.#open[index];
      if (open?.mark !== mark || (mark === '~' && open.length !== unpaired)) continue;
      // CommonMark, emphasis, rules 9 and 10.
      if (opens && (open.length + length) % 3 === 0 && length % 3 !== 0) continue;
      const paired = Math.min(open.length, unpaired);
      unpaired -= paired;
      this.#open.length = index;
      if (open.length > paired) this.#open.push({ ...open, length: open.length - paired });
    }
    return unpaired;
  }

  #cut(at: number): void {
    this.#end = Math.min(this.#end, at);
  }

  #lengthOf(pattern: RegExp, at: number): number {
    pattern.lastIndex = at;
    const match = pattern.exec(this.#source);
    return match ? match[0].length : 0;
  }

  /** Returns the text of a range without its hidden parts. */
  #text(from: number, to: number): string {
    let text = '';
    let offset = from;
    for (const [at, length] of [...this.#hidden].sort(([one], [two]) => one - two)) {
      if (at < offset || at >= to) continue;
      text += this.#source.slice(offset, at);
      offset = at + length;
    }
    return text + this.#source.slice(offset, Math.max(offset, to));
  }
}

const typeOf = (mark: Delimiters['mark'], length: number): 'strong' | 'em' | 'del' =>
  mark === '~' ? 'del' : length % 2 === 1 ? 'em' : 'strong';

/** Code as CommonMark reads it: on one line, and without its first space. (The end has not arrived.) */
const codeOf = (text: string): string => text.replace(/\n/g, ' ').replace(/^ (?=.*[^ ])/, '');

const characterBefore = (text: string, at: number): string =>
  Array.from(text.slice(Math.max(0, at - 2), at)).at(-1) ?? ' ';

/**
 * Whether delimiters can open or close emphasis, by the characters around them. Source: CommonMark, emphasis, and
 * `cjk-emphasis.ts`.
 */
function flanks(mark: string, before: string, after: string): { readonly opens: boolean; readonly closes: boolean } {
  const [blankBefore, blankAfter] = [/\s/.test(before), /\s/.test(after)];
  const [punctuationBefore, punctuationAfter] = [PUNCTUATION.test(before), PUNCTUATION.test(after)];
  const [cjkBefore, cjkAfter] = [isCjk(before), isCjk(after)];
  const leftFlanking = !blankAfter && (!punctuationAfter || cjkAfter || blankBefore || punctuationBefore || cjkBefore);
  const rightFlanking = !blankBefore && (!punctuationBefore || cjkBefore || blankAfter || punctuationAfter || cjkAfter);
  return mark === '_'
    ? {
        opens: leftFlanking && (!rightFlanking || punctuationBefore),
        closes: rightFlanking && (!leftFlanking || punctuationAfter),
      }
    : { opens: leftFlanking, closes: rightFlanking };
}

const PUNCTUATION = /[\p{P}\p{S}]/u;
