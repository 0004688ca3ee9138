/**
 * Compares and copies lists of messages. The comparison ignores the order of fields, and fields that are undefined.
 *
 * Values are walked, not converted to JSON text. A copy shares its strings with the original, and a string that is compared
 * with itself is not read. So the cost depends on the number of fields, not on the number of characters.
 */
import { isObject } from './normalize-message.ts';

/** Returns a deep copy of a list, because host pages may mutate theirs. Undefined if the list has a cyclic reference. */
export function messagesSnapshot(messages: readonly unknown[]): unknown {
  return catchStackOverflow(() => deepCopy(messages));
}

/** Whether two values are deeply equal. A value with a cyclic reference equals only itself. */
export function messagesEqual(left: unknown, right: unknown): boolean {
  return catchStackOverflow(() => equals(left, right)) ?? false;
}

/** Returns undefined if the call stack overflows, as it does on a cyclic reference. */
function catchStackOverflow<Result>(action: () => Result): Result | undefined {
  try {
    return action();
  } catch (error) {
    if (isStackOverflow(error)) return undefined;
    throw error;
  }
}

/** Firefox throws `InternalError` instead of `RangeError`. */
const isStackOverflow = (error: unknown): boolean =>
  error instanceof RangeError || (error instanceof Error && error.name === 'InternalError');

function deepCopy(input: unknown): unknown {
  const value = toJsonValue(input);
  if (Array.isArray(value)) return value.map(deepCopy);
  if (!isRecord(value)) return value;
  // A spread copies all fields quickly. Only the few that are objects need a deep copy.
  const copy: Record<string, unknown> = { ...value };
  for (const key in copy)
    if (typeof copy[key] === 'object' || typeof copy[key] === 'function') copy[key] = deepCopy(copy[key]);
  return copy;
}

function equals(leftInput: unknown, rightInput: unknown): boolean {
  if (leftInput === rightInput) return true;
  const [left, right] = [toJsonValue(leftInput), toJsonValue(rightInput)];
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => equals(item, right[index]));
  }
  if (!isRecord(left) || !isRecord(right) || Array.isArray(left) !== Array.isArray(right)) return left === right;
  return (
    Object.keys(left).every((key) => equals(left[key], right[key])) &&
    // Fields that both have are equal already. Those that only `right` has must be undefined.
    Object.keys(right).every((key) => left[key] !== undefined || toJsonValue(right[key]) === undefined)
  );
}

/** Converts one value as `JSON.stringify` would, but not its fields: a date becomes its text, a function becomes undefined. */
function toJsonValue(value: unknown): unknown {
  if (typeof value === 'function') return undefined;
  return isRecord(value) && typeof value['toJSON'] === 'function' ? (value['toJSON'] as () => unknown)() : value;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => isObject(value);
