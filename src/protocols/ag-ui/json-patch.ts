/** Applies JSON Patch (RFC 6902) from a server with the library `immutable-json-patch`. */
import { immutableJSONPatch, parseJSONPointer, type JSONPatchOperation } from 'immutable-json-patch';
import { enumerate } from '../../enumerate.ts';
import { isAffordable } from '../shared/change-budget.ts';

/**
 * Limit of the document after a `copy`, and of what one patch copies, in characters of JSON: repeated copies of a document
 * into itself would exhaust memory.
 */
const MAX_COPY_LENGTH = 1_000_000;

export type ApplyPatch = (document: unknown, patch: readonly unknown[]) => unknown;

/**
 * Returns the document with the patch applied; unchanged parts stay the same objects. Returns undefined, and applies
 * nothing, if any operation fails.
 */
export function applyPatch(document: unknown, patch: readonly unknown[]): unknown {
  let copied = 0;
  try {
    if (!isAffordable(document, patch.length)) return undefined;
    // The library validates each operation itself.
    const result: unknown = immutableJSONPatch(document, patch as JSONPatchOperation[], {
      before: (state, { op, path, ...operation }) => {
        // The library ignores missing paths and follows inherited properties.
        followPath(state, path, op === 'add' || op === 'copy' || op === 'move');
        if ('from' in operation) {
          const value = followPath(state, operation.from, false);
          if (op === 'copy') copied += JSON.stringify(value).length;
          if (copied > MAX_COPY_LENGTH) throw new Error('too much');
        }
        return {};
      },
    });
    return copied > 0 && JSON.stringify(result).length > MAX_COPY_LENGTH ? undefined : result;
  } catch {
    return undefined;
  }
}

/**
 * Follows a path, each step of which must be an own property; the last step may be new if `mayBeNew`.
 *
 * @returns the value there
 * @throws Error if there is no such path
 */
function followPath(document: unknown, pointer: string, mayBeNew: boolean): unknown {
  if (pointer !== '' && !pointer.startsWith('/')) throw new Error(pointer);
  const path = parseJSONPointer(pointer);
  let value = document;
  for (const [index, name] of enumerate(path)) {
    if (typeof value !== 'object' || value === null || name === '__proto__') throw new Error(pointer);
    const isNew = mayBeNew && index === path.length - 1;
    const size = Array.isArray(value) ? value.length : undefined;
    if (size !== undefined) {
      const position = name === '-' && isNew ? size : /^(?:0|[1-9]\d*)$/.test(name) ? Number(name) : Infinity;
      if (position > (isNew ? size : size - 1)) throw new Error(pointer);
    } else if (!isNew && !Object.hasOwn(value, name)) throw new Error(pointer);
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}
