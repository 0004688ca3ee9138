/** Session events (`agent-session`). Source: `docs/protocols/agent-session.md`. */
import type { LLMAgentEvent, LLMAgentEventData } from '../../model/agent-events.ts';
import { z } from '../../model/schema.ts';
import { sentTextMessages } from '../shared/history.ts';
import { isRecord } from '../../model/json.ts';
import { fit, readJsonFrames, withoutNulls } from '../core/read-frames.ts';
import { endData, replyEnd } from '../core/finish-reasons.ts';
import { isToolFailure } from '../../model/tool-failure.ts';
import { filled, lenient, lenientNumber, lenientText, textValue } from '../shared/lenient.ts';
import { reorderEvents } from '../shared/reorder-events.ts';
import type * as FinalAnswer from './final-answer.ts';
import type { Frame } from '../../transport/frame.ts';
import type { Adapter, DecodeContext, Report } from '../core/adapter.ts';

const optional = z.exactOptional;
/** Older events have their fields at the top level. */
const envelope = z.looseObject({
  type: z.string(),
  data: optional(z.unknown()),
  // Metadata of another type must not hide the text that it is about.
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
/** Servers that count their calls send numbers. */
const toolId = optional(textValue);
const payloads = {
  session_start: z.object({ session_id: optional(z.string()), request_id: optional(z.string()) }),
  thinking: text,
  tool_call_start: z.object({
    tool_id: toolId,
    tool_name: z.string(),
    description: optional(z.string()),
    arguments: optional(z.unknown()),
  }),
  tool_call_progress: z.object({
    tool_id: toolId,
    progress: lenientNumber,
    message: optional(z.string()),
  }),
  tool_call_end: z.object({
    tool_id: toolId,
    status: optional(z.string()),
    result: optional(z.unknown()),
    error: optional(z.union([z.string(), z.object({ message: lenientText, code: lenientText })])),
  }),
  content: text,
  final_answer: text,
  data: z.object({
    data_type: z.enum(['dataframe', 'chart', 'image', 'custom']),
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
    // A figure that the server has not counted must not hide the end of the session.
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
const legacyNames = new Map<string, EventName>([
  ['token', 'content'],
  ['tool_call', 'tool_call_start'],
  ['tool_result', 'tool_call_end'],
  ['dataframe_data', 'data'],
  ['done', 'session_end'],
]);

export const agentSession: Adapter = {
  id: 'agent-session',
  label: 'Session events',
  kind: 'agent',

  request(turn, { url, headers = {} }) {
    const sessionId = turn.messages.findLast((message) => message.metadata?.['sessionId'])?.metadata?.['sessionId'];
    return {
      url,
      init: {
        method: 'POST',
        headers: { accept: 'text/event-stream', ...headers },
        body: {
          messages: sentTextMessages(turn).map(({ role, content }) => ({ role, content })),
          ...(sessionId !== undefined && { session_id: sessionId }),
        },
      },
    };
  },

  async *decode(batches, context) {
    const { report } = context;
    const toEvents = makeEvents(context);
    const received = (async function* () {
      for await (const batch of batches) yield [...readEnvelopes(batch, report)];
    })();
    let first: string | null | undefined;
    // The events of another request, such as a sub-agent's, have numbers of their own: they apply as they arrive.
    const sequenceOf = ({ event: { metadata } }: Received): number | null | undefined => {
      first ??= metadata?.request_id;
      return (metadata?.request_id ?? first) === first ? metadata?.sequence : undefined;
    };
    let finalAnswer: typeof FinalAnswer | undefined;
    for await (const ordered of reorderEvents(received, sequenceOf, context)) {
      if (ordered.some(({ event }) => event.type === 'final_answer'))
        finalAnswer ??= await import('./final-answer.ts').catch(() => undefined);
      yield ordered.flatMap((item) => toEvents(item, finalAnswer));
    }
  },
};

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
const TEXT_EVENTS: ReadonlySet<EventName> = new Set(['content', 'final_answer', 'tool_call_progress']);

/** Converts one envelope to events. It remembers the text so far, for a `final_answer` that repeats it. */
function makeEvents({
  eventId,
  report,
}: DecodeContext): (received: Received, finalAnswer: typeof FinalAnswer | undefined) => readonly LLMAgentEvent[] {
  let fullText = '';
  /** The last text that no event of another kind interrupted. */
  let section = '';
  let isSectionOver = false;
  let newText: typeof FinalAnswer.newTextOf | undefined;
  /** Whether an error was not recoverable. An end without a status, as older servers send it, does not undo that. */
  let hasFailed = false;
  const toFraction = makeProgressReader();
  /** The ids of the calls without a result; an older call has none. */
  const openCalls = new Set<string | undefined>();
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
            ...(session_id !== undefined && { sessionId: session_id }),
            ...(request_id !== undefined && { requestId: request_id }),
            ...(metadata?.timestamp != null && { startTime: toMilliseconds(metadata.timestamp) }),
          },
        }),
      thinking: ({ content, stage }) => response({ reasoning_content: content, ...(stage && { stage }) }),
      tool_call_start({ tool_id, tool_name, description, arguments: params }) {
        openCalls.add(tool_id);
        return response({
          tool_call: 'start',
          ...callId(tool_id),
          tool_call_name: tool_name,
          tool_call_params: asText(params),
          ...(description && { tool_call_description: description }),
        });
      },
      tool_call_progress: ({ tool_id, progress, message }) =>
        response({
          tool_call: 'running',
          ...callId(tool_id),
          tool_call_progress: {
            ...(progress != null && { value: toFraction(tool_id ?? '', progress) }),
            ...(message !== undefined && { message }),
          },
        }),
      tool_call_end: ({ tool_id, status, result, error }, { metadata }) => {
        openCalls.delete(tool_id);
        const problem = toProblem(error);
        const failed = isToolFailure({ status, success: problem && false }, asText(result));
        const answer = failed ? (problem?.message ?? asText(result)) : asText(result);
        return response({
          tool_call: failed ? 'error' : 'end',
          ...callId(tool_id),
          ...(answer && { tool_call_response: answer }),
          ...(failed && problem && { tool_call_error: problem }),
          ...(metadata?.duration_ms != null && { tool_call_duration: metadata.duration_ms }),
        });
      },
      content: ({ content, format }) => emitText(content, format),
      final_answer: ({ content, format }) =>
        emitText(newText?.(content, { fullText, section, isSectionOver }) ?? content, format),
      data: ({ data_type, data, metadata }) => response({ data: { data_type, data, ...(metadata && { metadata }) } }),
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
        // The server has completed the request: a call whose end it left out has not failed.
        const ended =
          finish === 'complete' ? [...openCalls].flatMap((id) => response({ tool_call: 'end', ...callId(id) })) : [];
        return [...ended, ...response(data), { type: 'end', data: { eventId, userStop: finish === 'cancelled' } }];
      },
    };

  return ({ event, frame }, finalAnswer) => {
    newText = finalAnswer?.newTextOf;
    const name = legacyNames.get(event.type) ?? event.type;
    if (!isEventName(name)) {
      report({ kind: 'unknown', detail: `Unknown event "${event.type}".`, frame });
      return [];
    }
    const payload = fit(payloads[name], withoutNulls(payloadOf(event)), frame, report);
    if (payload === undefined) return [];
    isSectionOver ||= section !== '' && !TEXT_EVENTS.has(name);
    return handlers[name](payload as never, event);
  };
}

/** The fields of an event: in `data` if that is an object, otherwise at the top level. */
function payloadOf(event: Envelope): unknown {
  // `data` of an older event may be just the text.
  if (typeof event.data === 'string') return { content: event.data, message: event.data };
  const data = isRecord(event.data) ? event.data : event;
  return event.type === 'dataframe_data' && isRecord(event.data) && event.data['data_type'] === undefined
    ? { data_type: 'dataframe', data: event.data }
    : data;
}

const isEventName = (name: string): name is EventName => Object.hasOwn(payloads, name);

/** Older events may have no id: the result then belongs to the open call. */
const callId = (id: string | undefined): { readonly tool_call_id?: string } =>
  id === undefined ? {} : { tool_call_id: id };

/** The error of a call: its text alone, or with a code, which takes the place of a missing text. */
function toProblem(
  error: Payload<'tool_call_end'>['error'],
): { readonly message: string; readonly code?: string } | undefined {
  if (typeof error === 'string') return { message: error };
  return error && { message: error.message ?? error.code ?? '', ...(error.code != null && { code: error.code }) };
}

/** Converts a timestamp to milliseconds; ten digits are seconds. */
const toMilliseconds = (time: number): number => (time < 1e12 ? time * 1000 : time);

/**
 * Converts the progress of each call to a fraction from 0 to 1. The format does not say whether a server counts to 1 or to
 * 100: values between 0 and 1 are fractions until a larger one comes. A 1 is the end if fractions came before it, otherwise
 * one percent.
 */
function makeProgressReader(): (toolId: string, progress: number) => number {
  const scales = new Map<string, 1 | 100>();
  return (toolId, progress) => {
    if (progress > 1) scales.set(toolId, 100);
    else if (progress > 0 && progress < 1 && !scales.has(toolId)) scales.set(toolId, 1);
    const scale = scales.get(toolId) ?? (progress === 1 ? 100 : 1);
    return Math.min(1, Math.max(0, progress / scale));
  };
}

const asText = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
