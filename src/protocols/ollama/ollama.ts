/**
 * Ollama's own API, `/api/chat` and `/api/generate` (`ollama`): a JSON object a line, and the last one says `done`.
 * Source: `ollama.md`; any field may be absent or null.
 */
import { maybe } from '../shared/maybe.ts';
import type { LLMAgentEventData } from '../../model/agent-events.ts';
import { createStreamEvent, type StopReason } from '../../model/core-events.ts';
import { z } from '../../model/schema.ts';
import { detectOllama } from '../detect/providers.ts';
import { toChatMessages, toGenerate } from './messages.ts';
import { fit, readJsonFrames } from '../shared/read-frames.ts';
import { splitThinkTags, type ThoughtPiece } from '../shared/think-tags.ts';
import type { Adapter, AdapterEvent, DecodeContext } from '../adapter.ts';

const string = maybe(z.string());
const number = maybe(z.number());

const toolCall = z.object({
  id: string,
  /** The arguments are an object; some wrappers send them as text. */
  function: z.object({
    index: number,
    name: z.string(),
    arguments: maybe(z.union([z.string(), z.record(z.string(), z.unknown())])),
  }),
});
const line = z.looseObject({
  message: maybe(
    z.object({
      content: string,
      thinking: string,
      tool_calls: maybe(z.array(maybe(toolCall))),
      images: maybe(z.array(maybe(z.string()))),
    }),
  ),
  response: string,
  thinking: string,
  done: maybe(z.boolean()),
  done_reason: string,
  prompt_eval_count: number,
  eval_count: number,
  context: maybe(z.array(z.number())),
  error: maybe(z.union([z.string(), z.looseObject({ message: string })])),
});
type Line = z.infer<typeof line>;

/** Old servers give no reason; `load` and `unload` answer an empty prompt, and there is nothing to show. */
const doneReasons: Readonly<Record<string, StopReason>> = { length: 'max_tokens' };

export const ollama: Adapter = {
  id: 'ollama',
  label: 'Ollama',
  kind: 'model',
  detect: detectOllama,

  request(turn, { url, headers = {}, model, tools = [], ...options }) {
    const address = new URL(url);
    const bare = address.pathname === '/';
    if (bare) address.pathname = '/api/chat';
    const generates = address.pathname.endsWith('/api/generate');
    return {
      url: bare ? address.href : url,
      init: {
        method: 'POST',
        headers: { accept: 'application/x-ndjson, application/json', ...headers },
        body: {
          ...(model !== undefined && { model }),
          stream: true,
          ...(generates ? toGenerate(turn, options) : { messages: toChatMessages(turn, options) }),
          ...(tools.length > 0 && !generates && { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
        },
      },
    };
  },

  async *decode(batches, context) {
    const reply = makeReply(context);
    for await (const batch of batches) {
      const events: AdapterEvent[] = [];
      for (const { json, frame } of readJsonFrames(batch, context.report)) {
        const data = fit(line, json, frame, context.report);
        if (!data) continue;
        if (isNews(data)) events.push(...reply.take(data));
        else context.report({ kind: 'unknown', detail: 'This kind of line is new.', frame });
      }
      yield events;
    }
    yield reply.rest();
  },
};

const isNews = ({ message, response, thinking, done, error }: Line): boolean =>
  [message, response, thinking, done, error].some((field) => field !== undefined && field !== null);

interface Reply {
  readonly take: (data: Line) => readonly AdapterEvent[];
  /** What is held back while a tag may still become whole. */
  readonly rest: () => readonly AdapterEvent[];
}

function makeReply({ eventId, newId }: DecodeContext): Reply {
  const thoughts = splitThinkTags();
  const ids = new Set<string>();

  const response = (data: Omit<LLMAgentEventData, 'eventId'>): AdapterEvent => ({
    type: 'response',
    data: { eventId, ...data },
  });
  /** Where thinking is off, thoughts may stand in the text, in tags. */
  const say = (piece: ThoughtPiece): AdapterEvent => {
    if (piece.kind === 'text-was-reasoning') return response({ content_was_reasoning: true });
    return piece.kind === 'reasoning' ? createStreamEvent.reasoning(piece.text) : createStreamEvent.text(piece.text);
  };
  const rest = (): readonly AdapterEvent[] => thoughts.end().map(say);

  const takeCall = ({ id, function: { name, arguments: args } }: z.infer<typeof toolCall>): readonly AdapterEvent[] => {
    const own = id && !ids.has(id) ? id : newId();
    ids.add(own);
    const params = typeof args === 'string' ? args || '{}' : JSON.stringify(args ?? {});
    return [createStreamEvent.toolCallStart(own, name), createStreamEvent.toolCallEnd(own, params)];
  };
  const end = ({ done_reason, prompt_eval_count, eval_count, context }: Line): readonly AdapterEvent[] => {
    const reason = done_reason && Object.hasOwn(doneReasons, done_reason) ? doneReasons[done_reason] : undefined;
    const [prompt, completion] = [prompt_eval_count ?? 0, eval_count ?? 0];
    const used = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
    return [
      ...rest(),
      ...(prompt + completion > 0 ? [createStreamEvent.usage(used)] : []),
      ...(context ? [response({ metadata: { ollamaContext: context } })] : []),
      // There is no reason for tools: it is `stop` with them too.
      createStreamEvent.stop(reason ?? (ids.size > 0 ? 'tool_use' : 'complete')),
    ];
  };

  return {
    take(data) {
      const { message, error, done } = data;
      const events: AdapterEvent[] = [];
      const thinking = message?.thinking || data.thinking;
      if (thinking) events.push(createStreamEvent.reasoning(thinking));
      // Some models put their last words into the line that says `done`.
      const text = message?.content || data.response;
      if (text) events.push(...thoughts.feed(text).map(say));
      const calls = (message?.tool_calls ?? []).filter((call) => call !== null && call !== undefined);
      if (calls.length > 0) events.push(...rest());
      for (const call of calls) events.push(...takeCall(call));
      for (const image of message?.images ?? []) {
        if (image) events.push(response({ media: { kind: 'image', data: image, mimeType: mimeTypeOf(image) } }));
      }
      if (error !== undefined && error !== null) {
        const words = typeof error === 'string' ? error : (error.message ?? JSON.stringify(error));
        return [
          ...events,
          ...rest(),
          { type: 'error', data: { eventId, error: words } },
          createStreamEvent.stop('error'),
        ];
      }
      return done ? [...events, ...end(data)] : events;
    },
    rest,
  };
}

/** What base64 of the kinds of picture begins with: the wire names none. */
const PICTURES = [
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
] as const;
const mimeTypeOf = (data: string): string => PICTURES.find(([start]) => data.startsWith(start))?.[1] ?? 'image/png';
