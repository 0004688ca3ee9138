/** What a reply needs from the conversation around it, and tells it. */
import type { Run } from '../conversation/run.ts';
import type { ChatError } from '../errors.ts';
import type { LLMAgentEvent } from '../model/agent-events.ts';
import type { ChatMessage } from '../model/message.ts';
import type { Adapter, Warning } from '../protocols/adapter.ts';
import type { ProtocolRegistry } from '../protocols/registry.ts';
import type { Limits } from './limits.ts';
import type { ChatSettings } from './settings.ts';
import type { Tracer } from './trace.ts';

/** A wait before the next try. */
export interface RetryWait {
  /** Milliseconds since the epoch, for a countdown; without it the network is waited for. */
  readonly until?: number;
  readonly attempt: number;
  readonly error: ChatError;
  /** Ends the wait at once. */
  now(): void;
}

export interface Reply {
  readonly settings: ChatSettings;
  readonly limits: Limits;
  readonly protocols: ProtocolRegistry;
  readonly threadId: string;
  /** Aborted when the reader stops. */
  readonly signal: AbortSignal;
  /** What was found for this endpoint before. */
  readonly known: string | undefined;
  /** Who answers, once that is known. */
  readonly adapter: Adapter | undefined;
  /** Told of what passes by, where somebody looks. */
  readonly trace: Tracer | undefined;
  conversation(): readonly ChatMessage[];
  run(): Run;
  dispatch(events: readonly LLMAgentEvent[]): void;
  /** Takes back what this round has said: what comes next says all of it again. */
  restart(): void;
  warn(warning: Warning): void;
  found(adapter: Adapter): void;
  /** The endpoint has taken the request; `adapter` where it is known who that is. */
  accepted(adapter: Adapter | undefined): void;
  waiting(wait: RetryWait | undefined): void;
}
