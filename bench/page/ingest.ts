/** Converts the text of a stream to the blocks of a message, without rendering. */
import { mergeDeltas } from '../../src/conversation/merge-deltas.ts';
import { reduceRun, startRun } from '../../src/conversation/run.ts';
import type { Adapter } from '../../src/protocols/core/adapter.ts';
import { toAgentEvent } from '../../src/protocols/to-agent-event.ts';
import { protocols } from '../../src/protocols/registry.ts';
import { openFrames } from '../../src/transport/open-frames.ts';
import { tokensOf } from '../corpora/cut.ts';
import { wires, type WireName } from '../corpora/events.ts';
import { mixed } from '../corpora/mixed.ts';

/** About the size of one network read. */
const READ = 16 * 1024;
const DATA = /^data: (\{.*)$/gm;

let adapter: Adapter | undefined;
let completeText = '';
let reads: readonly string[] = [];
let texts: readonly string[] = [];

/** Returns the number of events. */
export async function prepare(name: WireName, length: number): Promise<number> {
  adapter = await protocols.get(name)?.load();
  completeText = mixed(length);
  const { begin, event, end } = wires[name];
  const stream = begin + tokensOf(completeText).map(event).join('') + end;
  reads = Array.from({ length: Math.ceil(stream.length / READ) }, (_, read) =>
    stream.slice(read * READ, (read + 1) * READ),
  );
  texts = [...stream.matchAll(DATA)].map(([, json = '']) => json);
  return texts.length;
}

/** `JSON.parse` alone, with the same texts. */
export function parseAlone(): number {
  let objects = 0;
  for (const text of texts) if (typeof JSON.parse(text) === 'object') objects++;
  return objects;
}

/** The steps of the runtime: frames, events, blocks. */
export async function ingest(): Promise<void> {
  if (!adapter) throw new Error('There is no such adapter.');
  let ids = 0;
  const newId = (): string => String(++ids);
  const { batches } = await openFrames(chunks(), { framing: 'sse' });
  const decoded = adapter.decode(batches, {
    eventId: 'e1',
    turn: { text: '', messages: [], threadId: 't1', answers: [] },
    report: ({ detail }) => {
      throw new Error(detail);
    },
    newId,
    now: Date.now,
    delay: () => Promise.resolve(),
  });
  let run = startRun({ id: newId(), role: 'assistant', status: 'streaming', blocks: [], timestamp: Date.now() });
  for await (const batch of decoded) {
    const events = batch.map((event) => toAgentEvent(event, 'e1'));
    for (const { event } of mergeDeltas(events)) run = reduceRun(run, event, { now: Date.now(), newId });
  }
  const [block] = run.messages[0]?.blocks ?? [];
  if (block?.type !== 'content' || block.content !== completeText) throw new Error('The blocks are not what was sent.');
}

async function* chunks(): AsyncGenerator<string> {
  for (const read of reads) yield await Promise.resolve(read);
}
