import type { AssistantMessageBlock } from '../model/blocks.ts';
import type { ReduceContext } from './block-list.ts';
import { reduceRun, settleRun, type RunOutcome, type Run } from './run.ts';

/** Ends everything in a run that is still open: running blocks are settled, pending questions are cancelled. */
export function closeRun(run: Run, outcome: RunOutcome, context: ReduceContext): Run {
  const userStop = outcome.status === 'cancelled';
  const closed = reduceRun(run, { type: 'end', data: { eventId: '', userStop } }, context);
  const cancel = (block: AssistantMessageBlock): AssistantMessageBlock =>
    block.type === 'action' && block.status === 'pending' ? { ...block, status: 'cancel' } : block;
  const messages = closed.messages.map((message) => ({ ...message, blocks: message.blocks.map(cancel) }));
  return settleRun({ ...closed, messages }, outcome);
}
