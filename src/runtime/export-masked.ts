import { exportConversation, type ExportFormat } from '../conversation/export.ts';
import type { Thread } from '../conversation/thread.ts';
import { sentSecrets } from '../safety/sent-secrets.ts';
import { createForStoring } from './keeping/for-storing.ts';

/**
 * A conversation as a file is made of it: without keys, as what is stored, since nobody knows where a file goes.
 *
 * @throws ChatError of kind `protocol` for a form that there is not.
 */
export function exportMasked({ path, hidden }: Thread, format: ExportFormat): string {
  const { message } = createForStoring({ redact: () => undefined, sent: sentSecrets });
  return exportConversation({ path: path.map(message), hidden: hidden.map(message) }, format);
}
