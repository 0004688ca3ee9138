import { ChatError } from '../errors.ts';
import { fromMsgs } from '../model/agentscope-history.ts';
import { msg } from '../model/agentscope-msg.ts';
import { chatMessage, type ChatMessage } from '../model/message.ts';
import { fromOpenAiMessages, openAiMessage } from '../model/openai-messages.ts';
import { z } from '../model/schema.ts';
import { unknownFormat } from './export.ts';
import type { MessageInput } from './fill-message.ts';

export type ImportFormat = 'json' | 'openai-messages' | 'agentscope-msgs';

/** A conversation that has been read: the branch on show, and the messages of the others. */
export interface Imported {
  readonly path: readonly MessageInput[];
  readonly hidden: readonly ChatMessage[];
}

/**
 * A conversation out of one of the forms, as text or already parsed. `json` is `{messages, leaf}`, or a plain list of messages
 * without branches.
 *
 * @throws ChatError of kind `protocol` for a form that there is not, or one that names the first place which does not fit.
 */
export function importConversation(data: unknown, format: ImportFormat): Imported {
  const value = typeof data === 'string' && formats.has(format) ? parse(data) : data;
  switch (format) {
    case 'json':
      return Array.isArray(value)
        ? { path: check(z.array(chatMessage), value, format), hidden: [] }
        : untangle(check(tree, value, format));
    case 'openai-messages':
      return { path: fromOpenAiMessages(check(z.array(openAiMessage), value, format)), hidden: [] };
    case 'agentscope-msgs':
      return { path: fromMsgs(check(z.array(msg), value, format)), hidden: [] };
    default:
      throw unknownFormat(format, [...formats].map(String));
  }
}

const formats: ReadonlySet<unknown> = new Set<ImportFormat>(['json', 'openai-messages', 'agentscope-msgs']);

const tree = z.object({ messages: z.array(chatMessage), leaf: z.exactOptional(z.string()) });

/**
 * From the leaf up to the root is the branch on show.
 *
 * @throws ChatError of kind `protocol` when the leaf is none of the messages
 */
export function untangle({ messages, leaf }: { readonly messages: readonly ChatMessage[]; readonly leaf?: string }): {
  readonly path: readonly ChatMessage[];
  readonly hidden: readonly ChatMessage[];
} {
  const path: ChatMessage[] = [];
  // Each message is passed once, whatever its `parentId` says.
  const left = new Map(messages.map((message) => [message.id, message]));
  let next = left.get(leaf ?? '');
  while (next) {
    path.unshift(next);
    left.delete(next.id);
    next = left.get(next.parentId ?? '');
  }
  if (messages.length > 0 && path.length === 0) {
    throw new ChatError('protocol', `The conversation to import has no message "${leaf ?? ''}", its "leaf".`, {
      reason: 'bad-import',
    });
  }
  return { path, hidden: [...left.values()] };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new ChatError('protocol', 'The conversation to import is not JSON.', { reason: 'bad-import', cause });
  }
}

function check<Schema extends z.ZodMiniType>(schema: Schema, value: unknown, format: ImportFormat): z.infer<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new ChatError(
    'protocol',
    `This is not of the form "${format}": ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`,
    {
      reason: 'bad-import',
    },
  );
}
