/**
 * Phase events, `{type, phase, data}` lines (`agent-phase`). Source: `docs/protocols/agent-phase.md`. The older `0:` / `e:`
 * / `d:` lines are read only where the protocol is configured, since detection takes them for the AI SDK's.
 */
import type { LLMAgentEvent, LLMAgentEventData } from '../model/agent-events.ts';
import { z } from '../model/schema.ts';
import type { Frame } from '../transport/frame.ts';
import { sentTextMessages } from './shared/sent-history.ts';
import { endData, replyEnd, type ReplyEnd } from './core/finish-reasons.ts';
import { isRecord, parseJson } from '../model/json.ts';
import { fit, readJsonFrames, withoutNulls } from './core/read-frames.ts';
import { filled, lenient, lenientText, textValue } from './shared/lenient.ts';
import type { Adapter, DecodeContext, Report } from './core/adapter.ts';

const optional = z.exactOptional;
const base = { phase: z.string() };
const textData = z.object({ content: z.string() });
/** The error of a tool: its text, or an object with it. Another form must not hide that the tool has ended. */
const toolError = lenient(
  z.union([
    textValue,
    z.pipe(
      z.object({ message: z.string() }),
      z.transform(({ message }) => message),
    ),
  ]),
);
const citation = z.looseObject({
  index: optional(z.number()),
  messageId: z.coerce.string(),
  content: optional(z.string()),
  senderName: optional(z.string()),
});
const done = z.object({
  finishReason: optional(z.string()),
  // A null count must not hide the end of the reply.
  stats: lenient(filled(z.object({ totalTokens: optional(z.number()), iterations: optional(z.number()) }))),
});

const wire = z.discriminatedUnion('type', [
  z.object({ ...base, type: z.literal('phase_change'), data: z.object({ message: optional(z.string()) }) }),
  z.object({
    ...base,
    type: z.literal('tool_start'),
    data: z.object({
      toolName: z.string(),
      toolDescription: optional(z.string()),
      params: optional(z.unknown()),
    }),
  }),
  z.object({
    ...base,
    type: z.literal('tool_end'),
    data: z.object({
      toolName: z.string(),
      success: z.boolean(),
      summary: lenientText,
      error: toolError,
    }),
  }),
  z.object({ ...base, type: z.literal('text'), data: textData }),
  z.object({ ...base, type: z.literal('thinking'), data: textData }),
  z.object({ ...base, type: z.literal('citation'), data: citation }),
  z.object({ ...base, type: z.literal('structured'), data: z.looseObject({ dataType: z.string() }) }),
  z.object({ ...base, type: z.literal('done'), data: done }),
  z.object({
    ...base,
    type: z.literal('error'),
    data: z.object({
      code: optional(z.coerce.string()),
      message: z.string(),
      recoverable: optional(z.boolean()),
    }),
  }),
]);
type Wire = z.infer<typeof wire>;
type WireCitation = z.infer<typeof citation>;

export const agentPhase: Adapter = {
  id: 'agent-phase',
  label: 'Phase events',
  kind: 'agent',
  accepts: 'text',
  // One object per line, although the content type is that of an event stream.
  framing: 'lines',

  request(turn, { url, headers = {}, show = {}, ...options }) {
    return {
      url,
      // A page that turns one option off keeps the others.
      mergedFields: ['options'],
      init: {
        method: 'POST',
        headers: { accept: 'text/event-stream', ...headers },
        body: {
          chatId: turn.threadId,
          messages: sentTextMessages(turn, options).map(({ role, content }) => ({ role, content })),
          options: {
            showThinking: show.reasoning ?? false,
            showToolCalls: show.tools ?? true,
            detailedCitations: true,
          },
        },
      },
    };
  },

  async *decode(batches, context) {
    const reply = makeReply(context);
    for await (const batch of batches) {
      const events: LLMAgentEvent[] = [];
      for (const frame of batch) {
        if (EVENT_STREAM_LINE.test(frame.data)) continue;
        const legacyEvents = readLegacyLine(frame, context.report);
        for (const event of legacyEvents ?? readEvents(frame, context.report)) events.push(...reply.take(event));
      }
      yield events;
    }
    yield reply.end();
  },
};

/** Lines other than `data:` that a server with real server-sent events writes. */
const EVENT_STREAM_LINE = /^(?::|(?:event|id|retry):|data:$)/;

function* readEvents(frame: Frame, report: Report): Generator<Wire> {
  for (const { json } of readJsonFrames([frame], report)) {
    const event = fit(wire, isRecord(json) ? { ...json, data: withoutNulls(json['data'] ?? {}) } : json, frame, report);
    if (event) yield event;
  }
}

/**
 * Reads a line of the older format. Its `e:` line was a citation; the AI SDK's `e:` has another meaning and is not read
 * here.
 */
function readLegacyLine(frame: Frame, report: Report): readonly Wire[] | undefined {
  const line = /^([0-9a-k]):(.*)$/su.exec(frame.data);
  if (!line) return undefined;
  const [, prefix = '', text = ''] = line;
  const value = parseJson(text);
  const type = { 0: 'text', e: 'citation', d: 'done' }[prefix];
  const phase = type === 'done' ? 'completed' : 'generating';
  const { type: _old, ...data } = isRecord(value) ? value : {};
  const event = wire.safeParse({ type, phase, data: type === 'text' ? { content: value } : data });
  if (event.success) return [event.data];
  report({ kind: type ? 'malformed' : 'unknown', detail: `Legacy line with "${prefix}:".`, frame });
  return [];
}

/** The ends of a reply that has failed, was stopped or was cut off. */
const INCOMPLETE: ReadonlySet<ReplyEnd | undefined> = new Set(['error', 'filtered', 'cancelled', 'max_tokens']);

const isIncomplete = (finishReason: string | undefined): boolean => INCOMPLETE.has(replyEnd(finishReason));

interface ReplyDecoder {
  take(event: Wire): readonly LLMAgentEvent[];
  /** Emits the citations that are still buffered. */
  end(): readonly LLMAgentEvent[];
}

function makeReply({ eventId, newId }: DecodeContext): ReplyDecoder {
  let currentPhase: string | undefined;
  /** Open calls. Events have no call ids: a `tool_end` belongs to the oldest open call of that name. */
  const openCalls: { readonly id: string; readonly name: string }[] = [];
  /** Citations are placed in the order of `index`; an early one is buffered until more text arrives. */
  let earlyCitations: WireCitation[] = [];
  let nextIndex = 0;
  /** An error that the agent could not recover from: a normal `done` after it only closes the stream. */
  let failed = false;

  const response = (data: Omit<LLMAgentEventData, 'eventId'>): LLMAgentEvent => ({
    type: 'response',
    data: { eventId, ...data },
  });
  const cite = ({ messageId, content, senderName, ...extra }: WireCitation): LLMAgentEvent => {
    nextIndex = (extra.index ?? nextIndex) + 1;
    return response({
      citation: {
        id: messageId,
        anchor: content ? 'quote' : 'end',
        extra,
        ...(content && { quote: content }),
        ...(senderName && { title: senderName }),
      },
    });
  };
  const citeEarly = (): readonly LLMAgentEvent[] => {
    const sorted = earlyCitations.sort((left, right) => (left.index ?? 0) - (right.index ?? 0));
    earlyCitations = [];
    return sorted.map(cite);
  };
  /** Servers also write "completed" in the last event of a reply that has failed. */
  const isFalselyCompleted = (event: Wire): boolean =>
    event.phase === 'completed' && (failed || (event.type === 'done' && isIncomplete(event.data.finishReason)));
  const changePhase = (event: Wire): readonly LLMAgentEvent[] => {
    const message = event.type === 'phase_change' ? event.data.message : undefined;
    if ((event.phase === currentPhase && message === undefined) || isFalselyCompleted(event)) return [];
    currentPhase = event.phase;
    return [response({ phase: { name: event.phase, ...(message !== undefined && { message }) } })];
  };

  const convert = (event: Wire): readonly LLMAgentEvent[] => {
    switch (event.type) {
      case 'phase_change':
        return [];
      case 'text':
        return [...citeEarly(), response({ content: event.data.content, format: 'text' })];
      case 'thinking':
        return [response({ reasoning_content: event.data.content })];
      case 'tool_start': {
        const { toolName, toolDescription, params } = event.data;
        const id = newId();
        openCalls.push({ id, name: toolName });
        return [
          response({
            tool_call: 'start',
            tool_call_id: id,
            tool_call_name: toolName,
            ...(params !== undefined && { tool_call_params: JSON.stringify(params) }),
            ...(toolDescription && { tool_call_description: toolDescription }),
          }),
        ];
      }
      case 'tool_end': {
        const { toolName, success, summary, error } = event.data;
        const index = openCalls.findIndex(({ name }) => name === toolName);
        const id = index < 0 ? newId() : openCalls.splice(index, 1)[0]?.id;
        const answer = (success ? undefined : error) ?? summary;
        return [
          response({
            tool_call: success ? 'end' : 'error',
            ...(id !== undefined && { tool_call_id: id }),
            tool_call_name: toolName,
            ...(answer && { tool_call_response: answer }),
            ...(summary && { tool_call_summary: summary }),
            ...(!success && error && { tool_call_error: { message: error } }),
          }),
        ];
      }
      case 'citation':
        if (event.data.index === undefined || event.data.index <= nextIndex) return [cite(event.data)];
        earlyCitations.push(event.data);
        return [];
      case 'structured':
        return [
          response({
            data: { data_type: 'custom', data: event.data, metadata: { dataType: event.data.dataType } },
          }),
        ];
      case 'done': {
        const { finishReason = 'stop', stats } = event.data;
        // The format defines only `stop`.
        const { finish = 'complete', metadata } = endData(replyEnd(finishReason) ?? (failed ? 'error' : 'complete'));
        // The agent has completed the answer, so a tool without an end event has not failed.
        const ended = finish === 'complete' ? openCalls.splice(0) : [];
        return [
          ...citeEarly(),
          ...ended.map(({ id }) => response({ tool_call: 'end', tool_call_id: id })),
          response({
            finish,
            ...(stats?.totalTokens !== undefined && {
              totalUsage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: stats.totalTokens },
            }),
            ...((stats ?? metadata) && { metadata: { ...(stats && { stats }), ...metadata } }),
          }),
          { type: 'end', data: { eventId, userStop: finish === 'cancelled' } },
        ];
      }
      case 'error': {
        const { code, message, recoverable } = event.data;
        failed ||= recoverable !== true;
        return [
          ...citeEarly(),
          {
            type: 'error',
            data: {
              eventId,
              error: message,
              recoverable: recoverable ?? false,
              ...(code !== undefined && { code }),
            },
          },
          // After a recoverable error the agent may be silent until its next attempt: the reply has not ended.
          ...(recoverable === true ? [] : [response({ finish: 'error' })]),
        ];
      }
    }
  };
  return { take: (event) => [...changePhase(event), ...convert(event)], end: citeEarly };
}
