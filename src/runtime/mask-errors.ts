import type { LLMAgentEvent } from '../model/agent-events.ts';
import { maskSecrets } from '../safety/secrets.ts';

/** What a server says of its troubles may repeat what it was sent. Source: `security/README.md`, rule 13. */
export function maskErrors(event: LLMAgentEvent, sent: readonly string[]): LLMAgentEvent {
  if (event.type === 'error') {
    return { ...event, data: { ...event.data, error: maskSecrets(event.data.error, sent) } };
  }
  if (event.type !== 'response') return event;
  const { tool_call, tool_call_error: problem, tool_call_response: words } = event.data;
  if (!problem && tool_call !== 'error') return event;
  return {
    ...event,
    data: {
      ...event.data,
      ...(problem && { tool_call_error: { ...problem, message: maskSecrets(problem.message, sent) } }),
      ...(typeof words === 'string' && { tool_call_response: maskSecrets(words, sent) }),
    },
  };
}
