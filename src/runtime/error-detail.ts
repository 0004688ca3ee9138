/** An error as it is reported to the page. */
import { ChatError } from '../errors.ts';
import type { ErrorDetail } from './chat-hooks.ts';

/** Converts anything that was thrown. */
export function toChatError(cause: unknown): ChatError {
  if (cause instanceof ChatError) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  // A dynamic import that can't be fetched fails with a TypeError.
  const isLoadError = cause instanceof TypeError && /import|module/i.test(message);
  return isLoadError
    ? new ChatError('load', `A part of the widget could not be loaded: ${message}`, {
        reason: 'load',
        retryable: true,
        cause,
      })
    : // Usually a function of the page has failed before the request. One that reads the reply ends here too.
      new ChatError('protocol', `The request could not be made: ${message}`, { reason: 'unexpected', cause });
}

export const detailOf = (error: ChatError): ErrorDetail => ({
  kind: error.kind,
  message: error.message,
  retryable: error.retryable,
  ...(error.status !== undefined && { status: error.status }),
  ...(error.code !== undefined && { code: error.code }),
  ...(error.retryAfter !== undefined && { retryAfter: error.retryAfter }),
  cause: error.cause,
});
