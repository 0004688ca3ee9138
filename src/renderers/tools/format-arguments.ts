import { parseJson } from '../../model/json.ts';
import { isLossless } from '../../model/text/is-lossless.ts';
import { maskDisplayedText } from '../../safety/sent-secrets.ts';
import { hiddenLength } from './truncate-for-display.ts';

/** Maximum length of the one-line summary (characters). */
const LINE_LENGTH = 300;

/**
 * The arguments of a call in one line, with secrets masked: the values of valid JSON, otherwise the text received so
 * far.
 */
export function summarizeArguments(params = ''): string {
  const value = parse(params);
  return value === undefined
    ? maskDisplayedText(params, LINE_LENGTH).replace(/\s+/g, ' ').trim()
    : maskDisplayedText(summary(value, { length: MASKED_LENGTH }), LINE_LENGTH);
}

/** Number of characters of a summary that are searched for secrets: one may begin within the line and end after it. */
const MASKED_LENGTH = 10_000;

/** Maximum length of JSON that is formatted; longer JSON stays unchanged. */
const PRETTY_LENGTH = 128 * 1024;

/** Formats JSON. Other text is unchanged, as is JSON that would lose information. */
export function formatJsonText(text: string): string {
  if (text.length > PRETTY_LENGTH) return text;
  const value = parse(text);
  const isFormatted = typeof value === 'object' && isLossless(text, value) && indentation(value) <= PRETTY_LENGTH;
  return isFormatted ? JSON.stringify(value, undefined, 2) : text;
}

/** The number of characters that formatting adds: at each line of deeply nested JSON, hundreds. */
function indentation(value: unknown, depth = 1): number {
  if (typeof value !== 'object' || value === null) return 0;
  const items: readonly unknown[] = Object.values(value);
  return items.reduce((sum: number, item) => sum + indentation(item, depth + 1), items.length * 2 * depth);
}

/**
 * The entries of a JSON object; undefined for anything else, for JSON that contains more than its entries, and for JSON that is
 * too long to render.
 */
export function parseArgumentEntries(text = ''): readonly (readonly [string, string])[] | undefined {
  const value = hiddenLength(text) > 0 ? undefined : parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !isLossless(text, value)) return undefined;
  return Object.entries(value).map(
    ([name, item]) => [name, typeof item === 'string' && !looksLikeOther(item) ? item : JSON.stringify(item)] as const,
  );
}

/** Whether a text looks like a value of another type, such as "1", "null" or a text in quotation marks. */
function looksLikeOther(text: string): boolean {
  const value = parseJson(text);
  return value !== undefined && (typeof value !== 'object' || text === JSON.stringify(value));
}

/** The values of JSON in one line. `left.length` counts down the remaining characters. */
function summary(value: unknown, left: { length: number }): string {
  if (typeof value !== 'object' || value === null) {
    const text = value === null ? '' : (value as string | number | boolean).toString();
    left.length -= text.length + 1;
    return text;
  }
  const parts: string[] = [];
  const items: readonly unknown[] = Object.values(value);
  for (const item of items) {
    if (left.length <= 0) break;
    parts.push(summary(item, left));
  }
  return Array.isArray(value) ? parts.join(', ') : parts.filter(Boolean).join(' · ');
}

/**
 * The value of a JSON text; undefined if it is incomplete. Incomplete text is detected without parsing, because this
 * runs with every token.
 */
function parse(text: string): unknown {
  const trimmed = text.trim();
  const end = trimmed.at(-1);
  if (end === undefined) return undefined;
  if ((trimmed.startsWith('{') && end !== '}') || (trimmed.startsWith('[') && end !== ']')) return undefined;
  return parseJson(text);
}
