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
