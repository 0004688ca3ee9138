import { ChatError } from '../errors.ts';
import { fromMsgs } from '../model/agentscope-history.ts';
import { msg } from '../model/agentscope-msg.ts';
import { chatMessage } from '../model/message.ts';
import { fromOpenAiMessages, openAiMessage } from '../model/openai-messages.ts';
import { z } from '../model/schema.ts';
import type { MessageInput } from './fill-message.ts';

export type ImportFormat = 'json' | 'openai-messages' | 'agentscope-msgs';

/**
 * A conversation out of one of the forms, as text or already parsed.
 *
 * @throws ChatError of kind `protocol` that names the first place which does not fit.
 */
export function importConversation(data: unknown, format: ImportFormat): readonly MessageInput[] {
  const value = typeof data === 'string' ? parse(data) : data;
  switch (format) {
    case 'json':
      return check(z.array(chatMessage), value, format);
    case 'openai-messages':
      return fromOpenAiMessages(check(z.array(openAiMessage), value, format));
    case 'agentscope-msgs':
      return fromMsgs(check(z.array(msg), value, format));
  }
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
