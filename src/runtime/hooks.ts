/** What the runtime tells whoever shows it, and what it is told. */
import type { ChatError } from '../errors.ts';
import type { LLMAgentEvent } from '../model/agent-events.ts';
import type { ChatMessage } from '../model/message.ts';
import type { Warning } from '../protocols/adapter.ts';
import type { TraceSink } from './trace.ts';

/** What goes with an answer of the reader: values of a form, a lasting permission, changed arguments, words to a denial. */
export interface RespondOptions {
  readonly payload?: unknown;
  readonly remember?: 'always';
  readonly arguments?: unknown;
  readonly note?: string;
}

/** What a page is told of a reply that did not go well. Serialisable but for `cause`. */
export interface ErrorDetail {
  readonly kind: ChatError['kind'];
  readonly message: string;
  readonly status?: number;
  readonly code?: string;
  readonly retryable: boolean;
  /** Milliseconds. */
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

/** What the runtime tells whoever shows it. */
export interface ChatHooks {
  /** Before a message of the reader goes out; false keeps it back. */
  beforeSend(message: ChatMessage): boolean;
  event(event: LLMAgentEvent, message: ChatMessage): void;
  /** A message has its last status. */
  message(message: ChatMessage): void;
  error(detail: ErrorDetail): void;
  /** The agent's shared state has changed. */
  state(state: unknown): void;
  warning(warning: Warning): void;
  /** Who looks at what passes by, if anybody does; asked when a reply begins. */
  trace?(): TraceSink | undefined;
}
