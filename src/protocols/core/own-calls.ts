/** The calls of an agent that runs tools of its own and may also call the page's. */
import type { LLMAgentEventData } from '../../model/agent-events.ts';
import type { DecodeContext } from './adapter.ts';

/**
 * Whether the agent can wait for the page to run a tool. Without a list of the page's tools, as in a replay, every tool
 * may be the page's.
 */
export const isPageTool = (name: string, tools: DecodeContext['tools']): boolean =>
  tools?.some((tool) => tool.name === name) ?? true;

/** Ends a call of a tool of the agent's own, whose result has not been streamed. */
export const callWithoutResult = (id: string): Omit<LLMAgentEventData, 'eventId'> => ({
  tool_call: 'end',
  tool_call_id: id,
  tool_call_remote: true,
});
