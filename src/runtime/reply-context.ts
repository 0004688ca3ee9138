/** The context passed to the code that streams one reply. */
import type { Run } from '../conversation/run.ts';
import type { ChatError } from '../errors.ts';
import type { LLMAgentEvent } from '../model/events/agent-events.ts';
import type { ChatMessage } from '../model/message.ts';
import type { Adapter, Warning } from '../protocols/core/adapter.ts';
import type { ProtocolRegistry } from '../protocols/registry.ts';
import type { Limits } from './limits.ts';
import type { ChatSettings } from './chat-settings.ts';
import type { Tracer } from './tracer.ts';
import type { SilenceFrom } from './timeout.ts';

/** A wait before the next attempt. */
export interface RetryWait {
  /** When it ends, in milliseconds since the epoch, for a countdown. Undefined: it ends when the network returns. */
  readonly until?: number;
  /** The number of the next attempt, from 1. */
  readonly attempt: number;
  readonly error: ChatError;
  /** Ends the wait immediately. */
  now(): void;
}

export interface ReplyContext {
  readonly settings: ChatSettings;
  readonly limits: Limits;
  readonly protocols: ProtocolRegistry;
  readonly threadId: string;
  /** Aborted when the turn ends, for whatever reason: also after a complete reply. */
  readonly signal: AbortSignal;
  /** Id of the protocol that has read an earlier reply of this endpoint. */
  readonly knownProtocol: string | undefined;
  /** The adapter in use, once it is known. */
  readonly adapter: Adapter | undefined;
  /** Tracer for the stream inspector; undefined without one. */
  readonly trace: Tracer | undefined;
  /** Resolves when the view can show the reply. Its bytes are read before, but decoded only then. */
  readonly viewReady?: (() => Promise<unknown>) | undefined;
  /** From when the agent's silence counts: not while it waits for the user, and again from the answer. */
  readonly silenceFrom: SilenceFrom;
  conversation(): readonly ChatMessage[];
  run(): Run;
  /** @param callBlockId - id of the tool call's block that the runtime's own events are about */
  dispatch(events: readonly LLMAgentEvent[], callBlockId?: string): void;
  /**
   * Resets the messages of the current round, because its content is about to be sent again.
   *
   * @param keepAnswers - closes questions that come again. Without it, the answers that wait for the next request are discarded; those
   * that `Adapter.nextAnswers` has postponed to a later one stay.
   */
  restart(keepAnswers?: (run: Run) => Run): void;
  warn(warning: Warning): void;
  /** Called when the adapter that reads the stream is known. */
  adapterSelected(adapter: Adapter): void;
  /** Called when the endpoint's protocol has read a reply, whether it was detected or configured. Later requests use it. */
  protocolDetected(adapter: Adapter): void;
  /** Called when the server has accepted a request. `adapter`: the endpoint's protocol, if it is known by then. */
  accepted(adapter?: Adapter): void;
  /** Called when the widget waits before the next attempt, and with undefined when it no longer does. */
  waitingForRetry(wait: RetryWait | undefined): void;
}
