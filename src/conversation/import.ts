import { ChatError } from '../errors.ts';
import { fromMsgs } from '../formats/agentscope-messages.ts';
import { msg } from '../formats/agentscope-msg.ts';
import { chatMessage } from '../model/message.ts';
import { openAiMessage } from '../formats/openai-message.ts';
import { fromOpenAiMessages } from '../formats/read-openai-messages.ts';
import { withoutRights } from '../formats/without-rights.ts';
import { recordOf, z } from '../model/schema.ts';
import { unknownFormatError } from './export/export-conversation.ts';
import type { MessageInput } from './normalize-message.ts';
import { agentIdOf, splitMessageTree, type ImportedConversation } from './message-tree.ts';

export type ImportFormat = 'json' | 'openai-messages' | 'agentscope-msgs';

/**
 * Parses a conversation from text or from parsed JSON. `json` is `{messages, leaf}`, or a list of messages without
 * branches. An AgentScope message needs no list around it. What a message sends without showing it, and what lets it
 * act for the user or the page, is not imported.
 *
 * @param here - the addresses of the page's agents, by their ids
 * @throws ChatError of kind `protocol` if the format is unknown, or with the first path that does not match the format.
 */
export function importConversation(
  data: unknown,
  format: ImportFormat,
  here: ReadonlyMap<string, string> = new Map(),
): ImportedConversation {
  const { path, hidden } = read(data, format, here);
  const visible = <Message extends MessageInput>(message: Message): Message =>
    withoutRights(message, { isMsgFile: format === 'agentscope-msgs' });
  return { path: path.map(visible), hidden: hidden.map(visible) };
}

function read(data: unknown, format: ImportFormat, here: ReadonlyMap<string, string>): ImportedConversation {
  const value = typeof data === 'string' && formats.has(format) ? parse(data) : data;
  switch (format) {
    case 'json':
      return Array.isArray(value)
        ? { path: check(z.array(chatMessage), value, format), hidden: [] }
        : splitMessageTree(withOtherEndpoints(check(tree, value, format), here));
    case 'openai-messages':
      return { path: fromOpenAiMessages(check(z.array(openAiMessage), value, format)), hidden: [] };
    case 'agentscope-msgs':
      return { path: fromMsgs(check(z.array(msg), Array.isArray(value) ? value : [value], format)), hidden: [] };
    default:
      throw unknownFormatError(format, [...formats].map(String));
  }
}

const formats: ReadonlySet<unknown> = new Set<ImportFormat>(['json', 'openai-messages', 'agentscope-msgs']);

const tree = z.object({
  messages: z.array(chatMessage),
  leaf: z.exactOptional(z.string()),
  endpoints: z.exactOptional(recordOf(z.string())),
});

/** A message of an agent at another address belongs to that address: what its server has stored is sent nowhere else. */
function withOtherEndpoints(
  { messages, endpoints = {}, ...rest }: z.infer<typeof tree>,
  here: ReadonlyMap<string, string>,
): z.infer<typeof tree> {
  const there = new Map(Object.entries(endpoints));
  return {
    ...rest,
    messages: messages.map((message) => {
      const author = agentIdOf(message);
      const address = author === undefined ? undefined : there.get(author);
      return address === undefined || address === here.get(author ?? '') ? message : { ...message, agentId: address };
    }),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new ChatError('protocol', 'The imported conversation is not valid JSON.', { reason: 'bad-import', cause });
  }
}

function check<Schema extends z.ZodMiniType>(schema: Schema, value: unknown, format: ImportFormat): z.infer<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new ChatError('protocol', `Invalid "${format}" data: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`, {
    reason: 'bad-import',
  });
}
