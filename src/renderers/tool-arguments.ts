import { parseJson } from '../model/json.ts';
import { maskShown } from '../safety/sent-secrets.ts';

/** As much as can stand in one line. */
const LINE_LENGTH = 300;

/** The arguments of a call in one line, without keys: values where there is JSON, else what has come of it. */
export function summarise(params = ''): string {
  const value = parse(params);
  return value === undefined
    ? maskShown(params, LINE_LENGTH).replace(/\s+/g, ' ').trim()
    : maskShown(summary(value), LINE_LENGTH);
}

/** As much of arguments or a result as is drawn. */
const SHOWN_LENGTH = 100_000;
/** Longer JSON is shown as it came. */
const PRETTY_LENGTH = 1024 * 1024;

/** JSON for reading, or the text as it is. */
export function pretty(text: string): string {
  if (text.length > PRETTY_LENGTH) return text;
  const value = parse(text);
  return value === undefined || typeof value !== 'object' ? text : JSON.stringify(value, undefined, 2);
}

/** A text without keys, and only its beginning where it is longer than anybody reads in a box. */
export const beginning = (text: string): string =>
  text.length > SHOWN_LENGTH ? `${maskShown(text, SHOWN_LENGTH)}\n…` : maskShown(text);

/** The pairs of an object's JSON; undefined when it is none. */
export function pairsOf(text = ''): readonly (readonly [string, string])[] | undefined {
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.entries(value).map(
    ([name, item]) => [name, typeof item === 'string' ? item : JSON.stringify(item)] as const,
  );
}

function summary(value: unknown): string {
  if (Array.isArray(value)) return value.map(summary).join(', ');
  if (typeof value === 'object' && value !== null) return Object.values(value).map(summary).filter(Boolean).join(' · ');
  return value === null ? '' : (value as string | number | boolean).toString();
}

/** The value that a text stands for; undefined for one that is not whole, without reading it: it is asked for with every token. */
function parse(text: string): unknown {
  const trimmed = text.trim();
  const end = trimmed.at(-1);
  if (end === undefined) return undefined;
  if ((trimmed.startsWith('{') && end !== '}') || (trimmed.startsWith('[') && end !== ']')) return undefined;
  return parseJson(text);
}
