/** The complete way of a body, from its bytes to the user's messages, with a fixed clock and counted ids. */
import { nextRound, reduceRun, settleRun, startRun, type RunOutcome, type Run } from '../../src/conversation/run.ts';
import { ChatError } from '../../src/errors.ts';
import type { LLMAgentEvent } from '../../src/model/events/agent-events.ts';
import type { ChatMessage } from '../../src/model/message.ts';
import type { Adapter, DecodeContext, RequestOptions, Turn, Warning } from '../../src/protocols/core/adapter.ts';
import { toAgentEvent } from '../../src/protocols/to-agent-event.ts';
import { isRecord } from '../../src/model/json.ts';
import { outcomeOf, untilDoneMark } from '../../src/runtime/stream/end-of-stream.ts';
import type { Frame } from '../../src/transport/frame.ts';
import { openFrames } from '../../src/transport/open-frames.ts';
import { decodeUtf8 } from '../../src/transport/text.ts';
import { bareMessage, type ExpectedFields } from './bare.ts';
import { chunksOf, cutsOf } from './cuts.ts';

export const NOW = 1_700_000_000_000;

export const emptyTurn: Turn = { text: '', messages: [], threadId: 'thread', answers: [] };

/** The options of a request to a server without preparatory requests. */
export const requestOptions: RequestOptions = {
  url: 'https://a.example/chat',
  ask: ({ url }) => Promise.reject(new Error(`Nothing answers at ${url}.`)),
};

export interface Played {
  readonly messages: readonly ChatMessage[];
  readonly events: readonly LLMAgentEvent[];
  readonly warnings: readonly Warning[];
  readonly outcome: RunOutcome;
  /** Why the stream was interrupted, if it was. */
  readonly problem?: string;
}

/** The context of a decoder, with nothing that changes from run to run. */
export function decodeContext(warnings: Warning[] = [], delay?: DecodeContext['delay']): DecodeContext<never> {
  let count = 0;
  return {
    eventId: 'reply',
    turn: emptyTurn,
    report: (warning) => warnings.push(warning),
    newId: () => `new${String(++count)}`,
    now: () => NOW,
    delay: delay ?? (() => new Promise(() => undefined)),
  };
}

/** A run with its first, empty message. */
export const emptyRun = (): Run =>
  startRun({ id: 'm', role: 'assistant', status: 'streaming', blocks: [], timestamp: NOW });

/** Ids `b1`, `b2`, … for blocks and messages. */
function countIds(): () => string {
  let count = 0;
  return () => `b${String(++count)}`;
}

/** Adds events to a run. A caller that adds them in parts counts ids over all of them. */
export function playEvents(events: readonly LLMAgentEvent[], run: Run = emptyRun(), newId = countIds()): Run {
  return events.reduce((next, event) => reduceRun(next, event, { now: NOW, newId }), run);
}

/** The bodies of one turn, one for each round, cut in every way. */
async function playRounds(adapter: Adapter, rounds: readonly (readonly Uint8Array[])[]): Promise<Played> {
  const warnings: Warning[] = [];
  const events: LLMAgentEvent[] = [];
  const context = decodeContext(warnings);
  const newId = countIds();
  let run = emptyRun();
  let ended: Pick<Played, 'outcome' | 'problem'> = { outcome: { status: 'interrupted', finish: 'error' } };
  for (const [index, chunks] of rounds.entries()) {
    if (index > 0) run = nextRound(run);
    const text = decodeUtf8(chunksOf(chunks), { maxStreamBytes: 1e8 });
    const { batches } = await openFrames(text, { framing: adapter.framing });
    const mark = { done: false };
    for await (const batch of adapter.decode(untilDoneMark(batches, mark), {
      ...context,
      hasDoneMark: () => mark.done,
    })) {
      const agentEvents = batch.map((event) => toAgentEvent(event, context.eventId));
      events.push(...agentEvents);
      run = playEvents(agentEvents, run, newId);
    }
    ended = endOf(run, mark.done);
  }
  return { messages: settleRun(run, ended.outcome).messages, events, warnings, ...ended };
}

function endOf(run: Run, done: boolean): Pick<Played, 'outcome' | 'problem'> {
  try {
    return { outcome: outcomeOf(run, done) };
  } catch (error) {
    if (!(error instanceof ChatError)) throw error;
    return { outcome: { status: 'interrupted', finish: 'error' }, problem: error.reason };
  }
}

/** The order of an object's fields is irrelevant. */
const byName = (_name: string, value: unknown): unknown =>
  isRecord(value)
    ? Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
    : value;

/** Plays the bodies of one or more rounds, cut in every way, and returns the result of each. */
export async function playBody(
  adapter: Adapter,
  ...bodies: readonly (string | Uint8Array)[]
): Promise<Played & { readonly seen: readonly ExpectedFields[] }> {
  const cuts = bodies.map(cutsOf);
  let first: Played | undefined;
  for (const [index, { name }] of (cuts[0] ?? []).entries()) {
    const played = await playRounds(
      adapter,
      cuts.map((ways) => ways[index]?.chunks ?? []),
    );
    first ??= played;
    const [left, right] = [first, played].map(({ messages, outcome, problem, warnings }) =>
      // Each network read is parsed completely before its frames are examined: the order of its warnings is irrelevant.
      JSON.stringify(
        [messages, outcome, problem, warnings.map(({ kind, detail }) => `${kind}: ${detail}`).sort()],
        byName,
      ),
    );
    if (left !== right)
      throw new Error(`Cut ${name} it gives something else:\n${right ?? ''}\ninstead of\n${left ?? ''}`);
  }
  if (!first) throw new Error('There is no body to play.');
  return { ...first, seen: first.messages.map(bareMessage) };
}

/** Server-sent events with these payloads. */
export const sse = (...payloads: readonly unknown[]): string =>
  payloads.map((payload) => `data: ${typeof payload === 'string' ? payload : JSON.stringify(payload)}\n\n`).join('');

/** One line for each of these payloads. */
export const ndjson = (...payloads: readonly unknown[]): string =>
  payloads.map((payload) => `${JSON.stringify(payload)}\n`).join('');

/** The frames of these payloads, in one batch. */
export const framesOf = (...payloads: readonly unknown[]): readonly Frame[] =>
  payloads.map((payload) => ({ data: typeof payload === 'string' ? payload : JSON.stringify(payload) }));
