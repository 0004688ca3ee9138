/** The errors of a reply: as its events, and as details for the page. */
import type { Run } from '../conversation/run.ts';
import type { ChatError } from '../errors.ts';
import type { LLMAgentEvent } from '../model/events/agent-events.ts';
import type { ErrorDetail } from './error-detail.ts';

/** The event that records an error in the reply that it ended. */
export const errorEvent = (error: ChatError, eventId: string): LLMAgentEvent => ({
  type: 'error',
  data: {
    eventId,
    error: error.serverMessage ?? error.message,
    reason: error.reason,
    values: { ...error.values },
    recoverable: error.retryable,
    error_type: error.kind,
    ...(error.code !== undefined && { code: error.code }),
  },
});

/** The error that the agent itself reported. */
export function agentProblem(run: Run): ErrorDetail {
  const block = run.messages.flatMap((message) => message.blocks).findLast((candidate) => candidate.type === 'error');
  const code = block?.extra?.['code'];
  return {
    kind: 'agent',
    message: block?.content ?? 'The agent ended its reply with an error.',
    retryable: block?.extra?.['recoverable'] === true,
    ...(typeof code === 'string' && { code }),
  };
}
