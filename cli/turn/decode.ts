/** Decodes frames into the messages that a page would show. */
import { reduceRun, startRun, type Run, type RunOutcome } from '../../src/conversation/run.ts';
import { ChatError } from '../../src/errors.ts';
import type { Adapter, DecodeContext, Warning } from '../../src/protocols/core/adapter.ts';
import { toAgentEvent } from '../../src/protocols/to-agent-event.ts';
import { outcomeOf, untilDoneMark, untilEnd, watchEnd } from '../../src/runtime/stream/end-of-stream.ts';
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

interface Decoding {
  /** Collects the frames that were not understood. */
  readonly warnings: Warning[];
  /** The reply that this one continues. */
  readonly before?: Run | undefined;
  /** The length of the text that was decoded so far. */
  readonly progress?: { length: number };
}

interface Decoded {
  readonly run: Run;
  readonly outcome: RunOutcome | undefined;
  readonly problem: ChatError | undefined;
}

export async function decode(
  { adapter, batches }: Reader,
  context: Pick<DecodeContext, 'eventId' | 'turn' | 'providerState' | 'url'>,
  { warnings, before, progress }: Decoding,
): Promise<Decoded> {
  const mark = { done: false };
  const end = watchEnd();
  let run =
    before ?? startRun({ id: newId(), role: 'assistant', status: 'streaming', blocks: [], timestamp: Date.now() });
  let problem: ChatError | undefined;
  try {
    const events = adapter.decode(untilEnd(untilDoneMark(batches, mark), end), {
      ...context,
      newId,
      report: (warning) => warnings.push(warning),
      now: Date.now,
      delay: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds).unref()),
      hasDoneMark: () => mark.done,
      reportEnd: end.report,
    });
    for await (const batch of events) {
      for (const event of batch) run = reduceRun(run, toAgentEvent(event, context.eventId), { now: Date.now(), newId });
      if (progress) progress.length = run.length;
      if (run.finish) end.report();
    }
  } catch (error) {
    problem = error instanceof ChatError ? error : dropped(error);
  } finally {
    end.dispose();
  }
  let outcome: RunOutcome | undefined;
  try {
    if (!problem) outcome = outcomeOf(run, mark.done);
  } catch (error) {
    if (!(error instanceof ChatError)) throw error;
    problem = error;
  }
  return { run, outcome, problem };
}
