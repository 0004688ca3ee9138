/** How deep a path may go and how far an index, so that no message of the wire makes us build giants. */
const MAX_DEPTH = 32;
const MAX_INDEX = 1023;
const REFUSED = new Set(['__proto__', 'prototype', 'constructor']);

/** The steps of a path such as `tool_calls[0].function.arguments`, or the reason why it is refused. */
export function parsePath(path: string): readonly (string | number)[] | string {
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
 * Puts `change(old value)` at a path, making the objects and lists on the way. Objects have no prototype, so that no name of
 * the wire means anything else than itself.
 *
 * @returns why it is refused: a name in a list could set its length, an index in an object means another object
 */
export function changeAt(
  target: Container,
  steps: readonly (string | number)[],
  change: (before: unknown) => unknown,
): string | undefined {
  let place = target;
  for (const [index, step] of steps.entries()) {
    if (Array.isArray(place) !== (typeof step === 'number')) {
      return typeof step === 'number'
        ? `[${String(step)}] is no place in an object.`
        : `"${step}" is no place in a list.`;
    }
    const next = steps[index + 1];
    if (next === undefined) {
      place[step] = change(place[step]);
      break;
    }
    const inside = place[step];
    if (typeof inside !== 'object' || inside === null) {
      place[step] = typeof next === 'number' ? [] : (Object.create(null) as Container);
    }
    place = place[step] as Container;
  }
  return undefined;
}
