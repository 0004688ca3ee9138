import { enumerate } from '../../enumerate.ts';

/** The maximum path depth and list index, so that no frame can make the widget build huge objects. */
const MAX_DEPTH = 32;
const MAX_INDEX = 1023;
const REFUSED = new Set(['__proto__', 'prototype', 'constructor']);

/** Parses a path such as `tool_calls[0].function.arguments`. Returns its steps, or the reason why it is refused. */
export function parseFieldPath(path: string): readonly (string | number)[] | string {
  const steps: (string | number)[] = [];
  for (const part of path.split('.')) {
    const match = /^([^[\]]*)((?:\[\d+\])*)$/.exec(part);
    if (!match || (match[1] === '' && match[2] === '')) return `"${path}" is not a path.`;
    const [, name = '', indexes = ''] = match;
    if (REFUSED.has(name)) return `A path through "${name}" is refused.`;
    if (name) steps.push(name);
    for (const index of indexes.matchAll(/\d+/g)) {
      if (Number(index[0]) > MAX_INDEX) return `The index ${index[0]} is above ${String(MAX_INDEX)}.`;
      steps.push(Number(index[0]));
    }
  }
  return steps.length > MAX_DEPTH ? `The path is deeper than ${String(MAX_DEPTH)}.` : steps;
}

type Container = Record<string | number, unknown>;

/**
 * Sets the value at a path to `change(old value)` and creates missing objects and lists. Created objects have no
 * prototype, so that no name in a response has a special meaning.
 *
 * @returns the reason if the change is refused, otherwise undefined. A name in a list is refused, because it could set the
 * list's length, and an index in an object, because it would be a key there.
 */
export function setAtPath(
  target: Container,
  steps: readonly (string | number)[],
  change: (before: unknown) => unknown,
): string | undefined {
  let container = target;
  for (const [index, step] of enumerate(steps)) {
    if (Array.isArray(container) !== (typeof step === 'number')) {
      return typeof step === 'number'
        ? `[${String(step)}] is not a key of an object.`
        : `"${step}" is not an index of a list.`;
    }
    const next = steps[index + 1];
    if (next === undefined) {
      container[step] = change(container[step]);
      break;
    }
    const child = container[step];
    if (typeof child !== 'object' || child === null) {
      container[step] = typeof next === 'number' ? [] : (Object.create(null) as Container);
    }
    container = container[step] as Container;
  }
  return undefined;
}
