/**
 * OpenAI chat completions and the dialects of those who copied them (`openai-chat`). Source: `openai-chat.md`; every field may
 * be absent, null or empty.
 */
import type { LLMAgentEventData } from '../model/agent-events.ts';
import { createStreamEvent, type StopReason } from '../model/core-events.ts';
import { toOpenAiMessages } from '../model/openai-messages.ts';
import { z } from '../model/schema.ts';
import { detectOpenAiChat } from './detect.ts';
import { sentHistory } from './history.ts';
import { parseDataUrl } from './data-url.ts';
import { fit, isRecord, readJsonFrames } from './read-frames.ts';
import { gatherCalls, maybe, toolPiece } from './openai-calls.ts';
import { keepRound } from './openai-rounds.ts';
import { pcmToWav } from './pcm-wav.ts';
import { systemText } from './system-text.ts';
import { splitThinkTags, type ThoughtPiece } from './think-tags.ts';
import type { Adapter, AdapterEvent, DecodeContext } from './adapter.ts';

const string = maybe(z.string());
const number = maybe(z.number());

const contentPart = z.looseObject({
  type: z.string(),
  text: string,
  thinking: maybe(z.union([z.string(), z.array(z.looseObject({ text: string }))])),
});
const delta = z.object({
  content: maybe(z.union([z.string(), z.array(contentPart)])),
  reasoning_content: string,
  reasoning: string,
  reasoning_details: maybe(z.array(z.looseObject({ type: z.string(), text: string, summary: string }))),
  refusal: string,
  tool_calls: maybe(z.array(toolPiece)),
  function_call: maybe(z.object({ name: string, arguments: string })),
  annotations: maybe(
    z.array(
      z.looseObject({
        url_citation: maybe(
          z.object({ url: z.string(), title: string, content: string, start_index: number, end_index: number }),
        ),
      }),
    ),
  ),
  images: maybe(z.array(z.object({ image_url: z.object({ url: z.string() }) }))),
  audio: maybe(z.object({ data: string, transcript: string })),
});
type Delta = z.infer<typeof delta>;

const usage = z.object({ prompt_tokens: number, completion_tokens: number, total_tokens: number });
const problem = z.union([
  z.string(),
  z.looseObject({ message: maybe(z.string()), code: maybe(z.coerce.string()), type: string }),
]);
const chunk = z.looseObject({
  choices: maybe(
    z.array(
      z.object({ index: number, delta: maybe(delta), message: maybe(delta), text: string, finish_reason: string }),
    ),
  ),
  usage: maybe(usage),
  x_groq: maybe(z.looseObject({ usage: maybe(usage), error: string })),
  error: maybe(problem),
  object: string,
  message: maybe(z.unknown()),
  code: maybe(z.coerce.string()),
  images: maybe(z.array(z.union([z.string(), z.object({ image_url: z.string() })]))),
  citations: maybe(z.array(z.string())),
  search_results: maybe(z.array(z.looseObject({ title: string, url: z.string() }))),
  related_questions: maybe(z.array(z.string())),
});
type Chunk = z.infer<typeof chunk>;

const finishReasons: Readonly<Record<string, StopReason>> = {
  stop: 'complete',
  length: 'max_tokens',
  model_length: 'max_tokens',
  tool_calls: 'tool_use',
  function_call: 'tool_use',
  content_filter: 'error',
  error: 'error',
};

export const openAiChat: Adapter = {
  id: 'openai-chat',
  label: 'OpenAI chat completions',
  kind: 'model',
  detect: detectOpenAiChat,

  request(turn, { url, headers = {}, model, tools = [], ...options }) {
    return {
      url,
      init: {
        method: 'POST',
        headers: { accept: 'text/event-stream', ...headers },
        body: {
          ...(model !== undefined && { model }),
          stream: true,
          stream_options: { include_usage: true },
          messages: toOpenAiMessages(sentHistory(turn), { system: systemText(options), thoughts: 'open-turn' }),
          ...(tools.length > 0 && { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
        },
      },
    };
  },

  async *decode(batches, context) {
    const reply = makeReply(context);
    for await (const batch of batches) {
      const events: AdapterEvent[] = [];
      for (const { json, frame } of readJsonFrames(batch, context.report)) {
        const data = fit(chunk, json, frame, context.report);
        if (data) events.push(...reply.take(data, frame.event === 'error'));
      }
      yield events;
    }
    yield reply.end();
  },
};

interface Reply {
  /** `failed`: the frame was named an error. */
  readonly take: (data: Chunk, failed: boolean) => readonly AdapterEvent[];
  readonly end: () => readonly AdapterEvent[];
}

function makeReply({ eventId, newId, turn, ended }: DecodeContext): Reply {
  const thoughts = splitThinkTags();
  const kept = keepRound(turn);
  const sound: string[] = [];
  const pictures = new Set<string>();
  const calls = gatherCalls(newId);
  const cited = new Set<string>();
  /** Characters of answer so far, to know whether a citation's range can be meant for it. */
  let length = 0;
  let finish: StopReason | undefined;
  let refused = false;
  /** Who sends thoughts in this field may want them back there. */
  let wantsThoughts = false;

  const response = (data: Omit<LLMAgentEventData, 'eventId'>): AdapterEvent => ({
    type: 'response',
    data: { eventId, ...data },
  });
  const fail = (message: string, code?: string | null): AdapterEvent => {
    finish = 'error';
    return { type: 'error', data: { eventId, error: message, ...(code && { code }) } };
  };
  const say = (piece: ThoughtPiece): AdapterEvent => {
    if (piece.kind === 'text-was-reasoning') {
      length = 0;
      return response({ content_was_reasoning: true });
    }
    if (piece.kind === 'reasoning') return createStreamEvent.reasoning(piece.text);
    length += piece.text.length;
    return createStreamEvent.text(piece.text);
  };
  const cite = (
    url: string,
    source: { title?: string | null; quote?: string | null; start?: number | null; end?: number | null },
  ) => {
    const { title, quote, start, end } = source;
    const placed = typeof end === 'number' && end > 0 && end <= length;
    return response({
      citation: {
        id: url,
        url,
        ...(title && { title }),
        ...(quote && { quote }),
        ...(placed && { end, ...(typeof start === 'number' && { start }) }),
      },
    });
  };
  const citeOnce = (url: string, title?: string | null): readonly AdapterEvent[] => {
    if (cited.has(url)) return [];
    cited.add(url);
    return [cite(url, title ? { title } : {})];
  };

  const takeDelta = (data: Delta): AdapterEvent[] => {
    const events: AdapterEvent[] = [];
    if (data.reasoning_content && !wantsThoughts) {
      wantsThoughts = true;
      events.push(response({ metadata: { thoughtsAs: 'reasoning_content' } }));
    }
    kept.take(data.reasoning_details ?? []);
    if (data.audio?.data) sound.push(data.audio.data);
    const reasoning = data.reasoning_content || data.reasoning || detailsText(data);
    if (reasoning) events.push(createStreamEvent.reasoning(reasoning));
    for (const part of partsOf(data.content)) {
      if (part.kind === 'reasoning') events.push(createStreamEvent.reasoning(part.text));
      else events.push(...thoughts.feed(part.text).map(say));
    }
    if (data.refusal) {
      refused = true;
      events.push(say({ kind: 'text', text: data.refusal }));
    }
    if (data.audio?.transcript) events.push(say({ kind: 'text', text: data.audio.transcript }));
    for (const call of data.tool_calls ?? []) events.push(...calls.take(call));
    if (data.function_call)
      events.push(...calls.take({ index: 0, id: undefined, function: data.function_call, custom: undefined }));
    for (const { image_url } of data.images ?? []) events.push(response({ media: imageOf(image_url.url) }));
    for (const { url_citation } of data.annotations ?? []) {
      if (!url_citation) continue;
      const { url, title, content, start_index, end_index } = url_citation;
      events.push(
        cite(url, { title: title ?? null, quote: content ?? null, start: start_index ?? null, end: end_index ?? null }),
      );
    }
    return events;
  };

  return {
    take(data, failed) {
      const events: AdapterEvent[] = [];
      const choice = data.choices?.find(({ index }) => !index);
      const said = choice?.delta ?? choice?.message;
      if (said) events.push(...takeDelta(said));
      if (choice?.text) events.push(...thoughts.feed(choice.text).map(say));
      const titles = new Map(data.search_results?.map(({ url, title }) => [url, title]));
      for (const url of data.citations ?? data.search_results?.map(({ url }) => url) ?? []) {
        events.push(...citeOnce(url, titles.get(url)));
      }
      for (const picture of data.images ?? []) {
        const url = typeof picture === 'string' ? picture : picture.image_url;
        // They come again with every chunk.
        if (!pictures.has(url)) events.push(response({ media: imageOf(url) }));
        pictures.add(url);
      }
      if (data.related_questions?.length) {
        events.push(response({ suggestions: data.related_questions.map((label) => ({ label, prompt: label })) }));
      }
      const counted = data.usage ?? data.x_groq?.usage;
      if (counted) events.push(createStreamEvent.usage(toUsage(counted)));
      if (choice?.finish_reason) {
        const reason = choice.finish_reason;
        finish = Object.hasOwn(finishReasons, reason) ? (finishReasons[reason] ?? 'complete') : 'complete';
        // Some send no `[DONE]` and leave the connection open. The stop is told last: tokens are counted behind it.
        ended?.();
      }
      const trouble = troubleOf(data, failed);
      if (trouble) events.push(fail(trouble.message, trouble.code));
      return events;
    },
    end() {
      const recording = sound.length > 0 ? pcmToWav(sound) : undefined;
      const rounds = kept.rounds(calls.ids(), calls.extras());
      const events = [
        ...thoughts.end().map(say),
        ...(recording === undefined
          ? []
          : [response({ media: { kind: 'audio', data: recording, mimeType: 'audio/wav' } })]),
        ...(rounds ? [response({ metadata: { openAiRounds: rounds } })] : []),
        ...calls.end(),
      ];
      if (!finish) return events;
      // The list of calls is to be believed, not the reason: many servers say `stop` with calls.
      const reason = refused ? 'error' : calls.any() && finish === 'complete' ? 'tool_use' : finish;
      return [...events, createStreamEvent.stop(reason)];
    },
  };
}

function partsOf(content: Delta['content']): readonly { kind: 'text' | 'reasoning'; text: string }[] {
  if (!content) return [];
  if (typeof content === 'string') return [{ kind: 'text', text: content }];
  return content.map(({ text, thinking }) => {
    if (!thinking) return { kind: 'text' as const, text: text ?? '' };
    const thought = typeof thinking === 'string' ? thinking : thinking.map((piece) => piece.text ?? '').join('');
    return { kind: 'reasoning' as const, text: thought };
  });
}

/** The same words as `delta.reasoning`, which some send alone. */
const detailsText = (data: Delta): string =>
  data.reasoning_details?.map(({ text, summary }) => text ?? summary ?? '').join('') ?? '';

const toUsage = ({ prompt_tokens, completion_tokens, total_tokens }: z.infer<typeof usage>) => {
  const [prompt, completion] = [prompt_tokens ?? 0, completion_tokens ?? 0];
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total_tokens ?? prompt + completion };
};

function troubleOf(
  data: Chunk,
  failed: boolean,
): { readonly message: string; readonly code?: string | null | undefined } | undefined {
  const { error, code } = data;
  if (typeof error === 'string') return { message: error, code };
  if (error) {
    // A router's own words say little: what its provider said is the cause.
    const raw = isRecord(error['metadata']) ? error['metadata']['raw'] : undefined;
    const cause = typeof raw === 'string' ? raw : undefined;
    return { message: cause ?? error.message ?? error.type ?? UNNAMED, code: error.code ?? error.type };
  }
  if (failed || data.object === 'error') {
    const { message } = data;
    return { message: typeof message === 'string' ? message : message ? JSON.stringify(message) : UNNAMED, code };
  }
  return data.x_groq?.error ? { message: data.x_groq.error } : undefined;
}

const UNNAMED = 'The provider reports an error.';

const imageOf = (url: string): NonNullable<LLMAgentEventData['media']> => {
  const inline = parseDataUrl(url);
  return inline ? { kind: 'image', ...inline } : { kind: 'image', url };
};
