import { exportConversation, type ExportFormat } from '../conversation/export.ts';
import type { Thread } from '../conversation/thread.ts';
import { sentSecrets } from '../safety/sent-secrets.ts';
import type { ChatSettings } from './chat-settings.ts';
import { conversationEndpoints } from './conversation-endpoints.ts';
import { createStorageSerializer } from './masking/serialize-messages.ts';

/**
 * Exports a conversation to a file. Keys are masked as in storage, because a file may be passed on.
 *
 * @throws ChatError of kind `protocol` for an unknown format.
 */
export function exportMasked({ path, hidden }: Thread, format: ExportFormat, settings: ChatSettings): string {
  const { message } = createStorageSerializer({ redact: () => undefined, sent: sentSecrets });
  const thread = { path: path.map(message), hidden: hidden.map(message) };
  return exportConversation(thread, format, conversationEndpoints(settings));
}
