import { readText } from '../../src/transport/text.ts';
import { chunksOf, cutsOf, type Cut } from './cuts.ts';

type Reader<Item> = (chunks: AsyncIterable<string>) => AsyncIterable<readonly Item[]>;

/** All that a reader makes of pieces of a body. */
export async function readAll<Item>(read: Reader<Item>, { chunks }: Pick<Cut, 'chunks'>): Promise<readonly Item[]> {
  const items: Item[] = [];
  for await (const batch of read(readText(chunksOf(chunks), { maxStreamBytes: 1e8 }))) items.push(...batch);
  return items;
}

/** What a reader makes of a body; throws when a cut makes a difference. Its errors are told by their kind. */
export async function readEveryWay<Item>(body: string | Uint8Array, read: Reader<Item>): Promise<readonly Item[]> {
  const results = new Map<string, string>();
  for (const cut of cutsOf(body)) results.set(cut.name, JSON.stringify(await readAll(read, cut)));
  const [whole = ''] = results.values();
  for (const [name, result] of results) {
    if (result !== whole) throw new Error(`Cut ${name} it gives ${result} instead of ${whole}`);
  }
  return JSON.parse(whole) as readonly Item[];
}

/** The kind of the error that reading ends with, however the body is cut; `none` when it does not. */
export async function failureEveryWay<Item>(body: string | Uint8Array, read: Reader<Item>): Promise<string> {
  const kinds = new Set<string>();
  for (const cut of cutsOf(body)) {
    kinds.add(
      await readAll(read, cut).then(
        () => 'none',
        (error: unknown) => (error as { kind?: string }).kind ?? String(error),
      ),
    );
  }
  return [...kinds].join(' or ');
}
