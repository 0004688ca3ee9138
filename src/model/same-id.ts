/**
 * Whether two ids identify the same object. Missing and empty ids never match: two objects without an id are different.
 * Server ids are compared only here; `eslint.config.js` forbids `===` between them elsewhere.
 */
export const isSameId = (one: unknown, other: unknown): boolean => isId(one) && one === other;

/** Whether the value is a usable id. */
export const isId = (id: unknown): id is string | number =>
  (typeof id === 'string' && id !== '') || typeof id === 'number';
