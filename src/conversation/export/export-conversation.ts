import { ChatError } from '../../errors.ts';
import { toMsgs } from '../../formats/agentscope-messages.ts';
import { agentIdOf } from '../message-tree.ts';
import { assistantMessageBlock, type AssistantMessageBlock } from '../../model/blocks.ts';
import { chatMessage, type ChatMessage } from '../../model/message.ts';
import { parseSafely, parseWithoutInvalid } from '../../model/parse-without-invalid.ts';
import { toOpenAiMessages } from '../../formats/openai-messages.ts';
import { withAuthorRole } from '../../model/spoken-by.ts';
import { appendMessages, emptyThread, type Thread } from '../thread.ts';
import { messagesToMarkdown } from './export-markdown.ts';
import { withOthersAsText } from './other-blocks.ts';

export type ExportFormat = 'json' | 'markdown' | 'openai-messages' | 'agentscope-msgs';

/**
 * Serializes a conversation. `json` is lossless: `{messages, leaf}` with the messages of all branches, linked by
 * `parentId`, and the last message of the current branch. The other formats contain what they can express of the
 * current branch.
 *
 * @param endpoints - the addresses of the agents, by their ids; `json` contains those of the agents in the conversation
 * @throws ChatError of kind `protocol` if the format is unknown.
 */
export function exportConversation(
  { path, hidden }: Thread,
  format: ExportFormat,
  endpoints: ReadonlyMap<string, string> = new Map(),
): string {
  const messages = appendMessages(emptyThread, path).path;
  const spoken = messages.map(valid).map(withAuthorRole);
  switch (format) {
    case 'json': {
      const all = [...messages, ...hidden];
      const authors = new Set(all.flatMap((message) => agentIdOf(message) ?? []));
      const named = [...endpoints].filter(([id]) => authors.has(id));
      const tree = { messages: all, leaf: messages.at(-1)?.id };
      return JSON.stringify(
        named.length === 0 ? tree : { ...tree, endpoints: Object.fromEntries(named) },
        undefined,
        2,
      );
    }
    case 'openai-messages':
      return JSON.stringify(toOpenAiMessages(spoken.map(asText)), undefined, 2);
    case 'agentscope-msgs':
      return JSON.stringify(toMsgs(spoken.map(asText)), undefined, 2);
    case 'markdown':
      return messagesToMarkdown(spoken);
    default:
      throw unknownFormatError(format, ['json', 'markdown', 'openai-messages', 'agentscope-msgs']);
  }
}

/** Without the invalid parts that a page without TypeScript may have put there; they must not cost the rest of the export. */
function valid(message: ChatMessage): ChatMessage {
  if (parseSafely(chatMessage, message)?.success) return message;
  const blocks = message.blocks.flatMap((block) => validBlock(block) ?? []);
  return parseWithoutInvalid(chatMessage, { ...message, blocks }, (rest) => rest) ?? { ...message, blocks };
}

const validBlock = (block: AssistantMessageBlock): AssistantMessageBlock | undefined =>
  parseWithoutInvalid(assistantMessageBlock, block, (rest) => rest);

/** Host pages without TypeScript may pass any format. */
export const unknownFormatError = (format: unknown, known: readonly string[]): ChatError =>
  new ChatError('protocol', `Unknown format "${String(format)}". Supported: ${known.join(', ')}.`, {
    reason: 'bad-format',
  });

/** The message for a format that has only text for some blocks, so that none is lost. */
const asText = (message: ChatMessage): ChatMessage => ({ ...message, blocks: withOthersAsText(message.blocks) });
