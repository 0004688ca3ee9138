/** Reads the files of a message that the page sends: with the limits and the scaling of the composer, and inline. */
import { ChatError } from '../../errors.ts';
import type { ChatMessage } from '../../model/message.ts';
import { normalizeMessage } from '../../conversation/normalize-message.ts';
import type { Limits } from '../limits.ts';
import { newId } from '../new-id.ts';
import { Attachments } from './attachments.ts';

/**
 * Reads the files one by one.
 *
 * @param files - by the id of the block that shows the file
 * @returns a function that adds the contents to the message, as it is then
 * @throws ChatError of kind `limit` if a file is refused, or if there are too many
 */
export async function readFiles(
  files: ReadonlyMap<string, Blob>,
  limits: Limits,
): Promise<(message: ChatMessage) => ChatMessage> {
  if (files.size > limits.attachments)
    throw new ChatError('limit', `The message has more than ${String(limits.attachments)} files.`);
  const ready = new Map<string, ChatMessage['blocks'][number]>();
  for (const [id, blob] of files) {
    const draft = new Attachments(
      () => ({ accept: '*', limits }),
      () => undefined,
    );
    const file = blob instanceof File ? blob : new File([blob], 'file', { type: blob.type });
    await draft.add([file]);
    const [refusal] = draft.refused;
    const [block] = normalizeMessage(
      { role: 'user', attachments: draft.take().attachments },
      { now: Date.now(), newId },
    ).blocks;
    if (!block)
      throw new ChatError('limit', `The file "${file.name}" can't be sent: ${refusal?.reason ?? 'unreadable'}.`);
    ready.set(id, { ...block, id });
  }
  return (message) => ({ ...message, blocks: message.blocks.map((block) => ready.get(block.id) ?? block) });
}

/**
 * Checks the files of a message that is sent again. A file that was refused has no content.
 *
 * @returns a function that leaves the message as it is
 * @throws ChatError of kind `limit` if a file can't be sent
 */
export function requireFiles({ blocks }: ChatMessage): (message: ChatMessage) => ChatMessage {
  for (const block of blocks) {
    if (block.type !== 'file' || (block.data ?? block.url ?? block.file ?? block.content) !== undefined) continue;
    throw new ChatError('limit', `The file "${block.name ?? 'file'}" can't be sent: it was not read.`);
  }
  return (message) => message;
}
