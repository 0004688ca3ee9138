type Fields = Readonly<Record<string, unknown>>;

/**
 * Merges the page's `body` into the fields of a request, for bodies that are not merged automatically. A `null` in the
 * page's `body` removes the field, as in all requests.
 */
export const withPageFields = (fields: Fields, page: Fields = {}): Fields =>
  Object.fromEntries(
    Object.entries({ ...fields, ...page }).filter(([name, value]) => page[name] !== null && value !== undefined),
  );
