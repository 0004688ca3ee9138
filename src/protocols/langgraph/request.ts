/** Runs of a LangGraph server: how they begin, go on and end. Source: `langgraph.md`, "Request", "Broken streams" and "v2". */
import { ChatError } from '../../errors.ts';
import type { AssistantMessageBlock, BlockOf } from '../../model/blocks.ts';
import type { ChatMessage } from '../../model/message.ts';
import { splitRounds } from '../../model/reply-rounds.ts';
import { textOf } from '../../model/text-of.ts';
import type { RequestOptions, Turn, WireRequest } from '../adapter.ts';
import { sentHistory } from '../shared/history.ts';
import { openQuestions, responsesOf } from './answers.ts';
import { placeOf, threadOf, type Place, type RunFacts } from './place.ts';
import { isRecord } from '../../model/json.ts';
import { systemText } from '../shared/system-text.ts';

type Json = Readonly<Record<string, unknown>>;

const STREAM_MODE = ['messages-tuple', 'values', 'updates', 'custom'];
const CHANNELS = ['values', 'messages', 'tools', 'lifecycle', 'input', 'custom'];

async function makeThread({ base, search }: Place, { headers = {}, ask }: RequestOptions): Promise<RunFacts> {
  const url = `${base}/threads${search}`;
  const { json } = await ask({ url, init: { method: 'POST', headers, body: {} } });
  const id = isRecord(json) ? json['thread_id'] : undefined;
  if (typeof id !== 'string') {
    throw new ChatError('protocol', `${url} has made no thread.`, { reason: 'protocol' });
  }
  return { threadId: id };
}

export async function langgraphRequest(
  turn: Turn,
  options: RequestOptions & { readonly facts?: RunFacts | undefined },
): Promise<WireRequest<RunFacts>> {
  const place = placeOf(options.url);
  const { base, search, v2, stateless, assistant } = place;
  if (stateless && openQuestions(turn).length > 0 && turn.answers.length > 0) {
    throw new ChatError(
      'protocol',
      'A stateless run can’t be answered: point "endpoint" at the server’s base URL, or at a thread.',
      { reason: 'protocol' },
    );
  }
  const known = stateless ? undefined : threadOf(place, turn);
  const facts = stateless || known !== undefined ? undefined : (options.facts ?? (await makeThread(place, options)));
  const threadId = known ?? facts?.threadId;
  const thread = threadId === undefined ? undefined : `${base}/threads/${encodeURIComponent(threadId)}`;
  const init = (body: Json): WireRequest['init'] => ({
    method: 'POST',
    headers: { accept: 'text/event-stream', ...options.headers },
    body,
  });
  const goesOn = openQuestions(turn).length > 0;
  // In the commands of v2 it stands deeper than the page's `body` is merged.
  const { assistant_id: assistantId = assistant } = options.body ?? {};
  const responses = responsesOf(turn);
  // The server has the history: it is sent to one that has none.
  const input = goesOn ? undefined : { messages: toInput(turn, options, stateless || facts !== undefined) };
  if (v2 && thread !== undefined) {
    return {
      url: `${thread}/stream/events${search}`,
      init: init({ channels: CHANNELS }),
      trigger: {
        url: `${thread}/commands${search}`,
        init: {
          method: 'POST',
          headers: { ...options.headers },
          body: { id: 1, ...toCommand(responses, assistantId, input) },
        },
      },
      ...(facts && { facts }),
    };
  }
  return {
    url: `${thread ?? base}/runs/stream${search}`,
    init: init({
      assistant_id: assistant,
      ...(responses.size > 0 ? { command: { resume: toResume(responses) } } : { input: input ?? null }),
      stream_mode: STREAM_MODE,
      ...(!stateless && { stream_resumable: true, if_not_exists: 'create' }),
    }),
    ...(facts && { facts }),
  };
}

/** One answer goes as it is, several by their ids. */
const toResume = (responses: ReadonlyMap<string, unknown>): unknown =>
  responses.size === 1 ? [...responses.values()][0] : Object.fromEntries(responses);

function toCommand(responses: ReadonlyMap<string, unknown>, assistant: unknown, input: Json | undefined): Json {
  const [only] = responses;
  if (!only) return { method: 'run.start', params: { assistant_id: assistant, input: input ?? null } };
  const params =
    responses.size === 1
      ? { interrupt_id: only[0], response: only[1] }
      : { responses: [...responses].map(([interrupt_id, response]) => ({ interrupt_id, response })) };
  return { method: 'input.respond', params };
}

/** The messages that the server does not have: results of the page's tools, or what was said since it answered last. */
function toInput(turn: Turn, options: RequestOptions, all: boolean): readonly Json[] {
  const system = systemText(options);
  // Under an id of its own it takes the place of the one before.
  const head = system ? [{ type: 'system', id: 'agent-chat-system', content: system }] : [];
  if (all) return [...head, ...sentHistory(turn).flatMap(toMessages)];
  const { messages } = turn;
  // A reply that has told nothing of its run is no sign that its question has arrived.
  const answered = messages.findLastIndex(({ metadata }) => Array.isArray(metadata?.['interrupts']));
  const last =
    answered < 0 ? messages.findLastIndex(({ role, blocks }) => role === 'assistant' && blocks.length > 0) : answered;
  const said = messages.slice(last + 1).filter(({ role }) => role !== 'assistant');
  if (said.length > 0) return [...head, ...said.flatMap(toMessages)];
  return toolResults(messages, messages[last]?.metadata?.['calls']);
}

/** What the page's tools have given since the last stream. */
const toolResults = (messages: readonly ChatMessage[], ids: unknown): readonly Json[] =>
  messages
    .slice(messages.findLastIndex(({ role }) => role === 'user') + 1)
    .flatMap(({ blocks }) => blocks)
    .flatMap((block) =>
      block.type === 'tool_call' && Array.isArray(ids) && ids.includes(block.tool_call.id) ? [toResult(block)] : [],
    );

const toResult = ({ id, status, tool_call: { id: callId = id, name, response = '' } }: BlockOf<'tool_call'>): Json => ({
  type: 'tool',
  tool_call_id: callId,
  ...(name && { name }),
  content: response,
  status: status === 'error' ? 'error' : 'success',
});

function toMessages(message: ChatMessage): readonly Json[] {
  const { id, role } = message;
  if (role === 'user') return [{ type: 'human', id, content: toContent(message.blocks) }];
  if (role === 'system') return [{ type: 'system', id, content: textOf(message) }];
  if (role !== 'assistant') return [];
  return splitRounds(message.blocks).flatMap(({ text, calls }): readonly Json[] => {
    if (!text && calls.length === 0) return [];
    const tool_calls = calls.map(({ id: blockId, tool_call: call }) => ({
      id: call.id ?? blockId,
      name: call.name ?? '',
      args: toArguments(call.params),
      type: 'tool_call',
    }));
    return [
      {
        type: 'ai',
        content: text,
        ...(message.name && { name: message.name }),
        ...(calls.length > 0 && { tool_calls }),
      },
      ...calls.map(toResult),
    ];
  });
}

function toArguments(params = ''): Json {
  try {
    const value: unknown = JSON.parse(params || '{}');
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/** Words alone go as a string. Files go in the form that LangChain of both languages reads. */
function toContent(blocks: readonly AssistantMessageBlock[]): string | readonly Json[] {
  const parts = blocks.flatMap((block): readonly Json[] => {
    if (block.type === 'content') return [{ type: 'text', text: block.content }];
    if (block.type === 'image') {
      const { image_data: inline, url } = block;
      const link = inline ? `data:${inline.mimeType};base64,${inline.data}` : url;
      return link === undefined ? [] : [{ type: 'image_url', image_url: { url: link } }];
    }
    if (block.type !== 'audio' && block.type !== 'video' && block.type !== 'file') return [];
    const { type, url, data, mimeType, name } = block;
    const source = data === undefined ? url && { source_type: 'url', url } : { source_type: 'base64', data };
    if (!source) return [];
    return [
      { type, ...source, ...(mimeType && { mime_type: mimeType }), ...(name && { metadata: { filename: name } }) },
    ];
  });
  const words = parts.flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  return words.length === parts.length ? words.join('\n') : parts;
}
