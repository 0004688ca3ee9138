import type { LLMAgentEvent } from '../../model/events/agent-events.ts';
import { errorMessage } from '../../protocols/shared/error-message.ts';

/** Replaces the text of an error event with its message: some servers send serialized objects with a stack trace. */
export function readableErrors(event: LLMAgentEvent): LLMAgentEvent {
  if (event.type !== 'error') return event;
  const error = errorMessage(event.data.error) ?? UNKNOWN_ERROR;
  return error === event.data.error ? event : { ...event, data: { ...event.data, error } };
}

const UNKNOWN_ERROR = 'The agent reported an error.';
