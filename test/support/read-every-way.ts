import { decodeUtf8 } from '../../src/transport/text.ts';
import { chunksOf, cutsOf, type Cut } from './cuts.ts';

type Reader<Item> = (chunks: AsyncIterable<string>) => AsyncIterable<readonly Item[]>;

/** All values that a parser yields for the chunks of a body. */
export async function readAll<Item>(read: Reader<Item>, { chunks }: Pick<Cut, 'chunks'>): Promise<readonly Item[]> {
  const items: Item[] = [];
  for await (const batch of read(decodeUtf8(chunksOf(chunks), { maxStreamBytes: 1e8 }))) items.push(...batch);
  return items;
}

/** The values that a parser yields for a body; throws if a cut makes a difference. Errors are compared by kind. */
export async function readEveryWay<Item>(body: string | Uint8Array, read: Reader<Item>): Promise<readonly Item[]> {
  const results = new Map<string, string>();
  for (const cut of cutsOf(body)) results.set(cut.name, JSON.stringify(await readAll(read, cut)));
  const [whole = ''] = results.values();
  for (const [name, result] of results) {
    if (result !== whole) throw new Error(`Cut ${name} it gives ${result} instead of ${whole}`);
  }
  return JSON.parse(whole) as readonly Item[];
}

/** The kind of the parser's error, however the body is cut; `none` without an error. */
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
