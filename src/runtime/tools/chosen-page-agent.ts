import { selectAgent } from '../../agents/chosen-agent.ts';
import { isPageAgent } from '../../agents/is-page-agent.ts';
import type { BaseAgent } from '../../model/agent.ts';
import type { ChatSettings } from '../chat-settings.ts';

/** The chosen agent, if it runs in the page. */
export function pageAgentOf({ agents, agent, endpoint }: ChatSettings): BaseAgent | undefined {
  const chosen = selectAgent(agents, agent, endpoint);
  return chosen && isPageAgent(chosen) ? chosen : undefined;
}
