/** Writes parts of a server's JSON with the numbers that JavaScript has rounded as they were sent. */
import { exactNumbers } from '../../model/json.ts';

/** The number in a field as the server has sent it; undefined for anything that JavaScript does not round. */
function exactNumber(holder: object, name: string, value: unknown): string | undefined {
  const source = typeof value === 'number' ? exactNumbers.get(holder)?.get(name) : undefined;
  // The field may have got another number since.
  return source !== undefined && Number(source) === value ? source : undefined;
}

const { rawJSON } = JSON as { rawJSON?: (text: string) => unknown };

/**
 * Writes a part of a server's JSON with its numbers as they were sent. For what the server itself keeps: what the widget sends
 * back is rounded, and has to be shown as such.
 */
export const exactJson = (value: unknown, space?: number): string =>
  JSON.stringify(
    value,
    rawJSON &&
      function (this: object, name: string, field: unknown): unknown {
        const source = exactNumber(this, name, field);
        return source === undefined ? field : rawJSON(source);
      },
    space,
  );

/** The field of an object or a list as text: a string unchanged, anything else as `exactJson` writes it. */
export function exactText(holder: object, name: string | number, value: unknown): string {
  return typeof value === 'string' ? value : (exactNumber(holder, String(name), value) ?? exactJson(value));
}

/** A copy of an object of a server's JSON keeps the numbers as they were sent. */
export function keepExactNumbers<Copy extends object>(original: object, copy: Copy): Copy {
  const numbers = exactNumbers.get(original);
  if (numbers) exactNumbers.set(copy, numbers);
  return copy;
}
