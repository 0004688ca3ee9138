import { ChatError } from '../../src/errors.ts';
import type { ProtocolEntry } from '../../src/protocols/registry.ts';
import { detectProtocol } from '../../src/runtime/stream/detect-protocol.ts';
import { openFrames } from '../../src/transport/open-frames.ts';
import { decodeUtf8 } from '../../src/transport/text.ts';
import { chunksOf, cutsOf, type Cut } from './cuts.ts';

/** The detected protocol of a body, and whether all frames are passed on; else the error. */
async function findIn({ chunks }: Cut, url: string, entries: readonly ProtocolEntry[]): Promise<string> {
  const open = async () => openFrames(decodeUtf8(chunksOf(chunks), { maxStreamBytes: 1e8 }));
  const all = await joined((await open()).batches);
  try {
    const { entry, batches } = await detectProtocol(
      await open(),
      { url: new URL(url), headers: new Headers() },
      entries,
    );
    return (await joined(batches)) === all ? entry.id : `${entry.id}, but not all of it`;
  } catch (error) {
    if (!(error instanceof ChatError)) throw error;
    return `${error.kind} ${String(error.values['start'] ?? error.values['name'] ?? error.reason)}`;
  }
}

async function joined(batches: AsyncIterable<readonly { readonly data: string }[]>): Promise<string> {
  let text = '';
  for await (const batch of batches) text += batch.map(({ data }) => data).join('');
  return text;
}

/** The result if it is the same for every cut, else all results. */
export async function findProtocol(
  body: string | Uint8Array,
  entries: readonly ProtocolEntry[],
  url = 'https://a.example/agent',
): Promise<string> {
  const found = new Set<string>();
  for (const cut of cutsOf(body)) found.add(await findIn(cut, url, entries));
  return [...found].join(' or ');
}
