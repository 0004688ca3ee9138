/** Converts the chunks of a chat completion to the events of one reply. Source: `docs/protocols/openai-chat.md`. */
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import { createStreamEvent } from '../../model/events/core-events.ts';
import { OPENAI_CHAT_PROTOCOL } from '../../formats/openai-messages.ts';
import { roundsMetadata } from '../../formats/provider-rounds.ts';
import type { AdapterEvent, DecodeContext } from '../core/adapter.ts';
import { endEvents, replyEnd, type ReplyEnd } from '../core/finish-reasons.ts';
import { audioEvents } from '../shared/files/pcm-wav.ts';
import { splitThinkTags, type ThinkTagChunk } from '../shared/think-tags.ts';
import { makeChatCalls } from './calls.ts';
import { makeChoiceSelector, type Choice } from './choices.ts';
import { makeRoundCollector } from './rounds.ts';
import {
  contentChunks,
  detailsText,
  providerErrorOf,
  toImageMedia,
  toUsage,
  type Chunk,
  type Delta,
} from './reply-schema.ts';

/** A source that the answer cites. */
interface Source {
  readonly title?: string | null | undefined;
  readonly content?: string | null | undefined;
  readonly start_index?: number | null | undefined;
  readonly end_index?: number | null | undefined;
}

/** Converts the chunks of one reply. */
export class ChatReply {
  readonly #context: DecodeContext;
  readonly #thinkTags = splitThinkTags();
  readonly #rounds = makeRoundCollector();
  readonly #choices = makeChoiceSelector();
  readonly #calls: ReturnType<typeof makeChatCalls>;
  readonly #audioChunks: string[] = [];
  readonly #emittedImages = new Set<string>();
  /** The emitted reasoning steps. The end of the reasoning repeats them. */
  readonly #emittedSteps = new Set<string>();
  readonly #citedUrls = new Set<string>();
  /** The length of the emitted text of the answer. A citation's range must be inside it. */
  #textLength = 0;
  #finish: ReplyEnd | undefined;
  #isRefused = false;
  /** Whether the server sends reasoning in `reasoning_content`. It may expect it in this field of the next request, too. */
  #sendsReasoningContent = false;

  constructor(context: DecodeContext) {
    this.#context = context;
    this.#calls = makeChatCalls(context);
  }

  /** Converts text of the answer, and appends the events to `events`. */
  takeText(text: string, events: AdapterEvent[]): void {
    this.#choices.begin();
    if (text) for (const chunk of this.#thinkTags.feed(text)) events.push(this.#emit(chunk));
  }

  /** Handles a chunk that has only a delta. */
  takeDelta(delta: Delta): readonly AdapterEvent[] {
    this.#choices.begin();
    return this.#takeDelta(delta);
  }

  /** @param isErrorEvent - whether the frame has the event name `error` */
  take(data: Chunk, isErrorEvent: boolean): readonly AdapterEvent[] {
    const events: AdapterEvent[] = [];
    const choices = this.#choices.of(data.choices ?? []);
    for (const choice of choices) events.push(...this.#takeChoice(choice));
    events.push(...this.#takeSearch(data));
    const usage = data.usage ?? data.x_groq?.usage;
    if (usage) events.push(createStreamEvent.usage(toUsage(usage)));
    const reason = choices.at(-1)?.finish_reason;
    if (reason) {
      this.#finish = replyEnd(reason) ?? 'complete';
      // Some servers send no `[DONE]` and leave the connection open. `end()` emits the stop event, because the usage follows in a later
      // chunk.
      this.#context.reportEnd?.();
    }
    // OpenRouter may report an error in the choice.
    const error = providerErrorOf({ ...data, error: data.error ?? choices.at(-1)?.error }, isErrorEvent);
    if (error) {
      this.#finish = 'error';
      const { eventId } = this.#context;
      const code = error.code && { code: error.code };
      events.push(...this.#flushThinkTags(), { type: 'error', data: { eventId, error: error.message, ...code } });
    }
    return events;
  }

  end(): readonly AdapterEvent[] {
    const { eventId, turn, hasDoneMark } = this.#context;
    const calls = this.#calls;
    const events = [
      ...this.#choices.release().flatMap((choice) => this.#takeChoice(choice)),
      ...this.#flushThinkTags(),
    ];
    for (const data of audioEvents(this.#audioChunks)) events.push(this.#response(data));
    const round = this.#rounds.item(calls.ids(), calls.extras());
    if (round) {
      const metadata = { ...roundsMetadata(turn, { protocol: OPENAI_CHAT_PROTOCOL, items: [round] }) };
      events.push(this.#response({ metadata }));
    }
    events.push(...calls.end());
    // Some servers end with `[DONE]` and without a finish reason.
    const finish = this.#finish ?? (hasDoneMark?.() && calls.any() ? 'complete' : undefined);
    if (!finish) return events;
    // The calls decide, not the finish reason: many servers send `stop` with calls, and some the reverse.
    const callReason = calls.any() ? 'tool_use' : 'complete';
    const end = this.#isRefused ? 'filtered' : finish === 'complete' || finish === 'tool_use' ? callReason : finish;
    return [...events, ...endEvents(end, eventId)];
  }

  #takeChoice({ delta, message, text }: Choice): readonly AdapterEvent[] {
    const content = delta ?? message;
    if (content) return this.#takeDelta(content);
    // Together AI repeats the text of a delta in this field.
    return text ? this.#thinkTags.feed(text).map((chunk) => this.#emit(chunk)) : [];
  }

  #takeDelta(data: Delta): readonly AdapterEvent[] {
    const events = this.#takeReasoning(data);
    for (const chunk of contentChunks(data.content)) {
      if (chunk.kind === 'reasoning') events.push(createStreamEvent.reasoning(chunk.text));
      else if (chunk.kind === 'media') events.push(...this.#flushThinkTags(), this.#response({ media: chunk.media }));
      else for (const piece of this.#thinkTags.feed(chunk.text)) events.push(this.#emit(piece));
    }
    if (data.refusal) this.#isRefused = true;
    for (const text of [data.refusal, data.audio?.transcript])
      if (text) events.push(...this.#flushThinkTags(), this.#emit({ kind: 'text', text }));
    const { tool_calls: toolChunks, function_call: functionCall, images } = data;
    if (toolChunks?.length || functionCall || images?.length) events.push(...this.#flushThinkTags());
    for (const call of toolChunks ?? []) events.push(...this.#calls.take(call));
    if (functionCall)
      events.push(...this.#calls.take({ index: 0, id: undefined, function: functionCall, custom: undefined }));
    for (const { image_url } of images ?? []) events.push(this.#response({ media: toImageMedia(image_url) }));
    for (const { url_citation: source } of data.annotations ?? [])
      if (source) events.push(this.#cite(source.url, source));
    return events;
  }

  #takeReasoning(data: Delta): AdapterEvent[] {
    const events: AdapterEvent[] = [];
    if (data.reasoning_content && !this.#sendsReasoningContent) {
      this.#sendsReasoningContent = true;
      events.push(this.#response({ metadata: { thoughtsAs: 'reasoning_content' } }));
    }
    this.#rounds.take(data.reasoning_details ?? []);
    if (data.audio?.data) this.#audioChunks.push(data.audio.data);
    // After the first text, details are only signatures of already rendered reasoning.
    const reasoning = data.reasoning_content || data.reasoning || (this.#textLength > 0 ? '' : detailsText(data));
    if (reasoning) events.push(createStreamEvent.reasoning(reasoning));
    for (const { thought } of data.reasoning_steps ?? [])
      if (thought && !this.#emittedSteps.has(thought)) {
        this.#emittedSteps.add(thought);
        events.push(this.#response({ reasoning_content: thought, content_begins: true }));
      }
    return events;
  }

  /** Converts the fields of providers with web search: sources, images and follow-up questions. */
  #takeSearch({
    citations,
    search_results: results,
    images,
    related_questions: questions,
  }: Chunk): readonly AdapterEvent[] {
    const events: AdapterEvent[] = [];
    const titles = new Map(results?.map(({ url, title }) => [url, title]));
    for (const url of citations?.length ? citations : titles.keys()) {
      if (!this.#citedUrls.has(url)) events.push(this.#cite(url, { title: titles.get(url) }));
      this.#citedUrls.add(url);
    }
    for (const image of images ?? []) {
      const url = typeof image === 'string' ? image : image.image_url;
      // Every chunk repeats all images.
      if (!this.#emittedImages.has(url)) events.push(this.#response({ media: toImageMedia(url) }));
      this.#emittedImages.add(url);
    }
    if (questions?.length)
      events.push(this.#response({ suggestions: questions.map((label) => ({ label, prompt: label })) }));
    return events;
  }

  #cite(url: string, { title, content: quote, start_index: start, end_index: end }: Source): AdapterEvent {
    const hasPosition = typeof end === 'number' && end > 0 && end <= this.#textLength;
    return this.#response({
      citation: {
        id: url,
        url,
        ...(title && { title }),
        ...(quote && { quote }),
        ...(hasPosition && { end, ...(typeof start === 'number' && { start }) }),
      },
    });
  }

  /** Emits text that was buffered because it might start a tag, before an event that must follow it. */
  #flushThinkTags(): readonly AdapterEvent[] {
    return this.#thinkTags.end().map((chunk) => this.#emit(chunk));
  }

  #emit(chunk: ThinkTagChunk): AdapterEvent {
    if (chunk.kind === 'text-was-reasoning') {
      this.#textLength = 0;
      return this.#response({ content_was_reasoning: true });
    }
    if (chunk.kind === 'reasoning') return createStreamEvent.reasoning(chunk.text);
    this.#textLength += chunk.text.length;
    return createStreamEvent.text(chunk.text);
  }

  #response(data: Omit<LLMAgentEventData, 'eventId'>): AdapterEvent {
    return { type: 'response', data: { eventId: this.#context.eventId, ...data } };
  }
}
