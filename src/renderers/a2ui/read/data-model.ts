/**
 * The data model of a surface, accessed by JSON Pointer and without access to prototypes. Source: A2UI, "Path
 * resolution & scope".
 */

const UNSAFE = new Set(['__proto__', 'prototype', 'constructor']);
const MAX_STEPS = 32;
const MAX_LENGTH = 1024;
const MAX_INDEX = 1023;

export type Steps = readonly string[];

/** The steps of a pointer; undefined if it is invalid. A pointer without a leading slash is relative to `scope`. */
export function stepsOf(path: string, scope: Steps = []): Steps | undefined {
  if (path.length > MAX_LENGTH) return undefined;
  const ownSteps = path
    .split('/')
    .filter((step) => step !== '' && step !== '.')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const steps = path.startsWith('/') ? ownSteps : [...scope, ...ownSteps];
  return steps.length > MAX_STEPS || steps.some((step) => UNSAFE.has(step)) ? undefined : steps;
}

/** Reads one own property; inherited properties are ignored. */
export const own = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;

export const valueAt = (data: unknown, steps: Steps): unknown => steps.reduce(own, data);

/**
 * The steps of a pointer in an item of a list, whose own steps are `at`. An absolute pointer that names nothing in the
 * data is read in the item: A2UI's sample agents write `/name` for the name of each item.
 */
export function stepsIn(data: unknown, path: string, at: Steps): Steps | undefined {
  const steps = stepsOf(path, at);
  if (!path.startsWith('/') || at.length === 0 || !steps || valueAt(data, steps) !== undefined) return steps;
  const inItem = stepsOf(path.slice(1), at);
  return inItem && valueAt(data, inItem) !== undefined ? inItem : steps;
}

/**
 * Sets the value at a path, or deletes it if there is no value, and returns the data. The data are changed in place,
 * because copying them for each of thousands of updates is too slow. An invalid path changes nothing.
 */
export function putAt(data: unknown, steps: Steps, value: unknown): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  const container = typeof data === 'object' && data !== null ? data : {};
  if (Array.isArray(container) && !(/^\d+$/.test(step) && Number(step) <= MAX_INDEX)) return container;
  const after = putAt(own(container, step), rest, value);
  if (after === undefined && !Array.isArray(container)) Reflect.deleteProperty(container, step);
  else Reflect.set(container, step, after);
  return container;
}

const lengthOf = (value: unknown): number => (value === undefined ? 0 : JSON.stringify(value).length);

/** A copy of the data with other values at these paths. */
export const withValues = (data: unknown, paths: readonly string[], change: (value: unknown) => unknown): unknown =>
  [...new Set(paths)].reduce((other: unknown, path) => {
    const steps = stepsOf(path);
    return steps ? putAt(other, steps, change(valueAt(data, steps))) : other;
  }, structuredClone(data));

/** A copy of the data with other values at these paths, which have nothing in common with those there. */
export const withOtherValues = (data: unknown, paths: readonly string[]): unknown =>
  withValues(data, paths, (value) => '\u2022'.repeat(lengthOf(value) + 1));
