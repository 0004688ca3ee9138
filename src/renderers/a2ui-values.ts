/** What a property of a component says: a value, a place in the data, or a call. Source: A2UI, "Common types". */
import { own, stepsOf, valueAt, type Steps } from './a2ui-data.ts';
import { compute } from './a2ui-functions.ts';
import { interpolate } from './a2ui-template.ts';

export interface Scope {
  readonly data: unknown;
  /** Where pointers without a slash in front begin: the item of a list. */
  readonly at: Steps;
  readonly index?: number;
  readonly locale: string;
  /** Values that may still be looked at: what little text says, times what a list repeats it, is much. */
  readonly work: { left: number };
}

const MAX_DEPTH = 8;
const MAX_ENTRIES = 500;
/** A longer text of one component is cut. */
const MAX_TEXT = 20_000;

/** `path` as A2UI 0.8 to 1.0 spell it. */
export const pathOf = (value: unknown): string | undefined => {
  const path = own(value, 'path') ?? own(value, '@path');
  return typeof path === 'string' ? path : undefined;
};

const callOf = (value: unknown): string | undefined => {
  const call = own(value, 'call') ?? own(value, '@call');
  return typeof call === 'string' ? call : undefined;
};

const LITERALS = ['literal', 'literalString', 'literalNumber', 'literalBoolean', 'literalArray'];

/** The value that stands for it now. What lies too deep is nothing. */
export function resolve(value: unknown, scope: Scope, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  scope.work.left -= 1;
  if (depth > MAX_DEPTH || scope.work.left < 0) return undefined;
  if (Array.isArray(value)) {
    return (value as unknown[]).slice(0, MAX_ENTRIES).map((item) => resolve(item, scope, depth + 1));
  }
  const path = pathOf(value);
  const literal = LITERALS.find((name) => Object.hasOwn(value, name));
  if (path !== undefined) return atPath(path, scope) ?? (literal && own(value, literal));
  if (literal) return own(value, literal);
  const call = callOf(value);
  if (call !== undefined) return callFunction(call, own(value, 'args'), scope, depth);
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MAX_ENTRIES)
      .map(([name, item]) => [name, resolve(item, scope, depth + 1)]),
  );
}

function atPath(path: string, { data, at }: Scope): unknown {
  const steps = stepsOf(path, at);
  return steps && valueAt(data, steps);
}

/** A call by its name, its arguments by theirs. */
function callFunction(name: string, given: unknown, scope: Scope, depth: number): unknown {
  const argument = (key: string): unknown => resolve(own(given, key), scope, depth + 1);
  if (name === '@index') return scope.index === undefined ? undefined : scope.index + Number(argument('offset') ?? 0);
  if (name !== 'formatString') return compute(name, argument, scope.locale);
  return interpolate(textOf(argument('value'), scope), {
    at: (path) => atPath(path, scope),
    // No templates in templates: what one holds twice would hold it four times in the next.
    call: (inner, values) => (inner === 'formatString' ? '' : callFunction(inner, values, scope, depth + 1)),
    words: (value) => textOf(value, scope),
  });
}

/** A value as words. */
export function textOf(value: unknown, { work }: Pick<Scope, 'work'>): string {
  if (typeof value === 'string') return value.slice(0, MAX_TEXT);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'object' || value === null) return '';
  return isSmall(value, { left: MAX_ENTRIES }, work) ? JSON.stringify(value).slice(0, MAX_TEXT) : '…';
}

/** Whether it is worth writing down: a pointer to all of the data costs as much as there is, each time. */
function isSmall(value: unknown, entries: { left: number }, work: { left: number }): boolean {
  entries.left -= 1;
  work.left -= 1;
  if (entries.left < 0 || work.left < 0) return false;
  if (typeof value === 'string') return value.length <= MAX_TEXT;
  if (typeof value !== 'object' || value === null) return true;
  for (const name in value) if (!isSmall(own(value, name), entries, work)) return false;
  return true;
}
