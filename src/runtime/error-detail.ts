/** Errors as they are reported to the page: the detail of the event `agent-chat-error`. */
import { ChatError, messageOf } from '../errors.ts';

/** The detail of the event `agent-chat-error`. Serializable except for `cause`. */
export interface ErrorDetail {
  readonly kind: ChatError['kind'];
  readonly message: string;
  readonly status?: number;
  readonly code?: string;
  readonly retryable: boolean;
  /** Time to wait in milliseconds. */
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

/** Converts anything that was thrown. */
export function toChatError(cause: unknown): ChatError {
  if (cause instanceof ChatError) return cause;
  const message = messageOf(cause);
  // A dynamic import that can't be fetched fails with a TypeError.
  const isLoadError = cause instanceof TypeError && /import|module/i.test(message);
  return isLoadError
    ? new ChatError('load', `A part of the widget could not be loaded: ${message}`, {
        reason: 'load',
        retryable: true,
        cause,
      })
    : // Usually a function of the page has failed before the request, such as one that gets a token.
      new ChatError('protocol', `The request could not be made: ${message}`, { reason: 'unexpected', cause });
}

/** Most likely an error in a function of the host page. Its author needs the stack. */
export function warnOfPageError(error: ChatError): void {
  const { reason, message, cause = error } = error;
  if (reason === 'unexpected' || reason === 'page-function') console.warn(`<agent-chat>: ${message}`, cause);
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
