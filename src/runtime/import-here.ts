import { importConversation, type ImportFormat } from '../conversation/import.ts';
import type { ImportedConversation } from '../conversation/message-tree.ts';
import type { ChatSettings } from './chat-settings.ts';
import { conversationEndpoints } from './conversation-endpoints.ts';

/**
 * Parses an exported conversation for a page with these agents.
 *
 * @throws ChatError of kind `protocol` if the data does not match the format.
 */
export const importHere = (data: unknown, format: ImportFormat, settings: ChatSettings): ImportedConversation =>
  importConversation(data, format, conversationEndpoints(settings));
