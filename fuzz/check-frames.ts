/** Plays a stream of frames in several splits through decoder and reducer, and checks the invariants. */
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
import { nameOf, parse, type Vocabulary } from './frame-source.ts';
import type { Random } from './random.ts';

/** Frames without an event or a warning, by protocol and kind. */
export const quiet = new Map<string, Frame>();

/** @throws Error that names the invariant that fails */
export async function checkFrames(vocabulary: Vocabulary, frames: readonly Frame[], random: Random): Promise<void> {
  const { adapter } = vocabulary;
  const single = await play(
    adapter,
    frames.map((frame) => [frame]),
    vocabulary,
  );
  // Frame by frame and complete are the extremes. A random split rarely finds what they do not.
  for (const batches of random.below(8) === 0 ? [[frames], randomCut(frames, random)] : [[frames]]) {
    const { result } = await play(adapter, batches);
    if (result !== single.result) throw new Error(`A cut changes the messages:\n${result}\n${single.result}`);
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

/** @param counted - the vocabulary whose single frames must give an event or a warning; without it that is not checked */
async function play(adapter: Adapter, batches: readonly (readonly Frame[])[], counted?: Vocabulary): Promise<Played> {
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
      if (counted) checkCounted(before.frame, outputs + warnings.length - before.outputs, counted);
      before = { frame: batch[0], outputs: outputs + warnings.length };
      yield await Promise.resolve(batch);
    }
  };
  for await (const batch of adapter.decode(untilDoneMark(feed(), mark), { ...context, hasDoneMark: () => mark.done })) {
    outputs += batch.length;
    for (const event of batch) {
      const next = reduceRun(run, toAgentEvent(event, context.eventId), { now: NOW, newId });
      if (counted) checkGrowth(run, next, event.type === 'response' && event.data.message?.replace === true);
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

/**
 * A frame that is not JSON must cause an event or a warning. Other frames without output are listed, not failed: a repeated
 * event, a frame after the end of the reply, white space that is held back.
 */
function checkCounted(frame: Frame | undefined, outputs: number, { id, silent, json }: Vocabulary): void {
  if (!frame || outputs > 0 || frame.data.trim() === '' || frame.data === '[DONE]') return;
  if (json && parse(frame.data) === undefined)
    throw new Error(`A frame was lost uncounted: ${frame.data.slice(0, 200)}`);
  const name = `${id} ${nameOf(frame)}`;
  if (!silent.has(name)) quiet.set(name, frame);
}

/** The kinds of frames that cause neither an event nor a warning in a recording. */
export async function silentKinds(vocabulary: Vocabulary): Promise<ReadonlySet<string>> {
  const before = [...quiet];
  quiet.clear();
  for (const frames of vocabulary.recordings) {
    const single = frames.map((frame) => [frame]);
    await play(vocabulary.adapter, single, { ...vocabulary, json: false });
  }
  const kinds = new Set(quiet.keys());
  quiet.clear();
  for (const [name, frame] of before) quiet.set(name, frame);
  return kinds;
}

/** Messages stay, finished calls stay finished, and text only grows, unless its message is replaced. */
function checkGrowth(before: Run, after: Run, replaces: boolean): void {
  if (before === after) return;
  for (const [index, message] of before.messages.entries()) {
    const next = after.messages[index];
    if (next === message) continue;
    if (next?.id !== message.id) throw new Error('A message vanished or changed its id.');
    for (const [position, block] of message.blocks.entries()) {
      const same = next.blocks[position];
      if (same === block) continue;
      const now = same?.id === block.id ? same : next.blocks.find(({ id }) => id === block.id);
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
