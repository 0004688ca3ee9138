import {
  checkSessionEvent,
  type SessionEvent,
  type SessionEventName,
  type SessionFormat,
  type SessionPayloads,
  type SessionStage,
} from './session-events.ts';

export interface StreamingEngineOptions {
  /** Sends one frame to the client. False or a rejection means that the client has disconnected. */
  send(frame: string): boolean | Promise<boolean>;
  /** Called with every event, also with those that could not be sent. */
  log?(event: SessionEvent): void;
  /** Milliseconds since the epoch. */
  now?(): number;
}

type Summary = NonNullable<SessionPayloads['session_end']['summary']>;

/**
 * Sends all events of a session: it adds number and time, validates them, keeps a log, and tolerates a client that
 * disconnects. Each emitter resolves with the frame that was sent, `''` once the engine is closed. Source:
 * `docs/protocols/agent-session.md`; `emitToolCallProgress` is an addition that the event list needs.
 *
 * @example
 * const engine = new StreamingEngine('req_1', { send: (frame) => response.write(frame) });
 * await engine.emitSessionStart('session_1');
 * await engine.emitContent('Hello', 'markdown', true);
 * await engine.emitSessionEnd('completed');
 */
export class StreamingEngine {
  readonly requestId: string;
  readonly #options: StreamingEngineOptions;
  readonly #startTime: number;
  #sequence = 0;
  #state: 'new' | 'open' | 'ended' | 'closed' = 'new';
  #toolCalls = 0;
  readonly #log: SessionEvent[] = [];

  /** @throws TypeError without a request id. */
  constructor(requestId: string, options: StreamingEngineOptions) {
    if (requestId === '') throw new TypeError('A StreamingEngine needs the id of its request.');
    this.requestId = requestId;
    this.#options = options;
    this.#startTime = this.#now();
  }

  /** Whether the client has disconnected: a frame could not be sent. Further events are discarded. */
  get closed(): boolean {
    return this.#state === 'closed';
  }

  /** All events so far, in order. */
  get log(): readonly SessionEvent[] {
    return this.#log;
  }

  /** Values that `session_end` may summarize; the caller counts the tokens. */
  summary(totalTokens: number): Summary {
    return { total_tokens: totalTokens, duration_ms: this.#now() - this.#startTime, tool_calls: this.#toolCalls };
  }

  /** Must be called first. The event has no `request_id` in its metadata, because its data has it. */
  emitSessionStart(sessionId: string): Promise<string> {
    return this.#emit('session_start', { session_id: sessionId, request_id: this.requestId });
  }

  emitThinking(content: string, stage?: SessionStage): Promise<string> {
    return this.#emit('thinking', { content, ...(stage !== undefined && { stage }) });
  }

  emitToolCallStart(
    toolId: string,
    toolName: string,
    description: string,
    args: Readonly<Record<string, unknown>>,
  ): Promise<string> {
    return this.#emit('tool_call_start', { tool_id: toolId, tool_name: toolName, description, arguments: args });
  }

  /** `progress`: 0 to 1. */
  emitToolCallProgress(toolId: string, progress: number, message: string): Promise<string> {
    return this.#emit('tool_call_progress', { tool_id: toolId, progress, message });
  }

  emitToolCallEnd(
    toolId: string,
    status: 'success' | 'failed',
    outcome: Pick<SessionPayloads['tool_call_end'], 'result' | 'error'> = {},
    durationMs?: number,
  ): Promise<string> {
    return this.#emit('tool_call_end', { tool_id: toolId, status, ...outcome }, durationMs);
  }

  emitContent(content: string, format: SessionFormat = 'markdown', isComplete = false): Promise<string> {
    return this.#emit('content', { content, format, is_complete: isComplete });
  }

  emitData(
    dataType: SessionPayloads['data']['data_type'],
    data: unknown,
    metadata?: SessionPayloads['data']['metadata'],
  ): Promise<string> {
    return this.#emit('data', { data_type: dataType, data, ...(metadata && { metadata }) });
  }

  /** Does not end the session: `emitSessionEnd('error')` does. */
  emitError(
    errorType: SessionPayloads['error']['error_type'],
    message: string,
    details?: SessionPayloads['error']['details'],
    recoverable = false,
  ): Promise<string> {
    return this.#emit('error', { error_type: errorType, message, ...(details && { details }), recoverable });
  }

  /** Must be called last. */
  emitSessionEnd(status: SessionPayloads['session_end']['status'], summary?: Summary): Promise<string> {
    return this.#emit('session_end', { status, ...(summary && { summary }) });
  }

  /**
   * @throws TypeError for an invalid event, Error when the session has not begun or has ended. Nothing is sent then.
   */
  async #emit<Name extends SessionEventName>(
    type: Name,
    data: SessionPayloads[Name],
    durationMs?: number,
  ): Promise<string> {
    checkSessionEvent(type, data, durationMs);
    if (this.#state === 'closed') return '';
    const state = this.#stateAfter(type);
    const event: SessionEvent = {
      type,
      data,
      metadata: {
        ...(type !== 'session_start' && { request_id: this.requestId }),
        timestamp: Math.floor(this.#now() / 1000),
        sequence: this.#sequence,
        ...(durationMs !== undefined && { duration_ms: durationMs }),
      },
    };
    // A value that can't be serialized, such as a cycle, throws here, before the event gets a number.
    const frame = `data: ${JSON.stringify(event)}\n\n`;
    this.#state = state;
    this.#sequence++;
    if (type === 'tool_call_start') this.#toolCalls++;
    this.#log.push(event);
    this.#options.log?.(event);
    if (await this.#deliver(frame)) return frame;
    this.#state = 'closed';
    return '';
  }

  #stateAfter(type: SessionEventName): 'open' | 'ended' {
    if (this.#state === 'ended') throw new Error(`Session event "${type}": the session has ended.`);
    const first = type === 'session_start';
    if (first !== (this.#state === 'new')) {
      throw new Error(
        `Session event "${type}": ${first ? 'the session has begun already' : 'session_start comes first'}.`,
      );
    }
    return type === 'session_end' ? 'ended' : 'open';
  }

  async #deliver(frame: string): Promise<boolean> {
    try {
      return await this.#options.send(frame);
    } catch {
      return false;
    }
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }
}
