import type { LLMAgentEvent } from '../../model/events/agent-events.ts';
import { maskSecrets } from '../../safety/mask-secrets.ts';

/** Masks sent values in error texts: a server's error may repeat what it received. See `docs/security.md`. */
export function maskErrors(event: LLMAgentEvent, secrets: readonly string[]): LLMAgentEvent {
  if (event.type === 'error') {
    const { error, code, values } = event.data;
    const mask = <Value>(value: Value): Value | string =>
      typeof value === 'string' ? maskSecrets(value, secrets) : value;
    const masked = values && Object.fromEntries(Object.entries(values).map(([name, value]) => [name, mask(value)]));
    return {
      ...event,
      data: {
        ...event.data,
        error: maskSecrets(error, secrets),
        ...(code !== undefined && { code: maskSecrets(code, secrets) }),
        ...(masked && { values: masked }),
      },
    };
  }
  if (event.type !== 'response') return event;
  const { tool_call, tool_call_error: callError, tool_call_response: response } = event.data;
  if (!callError && tool_call !== 'error') return event;
  return {
    ...event,
    data: {
      ...event.data,
      ...(callError && { tool_call_error: { ...callError, message: maskSecrets(callError.message, secrets) } }),
      ...(typeof response === 'string' && { tool_call_response: maskSecrets(response, secrets) }),
    },
  };
}
