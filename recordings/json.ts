/** Reads unknown JSON without a schema. Nothing here is shared with `src/`, because recordings check `src/`. */
export type Fields = Readonly<Record<string, unknown>>;

/** An object's fields; of anything else, none. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a path of field names and list positions. */
export const at = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (found, name) => (typeof name === 'number' ? listOf(found)[name] : fieldsOf(found)[name]),
    value,
  );

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

/** A string; of anything else, none. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The first of several values that is a string with content. */
export const firstText = (...values: readonly unknown[]): string =>
  values.map(textOf).find((text) => text !== '') ?? '';

/** Parses JSON; undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** JSON text with sorted fields, to compare values. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_name, part: unknown) =>
    isFields(part) ? Object.fromEntries(Object.entries(part).sort(([left], [right]) => (left < right ? -1 : 1))) : part,
  );
