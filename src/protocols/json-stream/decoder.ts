/** Decodes the frames of a custom JSON stream, one after the other. Source: `docs/protocols/json-stream.md`. */
import type { LLMAgentEvent, LLMAgentEventData } from '../../model/events/agent-events.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import type { Frame } from '../../transport/frame.ts';
import type { DecodeContext } from '../core/adapter.ts';
import { asText } from '../shared/as-text.ts';
import { endData, type ReplyEnd } from '../core/finish-reasons.ts';
import { splitThinkTags, type ThinkTagChunk } from '../shared/think-tags.ts';
import { errorOf, isRecoverable } from './frame-error.ts';
import { endFlag, endStatus, isPiece, isStatusLine, frameKind, type FrameKind } from './frame-kind.ts';
import { IncrementalText } from './growing-text.ts';
import { pathRank, reasoningLeaves, textAt, textLeaves, textPath, type Leaf } from './text-paths.ts';
import { SESSION } from './session.ts';
import { makeJsonCalls, extractSession, extractSources, extractSuggestions, extractUsage } from './event-parts.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;
type Context = Pick<DecodeContext, 'eventId' | 'newId' | 'report'>;

/** Whether the frame is an error whose data is the message alone, as many servers send that of an exception. */
const isErrorText = ({ event, data }: Frame): boolean => event === 'error' && /^\s*[^\s[{"]/.test(data);

/** A parsed frame. */
interface ParsedFrame {
  readonly frame: Frame;
  readonly json: unknown;
  readonly kind: FrameKind;
  /** Strings that may be the text of the answer. */
  readonly leaves: readonly Leaf[];
  /** The finish reason, if the frame ends the reply by its kind or a flag. */
  readonly end: ReplyEnd | undefined;
  /** Whether earlier frames of this kind were chunks and this frame is not: it may repeat their text. */
  readonly isCompleteText: boolean;
  /** The frame caused other events than text. */
  readonly isUsed: boolean;
}

/** How many frames and characters are inspected before detection of the answer's field fails. */
const MAX_FRAMES = 20;
const MAX_CHARACTERS = 65_536;
const SHOWN_CHARACTERS = 200;

export class JsonStreamReader {
  readonly #context: Context;
  readonly #calls: ReturnType<typeof makeJsonCalls>;
  readonly #text = new IncrementalText();
  readonly #reasoningText = new IncrementalText();
  readonly #tags = splitThinkTags();
  /** The path of the answer's text, once it is known. */
  #path: string | undefined;
  /** The frames before the path is known; their text is held back. */
  #buffered: ParsedFrame[] = [];
  #bufferedLength = 0;
  /** The kinds that have had a frame with a chunk of text, according to its type name. */
  readonly #pieceKinds = new Set<FrameKind>();
  /** The stream is plain text instead of JSON. */
  #isPlainText = false;
  /** Ids of the sources that were emitted. */
  readonly #sources = new Set<string>();
  #session: Readonly<Record<string, string | number>> = {};
  #finish: ReplyEnd | undefined;
  #isEmpty = true;
  /** Whether no text has followed an error after which the reply may continue. */
  #isRecovering = false;

  constructor(context: Context) {
    this.#context = context;
    this.#calls = makeJsonCalls(context.newId);
  }

  take(frame: Frame): readonly LLMAgentEvent[] {
    if (frame.data === '') return [];
    this.#isEmpty = false;
    if (frame.data === '[DONE]') return this.#close('complete');
    const json = isErrorText(frame) ? { error: frame.data } : this.#isPlainText ? undefined : parseJson(frame.data);
    if (json === undefined) return this.#takePlainText(frame);
    const error = errorOf(json, frame.event);
    const kind = error === undefined ? frameKind(json, frame.event) : 'error';
    // The end of a tool or a step is not the end of the reply.
    const end =
      kind === 'end'
        ? (endStatus(json, frame.event) ?? endFlag(json) ?? 'complete')
        : kind === 'text'
          ? endFlag(json)
          : undefined;
    const leaves = kind === 'text' || kind === 'end' ? textLeaves(json) : [];
    const isCompleteText = this.#isCompleteText(json, frame.event, kind);
    const otherEvents = [
      ...this.#otherEvents(json, frame.event, { kind, leaves }),
      ...this.#reasoning({ json, kind, end, isCompleteText }),
    ];
    const parsed: ParsedFrame = { frame, json, kind, leaves, end, isCompleteText, isUsed: otherEvents.length > 0 };
    return [
      ...otherEvents,
      ...this.#textEvents(parsed),
      ...(error === undefined ? [] : [...this.#rest(), ...this.#takeError(error, json)]),
      ...(end === undefined ? [] : this.#close(end)),
    ];
  }

  /** Handles the end of the body. */
  end(): readonly LLMAgentEvent[] {
    const events = this.#rest();
    if (this.#finish !== undefined || this.#isEmpty) return events;
    return [...events, ...this.#close(this.#isRecovering ? 'error' : 'complete')];
  }

  #toEvent(data: Data): LLMAgentEvent {
    return { type: 'response', data: { eventId: this.#context.eventId, ...data } };
  }

  #emitText(content: string): readonly LLMAgentEvent[] {
    if (content !== '') this.#isRecovering = false;
    return content === '' ? [] : this.#tags.feed(content).map(this.#toTextEvent);
  }

  /** Emits the buffered text, before an error or at the end. */
  #rest(): readonly LLMAgentEvent[] {
    return [...this.#choose(true), ...this.#emitText(this.#text.flush()), ...this.#tags.end().map(this.#toTextEvent)];
  }

  readonly #toTextEvent = (chunk: ThinkTagChunk): LLMAgentEvent => {
    if (chunk.kind === 'text-was-reasoning') return this.#toEvent({ content_was_reasoning: true });
    return this.#toEvent(chunk.kind === 'text' ? { content: chunk.text } : { reasoning_content: chunk.text });
  };

  /** The first end counts; later content is still emitted. */
  #close(end: ReplyEnd): readonly LLMAgentEvent[] {
    if (this.#finish !== undefined) return [];
    const events = this.#rest();
    this.#finish = end;
    return [...events, ...this.#calls.rest().map((data) => this.#toEvent(data)), this.#toEvent(endData(end))];
  }

  #takeError(error: string, json: unknown): readonly LLMAgentEvent[] {
    if (!isRecoverable(json)) return this.#fail(error);
    this.#isRecovering = true;
    return [{ type: 'error', data: { eventId: this.#context.eventId, error, recoverable: true } }];
  }

  #fail(error: string, more: { readonly reason?: string; readonly values?: { readonly start: string } } = {}) {
    if (this.#finish === 'error') return [];
    this.#finish = 'error';
    const { eventId } = this.#context;
    return [{ type: 'error', data: { eventId, error, ...more } }, this.#toEvent({ finish: 'error' })] as const;
  }

  /** Handles a frame that is not JSON: text of a plain-text stream, or a broken frame of a JSON stream. */
  #takePlainText(frame: Frame): readonly LLMAgentEvent[] {
    const hasObjects =
      this.#buffered.some(({ json }) => isRecord(json)) || (this.#path !== undefined && this.#path !== '');
    if (hasObjects || /^[{[]/.test(frame.data)) {
      if (!frame.unfinished) this.#context.report({ kind: 'malformed', detail: 'This is not JSON.', frame });
      return [];
    }
    const before = this.#buffered.map((parsed) => parsed.frame.data).join('');
    this.#buffered = [];
    this.#isPlainText = true;
    return this.#emitText(this.#text.take(before + frame.data, false));
  }

  #otherEvents(
    json: unknown,
    event: string | undefined,
    { kind, leaves }: Pick<ParsedFrame, 'kind' | 'leaves'>,
  ): readonly LLMAgentEvent[] {
    if (!isRecord(json)) return [];
    const data: Data[] = kind === 'tool' ? [...this.#calls.take(json)] : [];
    for (const citation of extractSources(json, event)) {
      if (this.#sources.has(citation.id)) continue;
      this.#sources.add(citation.id);
      data.push({ citation });
    }
    const suggestions = extractSuggestions(json);
    if (suggestions.length > 0) data.push({ suggestions });
    const usage = extractUsage(json);
    if (usage) data.push({ totalUsage: usage });
    const session = extractSession(json);
    if (Object.entries(session).some(([name, value]) => this.#session[name] !== value)) {
      this.#session = { ...this.#session, ...session };
      data.push({ metadata: { [SESSION]: this.#session } });
    }
    const status =
      kind === 'text' ? leaves.find(({ path }) => path !== this.#path && isStatusLine(json, path)) : undefined;
    if (status && this.#path !== undefined)
      data.push({ phase: { name: asText(json['status']), message: status.value } });
    return data.map((item) => this.#toEvent(item));
  }

  #isCompleteText(json: unknown, event: string | undefined, kind: FrameKind): boolean {
    if (!isPiece(json, event)) return this.#pieceKinds.has(kind);
    this.#pieceKinds.add(kind);
    return false;
  }

  #reasoning({
    json,
    kind,
    end,
    isCompleteText,
  }: Pick<ParsedFrame, 'json' | 'kind' | 'end' | 'isCompleteText'>): readonly LLMAgentEvent[] {
    if (kind === 'tool' || kind === 'error') return [];
    const leaves = kind === 'reasoning' ? [...reasoningLeaves(json), ...textLeaves(json)] : reasoningLeaves(json);
    const best = leaves.toSorted((one, two) => pathRank(one.path) - pathRank(two.path))[0];
    const newReasoning = best && takeText(this.#reasoningText, best.value, { end, isCompleteText });
    return newReasoning ? [this.#toEvent({ reasoning_content: newReasoning })] : [];
  }

  /** The text events of a frame; empty while the path is not known. */
  #textEvents(parsed: ParsedFrame): readonly LLMAgentEvent[] {
    const { kind, leaves, end, frame } = parsed;
    if (kind === 'tool' || kind === 'error' || kind === 'reasoning') return [];
    if (this.#path !== undefined) return this.#emitFrame(parsed, this.#path);
    // An empty string is a heartbeat.
    const isHeartbeat = leaves.length > 0 && leaves.every(({ value }) => value === '');
    if (kind === 'status') this.#reportUnused(parsed);
    else if (!isHeartbeat) {
      this.#buffered.push(parsed);
      this.#bufferedLength += frame.data.length;
    }
    const chosen = this.#choose(end !== undefined);
    const isLong = this.#buffered.length >= MAX_FRAMES || this.#bufferedLength >= MAX_CHARACTERS;
    return isLong && end === undefined ? [...chosen, ...this.#choose(true), ...this.#giveUp()] : chosen;
  }

  /** Chooses the path of the answer if the frames identify it, and emits the buffered text. */
  #choose(isComplete: boolean): readonly LLMAgentEvent[] {
    if (this.#path !== undefined || this.#buffered.length === 0) return [];
    const ofKind = (kindToFind: FrameKind): readonly ParsedFrame[] =>
      this.#buffered.filter(({ kind }) => kind === kindToFind);
    const texts = ofKind('text').map(({ json, leaves }) => leaves.filter(({ path }) => !isStatusLine(json, path)));
    this.#path = textPath(texts, isComplete);
    // First the complete text in the last frame, then text that may only be a status.
    for (const kind of isComplete ? (['end', 'text'] as const) : [])
      this.#path ??= textPath(
        ofKind(kind).map(({ leaves }) => leaves),
        true,
      );
    const path = this.#path;
    if (path === undefined) return [];
    const buffered = this.#buffered;
    this.#buffered = [];
    this.#bufferedLength = 0;
    return buffered.flatMap((parsed) => this.#emitFrame(parsed, path));
  }

  #emitFrame(parsed: ParsedFrame, path: string): readonly LLMAgentEvent[] {
    const newText = this.#newText(parsed, path);
    if (newText === undefined) this.#reportUnused(parsed);
    return this.#emitText(newText ?? '');
  }

  /** The new text of a frame; undefined if it contains no part of the answer. */
  #newText({ json, kind, leaves, end, isCompleteText }: ParsedFrame, path: string): string | undefined {
    if (kind !== 'text' && kind !== 'end') return undefined;
    const isLast = end !== undefined;
    const chunk = kind === 'text' ? textAt(json, path) : undefined;
    if (chunk !== undefined && !(isLast && isStatusLine(json, path)))
      return takeText(this.#text, chunk, { end, isCompleteText });
    // The complete text may be repeated, under another name or at the end. Without earlier text it is the answer.
    const candidates = leaves.filter(
      (leaf) => !isStatusLine(json, leaf.path) && (kind === 'end' || !this.#text.isEmpty),
    );
    for (const { value } of candidates) {
      const newText = this.#text.takeComplete(value);
      if (newText !== undefined) return newText;
    }
    return undefined;
  }

  #reportUnused({ kind, isUsed, end, frame }: ParsedFrame): void {
    if (isUsed || end !== undefined || kind === 'end') return;
    this.#context.report({ kind: 'unknown', detail: 'It contains no text of the answer.', frame });
  }

  /** Fails, because no field can be identified as the answer. */
  #giveUp(): readonly LLMAgentEvent[] {
    if (this.#path !== undefined) return [];
    const start = this.#buffered
      .map(({ frame }) => frame.data)
      .join('\n')
      .slice(0, SHOWN_CHARACTERS);
    this.#buffered = [];
    return this.#fail(`${NO_TEXT_FOUND} It begins: ${start}`, { reason: 'unsupported', values: { start } });
  }
}

const takeText = (
  text: IncrementalText,
  value: string,
  { end, isCompleteText }: Pick<ParsedFrame, 'end' | 'isCompleteText'>,
): string => (isCompleteText ? text.takeComplete(value) : undefined) ?? text.take(value, end !== undefined);

const NO_TEXT_FOUND =
  'The endpoint answered with JSON in which no text grows. Set "protocol", or describe yours with defineProtocol().';
