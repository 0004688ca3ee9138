/** Polls a reply, and keeps the answers that the user gives meanwhile. Loaded when the page has set `poll`. */
import type { Run } from '../../conversation/run.ts';
import type { AssistantMessageBlock, BlockOf } from '../../model/blocks.ts';
import type { Poll } from '../chat-settings.ts';
import type { ReplyContext } from '../reply-context.ts';
import type { PageAddress } from '../request/page-address.ts';
import { pollReply, type PolledReply, type PollOptions } from '../request/poll.ts';
import { waitForRetry } from './request-with-retries.ts';

interface PolledFrom extends Pick<PollOptions, 'signal' | 'open'> {
  readonly url: PageAddress;
  /** The id of the configured protocol. */
  readonly protocol: string | undefined;
}

/** A response, and what to call before its first events are applied. */
export interface BegunReply extends PolledReply {
  begin(): void;
}

/**
 * Each response has the complete reply, which is read again from the start of the round. Until its first events are there, the messages
 * stay: without the question in them for a moment, its card would be another element, and lose the focus.
 */
export async function* readPolls(
  poll: Poll,
  reply: ReplyContext,
  { url, protocol, signal, open }: PolledFrom,
): AsyncGenerator<BegunReply> {
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
  const answers = new KeptAnswers(limits.blocks);
  for await (const polled of polls) {
    let isBegun = false;
    const begin = (): void => {
      if (!isBegun) reply.restart(answers.after(reply.run()));
      isBegun = true;
    };
    yield { ...polled, begin };
  }
}

/**
 * Keeps what a new response would undo:
 *
 * - The user's answers. The server gets them after the reply, so until then each response has the question as an open one, or lacks it.
 *   A question has the same id in each response; another question has another id.
 * - The time when each block came first. Whether a text of the user answers a question depends on it.
 */
class KeptAnswers {
  /** The answered questions by their id. The one that was seen least recently comes first. */
  readonly #answered = new Map<string, BlockOf<'action'>>();
  readonly #limit: number;

  /** @param limit - number of answers that are kept: a server may ask something else in each response */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Returns a function that changes the blocks of the next response. */
  after({ messages }: Run): (run: Run) => Run {
    const all = messages.flatMap(({ blocks }) => blocks);
    const times = new Map(all.map(({ id, timestamp }) => [id, timestamp]));
    for (const block of all) {
      if (block.type !== 'action') continue;
      this.#answered.delete(block.id);
      if (block.status !== 'pending') this.#answered.set(block.id, block);
    }
    for (const oldest of this.#answered.keys()) {
      if (this.#answered.size <= this.#limit) break;
      this.#answered.delete(oldest);
    }
    // Without a question, nothing has to be looked for after each event.
    if (this.#answered.size === 0 && !all.some(({ type }) => type === 'action')) return (run) => run;
    const kept = (block: AssistantMessageBlock): AssistantMessageBlock => {
      const timestamp = times.get(block.id) ?? block.timestamp;
      return this.#close(timestamp === block.timestamp ? block : { ...block, timestamp });
    };
    return (run) => ({
      ...run,
      messages: run.messages.map((message) => {
        const blocks = message.blocks.map(kept);
        return blocks.some((block, index) => block !== message.blocks[index]) ? { ...message, blocks } : message;
      }),
    });
  }

  #close(block: AssistantMessageBlock): AssistantMessageBlock {
    return (block.status === 'pending' && this.#answered.get(block.id)) || block;
  }
}
