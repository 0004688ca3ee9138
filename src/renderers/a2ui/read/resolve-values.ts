/** Resolves a property of a component: a literal, a pointer into the data, or a call. Source: A2UI, "Common types". */
import { own, stepsIn, valueAt, type Steps } from './data-model.ts';
import { CHARACTERS_PER_UNIT, compute, isFunction, ITEMS_PER_UNIT, type Work } from './functions.ts';
import { interpolate } from './interpolate.ts';

export interface ResolveScope {
  readonly data: unknown;
  /** The base of relative pointers: the current item of a list. */
  readonly at: Steps;
  readonly index?: number;
  readonly locale: string;
  /**
   * Whether a call of an unknown function is rendered as its name: in visible text, but not in values for the agent.
   */
  readonly namesUnknown?: boolean;
  /** Remaining budget of values to resolve: a short text that a list repeats can cause much work. */
  readonly work: Work;
}

const MAX_DEPTH = 8;
const MAX_ENTRIES = 500;
/** Maximum length of the text of one component (characters). */
const MAX_TEXT = 20_000;
const MAX_NAME = 60;

/** The spellings of `path` in A2UI 0.8 to 1.0. */
export const pointerOf = (value: unknown): string | undefined => {
  const path = own(value, 'path') ?? own(value, '@path');
  return typeof path === 'string' ? path : undefined;
};

const callOf = (value: unknown): string | undefined => {
  const call = own(value, 'call') ?? own(value, '@call');
  return typeof call === 'string' ? call : undefined;
};

const LITERALS = ['literal', 'literalString', 'literalNumber', 'literalBoolean', 'literalArray'];

/** The current value of the property. Undefined beyond the maximum depth. */
export function resolve(value: unknown, scope: ResolveScope, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  scope.work.left -= 1;
  if (depth > MAX_DEPTH || scope.work.left < 0) return undefined;
  if (Array.isArray(value)) {
    scope.work.left -= Math.min(value.length, MAX_ENTRIES) / ITEMS_PER_UNIT;
    return (value as unknown[]).slice(0, MAX_ENTRIES).map((item) => resolve(item, scope, depth + 1));
  }
  const path = pointerOf(value);
  const literal = LITERALS.find((name) => Object.hasOwn(value, name));
  if (path !== undefined) return atPath(path, scope) ?? (literal && own(value, literal));
  if (literal) return own(value, literal);
  const call = callOf(value);
  if (call !== undefined) return callFunction(call, own(value, 'args'), scope, depth);
  const entries = Object.entries(value);
  scope.work.left -= entries.length;
  return Object.fromEntries(
    entries.slice(0, MAX_ENTRIES).map(([name, item]) => [name, resolve(item, scope, depth + 1)]),
  );
}

function atPath(path: string, { data, at, work }: ResolveScope): unknown {
  work.left -= path.length / CHARACTERS_PER_UNIT;
  const steps = stepsIn(data, path, at);
  return steps && valueAt(data, steps);
}

/** Calls a function with its arguments by name. */
function callFunction(name: string, callArguments: unknown, scope: ResolveScope, depth: number): unknown {
  const argument = (key: string): unknown => resolve(own(callArguments, key), scope, depth + 1);
  if (name === '@index') return scope.index === undefined ? undefined : scope.index + Number(argument('offset') ?? 0);
  if (name !== 'formatString') {
    return isFunction(name) || !scope.namesUnknown
      ? compute(name, argument, scope.locale, scope.work)
      : `${name.slice(0, MAX_NAME)}()`;
  }
  const template = valueToText(argument('value'), scope);
  scope.work.left -= Math.ceil(template.length / CHARACTERS_PER_UNIT);
  if (scope.work.left < 0) return undefined;
  return interpolate(template, {
    at: (path) => {
      scope.work.left -= 1;
      return scope.work.left < 0 ? undefined : atPath(path, scope);
    },
    // No nested templates, because each level could double the output of the previous one.
    call: (inner, values) => (inner === 'formatString' ? '' : callFunction(inner, values, scope, depth + 1)),
    toText: (value) => valueToText(value, scope),
  });
}

/** Converts a value to text. */
export function valueToText(value: unknown, { work }: Pick<ResolveScope, 'work'>): string {
  if (typeof value === 'string') return value.slice(0, MAX_TEXT);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'object' || value === null) return '';
  return isSmall(value, { entries: MAX_ENTRIES, characters: MAX_TEXT }, work) ? JSON.stringify(value) : '…';
}

interface Size {
  entries: number;
  characters: number;
}

/** Whether a value is small enough to serialize: a pointer to the complete data would serialize all of it each time. */
function isSmall(value: unknown, size: Size, work: Work): boolean {
  size.entries -= 1;
  work.left -= 1;
  if (size.entries < 0 || work.left < 0) return false;
  if (typeof value === 'string') {
    size.characters -= value.length;
    work.left -= Math.min(value.length, MAX_TEXT) / CHARACTERS_PER_UNIT;
  }
  if (size.characters < 0) return false;
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value) && value.length > size.entries) return false;
  for (const name in value) {
    size.characters -= name.length;
    if (!isSmall(own(value, name), size, work)) return false;
  }
  return true;
}
