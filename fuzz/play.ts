/** Plays one body through an adapter and the reducer, cut in every way, and checks the invariants of the result. */
import { closeRun } from '../src/conversation/close-run.ts';
import type { ChatMessage } from '../src/model/message.ts';
import { ProtocolRegistry } from '../src/protocols/registry.ts';
import { detectProtocol } from '../src/runtime/stream/detect-protocol.ts';
import { ChatError } from '../src/errors.ts';
import { openFrames } from '../src/transport/open-frames.ts';
import { decodeUtf8 } from '../src/transport/text.ts';
import { bytesOf, chunksOf } from '../test/support/cuts.ts';
import { NOW, playBody, playEvents } from '../test/support/play-body.ts';

const registry = new ProtocolRegistry();

/** Returns a signature of the result; an input with a new signature is kept. @throws when an invariant fails */
export async function play(protocol: string, body: string): Promise<string> {
  const adapter = await registry.get(protocol)?.load();
  if (!adapter) throw new Error(`There is no protocol "${protocol}".`);
  const { framing } = await openFrames(decodeUtf8(chunksOf([bytesOf(body)]), { maxStreamBytes: 1e8 }));
  // Text without frames is not compared across cuts: the reported warnings differ with every cut.
  if ((framing === 'text' || framing === 'html') && protocol !== 'text') return `${protocol}: ${framing}`;
  const { messages, events, warnings, outcome } = await playBody(adapter, body);
  check(messages, outcome.status === 'streaming');
  const closed = closeRun(
    playEvents(events),
    { status: 'interrupted', finish: 'error' },
    { now: NOW, newId: () => 'z' },
  );
  check(closed.messages, false);
  for (const { blocks } of closed.messages)
    for (const { status } of blocks)
      if (status === 'loading' || status === 'pending') throw new Error(`A block stays ${status}.`);
  await find(body);
  if (Reflect.ownKeys(Object.prototype).length !== OWN_KEYS) throw new Error('Object.prototype was changed.');
  const reported = new Set([
    ...messages.flatMap(({ blocks }) => blocks.map(({ type, status }) => `${type} ${status}`)),
    ...warnings.map(({ kind }) => kind),
  ]);
  return `${protocol}: ${[...reported].sort().join(', ')}; ${outcome.status} ${outcome.finish}; ${String(Math.min(messages.length, 4))}`;
}

const OWN_KEYS = Reflect.ownKeys(Object.prototype).length;

function check(messages: readonly ChatMessage[], mayStream: boolean): void {
  const ids = messages.flatMap(({ id, blocks }) => [id, ...blocks.map((block) => block.id)]);
  if (new Set(ids).size !== ids.length) throw new Error('Two things have one id.');
  for (const { status, blocks } of messages) {
    if (status === 'streaming' && !mayStream) throw new Error('A message streams for ever.');
    let before = 0;
    for (const { timestamp } of blocks) {
      if (timestamp < before) throw new Error('Time goes backwards.');
      before = timestamp;
    }
  }
  // Stored and rendered data is JSON.
  JSON.stringify(messages);
}

/** Detection results in an adapter or a `ChatError`. */
async function find(body: string): Promise<void> {
  const stream = await openFrames(decodeUtf8(chunksOf([bytesOf(body)]), { maxStreamBytes: 1e8 }));
  try {
    await detectProtocol(stream, { url: new URL('https://a.example/agent'), headers: new Headers() }, registry.list());
  } catch (error) {
    if (!(error instanceof ChatError)) throw error;
  }
}
