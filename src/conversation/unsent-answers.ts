/**
 * Answers of the user that the agent does not have yet, because it gets all answers of a round together. Until then they exist
 * only in memory, and `extra.unsent` of their questions holds the `extra` from before: in a list, because `extra` may have lists
 * of objects, but no objects.
 */
import type { AssistantMessageBlock } from '../model/blocks.ts';
import type { ChatMessage } from '../model/message.ts';

type Messages = readonly ChatMessage[];

const isUnsent = ({ extra }: AssistantMessageBlock): boolean => Array.isArray(extra?.['unsent']);

/** Whether the agent lacks an answer. One that was cancelled with its reply is not meant for it any more. */
export const hasUnsent = (messages: Messages): boolean =>
  messages.some(({ blocks }) => blocks.some((block) => isUnsent(block) && block.status !== 'cancel'));

/**
 * Cancels a block of a reply that has ended, if it is still open. Only questions are pending, and only their calls still load.
 * The agent does not get an answer that was not sent yet.
 */
export const cancelOpen = (block: AssistantMessageBlock): AssistantMessageBlock =>
  block.status === 'pending' || block.status === 'loading' || isUnsent(block) ? { ...block, status: 'cancel' } : block;

/** The messages when the answers go out with a request, apart from those that still wait. */
export const markSent = (messages: Messages, isWaiting: (blockId: string) => boolean): Messages =>
  changeUnsent(messages, ({ id, extra: { unsent: _, ...extra } = {} }) => (isWaiting(id) ? {} : { extra }));

/**
 * Opens the questions again whose answers do not count: by default all unsent ones of a stored conversation, which were lost with the
 * page. Their stored form does not count either, because anybody may have written it.
 */
export const reopenUnsent = (messages: Messages, isOpen: (blockId: string) => boolean = () => true): Messages =>
  changeUnsent(messages, ({ id, extra }) =>
    isOpen(id) ? { status: 'pending', extra: { ...(extra?.['unsent'] as object[] | undefined)?.[0] } } : {},
  );

const changeUnsent = (messages: Messages, change: (block: AssistantMessageBlock) => object): Messages =>
  messages.map((message) =>
    message.blocks.some(isUnsent)
      ? {
          ...message,
          blocks: message.blocks.map((block) => (isUnsent(block) ? { ...block, ...change(block) } : block)),
        }
      : message,
  );
