/** Adds the user's files to the first request of an unknown protocol. Loaded only for messages with files. */
import { toAttachment } from '../../model/attachment.ts';
import { isRecord } from '../../model/json.ts';
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
  const files = new Map(messages.map(({ id, blocks }) => [id, blocks.flatMap(toAttachment)]));
  const withFiles = (body['messages'] as readonly Readonly<Record<string, unknown>>[]).map((message) => ({
    ...message,
    parts: [
      ...(files.get(message['id'] as string) ?? []).map((file) => ({
        type: 'file',
        mediaType: mediaTypeOf(file),
        ...(file.name !== undefined && { filename: file.name }),
        url: isInline(file) ? toDataUrl(file) : (file.url ?? ''),
      })),
      ...(message['parts'] as readonly unknown[]),
    ],
  }));
  if (!isExplained) {
    isExplained = true;
    console.warn(
      '<agent-chat>: a message with files was sent before the protocol of the endpoint was known. Servers other than those of ' +
        'the AI SDK ignore the files. Set the attribute "protocol": docs/guides/composer.md.',
    );
  }
  return { ...request, init: { ...request.init, body: { ...body, messages: withFiles } } };
}
