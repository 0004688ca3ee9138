/**
 * Compares and copies lists of messages. The order of fields makes no difference, and a field that is undefined counts as missing.
 *
 * The functions visit each value instead of comparing JSON texts. Most equal strings are the same string in memory, so the cost
 * depends on the number of fields, not on the number of characters.
 */
import { isObject } from './normalize-message.ts';

/**
 * Returns a deep copy of a list. Compared with the list later, it shows whether the host page has changed the list in place.
 * Undefined if the list has a circular reference.
 */
export function messagesSnapshot(messages: readonly unknown[]): unknown {
  return catchStackOverflow(() => deepCopy(messages));
}

/** Whether two values are deeply equal. False if circular references would make the comparison endless. */
export function messagesEqual(left: unknown, right: unknown): boolean {
  return catchStackOverflow(() => deepEqual(left, right)) ?? false;
}

/** Returns undefined if the call stack overflows. */
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
  // A spread copy is fast, and most messages have few fields that are objects.
  const copy: Record<string, unknown> = { ...value };
  for (const key in copy)
    if (typeof copy[key] === 'object' || typeof copy[key] === 'function') copy[key] = deepCopy(copy[key]);
  return copy;
}

function deepEqual(leftInput: unknown, rightInput: unknown): boolean {
  if (leftInput === rightInput) return true;
  const [left, right] = [toJsonValue(leftInput), toJsonValue(rightInput)];
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => deepEqual(item, right[index]));
  }
  if (!isRecord(left) || !isRecord(right) || Array.isArray(left) !== Array.isArray(right)) return left === right;
  return (
    Object.keys(left).every((key) => deepEqual(left[key], right[key])) &&
    Object.keys(right).every((key) => left[key] !== undefined || toJsonValue(right[key]) === undefined)
  );
}

/** Converts a value as `JSON.stringify` does: a date to its ISO string, a function to undefined. */
function toJsonValue(value: unknown): unknown {
  if (typeof value === 'function') return undefined;
  return isRecord(value) && typeof value['toJSON'] === 'function' ? (value['toJSON'] as () => unknown)() : value;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => isObject(value);
