import type { AssistantMessageBlock } from '../model/blocks.ts';
import type { ReduceContext } from './blocks.ts';
import { reduceRun, settle, type Outcome, type Run } from './run.ts';

/** The run with an end to everything that was still open: what ran is settled, what was asked is taken back. */
export function closeRun(run: Run, outcome: Outcome, context: ReduceContext): Run {
  const userStop = outcome.status === 'cancelled';
  const closed = reduceRun(run, { type: 'end', data: { eventId: '', userStop } }, context);
  const cancel = (block: AssistantMessageBlock): AssistantMessageBlock =>
    block.type === 'action' && block.status === 'pending' ? { ...block, status: 'cancel' } : block;
  const messages = closed.messages.map((message) => ({ ...message, blocks: message.blocks.map(cancel) }));
  return settle({ ...closed, messages }, outcome);
}
