/** What a user message contains besides text, in a request. Loaded only for messages that contain such parts. */
import { attachmentNote, namedFileText } from '../../formats/attached-file.ts';
import { messageTypeOf, type AgentMessageContent } from '../../model/agent-message.ts';
import { toAttachment } from '../../model/attachment.ts';
import type { AssistantMessageBlock, Media } from '../../model/blocks.ts';
import { isBase64File } from '../../model/text/is-base64-file.ts';
import { isRecord } from '../../model/json.ts';
import type { ChatMessage } from '../../model/message.ts';
import { paragraphsOf, textOf } from '../../model/message-text.ts';
import { fence } from '../../model/text/fence.ts';
import type { Adapter, Turn, WireRequest } from '../../protocols/core/adapter.ts';
import { isInline, mediaTypeOf, toDataUrl } from '../../protocols/shared/files/sent-files.ts';

/**
 * Writes the parts that a protocol has no place for into the text of their messages: an agent would get an empty text
 * otherwise. `metadata.content` stays, for the first request to an unknown protocol.
 *
 * @param accepts - what the protocol has a place for. An unknown one gets the files as well.
 */
export function withPartsAsText(turn: Turn, accepts: Adapter['accepts'] = 'files'): Turn {
  if (accepts === 'all') return turn;
  const messages = turn.messages.map((message) => (message.role === 'user' ? partsAsText(message, accepts) : message));
  const index = turn.messages.findLastIndex(({ role }) => role === 'user');
  const message = messages[index];
  // A later request of the turn, after content of the agent, has no text.
  const isNew = messages.slice(index + 1).every(({ blocks }) => blocks.length === 0);
  return message && isNew && message !== turn.messages[index]
    ? { ...turn, messages, text: textOf(message) }
    : { ...turn, messages };
}

function partsAsText(message: ChatMessage, accepts: 'text' | 'media' | 'files'): ChatMessage {
  const { metadata, timestamp, id } = message;
  const supplied = metadata?.['content'];
  const blocks = message.blocks.map(withFileData);
  const files = blocks.flatMap((block) =>
    toAttachment(block).map((file) => ({ block, text: fileText(file, accepts) })),
  );
  const texts = [
    ...(isRecord(supplied) ? suppliedTexts(supplied) : []),
    ...files.flatMap(({ text }) => (text === undefined ? [] : [text])),
  ];
  if (texts.length === 0) return { ...message, blocks };
  const content = [paragraphsOf(message), ...texts].filter(Boolean).join('\n\n');
  return {
    ...message,
    blocks: [
      { id: `${id}.text`, type: 'content', status: 'success', timestamp, content },
      ...files.flatMap(({ block, text }) => (text === undefined ? [block] : [])),
    ],
  };
}

/** The text for a file that the protocol has no place for; undefined for the others. */
const fileText = (file: Media, accepts: 'text' | 'media' | 'files'): string | undefined =>
  accepts === 'text' || (accepts === 'media' && file.kind === 'file')
    ? (namedFileText(file) ?? attachmentNote(file))
    : undefined;

/** The content of a `send({ code })`, as a model reads it. Its files are attachments. */
function suppliedTexts({ code, data, command, structured }: AgentMessageContent): readonly string[] {
  const toJson = (value: unknown): string => fence(JSON.stringify(value ?? null, undefined, 2), 'json');
  return [
    ...(code ? [[code.filename, fence(code.content, code.language)].filter(Boolean).join('\n')] : []),
    ...(data ? [typeof data.content === 'string' ? fence(data.content, data.format) : toJson(data.content)] : []),
    ...(command ? [toJson(command)] : []),
    ...(structured ? [toJson(structured)] : []),
  ];
}

/** A file of a `send({ file })` as an attachment. Its content is text, or base64 if its type is not text. */
function withFileData(block: AssistantMessageBlock): AssistantMessageBlock {
  if (block.type !== 'file' || !block.file || block.data !== undefined) return block;
  const { content, mimeType, name } = block.file;
  return { ...block, name, mimeType, data: isBase64File(block.file) ? content : toBase64(content) };
}

const toBase64 = (text: string): string =>
  btoa([...new TextEncoder().encode(text)].map((byte) => String.fromCharCode(byte)).join(''));

let isExplained = false;

/**
 * Adds the files as `parts`, in which AI SDK servers read them. Other servers read files elsewhere, and some refuse a request
 * with fields of another protocol, so the developer learns that this first request needs the name of the protocol.
 */
export function addParts(request: WireRequest<never>, { messages }: Turn): WireRequest<never> {
  const { body } = request.init;
  if (!isRecord(body) || !Array.isArray(body['messages'])) return request;
  const sources = new Map(messages.map((message) => [message.id, message]));
  const entries = (body['messages'] as readonly Readonly<Record<string, unknown>>[]).map((message) => {
    const source = sources.get(message['id'] as string);
    return { message, files: source?.blocks.flatMap(toAttachment) ?? [], supplied: source && suppliedFields(source) };
  });
  const complete = entries.map(({ message, files, supplied }) => ({
    ...message,
    ...supplied,
    parts: [...files.map(toPart), ...(message['parts'] as readonly unknown[])],
  }));
  const hasFiles = entries.some(({ files, supplied }) => files.length > 0 && !supplied);
  if (hasFiles && !isExplained) {
    isExplained = true;
    console.warn(
      '<agent-chat>: a message with files was sent before the protocol of the endpoint was known. Servers other than those of ' +
        'the AI SDK ignore the files. Set the attribute "protocol": docs/guides/composer.md.',
    );
  }
  return { ...request, init: { ...request.init, body: { ...body, messages: complete } } };
}

const toPart = (file: Media) => ({
  type: 'file',
  mediaType: mediaTypeOf(file),
  ...(file.name !== undefined && { filename: file.name }),
  url: isInline(file) ? toDataUrl(file) : (file.url ?? ''),
});

/**
 * The content that the page supplied, in the only format that has it (`deepchat-events`). As an empty text, it would be lost
 * without an error.
 */
function suppliedFields({ metadata, timestamp }: ChatMessage): object | undefined {
  const content = metadata?.['content'];
  if (!isRecord(content)) return undefined;
  return { type: messageTypeOf(content), content, metadata: {}, timestamp };
}
