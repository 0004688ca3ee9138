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
 * Closes the questions that the user has answered: the server gets the answers after the reply, so that it sends the questions as open
 * until then. A question has the same id in each response; another one has another id. A response may also lack the question.
 * What comes again keeps its time: a text that was begun since then answers its question.
 */
class KeptAnswers {
  /** The one that was seen least recently first. */
  readonly #closed = new Map<string, BlockOf<'action'>>();
  readonly #most: number;

  /** @param most - number of answers that are kept: a server may ask something else in each response */
  constructor(most: number) {
    this.#most = most;
  }

  /** Returns a function that changes the blocks of the next response. */
  after({ messages }: Run): (run: Run) => Run {
    const all = messages.flatMap(({ blocks }) => blocks);
    const times = new Map(all.map(({ id, timestamp }) => [id, timestamp]));
    for (const block of all) {
      if (block.type !== 'action') continue;
      this.#closed.delete(block.id);
      if (block.status !== 'pending') this.#closed.set(block.id, block);
    }
    for (const oldest of this.#closed.keys()) {
      if (this.#closed.size <= this.#most) break;
      this.#closed.delete(oldest);
    }
    // Without a question, nothing has to be looked for after each event.
    if (this.#closed.size === 0 && !all.some(({ type }) => type === 'action')) return (run) => run;
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
    return (block.status === 'pending' && this.#closed.get(block.id)) || block;
  }
}
