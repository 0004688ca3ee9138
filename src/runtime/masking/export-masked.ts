import { exportConversation, type ExportFormat } from '../../conversation/export.ts';
import type { Thread } from '../../conversation/thread.ts';
import { sentSecrets } from '../../safety/sent-secrets.ts';
import { createStorageSerializer } from './serialize-messages.ts';

/**
 * Exports a conversation to a file. Keys are masked as in storage, because a file may be passed on.
 *
 * @throws ChatError of kind `protocol` for an unknown format.
 */
export function exportMasked({ path, hidden }: Thread, format: ExportFormat): string {
  const { message } = createStorageSerializer({ redact: () => undefined, sent: sentSecrets });
  return exportConversation({ path: path.map(message), hidden: hidden.map(message) }, format);
}
