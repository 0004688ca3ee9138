/**
 * OpenAI chat completions and the dialects of those who copied them (`openai-chat`). Source: `openai-chat.md`; every field may
 * be absent, null or empty.
 */
import type { LLMAgentEventData } from '../../model/agent-events.ts';
import { createStreamEvent, type StopReason } from '../../model/core-events.ts';
import { OPENAI_CHAT, toOpenAiMessages } from '../../model/openai-messages.ts';
import { keepRound } from '../../model/rounds.ts';
import { detectOpenAiChat } from '../detect/providers.ts';
import { sentHistory } from '../shared/history.ts';
import { fit } from '../shared/read-frames.ts';
import { readerOfWords, type Words } from '../shared/read-words.ts';
import { gatherCalls } from './calls.ts';
import { dialectOf } from './dialects.ts';
import { gatherRound } from './rounds.ts';
import { chunk, detailsText, imageOf, piecesOf, toUsage, troubleOf, wordsOf, type Chunk, type Delta } from './wire.ts';
import { recordingOf } from '../shared/pcm-wav.ts';
import { systemText } from '../shared/system-text.ts';
import { splitThinkTags, type ThoughtPiece } from '../shared/think-tags.ts';
import type { Frame } from '../../transport/frame.ts';
import type { Adapter, AdapterEvent, DecodeContext } from '../adapter.ts';

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
  id: OPENAI_CHAT,
  label: 'OpenAI chat completions',
  kind: 'model',
  detect: detectOpenAiChat,

  request(turn, { url, headers = {}, body = {}, model, tools = [], ...options }) {
    const { usage, adapt } = dialectOf(url, model ?? body['model']);
    const messages = toOpenAiMessages(sentHistory(turn), { system: systemText(options), thoughts: 'open-turn' });
    return {
      url,
      init: {
        method: 'POST',
        headers: { accept: 'text/event-stream', ...headers },
        body: {
          ...(model !== undefined && { model }),
          stream: true,
          ...(usage && { stream_options: { include_usage: true } }),
          messages: adapt(messages),
          ...(tools.length > 0 && { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
        },
      },
    };
  },

  async *decode(batches, context) {
    const reply = makeReply(context);
    const read = readerOfWords(plainWordsOf, context.report);
    for await (const batch of batches) {
      const events: AdapterEvent[] = [];
      for (const said of read(batch)) {
        if ('words' in said) {
          reply.takeWords(said.words, events);
          continue;
        }
        const { json, frame } = said;
        const failed = frame.event === 'error';
        const delta = failed ? undefined : wordsOf(json);
        const data = delta ? undefined : fit(chunk, json, frame, context.report);
        if (delta) events.push(...reply.takeDelta(delta));
        else if (data) events.push(...reply.take(data, failed));
      }
      yield events;
    }
    yield reply.end();
  },
};

/** The words of a chunk that has nothing but words of the answer. */
function plainWordsOf(json: unknown, { event }: Frame): Words<undefined> | undefined {
  const { content, reasoning_content, reasoning } = (event !== 'error' && wordsOf(json)) || {};
  return typeof content === 'string' && !reasoning_content && !reasoning
    ? { words: content, facts: undefined }
    : undefined;
}

interface Reply {
  /** `failed`: the frame was named an error. */
  readonly take: (data: Chunk, failed: boolean) => readonly AdapterEvent[];
  /** A chunk that is no more than its delta. */
  readonly takeDelta: (delta: Delta) => readonly AdapterEvent[];
  /** Words of the answer, into the events. */
  readonly takeWords: (words: string, events: AdapterEvent[]) => void;
  readonly end: () => readonly AdapterEvent[];
}

function makeReply({ eventId, newId, turn, ended, saidDone }: DecodeContext): Reply {
  const thoughts = splitThinkTags();
  const kept = gatherRound();
  const sound: string[] = [];
  const pictures = new Set<string>();
  const calls = gatherCalls(newId);
  const cited = new Set<string>();
  /** Characters of answer so far, to know whether a citation's range can be meant for it. */
  let length = 0;
  let finish: StopReason | undefined;
  let refused = false;
  /** It ends with an error of which nothing more is told. */
  let unexplained = false;
  /** Who sends thoughts in this field may want them back there. */
  let wantsThoughts = false;

  const response = (data: Omit<LLMAgentEventData, 'eventId'>): AdapterEvent => ({
    type: 'response',
    data: { eventId, ...data },
  });
  const fail = (message: string, code?: string | null): AdapterEvent => {
    finish = 'error';
    unexplained = false;
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

  const takeWords = (words: string, events: AdapterEvent[]): void => {
    if (words) for (const piece of thoughts.feed(words)) events.push(say(piece));
  };

  const takeDelta = (data: Delta): AdapterEvent[] => {
    const events: AdapterEvent[] = [];
    if (data.reasoning_content && !wantsThoughts) {
      wantsThoughts = true;
      events.push(response({ metadata: { thoughtsAs: 'reasoning_content' } }));
    }
    kept.take(data.reasoning_details ?? []);
    if (data.audio?.data) sound.push(data.audio.data);
    // Behind the first word, details are but signatures of thoughts that were shown.
    const reasoning = data.reasoning_content || data.reasoning || (length > 0 ? '' : detailsText(data));
    if (reasoning) events.push(createStreamEvent.reasoning(reasoning));
    for (const piece of piecesOf(data.content)) {
      if (piece.kind === 'reasoning') events.push(createStreamEvent.reasoning(piece.text));
      else if (piece.kind === 'media') events.push(response({ media: piece.media }));
      else events.push(...thoughts.feed(piece.text).map(say));
    }
    if (data.refusal) {
      refused = true;
      events.push(say({ kind: 'text', text: data.refusal }));
    }
    if (data.audio?.transcript) events.push(say({ kind: 'text', text: data.audio.transcript }));
    for (const call of data.tool_calls ?? []) events.push(...calls.take(call));
    if (data.function_call)
      events.push(...calls.take({ index: 0, id: undefined, function: data.function_call, custom: undefined }));
    for (const { image_url } of data.images ?? []) events.push(response({ media: imageOf(image_url) }));
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
    takeDelta,
    takeWords,
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
        unexplained = reason === 'error';
        // Some send no `[DONE]` and leave the connection open. The stop is told last: tokens are counted behind it.
        ended?.();
      }
      const trouble = troubleOf(data, failed);
      // What is held back stands in front of it.
      if (trouble) events.push(...thoughts.end().map(say), fail(trouble.message, trouble.code));
      return events;
    },
    end() {
      const item = kept.item(calls.ids(), calls.extras());
      const events = [
        ...thoughts.end().map(say),
        ...recordingOf(sound).map(response),
        ...(item ? [response({ metadata: { ...keepRound(turn, { protocol: OPENAI_CHAT, items: [item] }) } })] : []),
        ...calls.end(),
      ];
      // Some servers say nothing at their end but that it is the end.
      finish ??= saidDone?.() && calls.any() ? 'complete' : undefined;
      if (!finish) return events;
      // The list of calls is to be believed, not the reason: many servers say `stop` with calls, and some the reverse.
      const called = calls.any() ? 'tool_use' : 'complete';
      const reason = refused ? 'error' : finish === 'complete' || finish === 'tool_use' ? called : finish;
      if (unexplained) events.push(response({ metadata: { failed: true } }));
      return [...events, createStreamEvent.stop(reason)];
    },
  };
}
