/** Decodes frames into the messages that a page would show. */
import { reduceRun, settleRun, startRun, type RunOutcome } from '../../src/conversation/run.ts';
import { ChatError } from '../../src/errors.ts';
import type { ChatMessage } from '../../src/model/message.ts';
import type { Adapter, DecodeContext, Warning } from '../../src/protocols/core/adapter.ts';
import { toAgentEvent } from '../../src/protocols/to-agent-event.ts';
import { outcomeOf, untilDoneMark } from '../../src/runtime/stream/end-of-stream.ts';
import type { Frame } from '../../src/transport/frame.ts';

let ids = 0;
export const newId = (): string => `cli-${String(++ids)}`;

export const dropped = (cause: unknown): ChatError =>
  new ChatError('network', `The connection was lost: ${cause instanceof Error ? cause.message : String(cause)}.`, {
    reason: 'dropped',
    cause,
  });

interface Reader {
  readonly adapter: Adapter;
  readonly batches: AsyncIterable<readonly Frame[]>;
}

export async function decode(
  { adapter, batches }: Reader,
  context: Pick<DecodeContext, 'eventId' | 'turn' | 'facts' | 'url'>,
  warnings: Warning[],
): Promise<{ messages: readonly ChatMessage[]; outcome: RunOutcome | undefined; problem: ChatError | undefined }> {
  const mark = { done: false };
  let run = startRun({ id: newId(), role: 'assistant', status: 'streaming', blocks: [], timestamp: Date.now() });
  let problem: ChatError | undefined;
  try {
    const events = adapter.decode(untilDoneMark(batches, mark), {
      ...context,
      newId,
      report: (warning) => warnings.push(warning),
      now: Date.now,
      delay: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds).unref()),
      saidDone: () => mark.done,
    });
    for await (const batch of events)
      for (const event of batch) run = reduceRun(run, toAgentEvent(event, context.eventId), { now: Date.now(), newId });
  } catch (error) {
    problem = error instanceof ChatError ? error : dropped(error);
  }
  let outcome: RunOutcome | undefined;
  try {
    if (!problem) outcome = outcomeOf(run, mark.done);
  } catch (error) {
    if (!(error instanceof ChatError)) throw error;
    problem = error;
  }
  const { messages } = settleRun(run, outcome ?? { status: 'interrupted', finish: 'error' });
  return { messages, outcome, problem };
}
