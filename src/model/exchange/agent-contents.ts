/** Converts a message to the content that an agent receives. */
import { toAttachment } from '../attachment.ts';
import type { AgentMessageContent } from '../agent-message.ts';
import type { AssistantMessageBlock, Media } from '../blocks.ts';
import { isRecord } from '../json.ts';
import type { ChatMessage } from '../message.ts';
import { ownBlocks } from '../own-blocks.ts';
import { paragraphsOf } from '../message-text.ts';

/**
 * The content of a message: as the page supplied it, otherwise its text with its first attachments, code and data. The format
 * has a field for one of each, so each further one is a content of its own.
 */
export function agentContentsOf(message: ChatMessage): readonly [AgentMessageContent, ...AgentMessageContent[]] {
  const supplied = message.metadata?.['content'];
  if (isRecord(supplied)) return [supplied];
  const main: AgentMessageContent = { text: paragraphsOf(message) };
  const others: AgentMessageContent[] = [];
  const parts = ownBlocks(message).flatMap((block) => [
    ...toAttachment(block).filter(isSent(message)).map(toContent),
    ...outputOf(block),
  ]);
  for (const content of parts) {
    if (Object.keys(content).some((field) => Object.hasOwn(main, field))) others.push(content);
    else Object.assign(main, content);
  }
  return [main, ...others];
}

/** Of an agent's media only its files are part of the conversation. */
const isSent =
  ({ role }: ChatMessage) =>
  ({ kind, data }: Media): boolean =>
    role === 'user' || (kind === 'file' && data !== undefined);

/** An attachment with its bytes is an image or a file; one with an address is described as data. */
function toContent(media: Media): AgentMessageContent {
  const { kind, data, name = '', mimeType = '' } = media;
  if (data === undefined) return { data: { format: 'json', content: media } };
  return kind === 'image' ? { image: { data, mimeType } } : { file: { name, content: data, mimeType } };
}

/** The output of an agent's earlier answer. The format has no field for the result of a command. */
function outputOf(block: AssistantMessageBlock): readonly AgentMessageContent[] {
  switch (block.type) {
    case 'code': {
      const { language, content, filename } = block.code;
      return [{ code: { language, content, ...(filename !== undefined && { filename }) } }];
    }
    case 'command_result':
      return [{ structured: { type: 'command_result', data: block.commandResult } }];
    case 'file':
      return block.file ? [{ file: block.file }] : [];
    case 'data':
      return [{ data: { format: 'json', content: block.data.data } }];
    default:
      return [];
  }
}
