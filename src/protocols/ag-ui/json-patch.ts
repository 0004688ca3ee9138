/** JSON Patch (RFC 6902) as it comes from a server, by the library `immutable-json-patch`. */
import { immutableJSONPatch, parseJSONPointer, type JSONPatchOperation } from 'immutable-json-patch';

/** A few copies of a document into itself are more than a page can hold. Characters of JSON. */
const MOST_COPIED = 1_000_000;

export type ApplyPatch = (document: unknown, patch: readonly unknown[]) => unknown;

/**
 * The document with the patch applied; what it does not change stays the same object. Undefined when any of the operations
 * can't be done: then none of them is.
 */
export function applyPatch(document: unknown, patch: readonly unknown[]): unknown {
  try {
    // The library checks each operation itself.
    return immutableJSONPatch(document, patch as JSONPatchOperation[], {
      before: (state, { op, path, ...operation }) => {
        // The library passes over what is not there, and finds what every object inherits.
        if (!leadsTo(state, path, op === 'add' || op === 'copy' || op === 'move')) throw new Error(path);
        if ('from' in operation && !leadsTo(state, operation.from, false)) throw new Error(operation.from);
        return {};
      },
      after: (state, { op }) => {
        if (op === 'copy' && JSON.stringify(state).length > MOST_COPIED) throw new Error('too much');
        return state;
      },
    });
  } catch {
    return undefined;
  }
}

/** Whether every step of a path is an own field, or the last one may be made. */
function leadsTo(document: unknown, pointer: string, mayBeNew: boolean): boolean {
  if (pointer !== '' && !pointer.startsWith('/')) return false;
  const path = parseJSONPointer(pointer);
  let value = document;
  return path.every((name, index) => {
    if (typeof value !== 'object' || value === null || name === '__proto__') return false;
    const isNew = mayBeNew && index === path.length - 1;
    const size = Array.isArray(value) ? value.length : undefined;
    if (size !== undefined) {
      const place = name === '-' && isNew ? size : /^(?:0|[1-9]\d*)$/.test(name) ? Number(name) : Infinity;
      if (place > (isNew ? size : size - 1)) return false;
    } else if (!isNew && !Object.hasOwn(value, name)) return false;
    value = (value as Readonly<Record<string, unknown>>)[name];
    return true;
  });
}
