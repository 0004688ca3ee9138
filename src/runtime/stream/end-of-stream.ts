/** Detects the end of a stream (an end mark, or the end of the body) and derives the outcome of the reply. */
import { hasPendingAction } from '../../conversation/has-pending-action.ts';
import type { RunOutcome, Run } from '../../conversation/run.ts';
import { ChatError } from '../../errors.ts';
import type { Frame } from '../../transport/frame.ts';
import { deferred } from '../deferred.ts';

/** The frames before `[DONE]`, which ends a reply immediately. */
export async function* untilDoneMark(
  batches: AsyncIterable<readonly Frame[]>,
  mark: { done: boolean },
): AsyncGenerator<readonly Frame[]> {
  for await (const batch of batches) {
    const end = batch.findIndex(({ data }) => data === '[DONE]');
    mark.done = end >= 0;
    if (!mark.done) yield batch;
    else {
      if (end > 0) yield batch.slice(0, end);
      return;
    }
  }
}

/** Time (ms) to wait for frames after the end, such as token counts. */
const END_GRACE_MS = 1000;

/** An end that the protocol reported while the connection is still open. */
export interface StreamEnd {
  readonly isReported: boolean;
  /** Resolves when the waiting time after the end is over. */
  readonly over: Promise<undefined>;
  /** Called when the agent reports the end of the reply. */
  report(): void;
  /** Cancels the timer. */
  dispose(): void;
}

export function watchEnd(graceTime = END_GRACE_MS): StreamEnd {
  const over = deferred<undefined>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isCancelled = false;
  return {
    over: over.promise,
    get isReported() {
      return timer !== undefined;
    },
    report() {
      if (isCancelled) return;
      timer ??= setTimeout(() => {
        over.resolve(undefined);
      }, graceTime);
    },
    dispose() {
      isCancelled = true;
      clearTimeout(timer);
    },
  };
}

/** The frames until the end. Many servers keep the connection open after the end, or drop it; neither is an error. */
export async function* untilEnd(
  batches: AsyncIterable<readonly Frame[]>,
  end: StreamEnd,
): AsyncGenerator<readonly Frame[]> {
  const iterator = batches[Symbol.asyncIterator]();
  let over = false;
  let wake: (() => void) | undefined;
  // Subscribe once: racing this promise against every read would retain all reads until it resolves.
  void end.over.then(() => {
    over = true;
    wake?.();
  });
  let isReading = false;
  try {
    while (!over) {
      const woken = new Promise<undefined>((resolve) => {
        wake = () => {
          resolve(undefined);
        };
      });
      isReading = true;
      const next = await Promise.race([iterator.next(), woken]).catch((cause: unknown) => {
        if (end.isReported) return undefined;
        throw cause;
      });
      if (!next) return;
      isReading = false;
      if (next.done) return;
      yield next.value;
    }
  } finally {
    const returned = iterator.return?.();
    // A pending `next()` settles first, which may take for ever and may fail: nobody waits for it any more.
    if (isReading) returned?.catch(() => undefined);
    else await returned;
  }
}

/**
 * The outcome of a stream whose body ended.
 *
 * @param done - whether the stream sent an end mark
 * @throws ChatError if the reply is empty or unreadable, or if the stream was cut off: no end event, no end mark and no
 * error event arrived.
 */
export function outcomeOf(run: Run, done: boolean): RunOutcome {
  const empty = run.messages.every((message) => message.blocks.length === 0);
  if (empty && !run.failed && run.messages.some(({ metadata }) => metadata?.['unreadable'] === true)) {
    throw new ChatError('protocol', 'No part of the reply could be read.', { reason: 'unsupported' });
  }
  // A reply that reports its end after an error has recovered.
  const finish = run.finish ?? (run.failed ? 'error' : done && !empty ? 'complete' : undefined);
  if (finish === undefined) {
    throw empty
      ? new ChatError('protocol', 'The agent sent an empty reply.', { reason: 'empty', retryable: true })
      : new ChatError('network', 'The reply was cut off: the stream ended without an end event.', {
          reason: 'cut',
          retryable: true,
        });
  }
  if (finish === 'error') return { status: 'error', finish };
  if (finish === 'cancelled') return { status: 'cancelled', finish };
  return hasPendingAction(run.messages) ? { status: 'streaming', finish: 'tool_use' } : { status: 'complete', finish };
}
