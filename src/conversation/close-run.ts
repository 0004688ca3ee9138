import type { AssistantMessageBlock } from '../model/blocks.ts';
import type { ReduceContext } from './block-list.ts';
import { hasPendingAction } from './has-pending-action.ts';
import { isUnsent, markAnswersSent } from './unsent-answers.ts';
import { endedBlocks, reduceRun, settleRun, type RunOutcome, type Run } from './run.ts';

/**
 * Ends everything in a run that is still open: running blocks are settled, pending questions are cancelled, and with them
 * the calls that they are about.
 */
export function closeRun(run: Run, outcome: RunOutcome, context: ReduceContext): Run {
  const userStop = outcome.status === 'cancelled';
  // No stream follows that could have the result of an allowed call.
  const last = { ...run, endedBefore: endedBlocks(run.messages) };
  const closed = reduceRun(last, { type: 'end', data: { eventId: '', userStop } }, context);
  // The agent gets the answers of a round together: without the last one it has none of them.
  const isIncomplete = hasPendingAction(run.messages);
  const cancel = (block: AssistantMessageBlock): AssistantMessageBlock =>
    // Only questions are pending, and only their calls still load.
    block.status === 'pending' || block.status === 'loading' || (isIncomplete && isUnsent(block))
      ? { ...block, status: 'cancel' as const }
      : block;
  const messages = closed.messages.map((message) => ({ ...message, blocks: message.blocks.map(cancel) }));
  return settleRun(markAnswersSent({ ...closed, messages }), outcome);
}
