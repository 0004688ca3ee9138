/** What went wrong, as a page is told of it. */
import type { Run } from '../conversation/run.ts';
import { ChatError } from '../errors.ts';
import type { LLMAgentEvent } from '../model/agent-events.ts';
import type { ErrorDetail } from './hooks.ts';

/** Anything that was thrown. */
export function toChatError(cause: unknown): ChatError {
  if (cause instanceof ChatError) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  // A chunk that can't be fetched fails its import with a TypeError.
  const load = cause instanceof TypeError && /import|module/i.test(message);
  return load
    ? new ChatError('load', `A part of the widget can't be loaded: ${message}`, {
        reason: 'load',
        retryable: true,
        cause,
      })
    : new ChatError('protocol', `The request could not be made: ${message}`, { reason: 'unexpected', cause });
}

/** The event that it is in the reply it has ended. */
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

export const detailOf = (error: ChatError): ErrorDetail => ({
  kind: error.kind,
  message: error.message,
  retryable: error.retryable,
  ...(error.status !== undefined && { status: error.status }),
  ...(error.code !== undefined && { code: error.code }),
  ...(error.retryAfter !== undefined && { retryAfter: error.retryAfter }),
  cause: error.cause,
});

/** What the agent itself said was wrong. */
export function agentProblem(run: Run): ErrorDetail {
  const block = run.messages.flatMap((message) => message.blocks).findLast((candidate) => candidate.type === 'error');
  const code = block?.extra?.['code'];
  return {
    kind: 'agent',
    message: block?.content ?? 'The agent ended its answer with an error.',
    retryable: block?.extra?.['recoverable'] === true,
    ...(typeof code === 'string' && { code }),
  };
}
