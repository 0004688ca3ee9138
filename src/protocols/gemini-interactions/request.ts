/**
 * Requests to Gemini's Interactions API. The server stores the conversation: a request names the last interaction and
 * sends only newer messages. Source: `googleapis/js-genai`, `src/gaos/models/interactions/create-model-interaction.ts`.
 */
import type { AssistantMessageBlock, BlockOf } from '../../model/blocks.ts';
import { namedFileText } from '../../formats/attached-file.ts';
import { parseJson } from '../../model/json.ts';
import { textOf } from '../../model/message-text.ts';
import type { ChatMessage } from '../../model/message.ts';
import { toAttachment } from '../../model/attachment.ts';
import { splitRounds } from '../../formats/split-rounds.ts';
import type { RequestOptions, Resumption, Turn, WireRequest } from '../core/adapter.ts';
import { resultWithEdit } from '../shared/edited-arguments.ts';
import { sentHistory } from '../shared/sent-history.ts';
import { currentMetadata } from '../shared/last-metadata.ts';
import { withPageFields } from '../core/page-fields.ts';
import { isInline, mediaTypeOf } from '../shared/files/sent-files.ts';
import { pathSegment, withQuery } from '../shared/request-urls.ts';
import { systemText } from '../shared/system-text.ts';

type Json = Readonly<Record<string, unknown>>;

export function interactionsRequest(turn: Turn, options: RequestOptions): WireRequest {
  const { url, headers = {}, model, tools = [], body = {}, show } = options;
  const isStored = body['store'] !== false;
  const messages = sentHistory(turn);
  const lastIndex = isStored ? messages.findLastIndex(({ metadata }) => storedId(metadata) !== undefined) : -1;
  const last = messages[lastIndex];
  const system = [systemText(options), ...messages.filter(({ role }) => role === 'system').map(textOf)];
  const instruction = system.filter(Boolean).join('\n\n');
  const bodyTools = Array.isArray(body['tools']) ? (body['tools'] as readonly unknown[]) : [];
  const functions = tools.map(({ name, description, parameters }) => ({
    type: 'function',
    name,
    description,
    parameters,
  }));
  const fields = {
    // An agent has its own model.
    ...(model !== undefined && body['agent'] === undefined && { model }),
    input: [...(last ? waitingResults(last) : []), ...messages.slice(lastIndex + 1).flatMap(toSteps)],
    stream: true,
    ...(last && { previous_interaction_id: storedId(last.metadata) }),
    // An interaction does not inherit the instruction of the previous one.
    ...(instruction && { system_instruction: instruction }),
    ...(show?.reasoning && { generation_config: { thinking_summaries: 'auto' } }),
  };
  // The tools in the page's `body` are merged here, because that list would replace the list of functions.
  const merged = functions.length > 0 || bodyTools.length > 0 ? { tools: [...functions, ...bodyTools] } : {};
  const all = withPageFields({ ...fields, ...merged }, { ...body, ...merged });
  return {
    url,
    init: {
      method: 'POST',
      headers: { accept: 'text/event-stream, application/json', ...headers },
      body: new Blob([JSON.stringify(all)], { type: 'application/json' }),
    },
  };
}

/** Only an interaction in the background can be cancelled; others end with their connection. */
export function interactionsCancel(turn: Turn, { url, headers = {} }: RequestOptions): WireRequest | undefined {
  const id = currentMetadata(turn.messages, 'interactionId');
  return id === undefined ? undefined : { url: childUrl(url, id, '/cancel'), init: { method: 'POST', headers } };
}

/** The server sends a stored interaction again from its start. */
export function interactionsResume(turn: Turn, { url, headers = {} }: RequestOptions): Resumption | undefined {
  const id = currentMetadata(turn.messages, 'interactionId');
  if (id === undefined) return undefined;
  const init = { method: 'GET', headers: { accept: 'text/event-stream', ...headers } };
  return { request: { url: withQuery(childUrl(url, id), { stream: 'true' }), init }, from: 'start' };
}

function childUrl(endpoint: string, id: string, action = ''): string {
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/(?<!\/)\/+$/, '')}/${pathSegment(id)}${action}`;
  return url.href;
}

/** The id of an interaction that a request can continue. */
const storedId = (metadata: ChatMessage['metadata']): string | undefined => {
  const id = metadata?.['continueFrom'];
  return typeof id === 'string' ? id : undefined;
};

/** The results of the calls that the last interaction waits for. */
function waitingResults({ blocks, metadata }: ChatMessage): readonly Json[] {
  const waiting: unknown = metadata?.['waitingCalls'];
  const ids = Array.isArray(waiting) ? (waiting as unknown[]) : [];
  const calls = blocks.filter((block) => block.type === 'tool_call');
  return ids.flatMap((id) => {
    const call = calls.findLast(({ tool_call }) => tool_call.id === id);
    return call ? [toResult(call, blocks)] : [];
  });
}

function toResult(call: BlockOf<'tool_call'>, blocks: readonly AssistantMessageBlock[]): Json {
  const result = resultWithEdit(call, blocks);
  return {
    type: 'function_result',
    call_id: call.tool_call.id ?? call.id,
    name: call.tool_call.name ?? '',
    result: result ?? 'The tool was not run.',
    ...(call.status !== 'success' && { is_error: true }),
  };
}

/** The steps of a message that the server does not have. */
function toSteps(message: ChatMessage): readonly Json[] {
  const { role, blocks } = message;
  if (role === 'user') {
    const content = blocks.flatMap(userContent);
    return content.length > 0 ? [{ type: 'user_input', content }] : [];
  }
  if (role !== 'assistant') return [];
  const clientBlocks = blocks.filter((block) => block.type !== 'tool_call' || block.extra?.['remote'] !== true);
  return splitRounds(clientBlocks).flatMap(({ text, calls }) => [
    ...(text ? [{ type: 'model_output', content: [{ type: 'text', text }] }] : []),
    ...calls.map(({ id, tool_call: { id: callId = id, name = '', params = '' } }) => ({
      type: 'function_call',
      id: callId,
      name,
      arguments: parseJson(params) ?? {},
    })),
    ...calls.map((call) => toResult(call, blocks)),
  ]);
}

function userContent(block: AssistantMessageBlock): readonly Json[] {
  if (block.type === 'content') return block.content ? [{ type: 'text', text: block.content }] : [];
  const text =
    block.type === 'file' || block.type === 'audio' || block.type === 'video' ? namedFileText(block) : undefined;
  if (text !== undefined) return [{ type: 'text', text }];
  return toAttachment(block).map((file) => ({
    type: file.kind === 'file' ? 'document' : file.kind,
    mime_type: mediaTypeOf(file),
    ...(isInline(file) ? { data: file.data } : { uri: file.url }),
  }));
}
