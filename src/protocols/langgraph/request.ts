/** Requests that start and continue runs of a LangGraph server. Source: `docs/protocols/langgraph.md`. */
import { ChatError } from '../../errors.ts';
import type { AssistantMessageBlock, BlockOf } from '../../model/blocks.ts';
import type { ChatMessage } from '../../model/message.ts';
import { splitRounds } from '../../formats/split-rounds.ts';
import { textOf } from '../../model/message-text.ts';
import { withoutQuery } from '../../model/without-query.ts';
import type { RequestOptions, Turn, WireRequest } from '../core/adapter.ts';
import { autoRequest } from '../shared/auto-request.ts';
import { pathSegment } from '../shared/request-urls.ts';
import { sentHistory } from '../shared/sent-history.ts';
import { openQuestions, interruptResponses } from './resume.ts';
import { isOwnRoute, parseRunLocation, threadIdOf, type RunLocation, type RunState } from './run-location.ts';
import { isRecord } from '../../model/json.ts';
import { resultWithEdit } from '../shared/edited-arguments.ts';
import { systemText } from '../shared/system-text.ts';

type Json = Readonly<Record<string, unknown>>;

const STREAM_MODE = ['messages-tuple', 'values', 'updates', 'custom'];
const CHANNELS = ['values', 'messages', 'tools', 'lifecycle', 'input', 'custom'];

async function makeThread({ base, search }: RunLocation, { headers = {}, ask }: RequestOptions): Promise<RunState> {
  const url = `${base}/threads${search}`;
  const { json } = await ask({ url, init: { method: 'POST', headers, body: {} } });
  const id = isRecord(json) ? json['thread_id'] : undefined;
  if (typeof id !== 'string') {
    throw new ChatError('protocol', `${withoutQuery(url)} returned no thread id.`, { reason: 'protocol' });
  }
  return { threadId: id };
}

export async function langgraphRequest(
  turn: Turn,
  options: RequestOptions & { readonly providerState?: RunState | undefined },
): Promise<WireRequest<RunState>> {
  const location = parseRunLocation(options.url);
  if (isOwnRoute(location, turn)) return autoRequest(turn, options);
  const { base, search, v2, stateless, assistant } = location;
  if (stateless && openQuestions(turn).length > 0 && turn.answers.length > 0) {
    throw new ChatError(
      'protocol',
      'A stateless run can’t be answered: point "endpoint" at the server’s base URL, or at a thread.',
      { reason: 'protocol' },
    );
  }
  const existingThread = stateless ? undefined : threadIdOf(location, turn);
  const providerState =
    stateless || existingThread !== undefined
      ? undefined
      : (options.providerState ?? (await makeThread(location, options)));
  const threadId = existingThread ?? providerState?.threadId;
  const thread = threadId === undefined ? undefined : `${base}/threads/${pathSegment(threadId)}`;
  const init = (body: Json): WireRequest['init'] => ({
    method: 'POST',
    headers: { accept: 'text/event-stream', ...options.headers },
    body,
  });
  const isContinuation = openQuestions(turn).length > 0;
  // The page's `body` is merged only at the top level; v2 commands have this field inside of `params`.
  const { assistant_id: assistantId = assistant } = options.body ?? {};
  const responses = interruptResponses(turn);
  // The server stores the history: it is only sent to a new thread.
  const input = isContinuation
    ? undefined
    : { messages: toInput(turn, options, stateless || providerState !== undefined) };
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
      ...(providerState && { providerState }),
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
    ...(providerState && { providerState }),
  };
}

/** A single answer is sent directly, several by id. */
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

/** The messages that the server does not have: results of client tools, or messages since its last answer. */
function toInput(turn: Turn, options: RequestOptions, all: boolean): readonly Json[] {
  const system = systemText(options);
  // With a fixed id it replaces the previous system message.
  const head = system ? [{ type: 'system', id: 'agent-chat-system', content: system }] : [];
  if (all) return [...head, ...sentHistory(turn).flatMap(toMessages)];
  const { messages } = turn;
  // A reply without run data does not prove that its question arrived.
  const lastAnswered = messages.findLastIndex(({ metadata }) => Array.isArray(metadata?.['interrupts']));
  const last =
    lastAnswered < 0
      ? messages.findLastIndex(({ role, blocks }) => role === 'assistant' && blocks.length > 0)
      : lastAnswered;
  const newMessages = messages.slice(last + 1).filter(({ role }) => role !== 'assistant');
  if (newMessages.length > 0) return [...head, ...newMessages.flatMap(toMessages)];
  return toolResults(messages, messages[last]?.metadata?.['calls']);
}

/** Results of client tools since the last stream. */
const toolResults = (messages: readonly ChatMessage[], ids: unknown): readonly Json[] =>
  messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1).flatMap(({ blocks }) =>
    blocks.flatMap((block) =>
      block.type === 'tool_call' && Array.isArray(ids) && ids.includes(block.tool_call.id)
        ? // The server stores the call with the arguments of the model.
          [{ ...toResult(block), content: resultWithEdit(block, blocks) ?? '' }]
        : [],
    ),
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

/** Text alone is sent as a string. Files are sent in the form that LangChain for both languages reads. */
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
  const texts = parts.flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  return texts.length === parts.length ? texts.join('\n') : parts;
}
