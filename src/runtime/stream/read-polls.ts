/** Polls a reply, and preserves the answers that the user gives between two responses. Loaded when the page has set `poll`. */
import type { Run } from '../../conversation/run.ts';
import type { AssistantMessageBlock, BlockOf } from '../../model/blocks.ts';
import type { Poll } from '../chat-settings.ts';
import type { ReplyContext } from '../reply-context.ts';
import type { PageAddress } from '../request/page-address.ts';
import { pollReply, type PolledReply, type PollOptions } from '../request/poll.ts';
import { waitForRetry } from './request-with-retries.ts';

interface PollSource extends Pick<PollOptions, 'signal' | 'open'> {
  readonly url: PageAddress;
  /** The id of the configured protocol. */
  readonly protocol: string | undefined;
}

/** A response whose content replaces that of the previous one. */
interface PolledResponse extends PolledReply {
  /** Resets the messages of the round. Called before events of the response are applied, and at its end; only the first call counts. */
  begin(): void;
}

/**
 * Each response contains the complete reply, so the round is reset before the response is applied. This waits until its first events are
 * decoded: if an open question were missing for a moment, its card would be rendered as a new element and lose the focus.
 */
export async function* readPolls(
  poll: Poll,
  reply: ReplyContext,
  { url, protocol, signal, open }: PollSource,
): AsyncGenerator<PolledResponse> {
  const { settings, limits, threadId, trace, silenceFrom } = reply;
  const polls = pollReply(poll, {
    settings,
    context: { url: url.href, protocol, conversation: reply.conversation(), threadId },
    limits,
    signal,
    trace,
    silenceFrom,
    open,
    wait: (milliseconds, attempt, error) => waitForRetry(reply, milliseconds, attempt, error),
  });
  const preserver = new AnswerPreserver(limits.blocks);
  for await (const polled of polls) {
    let isBegun = false;
    const begin = (): void => {
      if (!isBegun) reply.restart(preserver.after(reply.run()));
      isBegun = true;
    };
    yield { ...polled, begin };
  }
}

/**
 * Restores two things that a new response would overwrite:
 *
 * - The user's answers. The server gets them only after the reply. Until then, each response contains an answered question as an open
 *   one, or lacks it. A question has the same id in each response.
 * - The time when each block was first received. Text in the composer answers a question only if the user began it after that time.
 */
class AnswerPreserver {
  /** The answered questions by their ids, the least recently received one first. */
  readonly #answered = new Map<string, BlockOf<'action'>>();
  readonly #limit: number;

  /** @param limit - maximum number of answers: a server may ask another question in each response */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Records the answers and times of a run. Returns a function that restores them in the run of the next response. */
  after({ messages }: Run): (run: Run) => Run {
    const previousBlocks = messages.flatMap(({ blocks }) => blocks);
    const times = new Map(previousBlocks.map(({ id, timestamp }) => [id, timestamp]));
    for (const block of previousBlocks) {
      if (block.type !== 'action') continue;
      this.#answered.delete(block.id);
      if (block.status !== 'pending') this.#answered.set(block.id, block);
    }
    for (const oldest of this.#answered.keys()) {
      if (this.#answered.size <= this.#limit) break;
      this.#answered.delete(oldest);
    }
    // The returned function runs after each event: without a question it has nothing to restore.
    if (this.#answered.size === 0 && !previousBlocks.some(({ type }) => type === 'action')) return (run) => run;
    const restore = (block: AssistantMessageBlock): AssistantMessageBlock => {
      const timestamp = times.get(block.id) ?? block.timestamp;
      return this.#withAnswer(timestamp === block.timestamp ? block : { ...block, timestamp });
    };
    return (run) => ({
      ...run,
      messages: run.messages.map((message) => {
        const blocks = message.blocks.map(restore);
        return blocks.some((block, index) => block !== message.blocks[index]) ? { ...message, blocks } : message;
      }),
    });
  }

  #withAnswer(block: AssistantMessageBlock): AssistantMessageBlock {
    return (block.status === 'pending' && this.#answered.get(block.id)) || block;
  }
}
