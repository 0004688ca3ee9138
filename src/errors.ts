/** What went wrong, as a closed set that code can switch on. Source: the contract's `agent-chat-error` event. */
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

/** What more there is to know of an error. All of it may be left out. */
export interface ChatErrorOptions {
  /** Which sentence of the catalogue tells a reader about it: `error.<reason>`. */
  readonly reason?: string;
  /** What the sentence names, such as a host or a status. */
  readonly values?: Readonly<Record<string, string | number>>;
  /** The HTTP status, where there is one. */
  readonly status?: number;
  /** The server's own code for it, where the wire has one. */
  readonly code?: string;
  /** What the server said about it, already without secrets. */
  readonly serverMessage?: string;
  /** The body that was sent, where it was refused. */
  readonly request?: string;
  /** Whether trying again can help. */
  readonly retryable?: boolean;
  /** Milliseconds that the server asks to wait. */
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

/**
 * Everything the widget reports as an error. Code switches on `kind`; people read `message`, which says what happened,
 * what was expected and what to do.
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
