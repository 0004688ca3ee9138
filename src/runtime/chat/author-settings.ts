/** The settings for what belongs to a message: the answer to its question, its rating, its resumption. */
import { isEndpointAgent, selectAgent } from '../../agents/chosen-agent.ts';
import { isPageAgent } from '../../agents/is-page-agent.ts';
import type { ChatMessage } from '../../model/message.ts';
import { isSameId } from '../../model/same-id.ts';
import { endpointWithoutSecrets } from '../endpoint-without-secrets.ts';
import type { ChatSettings } from '../chat-settings.ts';

/** The settings for the agent that has written a message, whatever agent is chosen now. Nothing is sent to another one. */
export function authorSettings(
  settings: ChatSettings,
  { agentId: author }: Pick<ChatMessage, 'agentId'> = {},
): ChatSettings {
  const { agents = [], endpoint } = settings;
  // An author that is the address of the page's endpoint means that endpoint.
  const isEndpoint = isEndpointAgent(agents, endpoint);
  const agentId = isEndpoint && author === endpointWithoutSecrets(endpoint) ? undefined : author || undefined;
  // A message without an agent id comes from the page's endpoint. Without a list, `agent` is an agent of that endpoint.
  const agent = agentId ?? (isEndpoint && agents.length > 0 ? undefined : settings.agent);
  const chosen = selectAgent(agents, agent, endpoint);
  // `selectAgent()` returns another agent if this one is gone, even if it is still the chosen one.
  if (agentId !== undefined && !isSameId(chosen?.id, agentId)) return { ...settings, agents: [], endpoint: undefined };
  if (!chosen || isPageAgent(chosen)) return { ...settings, agent };
  return { ...settings, agent, endpoint: chosen.endpoint, protocol: chosen.protocol ?? 'auto' };
}
