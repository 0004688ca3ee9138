/** Footnotes as on GitHub: `[^1]` in the text, and a line `[^1]: …`, followed by indented lines. */
import type { Token, Tokens } from 'marked';
import { normalizeReferenceLabel } from './link-references.ts';

/** A footnote reference. */
export interface FootnoteReference extends Tokens.Generic {
  readonly type: 'note';
  readonly label: string;
}

/** A footnote definition. marked treats it as a link reference definition. */
export interface FootnoteToken extends Tokens.Generic {
  readonly type: 'footnote';
  /** The label as normalized by marked. */
  readonly tag: string;
  readonly label: string;
  readonly tokens: Token[];
}

/** `NOTE` and `INCOMPLETE_NOTE` in `close-incomplete.ts` have the same limit. */
const LABEL = String.raw`\[\^([^\s[\]]{1,80})\]`;
const MARK = new RegExp(`^${LABEL}`);
const FOOTNOTE = new RegExp(`^ {0,3}${LABEL}:[ \\t]*`);
/** A footnote definition that interrupts a paragraph. */
export const FOOTNOTE_LINE = String.raw` {0,3}\[\^[^\s[\]]{1,80}\]:`;
/**
 * Probably a footnote reference, before its definition has arrived; excludes character classes in texts about regular
 * expressions.
 */
const LIKELY = /^(?:\d{1,3}|[a-z][a-z\d]{0,2}|note[\w-]{0,12}|fn[\w-]{0,12})$/i;
/** Lines that do not continue the paragraph before them. */
const OTHER_BLOCK = /^ {0,3}(?:\[\^|#{1,6}(?:\s|$)|>|`{3}|~{3}|[-*+][ \t]|\d{1,9}[.)][ \t]|<|\||(?:[-*_][ \t]*){3,}$)/;
/** No further line is added to a definition that is longer (characters). */
const LONGEST = 16_384;

export const normalizeLabel = (label: string): string => `^${normalizeReferenceLabel(label)}`;

export function footnoteReferenceAt(
  src: string,
  isDefined: (tag: string) => boolean,
  growing: boolean,
): FootnoteReference | undefined {
  const [raw, label = ''] = MARK.exec(src) ?? [];
  if (raw === undefined || !(isDefined(normalizeLabel(label)) || (growing && LIKELY.test(label)))) return undefined;
  return { type: 'note', raw, label };
}

/** Parses the footnote definition at the start of a text: its label, its source, and its content. */
export function footnoteAt(
  src: string,
): { readonly label: string; readonly raw: string; readonly text: string } | undefined {
  const [head = '', label] = FOOTNOTE.exec(src) ?? [];
  if (label === undefined) return undefined;
  const raw = src.slice(0, endOf(src, head.length)).replace(/\n$/, '');
  return { label, raw, text: raw.slice(head.length).replace(/\n(?: {1,4}|\t)/g, '\n') };
}

const BLANK_LINES = /(?:[ \t]*\n)*/y;

function endOf(src: string, from: number): number {
  const lineEnd = (offset: number): number => src.indexOf('\n', offset) + 1 || src.length;
  let end = lineEnd(from);
  while (end < src.length && end < LONGEST) {
    BLANK_LINES.lastIndex = end;
    const lineStart = end + (BLANK_LINES.exec(src)?.[0].length ?? 0);
    const next = lineEnd(lineStart);
    const line = src.slice(lineStart, next);
    const isIndented = /^(?: {4}|\t)[ \t]*\S/.test(line);
    if (!isIndented && (lineStart > end || line.trim() === '' || OTHER_BLOCK.test(line.trimEnd()))) break;
    end = next;
  }
  return end;
}
