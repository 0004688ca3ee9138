import type { ChatMessage } from '../model/message.ts';
import type { ReduceContext } from './block-list.ts';
import { continueRun } from './continue-run.ts';
import { cancelOpen } from './unsent-answers.ts';
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
  const messages = closed.messages.map((message) => ({ ...message, blocks: message.blocks.map(cancelOpen) }));
  return settleRun({ ...closed, messages }, outcome);
}

/** Closes a message that nothing continues, such as one outside the last turn that was stored while it was running. */
export function closeMessage(message: ChatMessage, outcome: RunOutcome, context: ReduceContext): ChatMessage {
  if (message.status === 'sending') return { ...message, status: 'failed' };
  if (message.status !== 'streaming') return message;
  const [closed] = closeRun(continueRun([message]), outcome, context).messages;
  return closed ?? message;
}
