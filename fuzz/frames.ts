/** Fuzzes frames → events → blocks in Node, without bytes or a page: tens of thousands of frames per second. */
import { parseArgs } from 'node:util';
import { closeRun } from '../src/conversation/close-run.ts';
import { reduceRun, settleRun, type Run } from '../src/conversation/run.ts';
import { ChatError } from '../src/errors.ts';
import { chatMessage, type ChatMessage } from '../src/model/message.ts';
import { z } from '../src/model/schema.ts';
import type { Adapter, Warning } from '../src/protocols/core/adapter.ts';
import { toAgentEvent } from '../src/protocols/to-agent-event.ts';
import { outcomeOf, untilDoneMark } from '../src/runtime/stream/end-of-stream.ts';
import type { Frame } from '../src/transport/frame.ts';
import { decodeContext, emptyRun, NOW } from '../test/support/play-body.ts';
import { nameOf, randomStream, readVocabularies, type Vocabulary } from './frame-source.ts';
import { randomFrom, type Random } from './random.ts';

const { values } = parseArgs({
  allowPositionals: true,
  options: { frames: { type: 'string', default: '200000' }, seed: { type: 'string' }, protocol: { type: 'string' } },
});
/** Maximum number of printed failures. */
const SHOWN = 12;

const vocabularies = await readVocabularies(values.protocol);
const seed = Number(values.seed ?? Date.now() % 1e9);
const wanted = Number(values.frames);
/** Frames without an event or a warning, by name. They are listed, not failed, because some repeat known data. */
const lost = new Map<string, Frame>();
const silent = new Map<string, ReadonlySet<string>>();
for (const { id, adapter, recordings } of vocabularies) silent.set(id, await silentKinds(adapter, recordings));

const failures = new Map<string, number>();
const begun = performance.now();
let count = 0;
let streams = 0;
for (; count < wanted; streams++) {
  const random = randomFrom(seed + streams);
  const vocabulary = random.one(vocabularies);
  if (!vocabulary) break;
  const frames = randomStream(vocabulary, random);
  count += frames.length;
  try {
    await check(vocabulary, frames, random);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const key = `${vocabulary.id}: ${message.slice(0, 60)}`;
    const seen = failures.get(key) ?? 0;
    failures.set(key, seen + 1);
    if (seen > 0 || failures.size > SHOWN) continue;
    const fewest = await shrink(vocabulary, frames, message);
    console.log(`\n${vocabulary.id}, --seed ${String(seed + streams)}\n${message.slice(0, 1500)}`);
    for (const { event, data } of fewest) console.log(`  ${event ?? ''} ${data.slice(0, 400)}`);
  }
}
for (const [name, { data }] of [...lost].slice(0, SHOWN)) console.log(`no output: ${name} ${data.slice(0, 200)}`);
const seconds = (performance.now() - begun) / 1000;
for (const [key, times] of failures) console.log(`${String(times)} × ${key}`);
console.log(
  `${String(count)} frames in ${String(streams)} streams of ${String(vocabularies.length)} protocols, ` +
    `${String(Math.round(count / seconds))} frames/s, ${String(failures.size)} failures; the first seed was ${String(seed)}`,
);
process.exit(failures.size > 0 ? 1 : 0);

/** @throws Error that names the invariant that fails */
async function check({ id, adapter }: Vocabulary, frames: readonly Frame[], random: Random): Promise<void> {
  const whole = await play(adapter, [frames]);
  const single = await play(
    adapter,
    frames.map((frame) => [frame]),
    silent.get(id),
  );
  const cut = await play(adapter, randomCut(frames, random));
  for (const other of [single, cut]) {
    if (other.result !== whole.result) throw new Error(`A cut changes the messages:\n${other.result}\n${whole.result}`);
  }
  checkMessages(single.run.messages);
  const closed = closeRun(single.run, { status: 'interrupted', finish: 'error' }, { now: NOW, newId: () => 'z' });
  for (const { status, blocks } of closed.messages) {
    if (status === 'streaming') throw new Error('A message streams after its end.');
    const open = blocks.find((block) => block.status === 'loading' || block.status === 'pending');
    if (open) throw new Error(`A ${open.type} block stays ${open.status} after its end.`);
  }
  if (Object.keys(Object.prototype).length > 0) throw new Error('Object.prototype was changed.');
}

interface Played {
  readonly run: Run;
  /** The messages and the outcome as text. */
  readonly result: string;
}

/** @param quiet - the kinds of frames that may give neither an event nor a warning; without it that is not checked */
async function play(
  adapter: Adapter,
  batches: readonly (readonly Frame[])[],
  quiet?: ReadonlySet<string>,
): Promise<Played> {
  const warnings: Warning[] = [];
  const context = decodeContext(warnings);
  const mark = { done: false };
  let blocks = 0;
  const newId = (): string => `b${String(++blocks)}`;
  let run = emptyRun();
  let outputs = 0;
  let before = { frame: undefined as Frame | undefined, outputs: 0 };
  const feed = async function* (): AsyncGenerator<readonly Frame[]> {
    for (const batch of batches) {
      if (quiet) checkCounted(before.frame, outputs + warnings.length - before.outputs, quiet);
      before = { frame: batch[0], outputs: outputs + warnings.length };
      yield await Promise.resolve(batch);
    }
  };
  for await (const batch of adapter.decode(untilDoneMark(feed(), mark), { ...context, saidDone: () => mark.done })) {
    outputs += batch.length;
    for (const event of batch) {
      const next = reduceRun(run, toAgentEvent(event, context.eventId), { now: NOW, newId });
      if (quiet) checkGrowth(run, next, event.type === 'response' && event.data.message?.replace === true);
      run = next;
    }
  }
  const outcome = outcomeText(run, mark.done);
  return {
    run,
    result: JSON.stringify([settleRun(run, { status: 'complete', finish: 'complete' }).messages, outcome]),
  };
}

function outcomeText(run: Run, done: boolean): string {
  try {
    return JSON.stringify(outcomeOf(run, done));
  } catch (error) {
    if (!(error instanceof ChatError)) throw error;
    return error.reason;
  }
}

/** A frame whose kind causes events in every recording must cause an event or a warning. */
function checkCounted(frame: Frame | undefined, outputs: number, quiet: ReadonlySet<string>): void {
  if (!frame || outputs > 0 || frame.data === '' || quiet.has(nameOf(frame))) return;
  lost.set(nameOf(frame), frame);
}

/** The kinds of frames that cause no event in a recording. */
async function silentKinds(adapter: Adapter, recordings: readonly (readonly Frame[])[]): Promise<ReadonlySet<string>> {
  const kinds = new Set<string>();
  for (const frames of recordings) {
    lost.clear();
    await play(
      adapter,
      frames.map((frame) => [frame]),
      new Set(),
    );
    for (const kind of lost.keys()) kinds.add(kind);
  }
  lost.clear();
  return kinds;
}

/** Messages stay, finished calls stay finished, and text only grows, unless its message is replaced. */
function checkGrowth(before: Run, after: Run, replaces: boolean): void {
  if (before === after) return;
  for (const [index, message] of before.messages.entries()) {
    const next = after.messages[index];
    if (next === message) continue;
    if (next?.id !== message.id) throw new Error('A message vanished or changed its id.');
    for (const block of message.blocks) {
      const now = next.blocks.find(({ id }) => id === block.id);
      if (!now && !replaces) throw new Error(`A ${block.type} block vanished.`);
      if (block.type === 'tool_call' && block.status !== 'loading' && now?.status === 'loading')
        throw new Error('A finished call runs again.');
      if (block.type === 'content' && now?.type === 'content' && !now.content.startsWith(block.content) && !replaces)
        throw new Error('Text that was shown changed.');
    }
  }
}

function checkMessages(messages: readonly ChatMessage[]): void {
  const ids = messages.flatMap(({ id, blocks }) => [id, ...blocks.map((block) => block.id)]);
  if (new Set(ids).size !== ids.length) throw new Error('Two things have one id.');
  for (const message of messages) {
    const parsed = z.safeParse(chatMessage, message);
    if (!parsed.success)
      throw new Error(`A message breaks its schema: ${JSON.stringify(parsed.error.issues).slice(0, 300)}`);
    const blocks = new Set(message.blocks.map(({ id }) => id));
    const orphan = message.blocks.find(({ parentId }) => parentId !== undefined && !blocks.has(parentId));
    if (orphan) throw new Error(`A ${orphan.type} block has a parent that is not in its message.`);
  }
}

function randomCut(frames: readonly Frame[], random: Random): readonly (readonly Frame[])[] {
  const batches: (readonly Frame[])[] = [];
  for (let at = 0; at < frames.length;) {
    const end = at + 1 + random.below(7);
    batches.push(frames.slice(at, end));
    at = end;
  }
  return batches;
}

/** Reduces a failing stream by dropping one frame at a time. */
async function shrink(vocabulary: Vocabulary, frames: readonly Frame[], message: string): Promise<readonly Frame[]> {
  let fewest = frames;
  for (let at = 0; at < fewest.length;) {
    const fewer = fewest.toSpliced(at, 1);
    const same = await check(vocabulary, fewer, randomFrom(1)).then(
      () => false,
      (error: unknown) => error instanceof Error && error.message.slice(0, 30) === message.slice(0, 30),
    );
    if (same) fewest = fewer;
    else at++;
  }
  return fewest;
}
