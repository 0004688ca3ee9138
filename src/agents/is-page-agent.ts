import type { BaseAgent } from '../model/agent.ts';

/** Whether the agent runs in the page instead of behind an endpoint. */
export const isPageAgent = (agent: object): agent is BaseAgent => 'processMessage' in agent;
