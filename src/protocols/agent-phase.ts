/**
 * Phase events, `{type, phase, data}` lines (`agent-phase`). Source: `docs/protocols/agent-phase.md`. The older `0:` / `e:`
 * / `d:` lines are read only where the protocol is configured, since detection takes them for the AI SDK's.
 */
import type { LLMAgentEvent, LLMAgentEventData } from '../model/events/agent-events.ts';
import { z } from '../model/schema.ts';
import type { Frame } from '../transport/frame.ts';
import { sentTextMessages } from './shared/sent-history.ts';
import { endData, replyEnd, type ReplyEnd } from './core/finish-reasons.ts';
import { isRecord, parseJson } from '../model/json.ts';
import { fit, readJsonFrames, withoutNulls } from './core/read-frames.ts';
import { asText } from './shared/as-text.ts';
import { lenient, lenientCounts, lenientText } from './shared/lenient.ts';
import type { Adapter, DecodeContext, Report } from './core/adapter.ts';

const optional = z.exactOptional;
const base = { phase: z.string() };
const textData = z.object({ content: z.string() });
/** The text of an error: the error itself, or the message of an object. Any other form is shown as it is. */
const errorText = optional(
  z.pipe(
    z.unknown(),
    z.transform((error) => {
      const text = isRecord(error) && typeof error['message'] === 'string' ? error['message'] : error;
      return text ? asText(text) : undefined;
    }),
  ),
);
/** A number, which may be a text. */
const index = optional(
  z.pipe(
    z.unknown(),
    z.transform((value) => {
      const isNumeric = typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value));
      return isNumeric ? Number(value) : undefined;
    }),
  ),
);
const citation = z.looseObject({
  index,
  messageId: z.coerce.string(),
  content: lenientText,
  senderName: lenientText,
});
const done = z.object({
  finishReason: lenientText,
  stats: optional(lenientCounts('totalTokens', 'iterations')),
});

const wire = z.discriminatedUnion('type', [
  z.object({ ...base, type: z.literal('phase_change'), data: z.object({ message: lenientText }) }),
  z.object({
    ...base,
    type: z.literal('tool_start'),
    data: z.object({
      toolName: z.string(),
      toolDescription: lenientText,
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
      error: errorText,
    }),
  }),
  z.object({ ...base, type: z.literal('text'), data: textData }),
  z.object({ ...base, type: z.literal('thinking'), data: textData }),
  z.object({ ...base, type: z.literal('citation'), data: citation }),
  z.object({ ...base, type: z.literal('structured'), data: z.looseObject({ dataType: lenientText }) }),
  z.object({ ...base, type: z.literal('done'), data: done }),
  z.object({
    ...base,
    type: z.literal('error'),
    data: z.object({
      code: optional(z.coerce.string()),
      message: z.string(),
      error: errorText,
      recoverable: lenient(z.boolean()),
    }),
  }),
]);
type Wire = z.infer<typeof wire>;
type WireCitation = z.infer<typeof citation>;
/** The data of an event of one type. */
type DataOf<Type extends Wire['type']> = Extract<Wire, { readonly type: Type }>['data'];

export const adapter: Adapter = {
  id: 'agent-phase',
  label: 'Phase events',
  kind: 'agent',
  accepts: 'text',
  // One object per line, although the content type is that of an event stream.
  framing: 'lines',

  request(turn, { url, headers = {}, show = {}, ...options }) {
    return {
      url,
      // The page's `body` may contain some of the options: they are merged with these.
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
    const reply = new PhaseReply(context);
    for await (const batch of batches) {
      const events: LLMAgentEvent[] = [];
      for (const frame of batch) {
        if (EVENT_STREAM_LINE.test(frame.data)) continue;
        const legacyEvents = readLegacyLine(frame, context.report);
        for (const event of legacyEvents ?? readEvents(frame, context.report)) events.push(...reply.take(event));
      }
      yield events;
    }
    yield reply.flushCitations();
  },
};

/** Lines of a real event stream that have no data. The framing has removed the `data:` of all other lines. */
const EVENT_STREAM_LINE = /^(?::|(?:event|id|retry):|data:$)/;

function* readEvents(frame: Frame, report: Report): Generator<Wire> {
  for (const { json } of readJsonFrames([frame], report)) {
    const event = fit(wire, isRecord(json) ? { ...json, data: dataOf(json) } : json, frame, report);
    if (event) yield event;
  }
}

/**
 * The data of an event. That of an error may be just its text, which may also be in `error`. Without a valid `success`, the end of a tool
 * is a failure if it has an error.
 */
function dataOf({ type, data }: Readonly<Record<string, unknown>>): unknown {
  if (type === 'error' && typeof data === 'string') return { message: data };
  const fields = withoutNulls(data ?? {});
  if (!isRecord(data) || !isRecord(fields)) return fields;
  if (type === 'error' && ('message' in data || 'error' in data))
    return { ...fields, message: typeof data['message'] === 'string' ? data['message'] : '' };
  if (type === 'tool_end' && ('success' in data || 'error' in data) && typeof data['success'] !== 'boolean')
    return { ...fields, success: !data['error'] };
  return fields;
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

/** The state of one reply, and what an event changes in it. */
class PhaseReply {
  readonly #context: Pick<DecodeContext, 'eventId' | 'newId'>;
  #phase: string | undefined;
  /** Open calls. Events have no call ids: a `tool_end` belongs to the oldest open call of that name. */
  readonly #openCalls: { readonly id: string; readonly name: string }[] = [];
  /** Citations are placed in the order of `index`; an early one is buffered until the next text, an error or the end. */
  #earlyCitations: WireCitation[] = [];
  #nextIndex = 0;
  /** The `chatId` of the first citation of each message id: message ids may be unique only within their chat. */
  readonly #chats = new Map<string, unknown>();
  /** Whether the agent could not recover from an error. A normal `done` after it only closes the stream. */
  #failed = false;

  constructor(context: DecodeContext) {
    this.#context = context;
  }

  take(event: Wire): readonly LLMAgentEvent[] {
    // TypeScript cannot relate the key to the argument; the type of `HANDLERS` is the proof.
    return [...this.#changePhase(event), ...HANDLERS[event.type](this, event.data as never)];
  }

  /** Emits the citations that are still buffered, before other text or at the end. */
  flushCitations(): readonly LLMAgentEvent[] {
    const sorted = this.#earlyCitations.sort((left, right) => (left.index ?? 0) - (right.index ?? 0));
    this.#earlyCitations = [];
    return sorted.map((one) => this.#placeCitation(one));
  }

  addText({ content }: DataOf<'text'>): readonly LLMAgentEvent[] {
    return [...this.flushCitations(), this.#response({ content, format: 'text' })];
  }

  addReasoning({ content }: DataOf<'thinking'>): readonly LLMAgentEvent[] {
    return [this.#response({ reasoning_content: content })];
  }

  startCall({ toolName, toolDescription, params }: DataOf<'tool_start'>): readonly LLMAgentEvent[] {
    const id = this.#context.newId();
    this.#openCalls.push({ id, name: toolName });
    return [
      this.#response({
        tool_call: 'start',
        tool_call_id: id,
        tool_call_name: toolName,
        ...(params !== undefined && { tool_call_params: JSON.stringify(params) }),
        ...(toolDescription && { tool_call_description: toolDescription }),
      }),
    ];
  }

  endCall({ toolName, error, summary, success }: DataOf<'tool_end'>): readonly LLMAgentEvent[] {
    const index = this.#openCalls.findIndex(({ name }) => name === toolName);
    const id = index < 0 ? this.#context.newId() : this.#openCalls.splice(index, 1)[0]?.id;
    const responseText = (success ? undefined : error) ?? summary;
    return [
      this.#response({
        tool_call: success ? 'end' : 'error',
        ...(id !== undefined && { tool_call_id: id }),
        tool_call_name: toolName,
        ...(responseText && { tool_call_response: responseText }),
        ...(summary && { tool_call_summary: summary }),
        ...(!success && error && { tool_call_error: { message: error } }),
      }),
    ];
  }

  addCitation(data: WireCitation): readonly LLMAgentEvent[] {
    if (data.index === undefined || data.index <= this.#nextIndex) return [this.#placeCitation(data)];
    this.#earlyCitations.push(data);
    return [];
  }

  addData(data: DataOf<'structured'>): readonly LLMAgentEvent[] {
    const { dataType } = data;
    return [this.#response({ data: { data_type: 'custom', data, ...(dataType && { metadata: { dataType } }) } })];
  }

  finish({ finishReason, stats }: DataOf<'done'>): readonly LLMAgentEvent[] {
    // The format defines only `stop`; others are read as in all protocols.
    const { finish = 'complete', metadata } = endData(replyEnd(finishReason) ?? (this.#failed ? 'error' : 'complete'));
    // The agent has completed the answer, so a tool without an end event has not failed.
    const ended = finish === 'complete' ? this.#openCalls.splice(0) : [];
    return [
      ...this.flushCitations(),
      ...ended.map(({ id }) => this.#response({ tool_call: 'end', tool_call_id: id })),
      this.#response({
        finish,
        ...(stats?.totalTokens !== undefined && {
          totalUsage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: stats.totalTokens },
        }),
        ...((stats ?? metadata) && { metadata: { ...(stats && { stats }), ...metadata } }),
      }),
      { type: 'end', data: { eventId: this.#context.eventId, userStop: finish === 'cancelled' } },
    ];
  }

  fail({ code, message, error, recoverable: stated }: DataOf<'error'>): readonly LLMAgentEvent[] {
    const { eventId } = this.#context;
    const recoverable = stated ?? false;
    const text = message || (error ?? 'The agent reports an error.');
    this.#failed ||= !recoverable;
    return [
      ...this.flushCitations(),
      { type: 'error', data: { eventId, error: text, recoverable, ...(code !== undefined && { code }) } },
      // After a recoverable error the agent may be silent until its next attempt: the reply has not ended.
      ...(recoverable ? [] : [this.#response({ finish: 'error' })]),
    ];
  }

  #changePhase(event: Wire): readonly LLMAgentEvent[] {
    const message = event.type === 'phase_change' ? (event.data.message ?? undefined) : undefined;
    if ((event.phase === this.#phase && message === undefined) || this.#isFalselyCompleted(event)) return [];
    this.#phase = event.phase;
    return [this.#response({ phase: { name: event.phase, ...(message !== undefined && { message }) } })];
  }

  /** Servers also write "completed" in the last event of a reply that has failed. */
  #isFalselyCompleted(event: Wire): boolean {
    if (event.phase !== 'completed') return false;
    return this.#failed || (event.type === 'done' && INCOMPLETE.has(replyEnd(event.data.finishReason)));
  }

  #placeCitation({ messageId, content, senderName, index, ...extra }: WireCitation): LLMAgentEvent {
    this.#nextIndex = (index ?? this.#nextIndex) + 1;
    const { chatId } = extra;
    if (!this.#chats.has(messageId)) this.#chats.set(messageId, chatId);
    const isOfFirstChat = this.#chats.get(messageId) === chatId;
    return this.#response({
      citation: {
        id: isOfFirstChat ? messageId : JSON.stringify([chatId, messageId]),
        anchor: content ? 'quote' : 'end',
        extra: { ...extra, ...(index !== undefined && { index }) },
        ...(content && { quote: content }),
        ...(senderName && { title: senderName }),
      },
    });
  }

  #response(data: Omit<LLMAgentEventData, 'eventId'>): LLMAgentEvent {
    return { type: 'response', data: { eventId: this.#context.eventId, ...data } };
  }
}

/** What the data of each event does. `take()` has already handled the phase of the event. */
const HANDLERS: {
  readonly [Type in Wire['type']]: (reply: PhaseReply, data: DataOf<Type>) => readonly LLMAgentEvent[];
} = {
  phase_change: () => [],
  text: (reply, data) => reply.addText(data),
  thinking: (reply, data) => reply.addReasoning(data),
  tool_start: (reply, data) => reply.startCall(data),
  tool_end: (reply, data) => reply.endCall(data),
  citation: (reply, data) => reply.addCitation(data),
  structured: (reply, data) => reply.addData(data),
  done: (reply, data) => reply.finish(data),
  error: (reply, data) => reply.fail(data),
};
