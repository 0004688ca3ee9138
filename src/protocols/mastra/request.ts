/** Requests to a Mastra agent. Source: the routes of `@mastra/server` 1.68; the messages are AI SDK model messages. */
import type { AssistantMessageBlock, BlockOf } from '../../model/blocks.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import type { ChatMessage } from '../../model/message.ts';
import { splitRounds } from '../../formats/split-rounds.ts';
import { textOf } from '../../model/message-text.ts';
import type { Answer, RequestOptions, Resumption, Turn, WireRequest } from '../core/adapter.ts';
import { currentMetadata } from '../shared/last-metadata.ts';
import { resultWithEdit } from '../shared/edited-arguments.ts';
import { sentHistory } from '../shared/sent-history.ts';
import { withPageFields } from '../core/page-fields.ts';
import { systemText } from '../shared/system-text.ts';
import { isRefusal, denySharedIds } from '../core/deny-shared-ids.ts';
import { toAnswerRequest } from './suspensions.ts';

type Json = Readonly<Record<string, unknown>>;

export function mastraRequest(turn: Turn, options: RequestOptions): WireRequest {
  const { url, headers = {}, model, tools = [], body = {} } = options;
  const answers = denySharedIds(turn.answers);
  // The answer to an agent network (an agent that routes to others) contains no call id, so a refusal applies to all its questions.
  const answer = answers.find((one) => one.extra?.['network'] === true && isRefusal(one)) ?? answers[0];
  const answerRequest = answer && toAnswerRequest(answer);
  const memory = isRecord(body['memory']) ? { thread: turn.threadId, ...body['memory'] } : undefined;
  const clientTools = Object.fromEntries(
    tools.map(({ name, description, parameters }) => [name, { id: name, description, inputSchema: parameters }]),
  );
  const optionalFields = {
    ...(tools.length > 0 && { clientTools }),
    ...(memory && { memory }),
    ...(model !== undefined && { model }),
  };
  const requestTo = (address: string, fields: object): WireRequest => ({
    url: address,
    init: {
      method: 'POST',
      headers: { accept: 'text/event-stream', ...headers },
      // Adds the page's `body`, but with the `memory` from above: the page's own may have no thread.
      body: asJson(withPageFields({ ...fields, ...optionalFields }, { ...body, ...(memory && { memory }) })),
    },
  });
  if (answerRequest) return requestTo(agentUrl(url, answerRequest.path), answerRequest.body);
  const system = systemText(options);
  return requestTo(streamUrl(url), {
    messages: toModelMessages(turn, memory !== undefined),
    ...(system && { system }),
    // A durable agent otherwise keeps the stream open while it waits for the user.
    closeOnSuspend: true,
  });
}

/**
 * Selects the answers for one request, which can answer one call only. Answers stay together if the server can't tell their questions
 * apart: those with the same id, and all those to a network, whose answers have no id. A refusal of one then refuses all of them.
 */
export function mastraNextAnswers(answers: readonly Answer[]): readonly Answer[] {
  const [first] = answers;
  return answers.filter(
    ({ extra }) =>
      (extra?.['network'] === true) === (first?.extra?.['network'] === true) &&
      (extra?.['network'] === true || extra?.['requestId'] === first?.extra?.['requestId']),
  );
}

/**
 * Reads a run again whose stream broke. Only servers of durable agents store their runs; others refuse the request. (Mastra's own
 * "resume" is something else: an answer to the run's question, see `suspensions.ts`.)
 */
export function mastraResume(turn: Turn, { url, headers = {} }: RequestOptions): Resumption | undefined {
  const runId = currentMetadata(turn.messages, 'runId');
  // After an answer of the user, the server would also send the content before the question again, which is already in the reply.
  const isAnswered = turn.messages.at(-1)?.blocks.some(({ type }) => type === 'action');
  if (runId === undefined || isAnswered) return undefined;
  const init = { method: 'POST', headers: { accept: 'text/event-stream', ...headers }, body: { runId } };
  return { request: { url: agentUrl(url, 'observe'), init }, from: 'start' };
}

const asJson = (body: object): Blob => new Blob([JSON.stringify(body)], { type: 'application/json' });

/** The path up to the name of the agent. */
const AGENT_PATH = /^(.*\/agents\/[^/]+)(?:\/.*)?$/;

/** Accepts the agent's own URL and appends `/stream`. */
function streamUrl(url: string): string {
  const address = new URL(url);
  if (/\/agents\/[^/]+\/?$/.test(address.pathname))
    address.pathname = `${withoutTrailingSlash(address.pathname)}/stream`;
  return address.href;
}

/** The URL of another endpoint of the agent. Behind a proxy with another URL format it replaces the last segment. */
function agentUrl(url: string, path: string): string {
  const address = new URL(url);
  const agent =
    AGENT_PATH.exec(address.pathname)?.[1] ?? withoutTrailingSlash(address.pathname).replace(/\/[^/]*$/, '');
  address.pathname = `${agent}/${path}`;
  return address.href;
}
const withoutTrailingSlash = (path: string): string => path.replace(/(?<!\/)\/+$/, '');

/** With a memory the server stores the conversation: only new messages are sent. */
function toModelMessages(turn: Turn, hasMemory: boolean): readonly Json[] {
  const history = sentHistory(turn);
  if (!hasMemory) return history.flatMap((message) => toMessages(message));
  const last = history.at(-1);
  if (last?.role !== 'assistant') return history.slice(-1).flatMap((message) => toMessages(message));
  // Client tools have run: their results are the new message.
  return toMessages(last).slice(-1);
}

function toMessages(message: ChatMessage): readonly Json[] {
  const { role, blocks } = message;
  if (role === 'user') return [{ role, content: toContent(blocks) }];
  if (role === 'system') return [{ role, content: textOf(message) }];
  return role === 'assistant' ? splitRounds(blocks).flatMap((round) => toRound(round, blocks)) : [];
}

function toRound(
  { text, calls }: ReturnType<typeof splitRounds>[number],
  blocks: readonly AssistantMessageBlock[],
): readonly Json[] {
  const parts = [
    ...(text ? [{ type: 'text', text }] : []),
    ...calls.map((call) => ({
      type: 'tool-call',
      ...callFields(call),
      input: parseJson(call.tool_call.params ?? '') ?? {},
    })),
  ];
  if (parts.length === 0) return [];
  const results = calls.map((call) => ({
    type: 'tool-result',
    ...callFields(call),
    output: {
      type: call.status === 'error' ? 'error-text' : 'text',
      value: resultWithEdit(call, blocks) ?? '',
    },
  }));
  return [{ role: 'assistant', content: parts }, ...(results.length > 0 ? [{ role: 'tool', content: results }] : [])];
}

const callFields = ({ id, tool_call: { id: toolCallId = id, name = '' } }: BlockOf<'tool_call'>): Json => ({
  toolCallId,
  toolName: name,
});

/** Text alone is sent as a string. */
function toContent(blocks: readonly AssistantMessageBlock[]): string | readonly Json[] {
  const parts = blocks.flatMap((block): readonly Json[] => {
    if (block.type === 'content') return [{ type: 'text', text: block.content }];
    if (block.type === 'image')
      return toFilePart({ ...block.image_data, url: block.url, name: block.name }, 'image/png');
    if (block.type === 'audio' || block.type === 'video' || block.type === 'file') return toFilePart(block);
    return [];
  });
  const texts = parts.flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  return texts.length === parts.length ? texts.join('\n') : parts;
}

interface FileSource {
  readonly url?: string | undefined;
  readonly data?: string | undefined;
  readonly mimeType?: string | undefined;
  readonly name?: string | undefined;
}

function toFilePart(
  { url, data, mimeType, name }: FileSource,
  defaultType = 'application/octet-stream',
): readonly Json[] {
  const source = data ?? url;
  return source === undefined
    ? []
    : [{ type: 'file', data: source, mediaType: mimeType || defaultType, ...(name && { filename: name }) }];
}
