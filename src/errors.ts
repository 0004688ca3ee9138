/** The kinds of errors, as a closed set to switch on. Source: `docs/guides/when-things-fail.md`. */
export type ErrorKind =
  | 'network'
  | 'http'
  | 'auth'
  | 'rate-limit'
  | 'protocol'
  | 'unsupported-stream'
  | 'timeout'
  | 'limit'
  | 'agent'
  | 'storage'
  | 'load';

/** Optional details of an error. */
export interface ChatErrorOptions {
  /** Locale key of the message for users: `error.<reason>`. Default: the kind. */
  readonly reason?: string;
  /** Placeholder values of that message, such as a host or a status. */
  readonly values?: Readonly<Record<string, string | number>>;
  /** The HTTP status. */
  readonly status?: number;
  /** The server's own error code. */
  readonly code?: string;
  /** The server's error message, with secrets masked. */
  readonly serverMessage?: string;
  /** The request body that was rejected. */
  readonly request?: string;
  /** Whether a retry may succeed. Default: `false`. */
  readonly retryable?: boolean;
  /** Milliseconds that the server asks to wait. */
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

/**
 * An error reported by the widget. Switch on `kind` in code; `message` explains to developers what happened, what was
 * expected and what to do.
 *
 * @example
 * element.addEventListener('agent-chat-error', (event) => {
 *   if (event.detail.kind === 'auth') renewToken();
 * });
 */
export class ChatError extends Error {
  override readonly name = 'ChatError';
  readonly kind: ErrorKind;
  readonly reason: string;
  readonly values: Readonly<Record<string, string | number>>;
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly serverMessage: string | undefined;
  readonly request: string | undefined;
  readonly retryable: boolean;
  readonly retryAfter: number | undefined;

  constructor(kind: ErrorKind, message: string, options: ChatErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.kind = kind;
    this.reason = options.reason ?? kind;
    this.values = options.values ?? {};
    this.status = options.status;
    this.code = options.code;
    this.serverMessage = options.serverMessage;
    this.request = options.request;
    this.retryable = options.retryable ?? false;
    this.retryAfter = options.retryAfter;
  }
}

/** The message of anything that was thrown. */
export const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
