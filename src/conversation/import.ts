import { ChatError } from '../errors.ts';
import { fromMsgs } from '../formats/agentscope-messages.ts';
import { msg } from '../formats/agentscope-msg.ts';
import { chatMessage, type ChatMessage } from '../model/message.ts';
import { fromOpenAiMessages, openAiMessage } from '../formats/openai-messages.ts';
import { z } from '../model/schema.ts';
import { unknownFormatError } from './export.ts';
import type { MessageInput } from './normalize-message.ts';

export type ImportFormat = 'json' | 'openai-messages' | 'agentscope-msgs';

/** An imported conversation: the current branch, and the messages of the other branches. */
export interface ImportedConversation {
  readonly path: readonly MessageInput[];
  readonly hidden: readonly ChatMessage[];
}

/**
 * Parses a conversation from text or from parsed JSON. `json` is `{messages, leaf}`, or a list of messages without
 * branches.
 *
 * @throws ChatError of kind `protocol` if the format is unknown, or with the first path that does not match the format.
 */
export function importConversation(data: unknown, format: ImportFormat): ImportedConversation {
  const value = typeof data === 'string' && formats.has(format) ? parse(data) : data;
  switch (format) {
    case 'json':
      return Array.isArray(value)
        ? { path: check(z.array(chatMessage), value, format), hidden: [] }
        : splitMessageTree(check(tree, value, format));
    case 'openai-messages':
      return { path: fromOpenAiMessages(check(z.array(openAiMessage), value, format)), hidden: [] };
    case 'agentscope-msgs':
      return { path: fromMsgs(check(z.array(msg), value, format)), hidden: [] };
    default:
      throw unknownFormatError(format, [...formats].map(String));
  }
}

const formats: ReadonlySet<unknown> = new Set<ImportFormat>(['json', 'openai-messages', 'agentscope-msgs']);

const tree = z.object({ messages: z.array(chatMessage), leaf: z.exactOptional(z.string()) });

/**
 * Splits a message tree: the path from the root to `leaf` is the current branch.
 *
 * @throws ChatError of kind `protocol` if no message has the id `leaf`.
 */
export function splitMessageTree({
  messages,
  leaf,
}: {
  readonly messages: readonly ChatMessage[];
  readonly leaf?: string;
}): {
  readonly path: readonly ChatMessage[];
  readonly hidden: readonly ChatMessage[];
} {
  const path: ChatMessage[] = [];
  // Each message is visited once, even if `parentId` forms a cycle.
  const remaining = new Map(messages.map((message) => [message.id, message]));
  let next = remaining.get(leaf ?? '');
  while (next) {
    path.unshift(next);
    remaining.delete(next.id);
    next = remaining.get(next.parentId ?? '');
  }
  if (messages.length > 0 && path.length === 0) {
    throw new ChatError('protocol', `The imported conversation has no message "${leaf ?? ''}" (its "leaf").`, {
      reason: 'bad-import',
    });
  }
  return { path, hidden: [...remaining.values()] };
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
