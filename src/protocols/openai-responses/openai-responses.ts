/**
 * OpenAI's Responses API and compatible servers (`openai-responses`): Azure, xAI, LM Studio, vLLM, Ollama, GitHub
 * Copilot. A response is a list of output items. Every field may be missing, null or empty.
 * Source: `docs/protocols/openai-responses.md`.
 */
import type { LLMAgentEventData } from '../../model/agent-events.ts';
import { createStreamEvent } from '../../model/core-events.ts';
import { pathSegment } from '../shared/sibling-url.ts';
import { sentHistory } from '../shared/sent-history.ts';
import { audioEvents } from '../shared/files/pcm-wav.ts';
import { isRecord } from '../../model/json.ts';
import { fit, readJsonFrames, type JsonFrame } from '../core/read-frames.ts';
import { argumentsText, makeCallBlocks, isCall, PROTOCOL, type OutputItem } from './calls.ts';
import { toInputItems, makeItemStore } from './item-store.ts';
import { makeItemParts, makePositions } from './item-parts.ts';
import { makeTextParts } from './text-parts.ts';
import { parseParts, response, toUsage, responseErrorOf, wire, type Part, type Response, type Wire } from './wire.ts';
import { roundsMetadata } from '../../formats/provider-rounds.ts';
import { endEvents, replyEnd, type ReplyEnd } from '../core/finish-reasons.ts';
import { systemText } from '../shared/system-text.ts';
import type { Adapter, AdapterEvent, DecodeContext, Turn } from '../core/adapter.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;

/** Models without reasoning, which refuse reasoning options. */
const NON_REASONING_MODEL = /(?:^|\/)(?:gpt-[34]|chatgpt|gpt-5[\w.]*-chat)/;

export const openAiResponses: Adapter = {
  id: PROTOCOL,
  label: 'OpenAI responses',
  kind: 'model',

  async request(turn, { url, headers = {}, body = {}, model, tools = [], show = {}, ...options }) {
    const { toInput } = await import('./history.ts');
    const instructions = systemText(options);
    const name = model ?? body['model'];
    const supportsReasoning = typeof name !== 'string' || !NON_REASONING_MODEL.test(name);
    return {
      url,
      init: {
        method: 'POST',
        headers: { accept: 'text/event-stream', ...headers },
        body: {
          ...(model !== undefined && { model }),
          stream: true,
          store: false,
          // Since nothing is stored on the server, reasoning is sent encrypted and is sent back.
          ...(supportsReasoning && { include: ['reasoning.encrypted_content'] }),
          ...(supportsReasoning && show.reasoning && { reasoning: { summary: 'auto' } }),
          ...(instructions && { instructions }),
          input: toInput(sentHistory(turn), turn.answers),
          ...(tools.length > 0 && { tools: tools.map((tool) => ({ type: 'function', ...tool, strict: false })) }),
        },
      },
    };
  },

  // Only a background response continues without its connection.
  cancel(turn, { url, headers = {} }) {
    const background = backgroundResponse(turn);
    return (
      background && { url: childUrl(url, `${pathSegment(background.id)}/cancel`), init: { method: 'POST', headers } }
    );
  },

  resume(turn, { url, headers = {} }) {
    const background = backgroundResponse(turn);
    if (!background) return undefined;
    const request = new URL(childUrl(url, pathSegment(background.id)));
    request.searchParams.set('stream', 'true');
    if (background.sequence !== undefined) request.searchParams.set('starting_after', String(background.sequence));
    return {
      request: { url: request.href, init: { method: 'GET', headers: { accept: 'text/event-stream', ...headers } } },
      from: background.sequence === undefined ? 'start' : 'last',
    };
  },

  async *decode(batches, context) {
    const reply = makeReply(context);
    for await (const batch of batches) {
      const events: AdapterEvent[] = [];
      for (const { json, frame } of readJsonFrames(batch, context.report)) {
        const event = fit(wire, json, frame, context.report);
        if (event) events.push(...reply.take(event, { json, frame }));
      }
      yield [...events, ...reply.mark()];
    }
    yield reply.end();
  },
};

/** The id and position of a background response, which may outlive its connection. */
function backgroundResponse({ messages }: Turn): { readonly id: string; readonly sequence?: number } | undefined {
  const { background, responseId, responseSequence } = messages.at(-1)?.metadata ?? {};
  if (background !== true || typeof responseId !== 'string') return undefined;
  return { id: responseId, ...(typeof responseSequence === 'number' && { sequence: responseSequence }) };
}

/** A URL below the endpoint; the query is preserved. */
function childUrl(endpoint: string, path: string): string {
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/(?<!\/)\/+$/, '')}/${path}`;
  return url.href;
}

interface Reply {
  readonly take: (event: Wire, from: JsonFrame) => readonly AdapterEvent[];
  /** Emits the position of the stream, for responses that can be resumed. */
  readonly mark: () => readonly AdapterEvent[];
  readonly end: () => readonly AdapterEvent[];
}

function makeReply(context: DecodeContext): Reply {
  const { eventId, newId, turn, report, ended, saidDone } = context;
  const cards = makeCallBlocks(newId);
  /** Whether the stream started here instead of being resumed. Some servers omit the event that reports it. */
  let fromStart = backgroundResponse(turn) === undefined;
  /** Positions of the items that started in this stream. */
  const startedItems = new Set<string>();
  const text = makeTextParts((key) => fromStart || startedItems.has(key.slice(0, key.indexOf('/'))));
  const itemParts = makeItemParts();
  const positions = makePositions();
  const itemStore = makeItemStore();
  const audioChunks: string[] = [];
  /** The response continues without this connection. */
  let isBackground = backgroundResponse(turn) !== undefined;
  let sequence: number | undefined;
  let emittedSequence: number | undefined;
  let isRefused = false;
  let failed = false;
  let hasAsked = false;
  let finished = false;

  const toEvents = (data: readonly Data[]): readonly AdapterEvent[] =>
    data.map((fields) => ({ type: 'response', data: { eventId, ...fields } }));
  const call = (data: readonly Data[]): readonly AdapterEvent[] => {
    if (data.length > 0) text.interrupt();
    return toEvents(data);
  };
  const fail = (message: string, errorCode?: string): readonly AdapterEvent[] => {
    // The same error may arrive as a separate event and with the end of the response.
    if (failed) return [];
    failed = true;
    return [{ type: 'error', data: { eventId, error: message, ...(errorCode && { code: errorCode }) } }];
  };

  /** Emits the rest of a complete item, most of which has been streamed already. */
  const finishItem = (position: string, item: OutputItem): readonly AdapterEvent[] => {
    if (item.type === 'message' || item.type === 'reasoning') {
      const kind = item.type === 'message' ? 'text' : 'reasoning';
      const finishParts = (field: unknown, keyAt: (index: number) => string): readonly AdapterEvent[] =>
        parseParts(field).flatMap((content, index) => finishPart(kind, keyAt(index), content));
      return [
        ...finishParts(item['summary'], (index) => `${position}/s${String(index)}`),
        ...finishParts(item['content'], (index) => itemParts.inItem(position, index)),
      ];
    }
    if (item.type === 'mcp_approval_request') return askFor(item);
    if (item.type === 'mcp_list_tools') return item['error'] ? call(cards.done(position, item)) : [];
    if (item.type.endsWith('_output')) return call(cards.endAnswered(item));
    return isCall(item) ? call(cards.done(position, item)) : [];
  };
  const finishPart = (kind: 'text' | 'reasoning', key: string, content: Part): readonly AdapterEvent[] => {
    isRefused ||= Boolean(content.refusal);
    return toEvents([
      ...text.complete(kind, key, content.text ?? content.refusal ?? ''),
      ...(content.annotations ?? []).flatMap((source) => text.cite(key, source)),
    ]);
  };
  const askFor = ({ id, name, server_label, arguments: args }: OutputItem): readonly AdapterEvent[] => {
    const request = { id: id ?? newId() };
    const [toolName, serverName] = [name ?? '', server_label ?? ''];
    hasAsked = true;
    return call([
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
  };

  const finish = (result: Response): readonly AdapterEvent[] => {
    const { status, usage, error, incomplete_details, output } = result;
    const isUnstreamed = fromStart && itemStore.empty();
    const lateEvents = (output ?? []).flatMap((item, index) => {
      const position = cards.placeOf(item) ?? (isUnstreamed ? positions.of(item.id, index) : undefined);
      return position === undefined ? [] : finishItem(position, item);
    });
    finished = true;
    const reason = reasonOf(status, incomplete_details?.reason);
    const items = toInputItems(fromStart && !isUnstreamed ? itemStore.items() : (output ?? []), result.store !== false);
    return [
      ...lateEvents,
      ...toEvents(text.end()),
      ...toEvents(audioEvents(audioChunks)),
      ...(usage ? [createStreamEvent.usage(toUsage(usage))] : []),
      ...(status === 'failed' ? fail(...responseErrorOf(error)) : []),
      ...toEvents([
        {
          metadata: {
            ...(isBackground && { background: false }),
            ...(reason !== 'error' &&
              reason !== 'filtered' &&
              items.length > 0 &&
              roundsMetadata(turn, { protocol: PROTOCOL, items })),
          },
        },
      ]),
      ...stop(reason),
    ];
  };
  const stop = (reason: ReplyEnd): readonly AdapterEvent[] => {
    if (failed) return endEvents('error', eventId);
    if (isRefused) return endEvents('filtered', eventId);
    // The status is `completed` even if calls wait for results.
    const isWaiting = reason === 'complete' && (hasAsked || cards.waits());
    return endEvents(isWaiting ? 'tool_use' : reason, eventId);
  };

  const handle = (event: Wire, { json, frame }: JsonFrame): readonly AdapterEvent[] => {
    const position = positions.of(event.item_id ?? event.item?.id, event.output_index);
    const index = event.content_index ?? 0;
    const summary = `${position}/s${String(event.summary_index ?? 0)}`;
    const { item } = event;
    const delta = event.delta ?? '';
    const type = event.type ?? (frame.event?.startsWith('response.') ? frame.event : undefined);
    const [, eventName = '', stage] = /^response\.(.+)\.(delta|done)$/.exec(type ?? '') ?? [];
    const kind = TEXT.test(eventName) ? 'text' : REASONING.test(eventName) ? 'reasoning' : undefined;
    if (kind) {
      isRefused ||= eventName === 'refusal';
      const key =
        eventName === 'reasoning_summary_text'
          ? summary
          : itemParts.at(position, index, stage === 'delta' ? 'delta' : 'done');
      return toEvents(
        stage === 'delta' ? text.add(kind, key, delta) : text.complete(kind, key, event.text ?? event.refusal ?? ''),
      );
    }
    if (ARGUMENTS.test(eventName)) {
      const all = stage === 'done';
      return call(cards.params(position, all ? (event.arguments ?? event.input ?? event.code ?? '') : delta, all));
    }
    switch (type) {
      case 'response.created':
      case 'response.queued':
      case 'response.in_progress': {
        fromStart = true;
        const { id, background: isLasting } = event.response ?? {};
        isBackground = isLasting === true;
        return toEvents(
          id ? [{ metadata: { responseId: id, ...(isBackground && { background: isBackground }) } }] : [],
        );
      }
      case 'response.output_item.added':
        startedItems.add(position);
        if (item) itemStore.begin(position, item);
        return item && isCall(item) ? call(cards.added(position, item)) : [];
      case 'response.output_item.done':
        if (!item) return [];
        itemStore.take(position, isRecord(json) && isRecord(json['item']) ? (json['item'] as OutputItem) : item);
        return finishItem(position, item);
      case 'response.content_part.added':
        itemParts.announce(position, index);
        return [];
      case 'response.output_text.annotation.added':
        return event.annotation ? toEvents(text.cite(itemParts.last(position, index), event.annotation)) : [];
      case 'response.image_generation_call.partial_image':
        return call(cards.preview(position, event.partial_image_b64 ?? '', event.output_format));
      case 'response.audio.delta':
        if (delta) audioChunks.push(delta);
        return [];
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
      case 'response.cancelled':
        return finish({ ...event.response, status: type.slice('response.'.length) });
      case 'error':
        // `response.failed` may follow, or no event.
        ended?.();
        return fail(...responseErrorOf(event.error ?? event));
      case undefined: {
        // A response without streaming.
        const document = event.object === 'response' ? fit(response, json, frame, report) : undefined;
        if (!document) return event.error ? fail(...responseErrorOf(event.error)) : [];
        fromStart = true;
        return [...toEvents(document.id ? [{ metadata: { responseId: document.id } }] : []), ...finish(document)];
      }
      default:
        if (!IGNORED.test(type)) report({ kind: 'unknown', detail: `The event "${type}" is unknown.`, frame });
        return [];
    }
  };

  return {
    take(event, from) {
      sequence = event.sequence_number ?? sequence;
      return finished ? [] : handle(event, from);
    },
    mark() {
      if (!isBackground || sequence === emittedSequence) return [];
      emittedSequence = sequence;
      return toEvents([{ metadata: { responseSequence: sequence } }]);
    },
    end() {
      if (finished) return [];
      const events = [...toEvents(text.end()), ...toEvents(audioEvents(audioChunks))];
      if (failed) return [...events, createStreamEvent.stop('error')];
      return saidDone?.() && (cards.waits() || hasAsked) ? [...events, ...stop('complete')] : events;
    },
  };
}

/** Events with text of a part, by the name between `response.` and `.delta` or `.done`. */
const TEXT = /^(?:output_text|refusal|audio\.transcript)$/;
const REASONING = /^reasoning_(?:summary_)?text$/;
const ARGUMENTS = /^(?:function_call_arguments|custom_tool_call_input|mcp_call_arguments|code_interpreter_call_code)$/;
/** Events that only repeat other events. */
const IGNORED = /^(?:response\.(?:\w+_(?:part|call|tools)[._]|audio\.)|ping$|keepalive$)/;

function reasonOf(status: string | null | undefined, incompleteReason: string | null | undefined): ReplyEnd {
  if (status === 'completed' || !status) return 'complete';
  if (status === 'incomplete') return replyEnd(incompleteReason) ?? 'max_tokens';
  return replyEnd(status) ?? 'error';
}
