/** Converts the events of Cohere's chat API to the events of one reply. */
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import { createStreamEvent } from '../../model/events/core-events.ts';
import type { AdapterEvent, DecodeContext } from '../core/adapter.ts';
import { endData, replyEnd } from '../core/finish-reasons.ts';
import { errorMessage } from '../shared/error-message.ts';
import { TextPositions } from '../shared/text-positions.ts';
import type {
  CohereCall,
  CohereCitation,
  CohereContent,
  CohereEnding,
  CohereEvent,
  CohereMessage,
} from './reply-schema.ts';

/** Citations that wait for their text; more are dropped. */
const MAX_PENDING = 1024;

/** An event of a stream. */
type StreamEvent = Extract<CohereEvent, { readonly delta?: unknown }>;

/** The state of one reply, and what an event changes in it. */
export class CohereReply {
  readonly #context: Pick<DecodeContext, 'eventId' | 'newId'>;
  /** The ids of the calls by index. */
  readonly #calls = new Map<number, string>();
  /** The text of the current content, and its offset in the visible text. */
  #text = '';
  #offset = 0;
  readonly #positions = new TextPositions();
  /** Citations whose text has not arrived yet. */
  #pending: readonly CohereCitation[] = [];

  constructor(context: DecodeContext) {
    this.#context = context;
  }

  take(event: CohereEvent): readonly AdapterEvent[] {
    switch (event.type) {
      case 'error':
        return [
          this.#fail(textOf(event.message) ?? textOf(event.error) ?? UNKNOWN_ERROR),
          this.#response({ finish: 'error' }),
        ];
      case 'whole':
        return this.#takeWhole(event);
      default:
        return HANDLERS[event.type](this, event);
    }
  }

  /** Another content begins, whose positions count from its own start. */
  startContent({ delta }: StreamEvent): readonly AdapterEvent[] {
    this.#offset += this.#text.length;
    this.#text = '';
    return delta?.message ? this.#addMessage(delta.message) : [];
  }

  addContent({ delta }: StreamEvent): readonly AdapterEvent[] {
    return delta?.message ? [...this.#addMessage(delta.message), ...this.#cite([], false)] : [];
  }

  startCalls({ index, delta }: StreamEvent): readonly AdapterEvent[] {
    return listOf(delta?.message?.tool_calls).flatMap((call) => this.#startCall(call, index ?? this.#calls.size));
  }

  addArguments({ index, delta }: StreamEvent): readonly AdapterEvent[] {
    const id = this.#calls.get(index ?? this.#calls.size - 1);
    if (id === undefined) return [];
    return listOf(delta?.message?.tool_calls).flatMap((call) => argumentEvents(id, call.function?.arguments));
  }

  addCitations({ delta }: StreamEvent): readonly AdapterEvent[] {
    return this.#cite(listOf(delta?.message?.citations), false);
  }

  finish({ finish_reason: reason, usage, error }: CohereEnding): readonly AdapterEvent[] {
    // Some gateways end a reply with calls as `COMPLETE` too.
    const end = error ? 'error' : (replyEnd(reason) ?? (this.#calls.size > 0 ? 'tool_use' : 'complete'));
    const [prompt, completion] = [usage?.tokens?.input_tokens ?? 0, usage?.tokens?.output_tokens ?? 0];
    const tokens = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
    return [
      ...this.#cite([], true),
      ...[...this.#calls.values()].map((id) => createStreamEvent.toolCallEnd(id)),
      ...(usage?.tokens ? [createStreamEvent.usage(tokens)] : []),
      ...(end === 'error' ? [this.#fail(textOf(error) ?? `The provider ended the reply: ${reason ?? ''}`)] : []),
      this.#response(endData(end)),
    ];
  }

  #takeWhole(event: CohereEnding): readonly AdapterEvent[] {
    const { message } = event;
    return [
      ...(message ? this.#addMessage({ ...message, tool_calls: null }) : []),
      // Citations come before the calls, because their offsets refer to the text.
      ...this.#cite(listOf(message?.citations), true),
      ...listOf(message?.tool_calls).flatMap((call, index) => this.#startCall(call, index)),
      ...this.finish(event),
    ];
  }

  #addMessage({ content, tool_plan: plan, tool_calls: calls }: CohereMessage): readonly AdapterEvent[] {
    return [
      ...(plan ? this.#breakText(this.#response({ reasoning_content: plan, stage: 'planning' })) : []),
      ...listOf(typeof content === 'string' ? { text: content, thinking: null } : content).flatMap((part) =>
        this.#addText(part),
      ),
      ...listOf(calls).flatMap((call, index) => this.#startCall(call, index)),
    ];
  }

  #addText({ text, thinking }: CohereContent): readonly AdapterEvent[] {
    if (text) this.#text += text;
    return [
      ...(thinking ? this.#breakText(createStreamEvent.reasoning(thinking)) : []),
      ...(text ? [createStreamEvent.text(text)] : []),
    ];
  }

  #startCall({ id, function: called }: CohereCall, index: number): readonly AdapterEvent[] {
    const callId = id || this.#context.newId();
    this.#calls.set(index, callId);
    return this.#breakText(
      createStreamEvent.toolCallStart(callId, called?.name ?? ''),
      ...argumentEvents(callId, called?.arguments),
    );
  }

  /** Returns events other than text. The text after them is a new block, whose positions count from its own start. */
  #breakText(...events: readonly AdapterEvent[]): readonly AdapterEvent[] {
    [this.#text, this.#offset] = ['', 0];
    return events;
  }

  /** Emits the citations whose text has arrived, and all that are left if `isLast`. */
  #cite(added: readonly CohereCitation[], isLast: boolean): readonly AdapterEvent[] {
    const all = [...this.#pending, ...added.filter(({ type }) => !type || type === 'TEXT_CONTENT')];
    const { points } = this.#positions.update(this.#text);
    const isReady = ({ end }: CohereCitation): boolean => isLast || points >= end;
    this.#pending = all.filter((one) => !isReady(one)).slice(0, MAX_PENDING);
    return all.filter(isReady).flatMap((citation) => this.#citationEvents(citation));
  }

  #citationEvents(citation: CohereCitation): readonly AdapterEvent[] {
    const range = rangeOf(citation, this.#text, this.#positions.update(this.#text));
    const target = range
      ? { start: this.#offset + range.start, end: this.#offset + range.end }
      : { anchor: 'quote' as const, ...(citation.text && { quote: citation.text }) };
    return (citation.sources ?? []).map((source) => this.#response({ citation: { ...sourceOf(source), ...target } }));
  }

  #fail(error: string): AdapterEvent {
    return { type: 'error', data: { eventId: this.#context.eventId, error } };
  }

  #response(data: Omit<LLMAgentEventData, 'eventId'>): AdapterEvent {
    return { type: 'response', data: { eventId: this.#context.eventId, ...data } };
  }
}

/** What each event of a stream does. */
const HANDLERS: Readonly<
  Record<StreamEvent['type'], (reply: CohereReply, event: StreamEvent) => readonly AdapterEvent[]>
> = {
  'message-start': () => [],
  'content-start': (reply, event) => reply.startContent(event),
  'content-delta': (reply, event) => reply.addContent(event),
  'content-end': () => [],
  'tool-plan-delta': (reply, event) => reply.addContent(event),
  'tool-call-start': (reply, event) => reply.startCalls(event),
  'tool-call-delta': (reply, event) => reply.addArguments(event),
  'tool-call-end': () => [],
  'citation-start': (reply, event) => reply.addCitations(event),
  'citation-end': () => [],
  'message-end': (reply, { delta }) => (delta ? reply.finish(delta) : []),
};

/** A tool without parameters may be called with `null`. */
const argumentEvents = (id: string, chunk: string | null | undefined): readonly AdapterEvent[] =>
  chunk && chunk !== 'null' ? [createStreamEvent.toolCallChunk(id, chunk)] : [];

/**
 * Finds the range of a citation. Cohere counts characters, some of which are two UTF-16 units; the second range is for servers
 * that count these units. The text at the range must equal the cited text.
 */
function rangeOf(
  { start, end, text: cited }: CohereCitation,
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
function sourceOf({ id, document, tool_output }: NonNullable<CohereCitation['sources']>[number]) {
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

const UNKNOWN_ERROR = 'The provider reported an error.';

/** The text of an error of any form. */
const textOf = (error: unknown): string | undefined =>
  (typeof error === 'string' ? error : errorMessage(error)) || undefined;

const listOf = <Item>(value: Item | readonly Item[] | null | undefined): readonly Item[] =>
  Array.isArray(value) ? (value as readonly Item[]) : value ? [value as Item] : [];
