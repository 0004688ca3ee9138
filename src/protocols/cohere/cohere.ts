/** Cohere's chat API, version 2 (`cohere`). Source: `docs/protocols/cohere.md`; Cohere API reference, "Chat". */
import { createStreamEvent } from '../../model/core-events.ts';
import type { LLMAgentEventData } from '../../model/agent-events.ts';
import { z } from '../../model/schema.ts';
import { toCohereDocuments, toCohereMessages } from './messages.ts';
import { sentHistory } from '../shared/sent-history.ts';
import { lenient, lenientNumber, lenientRecord, lenientString, lenientText } from '../shared/lenient.ts';
import { isRecord } from '../../model/json.ts';
import { fit, readJsonFrames } from '../core/read-frames.ts';
import { endData, replyEnd } from '../core/finish-reasons.ts';
import { systemText } from '../shared/system-text.ts';
import { TextPositions } from '../shared/text-positions.ts';
import type { Adapter, AdapterEvent, DecodeContext } from '../core/adapter.ts';

const call = z.object({
  id: lenientString,
  function: lenient(z.object({ name: lenientString, arguments: lenientString })),
});
const content = z.object({ text: lenientText, thinking: lenientText });
const citation = z.object({
  start: z.number(),
  end: z.number(),
  text: lenientString,
  type: lenientString,
  content_index: lenientNumber,
  sources: lenient(z.array(z.object({ id: lenientString, document: lenientRecord, tool_output: lenientRecord }))),
});
type Citation = z.infer<typeof citation>;

/** An array in a complete reply, a single value in a streamed one. */
const oneOrMore = <Schema extends z.ZodMiniType>(schema: Schema) => lenient(z.union([z.array(schema), schema]));
const message = z.object({
  content: lenient(z.union([z.string(), z.array(content), content])),
  tool_plan: lenientString,
  tool_calls: oneOrMore(call),
  citations: oneOrMore(citation),
});
type Message = z.infer<typeof message>;

const usage = z.object({ tokens: lenient(z.object({ input_tokens: lenientNumber, output_tokens: lenientNumber })) });
const ending = z.object({
  message: lenient(message),
  finish_reason: lenientString,
  usage: lenient(usage),
  error: lenientString,
});
type Ending = z.infer<typeof ending>;

const indexed = { index: lenientNumber, delta: lenient(ending) };
const wire = z.discriminatedUnion('type', [
  z.object({
    ...indexed,
    type: z.enum([
      'message-start',
      'content-start',
      'content-delta',
      'content-end',
      'tool-plan-delta',
      'tool-call-start',
      'tool-call-delta',
      'tool-call-end',
      'citation-start',
      'citation-end',
      'message-end',
    ]),
  }),
  /** A complete reply without streaming. */
  z.extend(ending, { type: z.literal('whole') }),
  z.object({ type: z.literal('error'), message: z.string() }),
]);
type Wire = z.infer<typeof wire>;

export const cohere: Adapter = {
  id: 'cohere',
  label: 'Cohere chat',
  kind: 'model',

  request(turn, { url, headers = {}, model, tools = [], ...options }) {
    const history = sentHistory(turn);
    const documents = toCohereDocuments(history);
    return {
      url,
      init: {
        method: 'POST',
        headers: { accept: 'text/event-stream', ...headers },
        body: {
          ...(model !== undefined && { model }),
          stream: true,
          messages: toCohereMessages(history, systemText(options)),
          ...(tools.length > 0 && { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
          ...(documents.length > 0 && { documents }),
        },
      },
    };
  },

  async *decode(batches, context) {
    const take = makeReply(context);
    for await (const batch of batches) {
      const events: AdapterEvent[] = [];
      for (const { json, frame } of readJsonFrames(batch, context.report)) {
        const data = fit(wire, withType(json), frame, context.report);
        if (data) events.push(...take(data));
      }
      yield events;
    }
  },
};

/** Adds a type to an object without one: it is a complete reply or an error. */
function withType(json: unknown): unknown {
  if (!isRecord(json) || typeof json['type'] === 'string') return json;
  if (isRecord(json['message'])) return { ...json, type: 'whole' };
  return typeof json['message'] === 'string' ? { ...json, type: 'error' } : json;
}

/** Citations that wait for their text; more are dropped. */
const MAX_PENDING = 1024;

function makeReply({ eventId, newId }: DecodeContext): (data: Wire) => readonly AdapterEvent[] {
  /** The ids of the calls by index. */
  const calls = new Map<number, string>();
  /** The text of the current content, and its offset in the visible text. */
  let text = '';
  let offset = 0;
  const positions = new TextPositions();
  /** Citations whose text has not arrived yet. */
  let pendingCitations: Citation[] = [];

  const respond = (data: Omit<LLMAgentEventData, 'eventId'>): AdapterEvent => ({
    type: 'response',
    data: { eventId, ...data },
  });
  const fail = (error: string): AdapterEvent => ({ type: 'error', data: { eventId, error } });
  /** Events other than text, after which a new text block begins. */
  const breakText = (...events: readonly AdapterEvent[]): readonly AdapterEvent[] => {
    if (events.length > 0) [text, offset] = ['', 0];
    return events;
  };

  const contentEvents = ({ text: newText, thinking }: z.infer<typeof content>): readonly AdapterEvent[] => {
    if (newText) text += newText;
    return [
      ...(thinking ? breakText(createStreamEvent.reasoning(thinking)) : []),
      ...(newText ? [createStreamEvent.text(newText)] : []),
    ];
  };
  const startCall = ({ id, function: toolFunction }: z.infer<typeof call>, index: number): readonly AdapterEvent[] => {
    const callId = id || newId();
    calls.set(index, callId);
    return breakText(
      createStreamEvent.toolCallStart(callId, toolFunction?.name ?? ''),
      ...argumentEvents(callId, toolFunction?.arguments),
    );
  };
  const argumentEvents = (id: string, chunk: string | null | undefined): readonly AdapterEvent[] =>
    // A tool without parameters may be called with `null`.
    chunk && chunk !== 'null' ? [createStreamEvent.toolCallChunk(id, chunk)] : [];

  const citationEvents = (cited: Citation): readonly AdapterEvent[] => {
    const range = rangeOf(cited, text, positions.update(text));
    const target = range
      ? { start: offset + range.start, end: offset + range.end }
      : { anchor: 'quote' as const, ...(cited.text && { quote: cited.text }) };
    return (cited.sources ?? []).map((source) => respond({ citation: { ...sourceOf(source), ...target } }));
  };
  const takeCitations = (added: readonly Citation[], last: boolean): readonly AdapterEvent[] => {
    const all = [...pendingCitations, ...added.filter(({ type }) => !type || type === 'TEXT_CONTENT')];
    const { points } = positions.update(text);
    const isReady = ({ end }: Citation): boolean => last || points >= end;
    pendingCitations = all.filter((one) => !isReady(one)).slice(0, MAX_PENDING);
    return all.filter(isReady).flatMap(citationEvents);
  };

  const finish = ({ finish_reason: reason, usage: finalUsage, error }: Ending): readonly AdapterEvent[] => {
    const end = error ? 'error' : (replyEnd(reason) ?? 'complete');
    const [prompt, completion] = [finalUsage?.tokens?.input_tokens ?? 0, finalUsage?.tokens?.output_tokens ?? 0];
    const tokens = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
    return [
      ...takeCitations([], true),
      ...[...calls.values()].map((id) => createStreamEvent.toolCallEnd(id)),
      ...(finalUsage?.tokens ? [createStreamEvent.usage(tokens)] : []),
      ...(end === 'error' ? [fail(error || `The provider ended the reply: ${reason ?? ''}`)] : []),
      respond(endData(end)),
    ];
  };

  const messageEvents = ({
    content: body,
    tool_plan: plan,
    tool_calls: toolCalls,
  }: Message): readonly AdapterEvent[] => [
    ...(plan ? breakText(respond({ reasoning_content: plan, stage: 'planning' })) : []),
    ...listOf(typeof body === 'string' ? { text: body, thinking: null } : body).flatMap(contentEvents),
    ...listOf(toolCalls).flatMap(startCall),
  ];

  return (data) => {
    if (data.type === 'error') return [fail(data.message), respond({ finish: 'error' })];
    if (data.type === 'whole') {
      const { message: complete } = data;
      return [
        ...(complete ? messageEvents({ ...complete, tool_calls: null }) : []),
        // Citations come before the calls, because their offsets refer to the text.
        ...takeCitations(listOf(complete?.citations), true),
        ...listOf(complete?.tool_calls).flatMap(startCall),
        ...finish(data),
      ];
    }
    const { index, delta } = data;
    const partial = delta?.message;
    switch (data.type) {
      case 'content-start':
        offset += text.length;
        text = '';
        return partial ? messageEvents(partial) : [];
      case 'content-delta':
      case 'tool-plan-delta':
        return partial ? [...messageEvents(partial), ...takeCitations([], false)] : [];
      case 'tool-call-start':
        return listOf(partial?.tool_calls).flatMap((one) => startCall(one, index ?? calls.size));
      case 'tool-call-delta': {
        const id = calls.get(index ?? calls.size - 1);
        return id === undefined
          ? []
          : listOf(partial?.tool_calls).flatMap((one) => argumentEvents(id, one.function?.arguments));
      }
      case 'citation-start':
        return takeCitations(listOf(partial?.citations), false);
      case 'message-end':
        return delta ? finish(delta) : [];
      default:
        return [];
    }
  };
}

/**
 * Finds the range of a citation. Cohere counts characters, some of which are two UTF-16 units. The text at the range must
 * equal the cited text.
 */
function rangeOf(
  { start, end, text: cited }: Citation,
  text: string,
  positions: TextPositions,
): { start: number; end: number } | undefined {
  const ranges = [
    { start: positions.fromPoints(start), end: positions.fromPoints(end) },
    { start, end },
  ];
  return ranges.find((range) => text.slice(range.start, range.end) === cited);
}

/** The source of a citation: a document of the request, or a tool result. */
function sourceOf({ id, document, tool_output }: NonNullable<Citation['sources']>[number]) {
  const fields = document ?? tool_output ?? {};
  const [url, title, snippet] = ['url', 'title', 'snippet'].map((name) => {
    const value = fields[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  });
  return {
    id: url ?? id ?? title ?? 'document',
    ...(url !== undefined && { url }),
    ...(title !== undefined && { title }),
    ...(snippet !== undefined && { quote: snippet }),
  };
}

const listOf = <Item>(value: Item | readonly Item[] | null | undefined): readonly Item[] =>
  Array.isArray(value) ? (value as readonly Item[]) : value ? [value as Item] : [];
