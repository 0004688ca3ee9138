/**
 * Iterates with the index, like `Array.prototype.entries()`, which Prototype.js deletes.
 * Source: `docs/guides/on-your-page.md`.
 */
export function* enumerate<Item>(items: Iterable<Item>): Generator<[index: number, item: Item]> {
  let index = 0;
  for (const item of items) yield [index++, item];
}
