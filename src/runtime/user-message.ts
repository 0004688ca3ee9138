import { fillMessage, type MessageInput } from '../conversation/fill-message.ts';
import type { AgentMessageContent } from '../model/agent-message.ts';
import type { Media } from '../model/blocks.ts';
import type { ChatMessage } from '../model/message.ts';
import { newId } from './new-id.ts';

/** What a reader sends: words, words with files and facts, or what an agent in the page takes. */
export type SendInput =
  | string
  | {
      readonly text: string;
      readonly attachments?: readonly Media[];
      readonly data?: Readonly<Record<string, unknown>>;
      /** Sent, but not shown. */
      readonly hidden?: boolean;
    }
  | AgentMessageContent;

/** A message of ours, whole. */
export const fill = (input: MessageInput): ChatMessage => fillMessage(input, { now: Date.now(), newId });

/** The reader's message. What it was made of for an agent in the page is kept in `metadata.content`. */
export function toUserMessage(input: SendInput): ChatMessage {
  const given = typeof input === 'string' ? { text: input } : input;
  const { text } = given;
  const user = { role: 'user', status: 'sending', ...(text && { text }) } as const;
  if (isAgentContent(given)) {
    return fill({ ...user, blocks: blocksOf(given), metadata: { content: given } });
  }
  const { attachments, data, hidden } = given;
  const metadata = { ...(data && { data }), ...(hidden && { hidden }) };
  return fill({
    ...user,
    ...(attachments && { attachments }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  });
}

/** The reader's message with other words, beside the old one; what went with them still does. */
export function editUserMessage({ parentId, blocks, metadata }: ChatMessage, text: string): ChatMessage {
  const attachments = blocks.filter((block) => block.type !== 'content');
  const content = metadata?.['content'];
  const facts = typeof content === 'object' && content !== null ? { content: { ...content, text } } : {};
  const message = fill({ role: 'user', status: 'sending', ...(text && { text }) });
  return {
    ...message,
    blocks: [...message.blocks, ...attachments],
    ...(parentId !== undefined && { parentId }),
    ...(metadata && { metadata: { ...metadata, ...facts } }),
  };
}

const AGENT_FIELDS = ['code', 'command', 'file', 'image', 'structured'] as const;

const isAgentContent = (input: Exclude<SendInput, string>): input is AgentMessageContent =>
  AGENT_FIELDS.some((field) => field in input) || ('data' in input && typeof input.data['format'] === 'string');

/** Everything but the words. */
function blocksOf({
  code,
  data,
  command,
  file,
  image,
  structured,
}: AgentMessageContent): MessageInput['blocks'] & object {
  const other = data ?? command ?? structured;
  return [
    ...(code ? [{ type: 'code', code } as const] : []),
    ...(image ? [{ type: 'image', image_data: { data: image.data, mimeType: image.mimeType } } as const] : []),
    ...(file ? [{ type: 'file', name: file.name, mimeType: file.mimeType, file } as const] : []),
    ...(other ? [{ type: 'data', data: { data_type: 'custom', data: other } } as const] : []),
  ];
}
