/** Checks the ids of an imported conversation: anybody may have written the file. */
import type { ImportedConversation } from '../conversation/message-tree.ts';
import type { MessageInput } from '../conversation/normalize-message.ts';
import type { ToolCall } from '../model/blocks.ts';
import { isRecord } from '../model/json.ts';

/** In characters. Ids of providers have at most about 100. */
const MAX_LENGTH = 200;

type Block = NonNullable<MessageInput['blocks']>[number];

/**
 * Replaces the ids that are very long, with everything that refers to them: the messages that follow, the blocks of a sub-agent, the
 * results of a call and its permission. An id of the server that is neither text nor a number is removed.
 */
export function withShortIds({ path, hidden }: ImportedConversation, newId: () => string): ImportedConversation {
  const replacements = new Map<string, string>();
  const idOf = (id: string): string => {
    if (id.length <= MAX_LENGTH) return id;
    const known = replacements.get(id) ?? newId();
    replacements.set(id, known);
    return known;
  };
  const ids = (given: object, names: readonly string[]): object =>
    Object.fromEntries(
      Object.entries(given).flatMap(([name, id]: [string, unknown]) =>
        names.includes(name) && typeof id === 'string' ? [[name, idOf(id)]] : [],
      ),
    );
  const toolCall = (call: ToolCall): ToolCall => ({ ...call, ...ids(call, ['id']) });
  const block = (given: Block): Block => ({
    ...given,
    ...ids(given, ['id', 'parentId', 'callBlockId']),
    ...('tool_call' in given && isRecord(given.tool_call) && { tool_call: toolCall(given.tool_call) }),
  });
  const message = <Message extends MessageInput>(given: Message): Message => ({
    ...given,
    ...ids(given, ['id', 'parentId']),
    ...(given.blocks && { blocks: given.blocks.map(block) }),
    ...(given.metadata && { metadata: withPlainIds(given.metadata) }),
  });
  return { path: path.map(message), hidden: hidden.map(message) };
}

const withPlainIds = (metadata: NonNullable<MessageInput['metadata']>): typeof metadata =>
  Object.fromEntries(
    Object.entries(metadata).filter(
      ([name, value]) => !name.endsWith('Id') || typeof value === 'string' || typeof value === 'number',
    ),
  );
