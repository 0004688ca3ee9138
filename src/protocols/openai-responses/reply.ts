/** Converts the events of OpenAI's Responses API to the events of one reply. */
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import { createStreamEvent } from '../../model/events/core-events.ts';
import { isRecord } from '../../model/json.ts';
import { roundsMetadata } from '../../formats/provider-rounds.ts';
import type { AdapterEvent, DecodeContext } from '../core/adapter.ts';
import { endEvents, replyEnd, type ReplyEnd } from '../core/finish-reasons.ts';
import { fit, type JsonFrame } from '../core/read-frames.ts';
import { audioEvents } from '../shared/files/pcm-wav.ts';
import { backgroundResponse } from './background.ts';
import { argumentsText, CallBlocks, isCall, PROTOCOL, type OutputItem } from './calls.ts';
import { makeItemParts, makePositions } from './item-parts.ts';
import { makeItemStore, toInputItems } from './item-store.ts';
import { makeTextParts } from './text-parts.ts';
import { parseParts, response, responseErrorOf, toUsage, type Part, type Response, type Wire } from './reply-schema.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;
type Kind = 'text' | 'reasoning';

/** The frame of an event, and the item and the part that it is about. */
interface Place extends JsonFrame {
  /** The position of its item. */
  readonly position: string;
  /** The index of its part. */
  readonly index: number;
}

/** How often all texts are written again: each time takes as long as all of the reply. */
const MAX_REWRITES = 20;

/** The state of one reply, and what an event changes in it. */
export class ResponsesReply {
  readonly #context: DecodeContext;
  readonly #calls: CallBlocks;
  readonly #text = makeTextParts(
    (key) => this.#isFromStart || this.#startedItems.has(key.slice(0, key.indexOf('/'))),
    () => this.#emptyMessage(),
  );
  readonly #itemParts = makeItemParts();
  readonly #positions = makePositions();
  readonly #itemStore = makeItemStore();
  readonly #audioChunks: string[] = [];
  /** Positions of the items that started in this stream. */
  readonly #startedItems = new Set<string>();
  /** Whether this stream contains the start of the response; a resumed one does not. Some servers omit the first event. */
  #isFromStart: boolean;
  /** Whether the response continues on the server if this connection breaks. */
  #isBackground: boolean;
  #sequence: number | undefined;
  #emittedSequence: number | undefined;
  #isRefused = false;
  /** Whether the message contains nothing but text of this stream. Undefined before the start of the response. */
  #isOnlyText: boolean | undefined;
  #rewrites = 0;
  #hasFailed = false;
  #hasAsked = false;
  #isFinished = false;

  constructor(context: DecodeContext) {
    this.#context = context;
    this.#calls = new CallBlocks(context.newId);
    this.#isBackground = backgroundResponse(context.turn) !== undefined;
    this.#isFromStart = !this.#isBackground;
  }

  take(event: Wire, from: JsonFrame): readonly AdapterEvent[] {
    this.#sequence = event.sequence_number ?? this.#sequence;
    if (this.#isFinished) return [];
    const position = this.#positions.of(event.item_id ?? event.item?.id, event.output_index);
    const place: Place = { ...from, position, index: event.content_index ?? 0 };
    const type = event.type ?? (from.frame.event?.startsWith('response.') ? from.frame.event : undefined);
    const [, name = '', stage] = /^response\.(.+)\.(delta|done)$/.exec(type ?? '') ?? [];
    const kind = TEXT.test(name) ? 'text' : REASONING.test(name) ? 'reasoning' : undefined;
    if (kind) return this.#takeText(kind, name, stage === 'done', event, place);
    if (ARGUMENTS.test(name)) return this.#takeArguments(stage === 'done', event, place);
    if (type === undefined) return this.#takeDocument(event, from);
    const handler = Object.hasOwn(HANDLERS, type) ? HANDLERS[type] : undefined;
    if (handler) return handler(this, event, place);
    if (!IGNORED.test(type))
      this.#context.report({ kind: 'unknown', detail: `The event "${type}" is unknown.`, frame: from.frame });
    return [];
  }

  /** Emits the position of the stream, for responses that can be resumed. */
  mark(): readonly AdapterEvent[] {
    if (!this.#isBackground || this.#sequence === this.#emittedSequence) return [];
    this.#emittedSequence = this.#sequence;
    return this.#events([{ metadata: { responseSequence: this.#sequence } }]);
  }

  end(): readonly AdapterEvent[] {
    if (this.#isFinished) return [];
    const events = this.#events([...this.#text.end(), ...audioEvents(this.#audioChunks)]);
    if (this.#hasFailed) return [...events, createStreamEvent.stop('error')];
    const isWaiting = this.#calls.isWaiting || this.#hasAsked;
    return this.#context.hasDoneMark?.() && isWaiting ? [...events, ...this.#stop('complete')] : events;
  }

  start({ response: started }: Wire): readonly AdapterEvent[] {
    // The blocks of earlier rounds are in the same message.
    this.#isOnlyText ??= this.#context.turn.messages.at(-1)?.role !== 'assistant';
    this.#isFromStart = true;
    const { id, background } = started ?? {};
    this.#isBackground = background === true;
    return this.#events(id ? [{ metadata: { responseId: id, ...(this.#isBackground && { background: true }) } }] : []);
  }

  startItem({ item }: Wire, { position }: Place): readonly AdapterEvent[] {
    this.#startedItems.add(position);
    if (!item) return [];
    this.#itemStore.begin(position, item);
    return isCall(item) ? this.#callEvents(this.#calls.added(position, item)) : [];
  }

  endItem({ item }: Wire, { position, json }: Place): readonly AdapterEvent[] {
    if (!item) return [];
    // The item is stored with all of its fields.
    this.#itemStore.take(position, isRecord(json) && isRecord(json['item']) ? (json['item'] as OutputItem) : item);
    return this.#finishItem(position, item);
  }

  announcePart(_: Wire, { position, index }: Place): readonly AdapterEvent[] {
    this.#itemParts.announce(position, index);
    return [];
  }

  cite({ annotation }: Wire, { position, index }: Place): readonly AdapterEvent[] {
    return annotation ? this.#events(this.#text.cite(this.#itemParts.last(position, index), annotation)) : [];
  }

  preview({ partial_image_b64: data, output_format: format }: Wire, { position }: Place): readonly AdapterEvent[] {
    return this.#callEvents(this.#calls.preview(position, data ?? '', format));
  }

  addAudio({ delta }: Wire): readonly AdapterEvent[] {
    if (delta) this.#audioChunks.push(delta);
    return [];
  }

  /** @param status - the status in the name of the event */
  finish(result: Wire['response'], status: string): readonly AdapterEvent[] {
    return this.#finish({ ...result, status });
  }

  /** `response.failed` may follow, or no event. */
  fail(event: Wire): readonly AdapterEvent[] {
    this.#context.reportEnd?.();
    return this.#fail(...responseErrorOf(event.error ?? event));
  }

  #takeText(
    kind: Kind,
    name: string,
    isDone: boolean,
    event: Wire,
    { position, index }: Place,
  ): readonly AdapterEvent[] {
    this.#isRefused ||= name === 'refusal';
    const key = name.startsWith('reasoning_summary')
      ? summaryKey(position, event.summary_index ?? 0)
      : this.#itemParts.at(position, index, isDone ? 'done' : 'delta');
    return this.#events(
      isDone
        ? this.#text.complete(kind, key, event.text ?? event.refusal ?? '')
        : this.#text.add(kind, key, event.delta ?? ''),
    );
  }

  #takeArguments(isDone: boolean, event: Wire, { position }: Place): readonly AdapterEvent[] {
    const text = isDone ? (event.arguments ?? event.input ?? event.code) : event.delta;
    return this.#callEvents(this.#calls.setParams(position, text ?? '', isDone));
  }

  /** A response without streaming. */
  #takeDocument(event: Wire, { json, frame }: JsonFrame): readonly AdapterEvent[] {
    const document = event.object === 'response' ? fit(response, json, frame, this.#context.report) : undefined;
    if (!document) return event.error ? this.#fail(...responseErrorOf(event.error)) : [];
    this.#isFromStart = true;
    const { id } = document;
    return [...this.#events(id ? [{ metadata: { responseId: id } }] : []), ...this.#finish(document)];
  }

  /** Emits the rest of a complete item, most of which has been streamed already. */
  #finishItem(position: string, item: OutputItem): readonly AdapterEvent[] {
    if (item.type === 'message') return this.#finishParts('text', position, item);
    if (item.type === 'reasoning') return this.#finishParts('reasoning', position, item);
    if (item.type === 'mcp_approval_request') return this.#ask(item);
    if (item.type.endsWith('_output')) return this.#callEvents(this.#calls.endAnswered(item));
    const isShown = item.type === 'mcp_list_tools' ? Boolean(item['error']) : isCall(item);
    return isShown ? this.#callEvents(this.#calls.done(position, item)) : [];
  }

  #finishParts(kind: Kind, position: string, { summary, content }: OutputItem): readonly AdapterEvent[] {
    return [
      ...parseParts(summary).flatMap((part, index) => this.#finishPart(kind, summaryKey(position, index), part)),
      ...parseParts(content).flatMap((part, index) =>
        this.#finishPart(kind, this.#itemParts.inItem(position, index), part),
      ),
    ];
  }

  #finishPart(kind: Kind, key: string, { text, refusal, annotations }: Part): readonly AdapterEvent[] {
    this.#isRefused ||= Boolean(refusal);
    return this.#events([
      ...this.#text.complete(kind, key, text ?? refusal ?? ''),
      ...(annotations ?? []).flatMap((source) => this.#text.cite(key, source)),
    ]);
  }

  #ask({ id, name, server_label, arguments: args }: OutputItem): readonly AdapterEvent[] {
    const request = { id: id ?? this.#context.newId() };
    const [toolName, serverName] = [name ?? '', server_label ?? ''];
    this.#hasAsked = true;
    return this.#callEvents([
      {
        tool_call: 'permission-required',
        tool_call_id: request.id,
        tool_call_name: toolName,
        tool_call_params: argumentsText(args),
        tool_call_server_name: serverName,
        permission_request: { toolName, serverName, permissionType: 'all', description: '' },
        request,
      },
    ]);
  }

  #finish({ status, usage, error, incomplete_details, output, store }: Partial<Response>): readonly AdapterEvent[] {
    const isUnstreamed = this.#isFromStart && this.#itemStore.empty();
    const lateEvents = (output ?? []).flatMap((item, index) => {
      const position =
        this.#calls.openPositionOf(item) ??
        (isUnstreamed ? this.#positions.of(item.id, index) : this.#textPositionOf(item, output ?? []));
      return position === undefined ? [] : this.#finishItem(position, item);
    });
    this.#isFinished = true;
    const reason = reasonOf(status, incomplete_details?.reason);
    const received = this.#isFromStart && !isUnstreamed ? this.#itemStore.items() : (output ?? []);
    const items = reason === 'error' || reason === 'filtered' ? [] : toInputItems(received, store !== false);
    const rounds = items.length > 0 && roundsMetadata(this.#context.turn, { protocol: PROTOCOL, items });
    return [
      ...lateEvents,
      ...this.#events([...this.#text.end(), ...audioEvents(this.#audioChunks)]),
      ...(usage ? [createStreamEvent.usage(toUsage(usage))] : []),
      ...(status === 'failed' ? this.#fail(...responseErrorOf(error)) : []),
      ...this.#events([{ metadata: { ...(this.#isBackground && { background: false }), ...rounds } }]),
      ...this.#stop(reason),
    ];
  }

  /** The position of a streamed text in the final output, where only a unique id is reliable: the indexes may have gaps. */
  #textPositionOf({ type, id }: OutputItem, output: readonly OutputItem[]): string | undefined {
    const isText = type === 'message' || type === 'reasoning';
    return isText && id && output.filter((item) => item.id === id).length === 1 ? this.#positions.known(id) : undefined;
  }

  #stop(reason: ReplyEnd): readonly AdapterEvent[] {
    // The status is `completed` even if calls wait for results.
    const isWaiting = reason === 'complete' && (this.#hasAsked || this.#calls.isWaiting);
    const end = this.#hasFailed ? 'error' : this.#isRefused ? 'filtered' : isWaiting ? 'tool_use' : reason;
    return endEvents(end, this.#context.eventId);
  }

  #fail(error: string, code?: string): readonly AdapterEvent[] {
    // The same error may arrive as a separate event and with the end of the response.
    if (this.#hasFailed) return [];
    this.#hasFailed = true;
    return [{ type: 'error', data: { eventId: this.#context.eventId, error, ...(code && { code }) } }];
  }

  #emptyMessage(): readonly Data[] | undefined {
    if (!this.#isOnlyText || this.#rewrites >= MAX_REWRITES) return undefined;
    this.#rewrites++;
    const id = this.#context.newId();
    return [{ metadata: { messageId: id } }, { message: { id, replace: true } }];
  }

  #callEvents(data: readonly Data[]): readonly AdapterEvent[] {
    if (data.length > 0) {
      this.#text.interrupt();
      this.#isOnlyText = false;
    }
    return this.#events(data);
  }

  #events(data: readonly Data[]): readonly AdapterEvent[] {
    return data.map((fields) => ({ type: 'response', data: { eventId: this.#context.eventId, ...fields } }));
  }
}

type Handler = (reply: ResponsesReply, event: Wire, place: Place) => readonly AdapterEvent[];

const start: Handler = (reply, event) => reply.start(event);
const finishAs =
  (status: string): Handler =>
  (reply, event) =>
    reply.finish(event.response, status);

/** What each event does, except the events with text and arguments. */
const HANDLERS: Readonly<Record<string, Handler>> = {
  'response.created': start,
  'response.queued': start,
  'response.in_progress': start,
  'response.output_item.added': (reply, event, place) => reply.startItem(event, place),
  'response.output_item.done': (reply, event, place) => reply.endItem(event, place),
  'response.content_part.added': (reply, event, place) => reply.announcePart(event, place),
  'response.output_text.annotation.added': (reply, event, place) => reply.cite(event, place),
  'response.image_generation_call.partial_image': (reply, event, place) => reply.preview(event, place),
  'response.audio.delta': (reply, event) => reply.addAudio(event),
  'response.completed': finishAs('completed'),
  'response.incomplete': finishAs('incomplete'),
  'response.failed': finishAs('failed'),
  'response.cancelled': finishAs('cancelled'),
  error: (reply, event) => reply.fail(event),
};

/** Events with text, reasoning and arguments, by the name between `response.` and `.delta` or `.done`. */
const TEXT = /^(?:output_text|refusal|audio\.transcript)$/;
const REASONING = /^reasoning(?:_summary)?(?:_text)?$/;
const ARGUMENTS = /^(?:function_call_arguments|custom_tool_call_input|mcp_call_arguments|code_interpreter_call_code)$/;
/** Events that bring nothing new: they repeat others, or show that the connection is alive. */
const IGNORED = /^(?:response\.(?:\w+_(?:part|call|tools)[._]|audio\.)|ping$|keepalive$)/;

const summaryKey = (position: string, index: number): string => `${position}/s${String(index)}`;

function reasonOf(status: string | null | undefined, incompleteReason: string | null | undefined): ReplyEnd {
  if (status === 'completed' || !status) return 'complete';
  if (status === 'incomplete') return replyEnd(incompleteReason) ?? 'max_tokens';
  return replyEnd(status) ?? 'error';
}
