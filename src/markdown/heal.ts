/**
 * The likely end of a block that has only begun, so that no raw mark ever flashes: what is open is closed, what is too short to
 * be anything yet is left out until it is.
 */
import type { Token } from 'marked';

/** The block's text as it will probably end. */
export function heal(token: Token): string {
  const { raw, type } = token;
  if (type === 'code') return healCode(raw);
  if (type === 'html' || type === 'table' || type === 'hr' || type === 'def') return raw;
  const table = type === 'paragraph' ? healTable(raw) : undefined;
  if (table !== undefined) return table;
  const begins = lastRun(raw);
  return raw.slice(0, begins) + healInline(withoutHalfMark(raw.slice(begins)));
}

/** Backticks at the end of an open fence are the beginning of its end. */
const healCode = (raw: string): string =>
  /^ {0,3}(`{3,}|~{3,})/.test(raw) && !/\n {0,3}(`{3,}|~{3,})[ \t]*\n*$/.test(raw)
    ? raw.replace(/\n {0,3}[`~]{1,}$/, '\n')
    : raw;

/** A line of cells is the head of a table before its second line says so. */
function healTable(raw: string): string | undefined {
  const lines = raw.trimEnd().split('\n');
  const [head = '', rule] = lines;
  if (lines.length > 2 || !/^ {0,3}\|/.test(head)) return undefined;
  if (rule !== undefined && !/^[\s|:-]*$/.test(rule)) return undefined;
  const cells = head
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/).length;
  return `${head.trimEnd().replace(/\|?$/, '|')}\n${'|-'.repeat(cells)}|`;
}

/** Where the last stretch of words begins: behind the last blank line, list mark, quote mark or heading mark. */
function lastRun(raw: string): number {
  let begins = 0;
  for (const { index, 0: mark } of raw.matchAll(
    /(?:^|\n)[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|>[ \t]?|#{1,6}[ \t]+|\n)+/g,
  )) {
    begins = index + mark.length;
  }
  return begins;
}

/** A last line that may become a list item, a rule, a heading or an underline, but is none yet. */
const withoutHalfMark = (run: string): string =>
  run.replace(/(?:^|\n)[ \t]*(?:[-*_=+#>]{1,6}|\d{1,9}[.)]?)[ \t]*$/, (line) => (/\d$/.test(line) ? line : ''));

interface Open {
  readonly mark: string;
  readonly at: number;
}

/** Closes emphasis and code, and takes out links, pictures and tags that are not whole. */
export function healInline(run: string): string {
  let text = run.replace(/\\$/, '').replace(/<(?:[a-zA-Z/!?][^<>\n]*)?$/, '');
  text = healLinks(text);
  const open: Open[] = [];
  for (let index = 0; index < text.length;) {
    const rest = text.slice(index, index + 64);
    const escaped = /^\\[\s\S]/.exec(rest);
    const code = /^`+/.exec(text.slice(index));
    const emphasis = /^(?:\*{1,3}|_{1,3}|~~)/.exec(rest);
    if (escaped) index += 2;
    else if (code) {
      const [ticks] = code;
      const close = closingTicks(text, index + ticks.length, ticks.length);
      if (close < 0) {
        const inside = text.slice(index + ticks.length);
        text = inside.trim() === '' ? text.slice(0, index) : text.replace(/`*$/, '') + ticks;
        break;
      }
      index = close + ticks.length;
    } else if (emphasis) {
      toggle(open, emphasis[0], text, index);
      index += emphasis[0].length;
    } else index++;
  }
  return closeEmphasis(text, open);
}

function closingTicks(text: string, from: number, length: number): number {
  for (const { index, 0: ticks } of text.slice(from).matchAll(/`+/g)) if (ticks.length === length) return from + index;
  return -1;
}

/** A run of marks opens when words follow and closes when words are before it and the same is open. */
function toggle(open: Open[], mark: string, text: string, at: number): void {
  const before = text[at - 1] ?? ' ';
  const after = text[at + mark.length] ?? ' ';
  const inWord = mark.startsWith('_') && /\w/.test(before) && /\w/.test(after);
  if (inWord) return;
  const last = open.findLastIndex((candidate) => candidate.mark === mark);
  if (last >= 0 && !/\s/.test(before)) open.splice(last);
  else if (!/\s/.test(after) || at + mark.length === text.length) open.push({ mark, at });
}

function closeEmphasis(text: string, open: readonly Open[]): string {
  let healed = text;
  let closing = '';
  for (const { mark, at } of open.toReversed()) {
    const empty = healed.slice(at + mark.length).trim() === '';
    if (empty) healed = healed.slice(0, at) + healed.slice(at + mark.length);
    else closing += mark;
  }
  if (!closing) return healed;
  // A closing mark must stand at a word, or it closes nothing.
  const trailing = /\s*$/.exec(healed)?.[0] ?? '';
  return healed.slice(0, healed.length - trailing.length) + closing + trailing;
}

/** A link whose address is not whole is its words; a picture that is not whole is nothing. */
function healLinks(text: string): string {
  const unfinished =
    /(!?)\[((?:[^[\]\\]|\\.|\[[^\]]*\])*)(?:\](?:\((?:[^()\s\\]|\\.|\([^()]*\))*(?:\s+(?:"[^"]*"?|'[^']*'?)?)?)?)?$/.exec(
      text,
    );
  if (!unfinished) return text;
  const [whole, picture, words = ''] = unfinished;
  // In the middle of code a bracket is a bracket.
  const ticks = text.slice(0, unfinished.index).match(/`/g)?.length ?? 0;
  if (ticks % 2 === 1) return text;
  return text.slice(0, text.length - whole.length) + (picture ? '' : words);
}
