/**
 * The shared state of assistant-ui, a chat library for React. Its servers change the state with operations that set values
 * or append text.
 * Source: `docs/protocols/assistant-transport.md`.
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

/**
 * Returns the state after an operation; unaffected parts keep their object identity. Returns undefined when the
 * operation is invalid.
 */
export function applyStateOperation(state: unknown, operation: StateOperation): unknown {
  try {
    return changeAt(state, operation.path.map(String), (before) => {
      if (operation.type === 'set') return operation.value;
      if (typeof before !== 'string') throw new Error('This is not text.');
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
    // The index after the last item appends an item.
    if (!Number.isInteger(index) || index < 0 || index > list.length) throw new Error('This index does not exist.');
    const next = [...list];
    next[index] = changeAt(list[index], rest, change);
    return next;
  }
  if (value !== undefined && value !== null && !isRecord(value)) throw new Error('This value has no fields.');
  const before = value && Object.hasOwn(value, name) ? value[name] : undefined;
  return { ...value, [name]: changeAt(before, rest, change) };
}
