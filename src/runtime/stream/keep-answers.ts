/** Answers that the user gives while the reply is polled. Loaded with `request/poll.ts`. */
import type { Run } from '../../conversation/run.ts';
import type { AssistantMessageBlock, BlockOf } from '../../model/blocks.ts';

/**
 * Closes the questions that the user has answered: the server gets the answers after the reply, so that it sends the questions as open
 * until then. A question has the same id in each response; another one has another id. A response may also come without it.
 */
export class KeptAnswers {
  readonly #closed = new Map<string, BlockOf<'action'>>();

  /** Returns a function that closes the questions of the next response. */
  after({ messages }: Run): (run: Run) => Run {
    for (const block of messages.flatMap(({ blocks }) => blocks)) {
      if (block.type !== 'action') continue;
      if (block.status === 'pending') this.#closed.delete(block.id);
      else this.#closed.set(block.id, block);
    }
    return (run) =>
      this.#closed.size === 0
        ? run
        : {
            ...run,
            messages: run.messages.map((message) =>
              message.blocks.some((block) => this.#close(block) !== block)
                ? { ...message, blocks: message.blocks.map((block) => this.#close(block)) }
                : message,
            ),
          };
  }

  #close(block: AssistantMessageBlock): AssistantMessageBlock {
    return (block.status === 'pending' && this.#closed.get(block.id)) || block;
  }
}
