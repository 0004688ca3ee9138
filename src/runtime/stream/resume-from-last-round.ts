/** Prepares a stored reply, such as one after a reload of the page, to be resumed: its server sends the last round again. */
import { BLOCKS_BEFORE, continueRun } from '../../conversation/continue-run.ts';
import type { Run } from '../../conversation/run.ts';

/** Returns the run as it was when its last round began, with the metadata that it has now. */
export function withoutLastRound({ messages }: Run): Run {
  const index = Math.max(
    messages.findLastIndex(({ metadata }) => metadata?.[BLOCKS_BEFORE] !== undefined),
    0,
  );
  const message = messages[index];
  if (!message) throw new TypeError('A run needs a message.');
  const count = message.metadata?.[BLOCKS_BEFORE];
  const blocks = message.blocks.slice(0, typeof count === 'number' && count > 0 ? count : 0);
  const { finish: _interrupted, ...unfinished } = message;
  const later = messages.slice(index).map((other) => other.metadata);
  const metadata = Object.assign({}, ...later.reverse()) as object;
  // A message with a finish reason is not continued.
  const kept = blocks.length > 0 ? unfinished : message;
  return continueRun([...messages.slice(0, index), { ...kept, blocks, metadata: { ...metadata } }]);
}
