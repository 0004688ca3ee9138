/** Cohere's chat, version 2 (`cohere`). Source: `other-providers.md`, "Cohere v2 chat". */
import type { FinishReason } from '../../model/message.ts';
import { createStreamEvent } from '../../model/core-events.ts';
import type { LLMAgentEventData } from '../../model/agent-events.ts';
import { z } from '../../model/schema.ts';
import { toCohereDocuments, toCohereMessages } from './messages.ts';
import { detectCohere } from '../detect/providers.ts';
import { sentHistory } from '../shared/history.ts';
import { maybe, maybeNumber, maybeRecord, maybeText } from '../shared/maybe.ts';
import { isRecord } from '../../model/json.ts';
import { fit, readJsonFrames } from '../shared/read-frames.ts';
import { systemText } from '../shared/system-text.ts';
import type { Adapter, AdapterEvent, DecodeContext } from '../adapter.ts';

const call = z.object({ id: maybeText, function: maybe(z.object({ name: maybeText, arguments: maybeText })) });
const content = z.object({ text: maybeText, thinking: maybeText });
const citation = z.object({
  start: z.number(),
  end: z.number(),
  text: maybeText,
  type: maybeText,
  content_index: maybeNumber,
  sources: maybe(z.array(z.object({ id: maybeText, document: maybeRecord, tool_output: maybeRecord }))),
});
type Citation = z.infer<typeof citation>;

/** A list where the reply was not streamed, one thing of it where it was. */
const oneOrMore = <Schema extends z.ZodMiniType>(schema: Schema) => maybe(z.union([z.array(schema), schema]));
const message = z.object({
  content: maybe(z.union([z.string(), z.array(content), content])),
  tool_plan: maybeText,
  tool_calls: oneOrMore(call),
  citations: oneOrMore(citation),
});
type Message = z.infer<typeof message>;

const usage = z.object({ tokens: maybe(z.object({ input_tokens: maybeNumber, output_tokens: maybeNumber })) });
const ending = z.object({ message: maybe(message), finish_reason: maybeText, usage: maybe(usage), error: maybeText });
type Ending = z.infer<typeof ending>;

const indexed = { index: maybeNumber, delta: maybe(ending) };
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
  /** A reply that was not streamed. */
  z.extend(ending, { type: z.literal('whole') }),
  z.object({ type: z.literal('error'), message: z.string() }),
]);
type Wire = z.infer<typeof wire>;

const finishReasons = new Map<string, FinishReason>([
  ['COMPLETE', 'complete'],
  ['STOP_SEQUENCE', 'stop_sequence'],
  ['MAX_TOKENS', 'max_tokens'],
  ['TOOL_CALL', 'tool_use'],
  ['USER_CANCEL', 'cancelled'],
  ['ERROR', 'error'],
  ['ERROR_TOXIC', 'error'],
  ['ERROR_LIMIT', 'error'],
  ['TIMEOUT', 'error'],
]);

export const cohere: Adapter = {
  id: 'cohere',
  label: 'Cohere chat',
  kind: 'model',
  detect: detectCohere,

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
        const data = fit(wire, named(json), frame, context.report);
        if (data) events.push(...take(data));
      }
      yield events;
    }
  },
};

/** What has no type is a reply that was not streamed, or an error. */
function named(json: unknown): unknown {
  if (!isRecord(json) || typeof json['type'] === 'string') return json;
  if (isRecord(json['message'])) return { ...json, type: 'whole' };
  return typeof json['message'] === 'string' ? { ...json, type: 'error' } : json;
}

function makeReply({ eventId, newId }: DecodeContext): (data: Wire) => readonly AdapterEvent[] {
  /** The calls' ids by their index. */
  const calls = new Map<number, string>();
  /** The text of the content that grows, and where it begins in what the reader sees as one. */
  let text = '';
  let offset = 0;
  /** Sources of words that have not come yet. */
  let waiting: Citation[] = [];

  const respond = (data: Omit<LLMAgentEventData, 'eventId'>): AdapterEvent => ({
    type: 'response',
    data: { eventId, ...data },
  });
  const fail = (error: string): AdapterEvent => ({ type: 'error', data: { eventId, error } });
  /** Something else than text: what comes behind it is a text of its own. */
  const between = (...events: readonly AdapterEvent[]): readonly AdapterEvent[] => {
    if (events.length > 0) [text, offset] = ['', 0];
    return events;
  };

  const say = ({ text: words, thinking }: z.infer<typeof content>): readonly AdapterEvent[] => {
    if (words) text += words;
    return [
      ...(thinking ? between(createStreamEvent.reasoning(thinking)) : []),
      ...(words ? [createStreamEvent.text(words)] : []),
    ];
  };
  const startCall = ({ id, function: called }: z.infer<typeof call>, index: number): readonly AdapterEvent[] => {
    const known = id || newId();
    calls.set(index, known);
    return between(createStreamEvent.toolCallStart(known, called?.name ?? ''), ...args(known, called?.arguments));
  };
  const args = (id: string, piece: string | null | undefined): readonly AdapterEvent[] =>
    // A tool without parameters may be called with `null`.
    piece && piece !== 'null' ? [createStreamEvent.toolCallChunk(id, piece)] : [];

  const cite = (found: Citation): readonly AdapterEvent[] => {
    const place = placeOf(found, text);
    const where = place
      ? { start: offset + place.start, end: offset + place.end }
      : { anchor: 'quote' as const, ...(found.text && { quote: found.text }) };
    return (found.sources ?? []).map((source) => respond({ citation: { ...sourceOf(source), ...where } }));
  };
  const takeCitations = (found: readonly Citation[], last: boolean): readonly AdapterEvent[] => {
    const all = [...waiting, ...found.filter(({ type }) => !type || type === 'TEXT_CONTENT')];
    const ready = all.filter((one) => last || Array.from(text).length >= one.end);
    waiting = all.filter((one) => !ready.includes(one));
    return ready.flatMap(cite);
  };

  const finish = ({ finish_reason: reason, usage: counted, error }: Ending): readonly AdapterEvent[] => {
    const ended = finishReasons.get(reason ?? '') ?? (error ? 'error' : 'complete');
    const [prompt, completion] = [counted?.tokens?.input_tokens ?? 0, counted?.tokens?.output_tokens ?? 0];
    const tokens = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
    return [
      ...takeCitations([], true),
      ...[...calls.values()].map((id) => createStreamEvent.toolCallEnd(id)),
      ...(counted?.tokens ? [createStreamEvent.usage(tokens)] : []),
      ...(ended === 'error' ? [fail(error || `The provider has ended the answer: ${reason ?? ''}`)] : []),
      respond({ finish: ended }),
    ];
  };

  const tell = ({ content: said, tool_plan: plan, tool_calls: called }: Message): readonly AdapterEvent[] => [
    ...(plan ? between(respond({ reasoning_content: plan, stage: 'planning' })) : []),
    ...listOf(typeof said === 'string' ? { text: said, thinking: null } : said).flatMap(say),
    ...listOf(called).flatMap(startCall),
  ];

  return (data) => {
    if (data.type === 'error') return [fail(data.message), respond({ finish: 'error' })];
    if (data.type === 'whole') {
      const { message: all } = data;
      return [
        ...(all ? tell({ ...all, tool_calls: null }) : []),
        // Their places are in the text, behind which calls may stand.
        ...takeCitations(listOf(all?.citations), true),
        ...listOf(all?.tool_calls).flatMap(startCall),
        ...finish(data),
      ];
    }
    const { index, delta } = data;
    const said = delta?.message;
    switch (data.type) {
      case 'content-start':
        offset += text.length;
        text = '';
        return said ? tell(said) : [];
      case 'content-delta':
      case 'tool-plan-delta':
        return said ? [...tell(said), ...takeCitations([], false)] : [];
      case 'tool-call-start':
        return listOf(said?.tool_calls).flatMap((one) => startCall(one, index ?? calls.size));
      case 'tool-call-delta': {
        const id = calls.get(index ?? calls.size - 1);
        return id === undefined ? [] : listOf(said?.tool_calls).flatMap((one) => args(id, one.function?.arguments));
      }
      case 'citation-start':
        return takeCitations(listOf(said?.citations), false);
      case 'message-end':
        return delta ? finish(delta) : [];
      default:
        return [];
    }
  };
}

/** Its places are counted in characters, some of which are two units here. What stands there has to be what it cites. */
function placeOf({ start, end, text: cited }: Citation, text: string): { start: number; end: number } | undefined {
  const letters = Array.from(text);
  const unitsAt = (place: number): number => letters.slice(0, place).join('').length;
  const places = [
    { start: unitsAt(start), end: unitsAt(end) },
    { start, end },
  ];
  return places.find((place) => text.slice(place.start, place.end) === cited);
}

/** A document that was sent along, or what a tool has answered. */
function sourceOf({ id, document, tool_output }: NonNullable<Citation['sources']>[number]) {
  const facts = document ?? tool_output ?? {};
  const [url, title, snippet] = ['url', 'title', 'snippet'].map((name) => {
    const value = facts[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  });
  return {
    id: url ?? id ?? title ?? 'document',
    ...(url !== undefined && { url }),
    ...(title !== undefined && { title }),
    ...(snippet !== undefined && { quote: snippet }),
  };
}

const listOf = <Thing>(value: Thing | readonly Thing[] | null | undefined): readonly Thing[] =>
  Array.isArray(value) ? (value as readonly Thing[]) : value ? [value as Thing] : [];
