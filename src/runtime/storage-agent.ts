import { selectAgent } from '../agents/chosen-agent.ts';
import { isPageAgent } from '../agents/is-page-agent.ts';
import type { ChatSettings } from './chat-settings.ts';

/**
 * What stands for a missing endpoint: the first agent that the page lists, or the previous one while it is still listed. So
 * another page of the site, with other agents, has other conversations. A discovered agent comes too late for this.
 */
export function storageAgent(
  { endpoint, agents }: Pick<ChatSettings, 'endpoint' | 'agents'>,
  previous: StorageAgent | undefined,
): StorageAgent | undefined {
  const agent = endpoint ? undefined : selectAgent(agents, previous?.id, 'none');
  return agent && { id: agent.id, address: isPageAgent(agent) ? `agent:${agent.id}` : agent.endpoint };
}

export interface StorageAgent {
  readonly id: string;
  readonly address: string;
}
