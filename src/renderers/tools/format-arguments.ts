import { parseJson } from '../../model/json.ts';
import { isLossless } from '../../model/text/is-lossless.ts';
import { maskDisplayedText } from '../../safety/sent-secrets.ts';

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
    : maskDisplayedText(summary(value), LINE_LENGTH);
}

/** Maximum length of arguments or a result that is rendered (characters). */
const SHOWN_LENGTH = 100_000;
/** Maximum length of JSON that is formatted; longer JSON stays unchanged. */
const PRETTY_LENGTH = 1024 * 1024;

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

/** The text with secrets masked, truncated to the rendered length. */
export const truncateForDisplay = (text: string): string =>
  text.length > SHOWN_LENGTH ? `${maskDisplayedText(text, SHOWN_LENGTH)}\n…` : maskDisplayedText(text);

/** The number of characters that `beginning` removes. */
export const hiddenLength = (text: string): number => Math.max(0, text.length - SHOWN_LENGTH);

/**
 * The number of characters of the visible text that the mask hides. The user allows them too, and a text may be written
 * so that it looks like a key.
 */
export function maskedLength(text: string): number {
  const beginning = text.slice(0, SHOWN_LENGTH);
  const masked = maskDisplayedText(beginning);
  return beginning.length - masked.length + MASK.length * (countMasks(masked) - countMasks(beginning));
}

const MASK = '***';
const countMasks = (text: string): number => text.split(MASK).length - 1;

/** The entries of a JSON object; undefined for anything else, and for JSON that contains more than its entries. */
export function parseArgumentEntries(text = ''): readonly (readonly [string, string])[] | undefined {
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !isLossless(text, value)) return undefined;
  return Object.entries(value).map(
    ([name, item]) => [name, typeof item === 'string' ? item : JSON.stringify(item)] as const,
  );
}

function summary(value: unknown): string {
  if (Array.isArray(value)) return value.map(summary).join(', ');
  if (typeof value === 'object' && value !== null) return Object.values(value).map(summary).filter(Boolean).join(' · ');
  return value === null ? '' : (value as string | number | boolean).toString();
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
