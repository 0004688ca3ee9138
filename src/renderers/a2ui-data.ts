/** The data of a surface: read and written by JSON Pointer, with no way to a prototype. Source: A2UI, "Path resolution & scope". */

const UNSAFE = new Set(['__proto__', 'prototype', 'constructor']);
const MAX_STEPS = 32;
const MAX_LENGTH = 1024;
const MAX_INDEX = 1023;

export type Steps = readonly string[];

/** The steps of a pointer, or undefined for one that is not followed. One without a slash in front begins at `scope`. */
export function stepsOf(path: string, scope: Steps = []): Steps | undefined {
  if (path.length > MAX_LENGTH) return undefined;
  const own = path
    .split('/')
    .filter((step) => step !== '' && step !== '.')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const steps = path.startsWith('/') ? own : [...scope, ...own];
  return steps.length > MAX_STEPS || steps.some((step) => UNSAFE.has(step)) ? undefined : steps;
}

/** One own property; what is inherited is none. */
export const own = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;

export const valueAt = (data: unknown, steps: Steps): unknown => steps.reduce(own, data);

/**
 * Puts a value at a place, or without one takes away what is there, and gives the data back. It changes what it is given: data
 * of thousands of updates is not copied with each. What can't be put stays as it is.
 */
export function putAt(data: unknown, steps: Steps, value: unknown): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  const place = typeof data === 'object' && data !== null ? data : {};
  if (Array.isArray(place) && !(/^\d+$/.test(step) && Number(step) <= MAX_INDEX)) return place;
  const after = putAt(own(place, step), rest, value);
  if (after === undefined && !Array.isArray(place)) Reflect.deleteProperty(place, step);
  else Reflect.set(place, step, after);
  return place;
}
