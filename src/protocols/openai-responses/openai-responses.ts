/**
 * OpenAI's Responses API and those who speak it (`openai-responses`): Azure, xAI, LM Studio, vLLM, Ollama, GitHub Copilot.
 * A response is a list of output items. Source: `openai-responses.md`; every field may be absent, null or empty.
 */
import type { LLMAgentEventData } from '../../model/agent-events.ts';
import { createStreamEvent, type StopReason } from '../../model/core-events.ts';
import { segment } from '../shared/beside-url.ts';
import { detectOpenAiResponses } from '../detect/providers.ts';
import { sentHistory } from '../shared/history.ts';
import { recordingOf } from '../shared/pcm-wav.ts';
import { isRecord } from '../../model/json.ts';
import { fit, readJsonFrames, type JsonFrame } from '../shared/read-frames.ts';
import { gatherCards, PROTOCOL, type OutputItem } from './calls.ts';
import { goBack, keepItems } from './kept.ts';
import { gatherText } from './text.ts';
import { partsIn, response, toUsage, troubleOf, wire, type Part, type Response, type Wire } from './wire.ts';
import { keepRound } from '../../model/rounds.ts';
import { systemText } from '../shared/system-text.ts';
import type { Adapter, AdapterEvent, DecodeContext, Turn } from '../adapter.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;

/** They do not think, and refuse to be asked how. */
const THOUGHTLESS = /(?:^|\/)(?:gpt-[34]|chatgpt|gpt-5[\w.]*-chat)/;

export const openAiResponses: Adapter = {
  id: PROTOCOL,
  label: 'OpenAI responses',
  kind: 'model',
  detect: detectOpenAiResponses,

  async request(turn, { url, headers = {}, body = {}, model, tools = [], show = {}, ...options }) {
    const { toInput } = await import('./history.ts');
    const instructions = systemText(options);
    const name = model ?? body['model'];
    const thinks = typeof name !== 'string' || !THOUGHTLESS.test(name);
    return {
      url,
      init: {
        method: 'POST',
        headers: { accept: 'text/event-stream', ...headers },
        body: {
          ...(model !== undefined && { model }),
          stream: true,
          store: false,
          // Without the server's memory its thoughts come along, sealed, and go back.
          ...(thinks && { include: ['reasoning.encrypted_content'] }),
          ...(thinks && show.reasoning && { reasoning: { summary: 'auto' } }),
          ...(instructions && { instructions }),
          input: toInput(sentHistory(turn), turn.answers),
          ...(tools.length > 0 && { tools: tools.map((tool) => ({ type: 'function', ...tool, strict: false })) }),
        },
      },
    };
  },

  // Only a response that runs in the background has a life of its own; any other ends with its connection.
  cancel(turn, { url, headers = {} }) {
    const running = runningIn(turn);
    return running && { url: under(url, `${segment(running.id)}/cancel`), init: { method: 'POST', headers } };
  },

  resume(turn, { url, headers = {} }) {
    const running = runningIn(turn);
    if (!running) return undefined;
    const request = new URL(under(url, segment(running.id)));
    request.searchParams.set('stream', 'true');
    if (running.sequence !== undefined) request.searchParams.set('starting_after', String(running.sequence));
    return {
      request: { url: request.href, init: { method: 'GET', headers: { accept: 'text/event-stream', ...headers } } },
      from: running.sequence === undefined ? 'start' : 'last',
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

/** What is told of a response that may outlive its connection. */
function runningIn({ messages }: Turn): { readonly id: string; readonly sequence?: number } | undefined {
  const { background, responseId, responseSequence } = messages.at(-1)?.metadata ?? {};
  if (background !== true || typeof responseId !== 'string') return undefined;
  return { id: responseId, ...(typeof responseSequence === 'number' && { sequence: responseSequence }) };
}

/** An address below the endpoint; the query stays. */
function under(endpoint: string, path: string): string {
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path}`;
  return url.href;
}

interface Reply {
  readonly take: (event: Wire, from: JsonFrame) => readonly AdapterEvent[];
  /** How far it has come, for those that can be picked up. */
  readonly mark: () => readonly AdapterEvent[];
  readonly end: () => readonly AdapterEvent[];
}

function makeReply(context: DecodeContext): Reply {
  const { eventId, newId, turn, report, ended, saidDone } = context;
  const cards = gatherCards(newId);
  /** The stream began here, and was not picked up in its middle. */
  let fromStart = false;
  /** Items that began here, by their place. */
  const begun = new Set<string>();
  const text = gatherText((key) => fromStart || begun.has(key.slice(0, key.indexOf('/'))));
  const kept = keepItems();
  const sound: string[] = [];
  /** It goes on without this connection. */
  let background = runningIn(turn) !== undefined;
  let sequence: number | undefined;
  let marked: number | undefined;
  let refused = false;
  let failed = false;
  let asked = false;
  let finished = false;

  const tell = (data: readonly Data[]): readonly AdapterEvent[] =>
    data.map((fields) => ({ type: 'response', data: { eventId, ...fields } }));
  const call = (data: readonly Data[]): readonly AdapterEvent[] => {
    if (data.length > 0) text.interrupt();
    return tell(data);
  };
  const fail = (message: string, named?: string): readonly AdapterEvent[] => {
    // The same one may come as an event of its own and with the end of the response.
    if (failed) return [];
    failed = true;
    return [{ type: 'error', data: { eventId, error: message, ...(named && { code: named }) } }];
  };

  /** What an item says when it is whole; most of it has been told. */
  const finishItem = (place: string, item: OutputItem): readonly AdapterEvent[] => {
    if (item.type === 'message' || item.type === 'reasoning') {
      const kind = item.type === 'message' ? 'text' : 'reasoning';
      const all = (field: unknown, letter: string): readonly AdapterEvent[] =>
        partsIn(field).flatMap((content, index) => finishPart(kind, `${place}/${letter}${String(index)}`, content));
      return [...all(item['summary'], 's'), ...all(item['content'], 'c')];
    }
    if (item.type === 'mcp_approval_request') return askFor(item);
    if (item.type === 'mcp_list_tools') return item['error'] ? call(cards.done(place, item)) : [];
    if (item.type.endsWith('_output')) return call(cards.answered(item));
    return item.type.endsWith('_call') ? call(cards.done(place, item)) : [];
  };
  const finishPart = (kind: 'text' | 'reasoning', key: string, content: Part): readonly AdapterEvent[] => {
    refused ||= Boolean(content.refusal);
    return tell([
      ...text.complete(kind, key, content.text ?? content.refusal ?? ''),
      ...(content.annotations ?? []).flatMap((source) => text.cite(key, source)),
    ]);
  };
  const askFor = ({ id, name, server_label, arguments: args }: OutputItem): readonly AdapterEvent[] => {
    const request = { id: id ?? newId() };
    const [toolName, serverName] = [name ?? '', server_label ?? ''];
    asked = true;
    return call([
      {
        tool_call: 'permission-required',
        tool_call_id: request.id,
        tool_call_name: toolName,
        tool_call_params: typeof args === 'string' ? args : JSON.stringify(args ?? {}),
        tool_call_server_name: serverName,
        permission_request: { toolName, serverName, permissionType: 'all', description: '' },
        request,
      },
    ]);
  };

  const finish = (last: Response): readonly AdapterEvent[] => {
    const { status, usage, error, incomplete_details, output } = last;
    const untold = fromStart && kept.empty();
    const late = (output ?? []).flatMap((item, index) => {
      const place = cards.placeOf(item) ?? (untold ? String(index) : undefined);
      return place === undefined ? [] : finishItem(place, item);
    });
    finished = true;
    const reason = reasonOf(status, incomplete_details?.reason);
    const items = goBack(fromStart && !untold ? kept.items() : (output ?? []), last.store !== false);
    return [
      ...late,
      ...tell(text.end()),
      ...tell(recordingOf(sound)),
      ...(usage ? [createStreamEvent.usage(toUsage(usage))] : []),
      ...(status === 'failed' ? fail(...troubleOf(error)) : []),
      ...tell([
        {
          metadata: {
            ...(background && { background: false }),
            ...(reason !== 'error' && items.length > 0 && keepRound(turn, { protocol: PROTOCOL, items })),
          },
        },
      ]),
      ...stop(reason),
    ];
  };
  const stop = (reason: StopReason | 'cancelled'): readonly AdapterEvent[] => {
    if (reason === 'cancelled') return tell([{ finish: 'cancelled' }]);
    if (failed || refused) return [createStreamEvent.stop('error')];
    // Its status is `completed` even where calls wait.
    const waits = reason === 'complete' && (asked || cards.waits());
    return [createStreamEvent.stop(waits ? 'tool_use' : reason)];
  };

  const handle = (event: Wire, { json, frame }: JsonFrame): readonly AdapterEvent[] => {
    const place = String(event.output_index ?? event.item_id ?? event.item?.id ?? '');
    const content = `${place}/c${String(event.content_index ?? 0)}`;
    const summary = `${place}/s${String(event.summary_index ?? 0)}`;
    const { item } = event;
    const delta = event.delta ?? '';
    const type = event.type ?? (frame.event?.startsWith('response.') ? frame.event : undefined);
    const [, what = '', stage] = /^response\.(.+)\.(delta|done)$/.exec(type ?? '') ?? [];
    const kind = TEXT.test(what) ? 'text' : REASONING.test(what) ? 'reasoning' : undefined;
    if (kind) {
      refused ||= what === 'refusal';
      const key = what === 'reasoning_summary_text' ? summary : content;
      return tell(
        stage === 'delta' ? text.add(kind, key, delta) : text.complete(kind, key, event.text ?? event.refusal ?? ''),
      );
    }
    if (ARGUMENTS.test(what)) {
      const all = stage === 'done';
      return call(cards.params(place, all ? (event.arguments ?? event.input ?? event.code ?? '') : delta, all));
    }
    switch (type) {
      case 'response.created':
      case 'response.queued':
      case 'response.in_progress': {
        fromStart = true;
        const { id, background: lasting } = event.response ?? {};
        background = lasting === true;
        return tell(id ? [{ metadata: { responseId: id, ...(background && { background }) } }] : []);
      }
      case 'response.output_item.added':
        begun.add(place);
        if (item) kept.begin(place, item);
        return item?.type.endsWith('_call') ? call(cards.added(place, item)) : [];
      case 'response.output_item.done':
        if (!item) return [];
        kept.take(place, isRecord(json) && isRecord(json['item']) ? (json['item'] as OutputItem) : item);
        return finishItem(place, item);
      case 'response.output_text.annotation.added':
        return event.annotation ? tell(text.cite(content, event.annotation)) : [];
      case 'response.image_generation_call.partial_image':
        return call(cards.preview(place, event.partial_image_b64 ?? '', event.output_format));
      case 'response.audio.delta':
        if (delta) sound.push(delta);
        return [];
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
      case 'response.cancelled':
        return finish({ ...event.response, status: type.slice('response.'.length) });
      case 'error':
        // `response.failed` may follow, or nothing.
        ended?.();
        return fail(...troubleOf(event.error ?? event));
      case undefined: {
        // A reply that was not streamed.
        const document = event.object === 'response' ? fit(response, json, frame, report) : undefined;
        if (!document) return event.error ? fail(...troubleOf(event.error)) : [];
        fromStart = true;
        return [...tell(document.id ? [{ metadata: { responseId: document.id } }] : []), ...finish(document)];
      }
      default:
        if (!SILENT.test(type)) report({ kind: 'unknown', detail: `The event "${type}" is new.`, frame });
        return [];
    }
  };

  return {
    take(event, from) {
      sequence = event.sequence_number ?? sequence;
      return finished ? [] : handle(event, from);
    },
    mark() {
      if (!background || sequence === marked) return [];
      marked = sequence;
      return tell([{ metadata: { responseSequence: sequence } }]);
    },
    end() {
      if (finished) return [];
      const events = [...tell(text.end()), ...tell(recordingOf(sound))];
      if (failed) return [...events, createStreamEvent.stop('error')];
      return saidDone?.() && (cards.waits() || asked) ? [...events, ...stop('complete')] : events;
    },
  };
}

/** Events with words of a part, by what stands between `response.` and `.delta` or `.done`. */
const TEXT = /^(?:output_text|refusal|audio\.transcript)$/;
const REASONING = /^reasoning_(?:summary_)?text$/;
const ARGUMENTS = /^(?:function_call_arguments|custom_tool_call_input|mcp_call_arguments|code_interpreter_call_code)$/;
/** Events that say nothing which others do not say too. */
const SILENT = /^(?:response\.(?:\w+_(?:part|call|tools)[._]|audio\.)|ping$|keepalive$)/;

function reasonOf(status: string | null | undefined, cut: string | null | undefined): StopReason | 'cancelled' {
  if (status === 'completed' || !status) return 'complete';
  if (status === 'cancelled') return 'cancelled';
  return status === 'incomplete' && cut !== 'content_filter' ? 'max_tokens' : 'error';
}
