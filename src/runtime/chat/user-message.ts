import { normalizeMessage, type MessageInput } from '../../conversation/normalize-message.ts';
import type { AgentMessageContent } from '../../model/agent-message.ts';
import type { Media } from '../../model/blocks.ts';
import type { ChatMessage } from '../../model/message.ts';
import { withoutProviderRounds } from '../../formats/provider-rounds.ts';
import { ChatError } from '../../errors.ts';
import { imageTypeOf } from '../../safety/media-policy.ts';
import { newId, newIds } from '../new-id.ts';

/** What a user sends: text, text with attachments and data, or the content for an agent in the page. */
export type SendInput =
  | string
  | {
      readonly text: string;
      /** Files and blobs are read and sent inline. */
      readonly attachments?: readonly (Media | Blob)[];
      readonly data?: Readonly<Record<string, unknown>>;
      /** Sent, but not shown. */
      readonly hidden?: boolean;
    }
  | AgentMessageContent;

/** Completes a message of the widget with its default fields. */
export const completeMessage = (input: MessageInput): ChatMessage =>
  normalizeMessage(input, { now: Date.now(), newId });

/** The time and the ids for messages that have none. */
export const messageDefaults = (): { readonly now: number; readonly newId: () => string } => ({
  now: Date.now(),
  newId: newIds(),
});

/** Returns the message with some fields changed. A new text replaces the old one. */
export function patchMessage(message: ChatMessage, patch: Partial<MessageInput>): ChatMessage {
  const blocks = patch.text === undefined ? message.blocks : message.blocks.filter(({ type }) => type !== 'content');
  const isTextChanged = patch.text !== undefined || patch.blocks !== undefined;
  return completeMessage({
    ...(isTextChanged ? withoutProviderRounds(message) : message),
    blocks,
    ...patch,
    id: message.id,
  });
}

/**
 * Creates the user message. Content for an agent in the page is stored in `metadata.content`.
 *
 * @param origin - the message in which the user has pressed a button of a surface or an app: the new message goes to the agent of that one
 */
export function toUserMessage(input: SendInput, origin?: ChatMessage): ChatMessage {
  const content = typeof input === 'string' ? { text: input } : input;
  const { text } = content;
  const user = { role: 'user', status: 'sending', ...(text && { text }) } as const;
  if (isAgentContent(content)) {
    return completeMessage({ ...user, blocks: blocksOf(content), metadata: { content } });
  }
  const { attachments, data, hidden } = content;
  const metadata = { ...(data && { data }), ...(hidden && { hidden }) };
  return completeMessage({
    ...user,
    ...(data && origin && { agentId: origin.agentId ?? '' }),
    ...(attachments && { attachments: attachments.map(toMedia) }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  });
}

const KINDS: readonly unknown[] = ['image', 'audio', 'video', 'file'] satisfies readonly Media['kind'][];

/** @throws ChatError for a value that is no attachment: it would be shown, and the agent would not receive it */
function toMedia(attachment: Media | Blob, index: number): Media {
  if (attachment instanceof Blob) return { kind: 'file', name: attachment instanceof File ? attachment.name : 'file' };
  const { kind, url, data } = (attachment as Media | null) ?? {};
  if (KINDS.includes(kind) && (url !== undefined || data !== undefined)) return withImageType(attachment);
  throw new ChatError('protocol', `attachments[${String(index)}] needs a kind, and data or a url; or pass a File.`);
}

/** Providers reject the type `image/jpg`. */
const withImageType = (media: Media): Media =>
  typeof media.mimeType === 'string' ? { ...media, mimeType: imageTypeOf(media.mimeType) } : media;

/** The files of an input, by the id of the block that shows each in its message. */
export function filesOf(input: SendInput, { blocks }: ChatMessage): ReadonlyMap<string, Blob> {
  const attachments = typeof input === 'object' && 'attachments' in input ? (input.attachments ?? []) : [];
  const shown = blocks.slice(-attachments.length);
  return new Map(
    attachments.flatMap((one, index) => (one instanceof Blob ? [[shown[index]?.id ?? '', one] as const] : [])),
  );
}

/**
 * Creates the edited version of a user message, as a branch next to the old one. Attachments and metadata stay. A message from
 * a press in a surface, which has an `agentId`, loses its `data`: the agent would get the old values instead of the new text.
 */
export function editUserMessage({ agentId, parentId, blocks, ...before }: ChatMessage, text: string): ChatMessage {
  const metadata = agentId === undefined ? before.metadata : { ...before.metadata, data: undefined };
  const attachments = blocks.filter((block) => block.type !== 'content');
  const content = metadata?.['content'];
  const editedContent = typeof content === 'object' && content !== null ? { content: { ...content, text } } : {};
  const message = completeMessage({ role: 'user', status: 'sending', ...(text && { text }) });
  return {
    ...message,
    blocks: [...message.blocks, ...attachments],
    ...(before.name !== undefined && { name: before.name }),
    ...(parentId !== undefined && { parentId }),
    ...(metadata && { metadata: { ...metadata, ...editedContent } }),
  };
}

const AGENT_FIELDS = ['code', 'command', 'file', 'image', 'structured'] as const;

const isAgentContent = (input: Exclude<SendInput, string>): input is AgentMessageContent =>
  AGENT_FIELDS.some((field) => (input as AgentMessageContent)[field] !== undefined) ||
  // The value is compared, because a page may have added a field of that name to `Object.prototype`.
  typeof (input as AgentMessageContent).data?.['format'] === 'string';

/** The blocks for all content other than text. */
function blocksOf({
  code,
  data,
  command,
  file,
  image,
  structured,
}: AgentMessageContent): MessageInput['blocks'] & object {
  const structuredData = data ?? command ?? structured;
  const dataType = data ? undefined : (command ?? structured)?.type;
  return [
    ...(code ? [{ type: 'code', code } as const] : []),
    ...(image ? [{ type: 'image', image_data: { data: image.data, mimeType: image.mimeType } } as const] : []),
    ...(file ? [{ type: 'file', name: file.name, mimeType: file.mimeType, file } as const] : []),
    ...(structuredData
      ? [
          {
            type: 'data',
            data: { data_type: 'custom', data: structuredData, ...(dataType && { metadata: { dataType } }) },
          } as const,
        ]
      : []),
  ];
}
