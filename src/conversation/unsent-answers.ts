/**
 * Answers of the user that the agent does not have yet: it gets all answers of a round together. They exist only in memory, so
 * their questions are marked with `extra.unsent`.
 */
import type { AssistantMessageBlock } from '../model/blocks.ts';
import type { ChatMessage } from '../model/message.ts';
import type { Run } from './run.ts';

const MARK: ReadonlySet<string> = new Set(['unsent']);
/** What an answer adds to the `extra` of its question. */
const ANSWER_FIELDS: ReadonlySet<string> = new Set([
  'unsent',
  'decided',
  'note',
  'answer',
  'edited',
  'always',
  'approval',
]);

export const isUnsent = ({ extra }: AssistantMessageBlock): boolean => extra?.['unsent'] === true;

/** The run after the agent has received the answers, apart from those that still wait. */
export function markAnswersSent(run: Run, isWaiting: (blockId: string) => boolean = () => false): Run {
  const mark = (block: AssistantMessageBlock): AssistantMessageBlock =>
    isWaiting(block.id) ? block : omitExtra(block, MARK);
  const messages = run.messages.map((message) => changeUnsent(message, mark));
  return messages.some((message, index) => message !== run.messages[index]) ? { ...run, messages } : run;
}

/**
 * Opens the questions again whose answers were lost with the page. The answers that are stored do not count, because anybody
 * may have written them.
 */
export const reopenUnsent = (message: ChatMessage): ChatMessage =>
  changeUnsent(message, (block) => ({ ...omitExtra(block, ANSWER_FIELDS), status: 'pending' }));

function changeUnsent(
  message: ChatMessage,
  change: (block: AssistantMessageBlock) => AssistantMessageBlock,
): ChatMessage {
  const blocks = message.blocks.map((block) => (isUnsent(block) ? change(block) : block));
  return blocks.some((block, index) => block !== message.blocks[index]) ? { ...message, blocks } : message;
}

const omitExtra = (block: AssistantMessageBlock, names: ReadonlySet<string>): AssistantMessageBlock => ({
  ...block,
  extra: Object.fromEntries(Object.entries(block.extra ?? {}).filter(([name]) => !names.has(name))),
});
