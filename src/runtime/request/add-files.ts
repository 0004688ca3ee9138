/** Adds what is not text to the first request of an unknown protocol. Loaded only for messages with files or other contents. */
import { messageTypeOf } from '../../model/agent-message.ts';
import { toAttachment } from '../../model/attachment.ts';
import type { Media } from '../../model/blocks.ts';
import { isRecord } from '../../model/json.ts';
import type { ChatMessage } from '../../model/message.ts';
import type { Turn, WireRequest } from '../../protocols/core/adapter.ts';
import { isInline, mediaTypeOf, toDataUrl } from '../../protocols/shared/files/sent-files.ts';

let isExplained = false;

/**
 * Adds the files as `parts`, in which AI SDK servers read them. Other servers read files elsewhere, and some refuse a request
 * with fields of another protocol, so the developer learns that this first request needs the name of the protocol.
 */
export function addFiles(request: WireRequest<never>, { messages }: Turn): WireRequest<never> {
  const { body } = request.init;
  if (!isRecord(body) || !Array.isArray(body['messages'])) return request;
  const sources = new Map(messages.map((message) => [message.id, message]));
  const added = (body['messages'] as readonly Readonly<Record<string, unknown>>[]).map((message) => {
    const source = sources.get(message['id'] as string);
    return { message, files: source?.blocks.flatMap(toAttachment) ?? [], supplied: source && suppliedFields(source) };
  });
  const complete = added.map(({ message, files, supplied }) => ({
    ...message,
    ...supplied,
    parts: [...files.map(toPart), ...(message['parts'] as readonly unknown[])],
  }));
  const hasFiles = added.some(({ files, supplied }) => files.length > 0 && !supplied);
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
