/** Session events (`agent-session`). Source: `docs/protocols/agent-session.md`. */
import type { LLMAgentEvent, LLMAgentEventData } from '../../model/agent-events.ts';
import { z } from '../../model/schema.ts';
import { sentTextMessages } from '../shared/sent-history.ts';
import type { DataPayload } from '../../model/blocks.ts';
import { isRecord } from '../../model/json.ts';
import { fit, readJsonFrames, withoutNulls } from '../core/read-frames.ts';
import { endData, replyEnd } from '../core/finish-reasons.ts';
import { filled, lenient, lenientNumber, lenientText } from '../shared/lenient.ts';
import { reorderEvents } from '../shared/reorder-events.ts';
import type * as RareEvents from './rare-events.ts';
import type { Frame } from '../../transport/frame.ts';
import type { Adapter, DecodeContext, Report } from '../core/adapter.ts';

const optional = z.exactOptional;
/** Older events have their fields at the top level. */
const envelope = z.looseObject({
  type: z.string(),
  data: optional(z.unknown()),
  // Metadata of another type must not hide its text.
  metadata: lenient(
    z.object({
      request_id: lenientText,
      timestamp: lenientNumber,
      sequence: lenientNumber,
      duration_ms: lenientNumber,
    }),
  ),
});
type Envelope = z.infer<typeof envelope>;

const text = z.object({
  content: z.string(),
  stage: optional(z.string()),
  // Text in an unknown format is better than no text.
  format: optional(z.catch(z.enum(['markdown', 'text', 'html']), 'markdown')),
});
const sessionId = lenient(z.union([z.string(), z.number()]));
const payloads = {
  session_start: z.object({ session_id: sessionId, request_id: lenientText }),
  thinking: text,
  content: text,
  final_answer: text,
  data: z.object({
    data_type: z.string(),
    data: z.unknown(),
    metadata: optional(z.record(z.string(), z.unknown())),
  }),
  error: z.object({
    error_type: optional(z.string()),
    message: z.string(),
    details: optional(z.unknown()),
    recoverable: optional(z.boolean()),
  }),
  session_end: z.object({
    status: optional(z.string()),
    // A null count must not hide the end of the session.
    summary: lenient(
      filled(
        z.object({
          total_tokens: optional(z.number()),
          duration_ms: optional(z.number()),
          tool_calls: optional(z.number()),
        }),
      ),
    ),
  }),
};
type EventName = keyof typeof payloads;
type Payload<Name extends EventName> = z.infer<(typeof payloads)[Name]>;

/** Names of older events. `final_answer` keeps its name, because it may repeat the streamed text. */
const legacyNames = new Map([
  ['token', 'content'],
  ['tool_call', 'tool_call_start'],
  ['tool_result', 'tool_call_end'],
  ['dataframe_data', 'data'],
  ['done', 'session_end'],
]);

/** Events that `rare-events.ts` reads. */
const RARE_EVENT = /^(?:final_answer|dataframe_data|tool_)/;

export const agentSession: Adapter = {
  id: 'agent-session',
  label: 'Session events',
  kind: 'agent',
  accepts: 'text',

  request(turn, { url, headers = {}, ...options }) {
    // A reply that replaces the first one, after an edit too, belongs to its session.
    const known = turn.fork?.reply ? [turn.fork.reply, ...turn.messages] : turn.messages;
    const sessionId = known.findLast((message) => message.metadata?.['sessionId'])?.metadata?.['sessionId'];
    return {
      url,
      init: {
        method: 'POST',
        headers: { accept: 'text/event-stream', ...headers },
        body: {
          messages: sentTextMessages(turn, options).map(({ role, content }) => ({ role, content })),
          ...(sessionId !== undefined && { session_id: sessionId }),
        },
      },
    };
  },

  async *decode(batches, context) {
    const { report } = context;
    const reply = makeReply(context);
    const received = (async function* () {
      for await (const batch of batches) yield [...readEnvelopes(batch, report)];
    })();
    let request: string | undefined;
    // Events of another request, such as a sub-agent's, have their own numbers: they apply as they arrive.
    const isInner = ({ event }: Received): boolean => {
      const id = requestIdOf(event);
      request ??= id;
      return id !== undefined && id !== request;
    };
    const sequenceOf = (item: Received): number | null | undefined =>
      isInner(item) ? undefined : item.event.metadata?.sequence;
    let rare: typeof RareEvents | undefined;
    for await (const ordered of reorderEvents(received, sequenceOf, context)) {
      if (ordered.some(({ event }) => RARE_EVENT.test(event.type)))
        rare ??= await import('./rare-events.ts').catch(() => undefined);
      yield ordered.flatMap((item) => reply.take(item, isInner(item), rare));
    }
    yield reply.end();
  },
};

/** `session_start` has the id of its request in its data. */
function requestIdOf({ type, data, metadata }: Envelope): string | undefined {
  const id = metadata?.request_id ?? (type === 'session_start' && isRecord(data) ? data['request_id'] : undefined);
  return typeof id === 'string' ? id : undefined;
}

interface Received {
  readonly event: Envelope;
  readonly frame: Frame;
}

function* readEnvelopes(batch: readonly Frame[], report: Report): Generator<Received> {
  for (const { json, frame } of readJsonFrames(batch, report)) {
    const event = fit(envelope, json, frame, report);
    if (event) yield { event, frame };
  }
}

/** Events that do not interrupt the text. */
const TEXT_EVENTS: ReadonlySet<EventName> = new Set(['content', 'final_answer']);

interface ReplyDecoder {
  /** @param isInner - the event belongs to another request, which has its own start and end */
  take(received: Received, isInner: boolean, rare: typeof RareEvents | undefined): readonly LLMAgentEvent[];
  end(): readonly LLMAgentEvent[];
}

/** Converts envelopes to events. It remembers the text so far, for a `final_answer` that repeats it. */
function makeReply(context: DecodeContext): ReplyDecoder {
  const { eventId, report } = context;
  let fullText = '';
  /** The last text, if no event of another kind has followed it. */
  let section = '';
  let isSectionOver = false;
  let newText: typeof RareEvents.newTextOf | undefined;
  /** Whether an error was not recoverable. An end without a status, as older servers send it, does not undo that. */
  let hasFailed = false;
  let tools: ReturnType<typeof RareEvents.makeToolCalls> | undefined;
  /** The end of the last inner request. It is the end of the reply only if no other one follows. */
  let innerEnd: readonly LLMAgentEvent[] = [];
  const response = (data: Omit<LLMAgentEventData, 'eventId'>): readonly LLMAgentEvent[] => [
    { type: 'response', data: { eventId, ...data } },
  ];
  const emitText = (content: string, format?: Payload<'content'>['format']): readonly LLMAgentEvent[] => {
    fullText += content;
    section = isSectionOver ? content : section + content;
    isSectionOver = false;
    return content ? response({ content, ...(format && { format }) }) : [];
  };

  const handlers: { readonly [Name in EventName]: (data: Payload<Name>, event: Envelope) => readonly LLMAgentEvent[] } =
    {
      session_start: ({ session_id, request_id }, { metadata }) =>
        response({
          metadata: {
            ...(session_id != null && { sessionId: session_id }),
            ...(request_id != null && { requestId: request_id }),
            ...(metadata?.timestamp != null && { startTime: toMilliseconds(metadata.timestamp) }),
          },
        }),
      thinking: ({ content, stage }) => response({ reasoning_content: content, ...(stage && { stage }) }),
      content: ({ content, format }) => emitText(content, format),
      final_answer: ({ content, format }) =>
        emitText(newText?.(content, { fullText, section, isSectionOver }) ?? content, format),
      data: ({ data_type, data, metadata }) =>
        response({
          data: DATA_TYPE.test(data_type)
            ? { data_type: data_type as DataPayload['data_type'], data, ...(metadata && { metadata }) }
            : // A type outside the format: data for a renderer of the page, like `custom`.
              { data_type: 'custom', data, metadata: { ...metadata, dataType: data_type } },
        }),
      error({ error_type, message, details, recoverable = false }) {
        hasFailed ||= !recoverable;
        return [
          {
            type: 'error',
            data: {
              eventId,
              error: message,
              recoverable,
              ...(error_type !== undefined && { error_type }),
              ...(details !== undefined && { details }),
            },
          },
        ];
      },
      session_end({ status, summary }, { metadata }) {
        const { finish = 'complete', metadata: reason } = endData(
          replyEnd(status) ?? (hasFailed && !status ? 'error' : 'complete'),
        );
        const data = {
          finish,
          metadata: {
            ...reason,
            ...(summary && { summary }),
            ...(metadata?.timestamp != null && { endTime: toMilliseconds(metadata.timestamp) }),
          },
          ...(summary?.total_tokens !== undefined && {
            totalUsage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: summary.total_tokens },
          }),
        };
        // The server has completed the request, so a call without an end event has not failed.
        const open = finish === 'complete' ? (tools?.openIds() ?? []) : [];
        const ended = open.flatMap((id) => response({ tool_call: 'end', tool_call_id: id }));
        return [...ended, ...response(data), { type: 'end', data: { eventId, userStop: finish === 'cancelled' } }];
      },
    };

  return {
    take({ event, frame }, isInner, rare) {
      newText = rare?.newTextOf;
      const name = legacyNames.get(event.type) ?? event.type;
      const data = payloadOf(event, rare);
      if (rare && name.startsWith('tool_')) {
        tools ??= rare.makeToolCalls(context);
        const call = tools.read(name, { data, metadata: event.metadata, frame });
        isSectionOver ||= section !== '' && call !== undefined && call.tool_call !== 'running';
        return call ? response(call) : [];
      }
      if (!isEventName(name)) {
        report({ kind: 'unknown', detail: `Unknown event "${event.type}".`, frame });
        return [];
      }
      const payload = fit(payloads[name], withoutNulls(data), frame, report);
      if (payload === undefined || (isInner && name === 'session_start')) return [];
      isSectionOver ||= section !== '' && !TEXT_EVENTS.has(name);
      const events = handlers[name](payload as never, event);
      if (name !== 'session_end') return events;
      innerEnd = isInner ? events : [];
      return isInner ? [] : events;
    },
    end: () => innerEnd,
  };
}

/** The fields of an event: in `data` if that is an object, otherwise at the top level. */
function payloadOf({ type, data, ...fields }: Envelope, rare: typeof RareEvents | undefined): unknown {
  if (type === 'dataframe_data') return rare ? rare.dataframeOf(data, fields) : { data_type: 'dataframe', data };
  // `data` of an older event may be just the text.
  if (typeof data === 'string') return { content: data, message: data };
  return isRecord(data) ? data : fields;
}

const DATA_TYPE = /^(?:dataframe|chart|image|custom)$/;

const isEventName = (name: string): name is EventName => Object.hasOwn(payloads, name);

/** Converts a timestamp to milliseconds; ten digits are seconds. */
const toMilliseconds = (time: number): number => (time < 1e12 ? time * 1000 : time);
