/** Applies JSON Patch (RFC 6902) from a server with the library `immutable-json-patch`. */
import { immutableJSONPatch, parseJSONPointer, type JSONPatchOperation } from 'immutable-json-patch';

/**
 * Limit of the document after a `copy`, in characters of JSON: repeated copies of a document into itself would exhaust
 * memory.
 */
const MAX_COPY_LENGTH = 1_000_000;

export type ApplyPatch = (document: unknown, patch: readonly unknown[]) => unknown;

/**
 * Returns the document with the patch applied; unchanged parts stay the same objects. Returns undefined, and applies
 * nothing, if any operation fails.
 */
export function applyPatch(document: unknown, patch: readonly unknown[]): unknown {
  try {
    // The library validates each operation itself.
    return immutableJSONPatch(document, patch as JSONPatchOperation[], {
      before: (state, { op, path, ...operation }) => {
        // The library ignores missing paths and follows inherited properties.
        if (!pathExists(state, path, op === 'add' || op === 'copy' || op === 'move')) throw new Error(path);
        if ('from' in operation && !pathExists(state, operation.from, false)) throw new Error(operation.from);
        return {};
      },
      after: (state, { op }) => {
        if (op === 'copy' && JSON.stringify(state).length > MAX_COPY_LENGTH) throw new Error('too much');
        return state;
      },
    });
  } catch {
    return undefined;
  }
}

/** Whether each step of a path is an own property; the last step may be new if `mayBeNew`. */
function pathExists(document: unknown, pointer: string, mayBeNew: boolean): boolean {
  if (pointer !== '' && !pointer.startsWith('/')) return false;
  const path = parseJSONPointer(pointer);
  let value = document;
  return path.every((name, index) => {
    if (typeof value !== 'object' || value === null || name === '__proto__') return false;
    const isNew = mayBeNew && index === path.length - 1;
    const size = Array.isArray(value) ? value.length : undefined;
    if (size !== undefined) {
      const position = name === '-' && isNew ? size : /^(?:0|[1-9]\d*)$/.test(name) ? Number(name) : Infinity;
      if (position > (isNew ? size : size - 1)) return false;
    } else if (!isNew && !Object.hasOwn(value, name)) return false;
    value = (value as Readonly<Record<string, unknown>>)[name];
    return true;
  });
}
