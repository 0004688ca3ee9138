/** The headers that a page sets, in any of the forms that `fetch` accepts. `request/send-request.ts` adds them to a request. */

/** An object, `Headers` or pairs. A header whose value is `undefined` or `null` is not sent. */
export type PageHeaders =
  | Readonly<Record<string, string | null | undefined>>
  | Headers
  | readonly (readonly [name: string, value: string | null | undefined])[];

/** A page without types may set a number. */
type Entry = readonly [name: string, value: string | number | null | undefined];

/**
 * The headers as a plain object. Names keep their spelling, so that `transformRequest` sees them as the page wrote
 * them.
 */
export function toPlainHeaders(pageHeaders: PageHeaders | undefined): Readonly<Record<string, string>> {
  // A page without types may have none yet.
  const headers = (pageHeaders as PageHeaders | null | undefined) ?? {};
  const entries: Iterable<Entry> = isIterable(headers) ? headers : Object.entries(headers);
  return Object.fromEntries(
    [...entries].flatMap(([name, value]) => (value === undefined || value === null ? [] : [[name, String(value)]])),
  );
}

const isIterable = (headers: PageHeaders): headers is Headers | readonly (readonly [string, string])[] =>
  Symbol.iterator in headers;
