/**
 * assistant-ui's shared state, which its servers change by operations: values that are set and texts that grow.
 * Source: `other.md`, "assistant-ui".
 */
import { z } from '../../model/schema.ts';
import { isRecord } from '../../model/json.ts';

const path = z.array(z.union([z.string(), z.number()]));
export const stateOperation = z.discriminatedUnion('type', [
  z.object({ type: z.literal('set'), path, value: z.unknown() }),
  z.object({ type: z.literal('append-text'), path, value: z.string() }),
]);
type StateOperation = z.infer<typeof stateOperation>;

const MAX_DEPTH = 64;
const REFUSED = new Set(['__proto__', 'prototype', 'constructor']);

/** The state after an operation; what it does not name stays the same object. Undefined when it can't be done. */
export function operate(state: unknown, operation: StateOperation): unknown {
  try {
    return changeAt(state, operation.path.map(String), (before) => {
      if (operation.type === 'set') return operation.value;
      if (typeof before !== 'string') throw new Error('This is no text.');
      return before + operation.value;
    });
  } catch {
    return undefined;
  }
}

function changeAt(value: unknown, steps: readonly string[], change: (before: unknown) => unknown): unknown {
  const [name, ...rest] = steps;
  if (name === undefined) return change(value);
  if (rest.length > MAX_DEPTH || REFUSED.has(name)) throw new Error('This path is refused.');
  if (Array.isArray(value)) {
    const index = Number(name);
    const list: readonly unknown[] = value;
    // One behind the last is a new one.
    if (!Number.isInteger(index) || index < 0 || index > list.length) throw new Error('There is no such place.');
    const next = [...list];
    next[index] = changeAt(list[index], rest, change);
    return next;
  }
  if (value !== undefined && value !== null && !isRecord(value)) throw new Error('Nothing can stand in this.');
  const before = value && Object.hasOwn(value, name) ? value[name] : undefined;
  return { ...value, [name]: changeAt(before, rest, change) };
}
