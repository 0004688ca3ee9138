/** Converts session events to the events of one reply. Source: `docs/protocols/agent-session.md`. */
import type { LLMAgentEvent, LLMAgentEventData } from '../../model/events/agent-events.ts';
import type { DataPayload } from '../../model/blocks.ts';
import { isRecord } from '../../model/json.ts';
import type { Frame } from '../../transport/frame.ts';
import type { DecodeContext } from '../core/adapter.ts';
import { endData, replyEnd } from '../core/finish-reasons.ts';
import { fit, withoutNulls } from '../core/read-frames.ts';
import type * as RareEvents from './rare-events.ts';
import { payloads, type Envelope, type EventName, type Payload } from './reply-schema.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;

export interface Received {
  readonly event: Envelope;
  readonly frame: Frame;
}

/** Converts the events of one reply. The text so far is stored, because a `final_answer` may repeat it. */
export class AgentSessionReply {
  readonly #context: DecodeContext;
  #rare: typeof RareEvents | undefined;
  #calls: RareEvents.SessionCalls | undefined;
  #fullText = '';
  /** The last stretch of text that no event of another kind has interrupted. */
  #section = '';
  /** Whether an event of another kind has followed `#section`, so that new text begins the next one. */
  #isSectionOver = false;
  /** The text that consecutive `final_answer` events have added. Empty after any other event but `tool_call_progress`. */
  #answer = '';
  /** Whether an error was not recoverable. If so, an end without a status, as of older servers, is a failure. */
  #hasFailed = false;
  /**
   * The end events of the last inner request. Some servers send the start with another request id than all other events, which
   * then look like those of an inner request. In that case, these events end the reply.
   */
  #innerEnd: readonly LLMAgentEvent[] = [];
  /** Whether the outer request has sent more than its start and errors. */
  #hasOuterEvents = false;

  constructor(context: DecodeContext) {
    this.#context = context;
  }

  /**
   * Converts one event.
   *
   * @param isInner - the event belongs to an inner request, such as a sub-agent's, which has its own start and end
   */
  take({ event, frame }: Received, isInner: boolean, rare: typeof RareEvents | undefined): readonly LLMAgentEvent[] {
    this.#rare = rare;
    const { report } = this.#context;
    const name = LEGACY_NAMES.get(event.type) ?? event.type;
    // Until the inner request has ended, an event without an id may belong to either request.
    const isOuter = !isInner && (event.metadata?.request_id != null || this.#innerEnd.length > 0);
    this.#hasOuterEvents ||= isOuter && name !== 'session_start' && name !== 'error';
    const data = payloadOf(event, rare);
    if (name !== 'final_answer' && name !== 'tool_call_progress') this.#answer = '';
    if (rare && name.startsWith('tool_')) {
      this.#calls ??= new rare.SessionCalls(this.#context);
      return this.#respondWithCall(this.#calls.take(name, { data, metadata: event.metadata, isInner, frame }));
    }
    if (!isEventName(name)) {
      report({ kind: 'unknown', detail: `Unknown event "${event.type}".`, frame });
      return [];
    }
    const payload = fit(payloads[name], withoutNulls(data), frame, report);
    if (payload === undefined || (isInner && name === 'session_start')) return [];
    // All other events interrupt the text.
    this.#isSectionOver ||= name !== 'content' && name !== 'final_answer';
    // TypeScript cannot relate the name to the type of the payload; the mapped type guarantees it.
    const events = HANDLERS[name](this, payload as never, event);
    if (name !== 'session_end') return events;
    this.#innerEnd = isInner ? events : [];
    return isInner ? [] : events;
  }

  /** The events to emit when the stream has ended. */
  end(): readonly LLMAgentEvent[] {
    return this.#hasOuterEvents ? [] : this.#innerEnd;
  }

  /** Creates `response` events. */
  respond(...items: readonly Data[]): readonly LLMAgentEvent[] {
    const { eventId } = this.#context;
    return items.map((data) => ({ type: 'response', data: { eventId, ...data } }));
  }

  appendText({ content, format }: Payload<'content'>, newText = content): readonly LLMAgentEvent[] {
    this.#fullText += newText;
    this.#section = this.#isSectionOver ? newText : this.#section + newText;
    this.#isSectionOver = false;
    return newText ? this.respond({ content: newText, ...(format && { format }) }) : [];
  }

  /** The final answer may repeat the text, or arrive in fragments. */
  appendAnswer(answer: Payload<'final_answer'>): readonly LLMAgentEvent[] {
    const { content } = answer;
    const newText = this.#answer
      ? this.#rare?.nextOfAnswer(content, this.#answer)
      : this.#rare?.newTextOf(content, this.#fullText, this.#section, this.#isSectionOver);
    this.#answer += newText ?? content;
    return this.appendText(answer, newText);
  }

  fail({ message, error_type, recoverable, details }: Payload<'error'>): readonly LLMAgentEvent[] {
    this.#hasFailed ||= !recoverable;
    const data = {
      eventId: this.#context.eventId,
      error: message || 'The agent reports an error.',
      recoverable: recoverable ?? false,
      ...(error_type && { error_type }),
      ...(details !== undefined && { details }),
    };
    return [{ type: 'error', data }];
  }

  endSession({ status, summary }: Payload<'session_end'>, { metadata }: Envelope): readonly LLMAgentEvent[] {
    const reason = replyEnd(status) ?? (this.#hasFailed && !status ? 'error' : 'complete');
    const { finish = 'complete', metadata: reasonMetadata } = endData(reason);
    const data = {
      finish,
      metadata: {
        ...reasonMetadata,
        ...(summary && { summary }),
        ...(metadata?.timestamp != null && { endTime: toMilliseconds(metadata.timestamp) }),
      },
      ...(summary?.total_tokens !== undefined && {
        totalUsage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: summary.total_tokens },
      }),
    };
    const end = { type: 'end', data: { eventId: this.#context.eventId, userStop: finish === 'cancelled' } } as const;
    // The server has completed the request, so a call without an end event has not failed.
    const ended = (finish === 'complete' && this.#calls?.endOpen()) || [];
    return [...this.respond(...ended, data), end];
  }

  #respondWithCall(call: Data | undefined): readonly LLMAgentEvent[] {
    if (!call) return [];
    this.#isSectionOver ||= call.tool_call !== 'running';
    return this.respond(call);
  }
}

type Handlers = {
  readonly [Name in EventName]: (
    reply: AgentSessionReply,
    payload: Payload<Name>,
    event: Envelope,
  ) => readonly LLMAgentEvent[];
};

/** Converts the payload of each event type. */
const HANDLERS: Handlers = {
  session_start: (reply, { session_id, request_id }, { metadata }) =>
    reply.respond({
      metadata: {
        ...(session_id != null && { sessionId: session_id }),
        ...(request_id != null && { requestId: request_id }),
        ...(metadata?.timestamp != null && { startTime: toMilliseconds(metadata.timestamp) }),
      },
    }),
  thinking: (reply, { content, stage }) => reply.respond({ reasoning_content: content, ...(stage && { stage }) }),
  content: (reply, text) => reply.appendText(text),
  final_answer: (reply, answer) => reply.appendAnswer(answer),
  data: (reply, payload) => reply.respond({ data: dataPayload(payload) }),
  error: (reply, error) => reply.fail(error),
  session_end: (reply, end, event) => reply.endSession(end, event),
};

/** Names of older events. `final_answer` keeps its name, because it may repeat the streamed text. */
const LEGACY_NAMES = new Map([
  ['token', 'content'],
  ['tool_call', 'tool_call_start'],
  ['tool_result', 'tool_call_end'],
  ['dataframe_data', 'data'],
  ['done', 'session_end'],
]);

/** An unknown data type becomes `custom`, which a renderer of the page may show. */
const dataPayload = ({ data_type, data = null, metadata }: Payload<'data'>): DataPayload =>
  DATA_TYPE.test(data_type)
    ? { data_type: data_type as DataPayload['data_type'], data, ...(metadata && { metadata }) }
    : { data_type: 'custom', data, metadata: { ...metadata, dataType: data_type } };

/** The fields of an event: in `data` if that is an object, otherwise at the top level. */
function payloadOf({ type, data, ...fields }: Envelope, rare: typeof RareEvents | undefined): unknown {
  if (type === 'dataframe_data') return rare ? rare.dataframeOf(data, fields) : { data_type: 'dataframe', data };
  // `data` of an older event may be just the text.
  if (typeof data === 'string') return { content: data, message: data };
  const payload = isRecord(data) ? data : fields;
  return type === 'error' && rare ? rare.withErrorText(payload) : payload;
}

const DATA_TYPE = /^(?:dataframe|chart|image|custom)$/;

const isEventName = (name: string): name is EventName => Object.hasOwn(payloads, name);

/** Converts a timestamp to milliseconds; ten digits are seconds. */
const toMilliseconds = (time: number): number => (time < 1e12 ? time * 1000 : time);
