/**
 * Ollama's API, `/api/chat` and `/api/generate` (`ollama`): one JSON object per line, of which the last one has
 * `done`. Any field may be missing or null.
 * Source: `docs/protocols/ollama.md`.
 */
import { lenient, lenientText } from '../shared/lenient.ts';
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import type { StopReason } from '../../model/events/core-event-schema.ts';
import { createStreamEvent } from '../../model/events/core-events.ts';
import { isRecord } from '../../model/json.ts';
import { recordOf, z } from '../../model/schema.ts';
import { toChatMessages, toGenerate } from './messages.ts';
import { fit, readJsonFrames } from '../core/read-frames.ts';
import { splitThinkTags, type ThinkTagChunk } from '../shared/think-tags.ts';
import type { Adapter, AdapterEvent, DecodeContext } from '../core/adapter.ts';

const string = lenient(z.string());
const number = lenient(z.number());

const toolCall = z.object({
  id: string,
  /** The arguments are an object; some wrappers send them as JSON text. */
  function: z.object({
    index: number,
    name: z.string(),
    arguments: lenient(z.union([z.string(), recordOf(z.unknown())])),
  }),
});
const line = z.looseObject({
  message: lenient(
    z.object({
      content: lenientText,
      thinking: lenientText,
      tool_calls: lenient(z.array(lenient(toolCall))),
      images: lenient(z.array(lenient(z.string()))),
    }),
  ),
  response: lenientText,
  /** An image that `/api/generate` has made. */
  image: string,
  thinking: lenientText,
  done: lenient(z.boolean()),
  done_reason: string,
  prompt_eval_count: number,
  eval_count: number,
  context: lenient(z.array(z.number())),
  error: lenient(z.union([z.string(), z.looseObject({ message: string })])),
});
type Line = z.infer<typeof line>;

/** The reasons that are not a normal end. Old servers send none; `load` and `unload` answer an empty prompt, without content. */
const doneReasons: Readonly<Record<string, StopReason>> = { length: 'max_tokens' };

export const adapter: Adapter = {
  id: 'ollama',
  label: 'Ollama',
  kind: 'model',

  request(turn, { url, headers = {}, model, tools = [], ...options }) {
    const address = new URL(url);
    const isBaseUrl = address.pathname === '/';
    if (isBaseUrl) address.pathname = '/api/chat';
    const isGenerate = address.pathname.endsWith('/api/generate');
    return {
      url: isBaseUrl ? address.href : url,
      init: {
        method: 'POST',
        headers: { accept: 'application/x-ndjson, application/json', ...headers },
        body: {
          ...(model !== undefined && { model }),
          stream: true,
          ...(isGenerate ? toGenerate(turn, options) : { messages: toChatMessages(turn, options) }),
          ...(tools.length > 0 &&
            !isGenerate && { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
        },
      },
    };
  },

  async *decode(batches, context) {
    const reply = makeReply(context);
    for await (const batch of batches) {
      const events: AdapterEvent[] = [];
      for (const { json, frame } of readJsonFrames(batch, context.report)) {
        const data = fit(line, withError(json), frame, context.report);
        if (!data) continue;
        if (isKnownLine(data)) events.push(...reply.take(data));
        else context.report({ kind: 'unknown', detail: 'This kind of line is unknown.', frame });
      }
      yield events;
    }
    yield reply.rest();
  },
};

/** An error about the model's output has the message as its field name: `{"error parsing tool call": "raw=…"}`. */
function withError(json: unknown): unknown {
  const [name, details] = isRecord(json)
    ? (Object.entries(json).find(([field]) => field.startsWith('error ')) ?? [])
    : [];
  return name === undefined ? json : { error: typeof details === 'string' ? `${name}: ${details}` : name };
}

const isKnownLine = ({ message, response, image, thinking, done, error }: Line): boolean =>
  [message, response, image, thinking, done, error].some((field) => field !== undefined && field !== null);

interface Reply {
  readonly take: (data: Line) => readonly AdapterEvent[];
  /** Emits text that was held back as a possible partial tag. */
  readonly rest: () => readonly AdapterEvent[];
}

function makeReply({ eventId, newId }: DecodeContext): Reply {
  const tagSplitter = splitThinkTags();
  const ids = new Set<string>();

  const response = (data: Omit<LLMAgentEventData, 'eventId'>): AdapterEvent => ({
    type: 'response',
    data: { eventId, ...data },
  });
  /** If thinking is off, reasoning may be in the text, in tags. */
  const emitChunk = (chunk: ThinkTagChunk): AdapterEvent => {
    if (chunk.kind === 'text-was-reasoning') return response({ content_was_reasoning: true });
    return chunk.kind === 'reasoning' ? createStreamEvent.reasoning(chunk.text) : createStreamEvent.text(chunk.text);
  };
  const rest = (): readonly AdapterEvent[] => tagSplitter.end().map(emitChunk);

  const takeCall = ({ id, function: { name, arguments: args } }: z.infer<typeof toolCall>): readonly AdapterEvent[] => {
    const callId = id && !ids.has(id) ? id : newId();
    ids.add(callId);
    const params = typeof args === 'string' ? args || '{}' : JSON.stringify(args ?? {});
    return [createStreamEvent.toolCallStart(callId, name), createStreamEvent.toolCallEnd(callId, params)];
  };
  const end = ({ done_reason, prompt_eval_count, eval_count, context }: Line): readonly AdapterEvent[] => {
    const reason = done_reason && Object.hasOwn(doneReasons, done_reason) ? doneReasons[done_reason] : undefined;
    const [prompt, completion] = [prompt_eval_count ?? 0, eval_count ?? 0];
    const usage = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
    return [
      ...rest(),
      ...(prompt + completion > 0 ? [createStreamEvent.usage(usage)] : []),
      ...(context ? [response({ metadata: { ollamaContext: context } })] : []),
      // Tool calls have no finish reason of their own: it is `stop` too.
      createStreamEvent.stop(reason ?? (ids.size > 0 ? 'tool_use' : 'complete')),
    ];
  };

  return {
    take(data) {
      const { message, error, done } = data;
      const events: AdapterEvent[] = [];
      const thinking = message?.thinking || data.thinking;
      if (thinking) events.push(createStreamEvent.reasoning(thinking));
      // Some models send their last text in the line with `done`.
      const text = message?.content || data.response;
      if (text) events.push(...tagSplitter.feed(text).map(emitChunk));
      const calls = (message?.tool_calls ?? []).filter((call) => call !== null && call !== undefined);
      if (calls.length > 0) events.push(...rest());
      for (const call of calls) events.push(...takeCall(call));
      for (const image of [...(message?.images ?? []), data.image]) {
        if (image) events.push(response({ media: { kind: 'image', data: image, mimeType: mimeTypeOf(image) } }));
      }
      if (error !== undefined && error !== null) {
        const errorText = typeof error === 'string' ? error : (error.message ?? JSON.stringify(error));
        return [
          ...events,
          ...rest(),
          { type: 'error', data: { eventId, error: errorText } },
          createStreamEvent.stop('error'),
        ];
      }
      return done ? [...events, ...end(data)] : events;
    },
    rest,
  };
}

/** The first base64 characters of image types: the response names no type. */
const IMAGE_SIGNATURES = [
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
] as const;
const mimeTypeOf = (data: string): string =>
  IMAGE_SIGNATURES.find(([start]) => data.startsWith(start))?.[1] ?? 'image/png';
