/** How a stream ends: with its end mark or with its body, and what that makes of the reply. Source: `security/README.md`, rule 15. */
import { isWaiting } from '../conversation/is-waiting.ts';
import type { Outcome, Run } from '../conversation/run.ts';
import { ChatError } from '../errors.ts';
import type { Frame } from '../transport/frame.ts';

/** The frames up to `[DONE]`, which ends a reply at once. */
export async function* untilDone(
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

/** Milliseconds that are given to what may come behind the end, such as a count of tokens. */
const AFTERWORD_MS = 1000;

/** An end that was told while the connection is still open. */
export interface TheEnd {
  readonly told: boolean;
  /** Resolves when what may come behind it has had its time, however much comes. */
  readonly over: Promise<undefined>;
  /** The agent has said that this was all. */
  tell(): void;
  /** Nobody waits for it any more. */
  forget(): void;
}

export function watchEnd(afterword = AFTERWORD_MS): TheEnd {
  const over = Promise.withResolvers<undefined>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let forgotten = false;
  return {
    over: over.promise,
    get told() {
      return timer !== undefined;
    },
    tell() {
      if (forgotten) return;
      timer ??= setTimeout(() => {
        over.resolve(undefined);
      }, afterword);
    },
    forget() {
      forgotten = true;
      clearTimeout(timer);
    },
  };
}

/** The frames up to the end: many a server keeps the connection open behind it, or drops it, and neither says anything. */
export async function* untilOver(
  batches: AsyncIterable<readonly Frame[]>,
  end: TheEnd,
): AsyncGenerator<readonly Frame[]> {
  const iterator = batches[Symbol.asyncIterator]();
  let over = false;
  let wake: (() => void) | undefined;
  // Heard once: a promise that is raced against every read would keep all of them until it resolves.
  void end.over.then(() => {
    over = true;
    wake?.();
  });
  let asking = false;
  try {
    while (!over) {
      const woken = new Promise<undefined>((resolve) => {
        wake = () => {
          resolve(undefined);
        };
      });
      asking = true;
      const next = await Promise.race([iterator.next(), woken]).catch((cause: unknown) => {
        if (end.told) return undefined;
        throw cause;
      });
      if (!next) return;
      asking = false;
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // One that is being asked would answer first, which may be never.
    if (!asking) await iterator.return?.();
  }
}

/**
 * How a stream that ended by itself ended; `done`: it said so with an end mark.
 *
 * @throws ChatError for one that was empty, or cut: it has neither an end nor an end mark.
 */
export function outcomeOf(run: Run, done: boolean): Outcome {
  const empty = run.messages.every((message) => message.blocks.length === 0);
  const finish = run.finish ?? (run.failed ? 'error' : done && !empty ? 'complete' : undefined);
  if (finish === undefined) {
    throw empty
      ? new ChatError('protocol', 'The agent answered with nothing at all.', { reason: 'empty', retryable: true })
      : new ChatError('network', 'The answer was cut off: the stream ended without saying that it is complete.', {
          reason: 'cut',
          retryable: true,
        });
  }
  if (finish === 'error') return { status: 'error', finish };
  if (finish === 'cancelled') return { status: 'cancelled', finish };
  return isWaiting(run.messages) ? { status: 'streaming', finish: 'tool_use' } : { status: 'complete', finish };
}
