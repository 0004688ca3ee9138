/**
 * The likely end of what has only begun, so that no raw mark ever flashes: what is open is closed, and what is too short to be
 * anything yet is left out until it is. Every function here reads its text once.
 */
import { FORMULA, HALF_FORMULA, openFormula } from './math.ts';

/** Longer lines are words, whatever they begin with. */
const LONGEST_MARKS = 80;
/** Marks of blocks without anything behind them: quotes and lists, a task, heading, rule, underline, fence, cell, definition. */
const ONLY_MARKS =
  /^[ \t]*(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]*)*(?:#{1,6}|\d{1,3}|[-_*+=]+|`{1,3}|~{1,3}|\||\[[^[\]]{0,40}(?:\]:?)?)?$/;

/**
 * The text of blocks that are still being written. `inside`: the type of the block that the last line is in, which decides what
 * a mark there means. `math`: formulas are read as such.
 */
export function healBlocks(text: string, inside: string, math: boolean): string {
  if (inside === 'def') return text;
  // Half a tag is left out where HTML is read.
  if (inside === 'html') return text.replace(HALF_ENTITY, '');
  if (math && inside !== 'code') {
    const formula = openFormula(text);
    // What stands in a half formula is no list and no rule: nothing of it is shown.
    if (formula && !formula.closed) return healLine(text.slice(0, formula.at), '');
  }
  return healLine(text, inside);
}

function healLine(text: string, inside: string): string {
  const begins = text.lastIndexOf('\n') + 1;
  const line = text.slice(begins);
  // Backticks in code are the beginning of its end.
  if (inside === 'code') return begins > 0 && /^[ \t>]*[`~]+[ \t]*$/.test(line) ? text.slice(0, begins) : text;
  const table = inside === 'table' ? undefined : healTable(text, begins);
  if (table !== undefined) return table;
  return line.length <= LONGEST_MARKS && ONLY_MARKS.test(line.trimEnd()) ? text.slice(0, begins) : text;
}

const TABLE_LINE = /^ {0,3}\|/;
const TABLE_RULE = /^ {0,3}[|:-][|:\- \t]*$/;

/** A line of cells is the head of a table before the line below it says so. `begins`: where the last line does. */
function healTable(text: string, begins: number): string | undefined {
  const line = text.slice(begins);
  const above = begins > 0 ? text.slice(text.lastIndexOf('\n', begins - 2) + 1, begins - 1) : '';
  if (isTableHead(line) && !TABLE_LINE.test(above)) return `${text}\n${ruleFor(line)}`;
  return isTableHead(above) && (line === '' || TABLE_RULE.test(line))
    ? text.slice(0, begins) + ruleFor(above)
    : undefined;
}

const isTableHead = (line: string): boolean => TABLE_LINE.test(line) && !TABLE_RULE.test(line);

const ruleFor = (head: string): string =>
  `${'|-'.repeat(
    head
      .trim()
      .replace(/^\||(?<!\\)\|$/g, '')
      .split(/(?<!\\)\|/).length,
  )}|`;

/** A stretch of words. What it `opens` behind them is open to the end: the next piece stands in it. */
export interface HealedPiece {
  readonly text: string;
  readonly opens?: { readonly type: 'strong' | 'em' | 'del' } | { readonly type: 'codespan'; readonly text: string };
}

/** Marks around words, as they are met: `at` is where those begin that are not paired yet. */
interface Marks {
  readonly mark: '*' | '_' | '~';
  readonly at: number;
  readonly length: number;
}

interface Bracket {
  readonly at: number;
  readonly picture: boolean;
  /** How many marks were open before it. */
  readonly outer: number;
}

/** More marks in one another are shown as they are. */
const MAX_SHOWN = 8;
/** More marks that wait for their pair are not looked for. */
const MAX_OPEN = 64;
/** A longer description of a picture is words behind a bracket. */
const LONGEST_ALT = 300;

/** Words as pieces: what is open in them opens a piece, what is not whole is left out. */
export function healInline(words: string, math: boolean): readonly HealedPiece[] {
  const scan = new Scan(words, math);
  scan.run();
  return scan.pieces();
}

const BACKTICKS = /`+/y;
const MARKS = /\*+|_+|~+/y;
const WHOLE_TAG =
  /<(?:\/?[a-z][\w-]*(?:\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*\s*\/?|!--[\s\S]*?--|[a-z][\w+.-]{1,31}:[^\s<>]*|[^\s<>@]+@[^\s<>]+)>/iy;
/** A tag on its way. One that goes on for long without a `=` is no tag: `a <b and then`. */
const HALF_TAG =
  /<(?:\/?$|\/?[a-z][^<>=]{0,40}$|[a-z][\w-]*\s[^<>]*=(?:[^<>"']|"[^"]*(?:"|$)|'[^']*(?:'|$))*$|[!?][^>]*$)/iy;
const HALF_ADDRESS = /<(?=(?:https?|mailto):[^\s<>]*$)/iy;
const TARGET =
  /\(\s*(?:<(?:\\.|[^\n<>\\])*>|(?:\\.|[^\s\\()<]|\((?:\\.|[^\s\\()])*\))*)(?:\s+(?:"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'|\((?:\\[\s\S]|[^()\\])*\)))?\s*\)/y;
const HALF_TARGET =
  /\(\s*(?:<(?:\\.|[^\n<>\\])*>?|(?:\\.|[^\s\\()<]|\((?:\\.|[^\s\\()])*\)?)*)(?:\s+(?:"(?:\\[\s\S]|[^"\\])*"?|'(?:\\[\s\S]|[^'\\])*'?|\((?:\\[\s\S]|[^()\\])*\)?)?)?\s*$/y;
const LABEL = /\[(?:\\.|[^[\]\\])*\]/y;
const HALF_LABEL = /\[(?:\\.|[^[\]\\])*$/y;
const HALF_ENTITY = /&(?:#x?[\da-f]{0,6}|[a-z][a-z\d]{0,8})?$/i;
/** Behind a word it is the end of a sentence. */
const HALF_PICTURE = /(?<!\S)!$/;

class Scan {
  readonly #words: string;
  /** Where the words end that are shown. */
  #end: number;
  #code: { readonly at: number; readonly ticks: number } | undefined;
  #open: Marks[] = [];
  readonly #brackets: Bracket[] = [];
  /** Characters that are left out, and how many. */
  readonly #left = new Map<number, number>();
  /** Where the runs of backticks are, by their length: a run is closed by the next one of its length. */
  readonly #ticks = new Map<number, number[]>();

  readonly #math: boolean;

  constructor(words: string, math: boolean) {
    this.#math = math;
    const end = words.slice(-12);
    const half = words.replace(/\\\\/g, '').endsWith('\\')
      ? '\\'
      : (HALF_ENTITY.exec(end) ?? HALF_PICTURE.exec(end))?.[0];
    this.#words = words.slice(0, words.length - (half ?? '').length);
    this.#end = this.#words.length;
    for (const { index, 0: ticks } of this.#words.matchAll(/`+/g)) {
      const places = this.#ticks.get(ticks.length);
      if (places) places.push(index);
      else this.#ticks.set(ticks.length, [index]);
    }
  }

  run(): void {
    for (let at = 0; at < this.#end;) at += this.#step(at);
    for (const { at, picture } of this.#brackets) {
      if (!picture) this.#left.set(at, 1);
      else if (this.#end - at <= LONGEST_ALT) {
        this.#cut(at);
        break;
      }
    }
  }

  /** The words up to each mark that stays open. */
  pieces(): readonly HealedPiece[] {
    const pieces: HealedPiece[] = [];
    let from = 0;
    const end = this.#code?.at ?? this.#end;
    for (const { mark, at, length } of this.#open.slice(0, MAX_SHOWN)) {
      if (at + length > end) break;
      const hasWords =
        this.#code !== undefined ||
        this.#text(at + length, end)
          .replace(/[*_~]+/g, '')
          .trim() !== '';
      if (!hasWords) {
        this.#left.set(at, length);
        continue;
      }
      pieces.push({ text: this.#text(from, at), opens: { type: typeOf(mark, length) } });
      if (mark !== '~' && length > 2) pieces.push({ text: '', opens: { type: 'strong' } });
      from = at + length;
    }
    const text = this.#text(from, end);
    if (!this.#code) return [...pieces, { text }];
    const { at, ticks } = this.#code;
    return [...pieces, { text, opens: { type: 'codespan', text: codeOf(this.#words.slice(at + ticks, this.#end)) } }];
  }

  /** Reads what begins at a place. @returns its length */
  #step(at: number): number {
    switch (this.#words[at]) {
      case '\\':
        return this.#formula(at) || 2;
      case '$':
        return this.#formula(at) || 1;
      case '`':
        return this.#backticks(at);
      case '<':
        return this.#tag(at);
      case '[':
        this.#brackets.push({ at, picture: false, outer: this.#open.length });
        return 1;
      case '!':
        if (this.#words[at + 1] !== '[') return 1;
        this.#brackets.push({ at, picture: true, outer: this.#open.length });
        return 2;
      case ']':
        return this.#closeBracket(at);
      case '*':
      case '_':
      case '~':
        return this.#marks(at);
      default:
        return 1;
    }
  }

  /** A formula that is not whole is nothing. */
  #formula(at: number): number {
    if (!this.#math) return 0;
    const whole = this.#lengthOf(FORMULA, at);
    if (whole === 0 && this.#lengthOf(HALF_FORMULA, at) > 0) this.#cut(at);
    return whole;
  }

  #backticks(at: number): number {
    const ticks = this.#lengthOf(BACKTICKS, at);
    const places = this.#ticks.get(ticks) ?? [];
    while ((places[0] ?? at + 1) <= at) places.shift();
    const [close] = places;
    if (close !== undefined) return close + ticks - at;
    const inside = this.#words.slice(at + ticks, this.#end).replace(/`+$/, '');
    if (inside.trim() === '') this.#cut(at);
    else {
      this.#end = at + ticks + inside.length;
      this.#code = { at, ticks };
    }
    return this.#words.length;
  }

  #tag(at: number): number {
    const whole = this.#lengthOf(WHOLE_TAG, at);
    if (whole > 0) return whole;
    if (this.#lengthOf(HALF_ADDRESS, at) > 0) this.#left.set(at, 1);
    else if (this.#lengthOf(HALF_TAG, at) > 0) this.#cut(at);
    return 1;
  }

  /** A link whose address is not whole is its words; a picture that is not whole is nothing. */
  #closeBracket(at: number): number {
    const bracket = this.#brackets.pop();
    const next = at + 1;
    if (!bracket) return 1;
    const target = this.#lengthOf(TARGET, next) || this.#lengthOf(LABEL, next);
    if (target > 0) {
      // What is open in a link's words is closed by nothing behind them.
      this.#open.length = Math.min(this.#open.length, bracket.outer);
      return 1 + target;
    }
    const half = next === this.#end || this.#lengthOf(HALF_TARGET, next) > 0 || this.#lengthOf(HALF_LABEL, next) > 0;
    if (!half) return 1;
    this.#cut(bracket.picture ? bracket.at : at);
    if (!bracket.picture) this.#left.set(bracket.at, 1);
    return 1;
  }

  #marks(at: number): number {
    const length = this.#lengthOf(MARKS, at);
    // The last marks may be half of what they are going to be: they are left out, and what they would close is closed.
    if (at + length >= this.#words.length) {
      this.#cut(at);
      return length;
    }
    const mark = this.#words[at] as Marks['mark'];
    const before = characterBefore(this.#words, at);
    const after = String.fromCodePoint(this.#words.codePointAt(at + length) ?? 32);
    const { opens, closes } = flanks(mark, before, after);
    let left = closes ? this.#close(mark, length, opens) : length;
    if (mark === '~' && length !== 2) left = 0;
    if (mark === '*' && length === 1 && /^[\da-z]{2}$/i.test(before + after)) left = 0;
    if (left > 0 && opens && this.#open.length < MAX_OPEN)
      this.#open.push({ mark, at: at + length - left, length: left });
    return length;
  }

  /** Pairs marks with those that are open. @returns how many are left */
  #close(mark: Marks['mark'], length: number, opens: boolean): number {
    let left = length;
    for (let index = this.#open.length - 1; index >= 0 && left > 0; index--) {
      const open = this.#open[index];
      if (open?.mark !== mark || (mark === '~' && open.length !== left)) continue;
      // CommonMark, emphasis, rules 9 and 10.
      if (opens && (open.length + length) % 3 === 0 && length % 3 !== 0) continue;
      const paired = Math.min(open.length, left);
      left -= paired;
      this.#open.length = index;
      if (open.length > paired) this.#open.push({ ...open, length: open.length - paired });
    }
    return left;
  }

  #cut(at: number): void {
    this.#end = Math.min(this.#end, at);
  }

  #lengthOf(pattern: RegExp, at: number): number {
    pattern.lastIndex = at;
    const found = pattern.exec(this.#words);
    return found ? found[0].length : 0;
  }

  /** The words from one place to another, without what is left out. */
  #text(from: number, to: number): string {
    let text = '';
    let place = from;
    for (const [at, length] of [...this.#left].sort(([one], [two]) => one - two)) {
      if (at < place || at >= to) continue;
      text += this.#words.slice(place, at);
      place = at + length;
    }
    return text + this.#words.slice(place, Math.max(place, to));
  }
}

const typeOf = (mark: Marks['mark'], length: number): 'strong' | 'em' | 'del' =>
  mark === '~' ? 'del' : length % 2 === 1 ? 'em' : 'strong';

/** Code as CommonMark reads it: on one line, and with one blank less at both ends. */
const codeOf = (text: string): string => text.replace(/\n/g, ' ').replace(/^ (?=.*[^ ])/, '');

const characterBefore = (text: string, at: number): string =>
  Array.from(text.slice(Math.max(0, at - 2), at)).at(-1) ?? ' ';

/** What marks may do, by the characters around them. Source: CommonMark, emphasis. */
function flanks(mark: string, before: string, after: string): { readonly opens: boolean; readonly closes: boolean } {
  const [blankBefore, blankAfter] = [/\s/.test(before), /\s/.test(after)];
  const [pointBefore, pointAfter] = [/[\p{P}\p{S}]/u.test(before), /[\p{P}\p{S}]/u.test(after)];
  const left = !blankAfter && (!pointAfter || blankBefore || pointBefore);
  const right = !blankBefore && (!pointBefore || blankAfter || pointAfter);
  return mark === '_'
    ? { opens: left && (!right || pointBefore), closes: right && (!left || pointAfter) }
    : { opens: left, closes: right };
}
