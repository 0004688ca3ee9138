/** Callbacks from the runtime to the UI, and the data they carry. */
import type { LLMAgentEvent } from '../model/events/agent-events.ts';
import type { ChatMessage } from '../model/message.ts';
import type { Warning } from '../protocols/core/adapter.ts';
import type { ErrorDetail } from './error-detail.ts';
import type { Tracer } from './tracer.ts';

/** The data of a user's answer: form values, a permanent approval, changed arguments, or a note to a denial. */
export interface RespondOptions {
  readonly payload?: unknown;
  readonly remember?: 'always';
  readonly arguments?: unknown;
  readonly note?: string;
}

/** Callbacks from the runtime to the UI. An event that changes the shared state calls `state` before `event`. */
export interface ChatHooks {
  /** Called before a user message is sent or enters the queue, also if its text only answers a question; `false` prevents it. */
  beforeSend(message: ChatMessage): boolean;
  event(event: LLMAgentEvent, message: ChatMessage): void;
  /** Called when a reply has ended, for the user message and each message of the reply, and for a message that was not sent. */
  message(message: ChatMessage): void;
  /**
   * Called after `message` for an error that ended a reply. Also called for a message that was not sent, for a failed side
   * request, and while a reply goes on, for a part of it that could not be used.
   */
  error(detail: ErrorDetail): void;
  /** Called when the agent's shared state has changed. */
  state(state: unknown): void;
  warning(warning: Warning): void;
  /** Returns the tracer of a turn, if the stream inspector is on. */
  trace?(userMessage: ChatMessage): Tracer | undefined;
}
