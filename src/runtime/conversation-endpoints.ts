import { isEndpointAgent } from '../agents/chosen-agent.ts';
import { isPageAgent } from '../agents/is-page-agent.ts';
import type { ChatSettings } from './chat-settings.ts';
import { endpointWithoutSecrets } from './endpoint-without-secrets.ts';

/**
 * The addresses of the page's agents, by their ids; the page's own endpoint has an empty one. An export contains them, so that an
 * import elsewhere sends no server what another one has stored.
 */
export function conversationEndpoints({
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
