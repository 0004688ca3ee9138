/** A conversation as a file of this page, which another page may read. Loaded when one is exported or imported. */
import { isEndpointAgent } from '../agents/chosen-agent.ts';
import { isPageAgent } from '../agents/is-page-agent.ts';
import { exportConversation, type ExportFormat } from '../conversation/export/export-conversation.ts';
import { importConversation, type ImportFormat } from '../conversation/import.ts';
import type { ImportedConversation } from '../conversation/message-tree.ts';
import type { MessageInput } from '../conversation/normalize-message.ts';
import type { Thread } from '../conversation/thread.ts';
import { removeInvisible } from '../safety/remove-invisible.ts';
import { sentSecrets } from '../safety/sent-secrets.ts';
import type { ChatSettings } from './chat-settings.ts';
import { endpointWithoutSecrets } from './endpoint-without-secrets.ts';
import { withShortIds } from './imported-ids.ts';
import { createStorageSerializer } from './masking/redact-for-storage.ts';
import { newId } from './new-id.ts';

/**
 * Exports a conversation as the text of a file. Keys are masked as in storage, because a file may be passed on.
 *
 * @throws ChatError of kind `protocol` for an unknown format.
 */
export function exportMasked({ path, hidden }: Thread, format: ExportFormat, settings: ChatSettings): string {
  const { message } = createStorageSerializer({ redact: () => undefined, sent: sentSecrets });
  const thread = { path: path.map(message), hidden: hidden.map(message) };
  return exportConversation(thread, format, agentEndpoints(settings));
}

/**
 * Parses an exported conversation for a page with these agents. Characters that nobody sees are removed from messages of the user
 * and the system: a model would follow them as theirs.
 *
 * @throws ChatError of kind `protocol` if the data does not match the format.
 */
export const importHere = (data: unknown, format: ImportFormat, settings: ChatSettings): ImportedConversation => {
  const { path, hidden } = withShortIds(importConversation(data, format, agentEndpoints(settings)), newId);
  return { path: path.map(withVisibleText), hidden: hidden.map(withVisibleText) };
};

function withVisibleText<Message extends MessageInput>(message: Message): Message {
  if (message.role === 'assistant' || !message.blocks) return message;
  const blocks = message.blocks.map((block) =>
    block.type === 'content' && block.content !== undefined
      ? { ...block, content: removeInvisible(block.content) }
      : 'name' in block
        ? { ...block, name: removeInvisible(block.name) }
        : block,
  );
  return { ...message, blocks };
}

/**
 * The addresses of the page's agents, by their ids; the page's own endpoint has an empty one. An export contains them, so that an
 * import elsewhere sends no server what another one has stored.
 */
function agentEndpoints({
  agents = [],
  endpoint,
}: Pick<ChatSettings, 'agents' | 'endpoint'>): ReadonlyMap<string, string> {
  const listed = agents.flatMap((agent) => (isPageAgent(agent) ? [] : [[agent.id, agent.endpoint] as const]));
  const own = isEndpointAgent(agents, endpoint) ? [['', endpoint] as const] : [];
  return new Map(
    [...own, ...listed].flatMap(([id, address]) => {
      const known = endpointWithoutSecrets(address);
      return known === '' ? [] : [[id, known] as const];
    }),
  );
}
