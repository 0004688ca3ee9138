/**
 * Compares two lists of messages. Neither the order of fields nor fields that are undefined make a difference.
 *
 * Lists are compared and copied by structure, not as JSON text. Equal strings are mostly the same string object, so the
 * cost depends on the number of fields, not on the number of characters.
 */
import { isObject } from './normalize-message.ts';

/** Returns a deep copy of a list, for host pages that change theirs in place. Undefined if the list contains itself. */
export function messagesSnapshot(messages: readonly unknown[]): unknown {
  return catchOverflow(() => copyOf(messages));
}

/** Whether two values are deeply equal. A value that contains itself equals nothing. */
export function messagesEqual(left: unknown, right: unknown): boolean {
  return catchOverflow(() => equals(left, right)) ?? false;
}

/** Returns undefined if the call stack overflows. */
function catchOverflow<Result>(action: () => Result): Result | undefined {
  try {
    return action();
  } catch (error) {
    if (isOverflow(error)) return undefined;
    throw error;
  }
}

/** Firefox throws `InternalError` instead of `RangeError`. */
const isOverflow = (error: unknown): boolean =>
  error instanceof RangeError || (error instanceof Error && error.name === 'InternalError');

function copyOf(input: unknown): unknown {
  const value = toJsonValue(input);
  if (Array.isArray(value)) return value.map(copyOf);
  if (!isRecord(value)) return value;
  // A spread copy is fast, and most messages have few fields that are objects.
  const copy: Record<string, unknown> = { ...value };
  for (const key in copy)
    if (typeof copy[key] === 'object' || typeof copy[key] === 'function') copy[key] = copyOf(copy[key]);
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
    Object.keys(right).every((key) => left[key] !== undefined || toJsonValue(right[key]) === undefined)
  );
}

/** As in `JSON.stringify`: a date becomes its text, a function becomes undefined. */
function toJsonValue(value: unknown): unknown {
  if (typeof value === 'function') return undefined;
  return isRecord(value) && typeof value['toJSON'] === 'function' ? (value['toJSON'] as () => unknown)() : value;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => isObject(value);
