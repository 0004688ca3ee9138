/**
 * OpenAI chat completions and their dialects (`openai-chat`). Every field may be missing, null or empty.
 * Source: `docs/protocols/openai-chat.md`.
 */
import type { LLMAgentEventData } from '../../model/agent-events.ts';
import { createStreamEvent } from '../../model/core-events.ts';
import { OPENAI_CHAT_PROTOCOL, toOpenAiMessages } from '../../formats/openai-messages.ts';
import { roundsMetadata } from '../../formats/provider-rounds.ts';
import { sentHistory } from '../shared/sent-history.ts';
import { fit } from '../core/read-frames.ts';
import { makeTextFrameReader, type FrameText } from '../shared/fast-text-frames.ts';
import { makeChatCalls } from './calls.ts';
import { makeChoiceSelector, type Choice } from './choices.ts';
import { detectDialect } from './dialects.ts';
import { makeRoundCollector } from './rounds.ts';
import {
  chunk,
  detailsText,
  toImageMedia,
  contentChunks,
  toUsage,
  providerErrorOf,
  plainTextDelta,
  type Chunk,
  type Delta,
} from './wire.ts';
import { audioEvents } from '../shared/files/pcm-wav.ts';
import { endEvents, replyEnd, type ReplyEnd } from '../core/finish-reasons.ts';
import { systemText } from '../shared/system-text.ts';
import { splitThinkTags, type ThinkTagChunk } from '../shared/think-tags.ts';
import type { Frame } from '../../transport/frame.ts';
import type { Adapter, AdapterEvent, DecodeContext } from '../core/adapter.ts';

export const openAiChat: Adapter = {
  id: OPENAI_CHAT_PROTOCOL,
  label: 'OpenAI chat completions',
  kind: 'model',

  request(turn, { url, headers = {}, body = {}, model, tools = [], ...options }) {
    const { usage, adapt, files } = detectDialect(url, model ?? body['model']);
    const messages = toOpenAiMessages(sentHistory(turn), {
      system: systemText(options),
      thoughts: 'open-turn',
      files,
    });
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
    const read = makeTextFrameReader(plainText, context.report);
    for await (const batch of batches) {
      const events: AdapterEvent[] = [];
      for (const item of read(batch)) {
        if ('text' in item) {
          reply.takeWords(item.text, events);
          continue;
        }
        const { json, frame } = item;
        const failed = frame.event === 'error';
        const delta = failed ? undefined : plainTextDelta(json);
        const data = delta ? undefined : fit(chunk, json, frame, context.report);
        if (delta) events.push(...reply.takeDelta(delta));
        else if (data) events.push(...reply.take(data, failed));
      }
      yield events;
    }
    yield reply.end();
  },
};

/** The text of a chunk that contains only text of the answer. */
function plainText(json: unknown, { event }: Frame): FrameText<undefined> | undefined {
  const { content, reasoning_content, reasoning } = (event !== 'error' && plainTextDelta(json)) || {};
  return typeof content === 'string' && !reasoning_content && !reasoning
    ? { text: content, fields: undefined }
    : undefined;
}

interface Reply {
  /** `failed`: the frame's event name is `error`. */
  readonly take: (data: Chunk, failed: boolean) => readonly AdapterEvent[];
  /** Handles a chunk that has only a delta. */
  readonly takeDelta: (delta: Delta) => readonly AdapterEvent[];
  /** Appends the events for text of the answer to `events`. */
  readonly takeWords: (text: string, events: AdapterEvent[]) => void;
  readonly end: () => readonly AdapterEvent[];
}

function makeReply({ eventId, newId, turn, ended, saidDone }: DecodeContext): Reply {
  const tagSplitter = splitThinkTags();
  const roundCollector = makeRoundCollector();
  const audioChunks: string[] = [];
  const emittedImages = new Set<string>();
  const calls = makeChatCalls({ newId, eventId });
  const first = makeChoiceSelector();
  const citedUrls = new Set<string>();
  /** The length of the answer so far, to check whether a citation's range is inside it. */
  let length = 0;
  let finish: ReplyEnd | undefined;
  let isRefused = false;
  /** A server that sends reasoning in this field may expect it back there. */
  let sendsReasoningContent = false;

  const response = (data: Omit<LLMAgentEventData, 'eventId'>): AdapterEvent => ({
    type: 'response',
    data: { eventId, ...data },
  });
  const fail = (message: string, code?: string | null): AdapterEvent => {
    finish = 'error';
    return { type: 'error', data: { eventId, error: message, ...(code && { code }) } };
  };
  const emitChunk = (chunk: ThinkTagChunk): AdapterEvent => {
    if (chunk.kind === 'text-was-reasoning') {
      length = 0;
      return response({ content_was_reasoning: true });
    }
    if (chunk.kind === 'reasoning') return createStreamEvent.reasoning(chunk.text);
    length += chunk.text.length;
    return createStreamEvent.text(chunk.text);
  };
  /** Emits text that was buffered as a possible tag, before the next event. */
  const rest = (): readonly AdapterEvent[] => tagSplitter.end().map(emitChunk);
  const cite = (
    url: string,
    source: { title?: string | null; quote?: string | null; start?: number | null; end?: number | null },
  ) => {
    const { title, quote, start, end } = source;
    const hasPosition = typeof end === 'number' && end > 0 && end <= length;
    return response({
      citation: {
        id: url,
        url,
        ...(title && { title }),
        ...(quote && { quote }),
        ...(hasPosition && { end, ...(typeof start === 'number' && { start }) }),
      },
    });
  };
  const citeOnce = (url: string, title?: string | null): readonly AdapterEvent[] => {
    if (citedUrls.has(url)) return [];
    citedUrls.add(url);
    return [cite(url, title ? { title } : {})];
  };

  const takeWords = (text: string, events: AdapterEvent[]): void => {
    if (text) for (const chunk of tagSplitter.feed(text)) events.push(emitChunk(chunk));
  };

  const takeDelta = (data: Delta): AdapterEvent[] => {
    const events: AdapterEvent[] = [];
    if (data.reasoning_content && !sendsReasoningContent) {
      sendsReasoningContent = true;
      events.push(response({ metadata: { thoughtsAs: 'reasoning_content' } }));
    }
    roundCollector.take(data.reasoning_details ?? []);
    if (data.audio?.data) audioChunks.push(data.audio.data);
    // After the first text, details are only signatures of already rendered reasoning.
    const reasoning = data.reasoning_content || data.reasoning || (length > 0 ? '' : detailsText(data));
    if (reasoning) events.push(createStreamEvent.reasoning(reasoning));
    for (const chunk of contentChunks(data.content)) {
      if (chunk.kind === 'reasoning') events.push(createStreamEvent.reasoning(chunk.text));
      else if (chunk.kind === 'media') events.push(...rest(), response({ media: chunk.media }));
      else events.push(...tagSplitter.feed(chunk.text).map(emitChunk));
    }
    if (data.refusal) {
      isRefused = true;
      events.push(...rest(), emitChunk({ kind: 'text', text: data.refusal }));
    }
    if (data.audio?.transcript) events.push(...rest(), emitChunk({ kind: 'text', text: data.audio.transcript }));
    const { tool_calls: toolChunks, function_call: functionCall, images } = data;
    if (toolChunks?.length || functionCall || images?.length) events.push(...rest());
    for (const call of toolChunks ?? []) events.push(...calls.take(call));
    if (functionCall)
      events.push(...calls.take({ index: 0, id: undefined, function: functionCall, custom: undefined }));
    for (const { image_url } of images ?? []) events.push(response({ media: toImageMedia(image_url) }));
    for (const { url_citation } of data.annotations ?? []) {
      if (!url_citation) continue;
      const { url, title, content, start_index, end_index } = url_citation;
      events.push(
        cite(url, { title: title ?? null, quote: content ?? null, start: start_index ?? null, end: end_index ?? null }),
      );
    }
    return events;
  };

  const takeChoice = ({ delta, message, text }: Choice): readonly AdapterEvent[] => {
    const content = delta ?? message;
    if (content) return takeDelta(content);
    // Together repeats the text of a delta in this field.
    return text ? tagSplitter.feed(text).map(emitChunk) : [];
  };

  return {
    takeDelta: (data) => {
      first.begin();
      return takeDelta(data);
    },
    takeWords: (text, events) => {
      first.begin();
      takeWords(text, events);
    },
    take(data, failed) {
      const events: AdapterEvent[] = [];
      const choices = first.of(data.choices ?? []);
      const choice = choices.at(-1);
      for (const shownChoice of choices) events.push(...takeChoice(shownChoice));
      const titles = new Map(data.search_results?.map(({ url, title }) => [url, title]));
      for (const url of data.citations ?? data.search_results?.map(({ url }) => url) ?? []) {
        events.push(...citeOnce(url, titles.get(url)));
      }
      for (const image of data.images ?? []) {
        const url = typeof image === 'string' ? image : image.image_url;
        // Every chunk repeats them.
        if (!emittedImages.has(url)) events.push(response({ media: toImageMedia(url) }));
        emittedImages.add(url);
      }
      if (data.related_questions?.length) {
        events.push(response({ suggestions: data.related_questions.map((label) => ({ label, prompt: label })) }));
      }
      const usage = data.usage ?? data.x_groq?.usage;
      if (usage) events.push(createStreamEvent.usage(toUsage(usage)));
      if (choice?.finish_reason) {
        const reason = choice.finish_reason;
        finish = replyEnd(reason) ?? 'complete';
        // Some servers send no `[DONE]` and leave the connection open. The stop is emitted last, because usage
        // follows it.
        ended?.();
      }
      const error = providerErrorOf(data, failed);
      if (error) events.push(...rest(), fail(error.message, error.code));
      return events;
    },
    end() {
      const heldEvents = first.release().flatMap(takeChoice);
      const item = roundCollector.item(calls.ids(), calls.extras());
      const events = [
        ...heldEvents,
        ...rest(),
        ...audioEvents(audioChunks).map(response),
        ...(item
          ? [response({ metadata: { ...roundsMetadata(turn, { protocol: OPENAI_CHAT_PROTOCOL, items: [item] }) } })]
          : []),
        ...calls.end(),
      ];
      // Some servers send only the end mark at their end.
      finish ??= saidDone?.() && calls.any() ? 'complete' : undefined;
      if (!finish) return events;
      // The calls decide, not the finish reason: many servers send `stop` with calls, and some the reverse.
      const callReason = calls.any() ? 'tool_use' : 'complete';
      const end = isRefused ? 'filtered' : finish === 'complete' || finish === 'tool_use' ? callReason : finish;
      return [...events, ...endEvents(end, eventId)];
    },
  };
}
