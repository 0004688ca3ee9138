/** Answers that the user gives while the reply is polled. Loaded with `request/poll.ts`. */
import type { Run } from '../../conversation/run.ts';
import type { AssistantMessageBlock } from '../../model/blocks.ts';

/**
 * Returns a function that closes the questions of the next response which the user has answered in the previous one: the server
 * gets the answers after the reply, so that it sends the questions as open until then. Another question has another id.
 */
export function keepAnswers({ messages }: Run): (run: Run) => Run {
  const closed = new Map(
    messages.flatMap(({ blocks }) =>
      blocks.flatMap((block) =>
        block.type === 'action' && block.status !== 'pending' ? [[block.id, block] as const] : [],
      ),
    ),
  );
  const close = (block: AssistantMessageBlock): AssistantMessageBlock =>
    (block.status === 'pending' && closed.get(block.id)) || block;
  return (run) =>
    closed.size === 0
      ? run
      : {
          ...run,
          messages: run.messages.map((message) =>
            message.blocks.some((block) => close(block) !== block)
              ? { ...message, blocks: message.blocks.map(close) }
              : message,
          ),
        };
}
