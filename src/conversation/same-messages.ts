/**
 * Whether two lists of messages say the same. The order of fields says nothing, and neither does a field that is undefined.
 *
 * Lists are compared and kept as what they are made of, not as text: equal strings are mostly the same string, so that this costs
 * what a conversation has fields, not what it has characters.
 */
import { isObject } from './fill-message.ts';

/** A list as it is now, for a page that goes on to change it in place. Undefined where it contains itself. */
export function snapshotOf(messages: readonly unknown[]): unknown {
  return orNothing(() => copyOf(messages));
}

/** What contains itself equals nothing. */
export function isSame(left: unknown, right: unknown): boolean {
  return orNothing(() => equals(left, right)) ?? false;
}

/** Undefined where the stack does not suffice. */
function orNothing<Result>(act: () => Result): Result | undefined {
  try {
    return act();
  } catch (error) {
    if (isOverflow(error)) return undefined;
    throw error;
  }
}

/** Firefox has an error of its own for it. */
const isOverflow = (error: unknown): boolean =>
  error instanceof RangeError || (error instanceof Error && error.name === 'InternalError');

function copyOf(given: unknown): unknown {
  const value = plain(given);
  if (Array.isArray(value)) return value.map(copyOf);
  if (!isRecord(value)) return value;
  // Copied as a whole, which is quick: of most messages nothing in it is an object.
  const copy: Record<string, unknown> = { ...value };
  for (const key in copy)
    if (typeof copy[key] === 'object' || typeof copy[key] === 'function') copy[key] = copyOf(copy[key]);
  return copy;
}

function equals(leftGiven: unknown, rightGiven: unknown): boolean {
  if (leftGiven === rightGiven) return true;
  const [left, right] = [plain(leftGiven), plain(rightGiven)];
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => equals(item, right[index]));
  }
  if (!isRecord(left) || !isRecord(right) || Array.isArray(left) !== Array.isArray(right)) return left === right;
  return (
    Object.keys(left).every((key) => equals(left[key], right[key])) &&
    Object.keys(right).every((key) => left[key] !== undefined || plain(right[key]) === undefined)
  );
}

/** As JSON has it: a date is its text, a function is nothing. */
function plain(value: unknown): unknown {
  if (typeof value === 'function') return undefined;
  return isRecord(value) && typeof value['toJSON'] === 'function' ? (value['toJSON'] as () => unknown)() : value;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => isObject(value);
