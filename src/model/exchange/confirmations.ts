/**
 * Confirmations as text. A message to an agent has no field for them, and a server that answers from the messages alone would
 * not know what was agreed.
 */
import type { AssistantMessageBlock, BlockOf } from '../blocks.ts';
import { isRecord } from '../json.ts';
import type { ChatMessage } from '../message.ts';

type Confirmation = BlockOf<'action'>;

const isConfirmation = (block: AssistantMessageBlock): block is Confirmation =>
  block.type === 'action' && block.action_type === 'confirmation';

/** The message with its confirmations as content. */
export const withConfirmations = (message: ChatMessage): ChatMessage =>
  message.blocks.some(isConfirmation) ? { ...message, blocks: message.blocks.map(asContent) } : message;

function asContent(block: AssistantMessageBlock): AssistantMessageBlock {
  if (!isConfirmation(block)) return block;
  const { id, timestamp, content = '' } = block;
  return { type: 'content', id, timestamp, status: 'success', content };
}

/** The user's answers to the confirmations of a message, as one text. It is empty if there are none. */
export const confirmationAnswers = (
  { blocks }: ChatMessage,
  isIncluded: (confirmation: Confirmation) => boolean,
): string =>
  blocks
    .filter(isConfirmation)
    .filter(isIncluded)
    .flatMap((confirmation) => answerTo(confirmation) ?? [])
    .join('\n\n');

/** The option that the user has chosen, otherwise the decision. Another text may have been redacted before it was sent. */
function answerTo({ status, extra }: Confirmation): string | undefined {
  if (status !== 'granted' && status !== 'denied') return undefined;
  const { answer, options } = extra ?? {};
  if (typeof answer !== 'string') return status;
  const isOption = Array.isArray(options) && options.some((option) => isRecord(option) && option['label'] === answer);
  return isOption ? answer : status;
}
