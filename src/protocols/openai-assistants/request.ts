/** What OpenAI's Assistants API is sent. Source: `other.md`, "OpenAI Assistants v2". */
import type { Media } from '../../model/blocks.ts';
import type { ChatMessage } from '../../model/message.ts';
import { textOf } from '../../model/text-of.ts';
import { besideUrl, segment } from '../shared/beside-url.ts';
import { sentHistory } from '../shared/history.ts';
import { isRecord } from '../../model/json.ts';
import { isInline, sentFiles, toForm } from '../shared/sent-files.ts';
import { systemText } from '../shared/system-text.ts';
import { toldBefore, toldNow } from '../shared/told-before.ts';
import { waitingResults } from '../shared/waiting-calls.ts';
import type { RequestOptions, Turn, WireRequest } from '../adapter.ts';

const BETA = { 'openai-beta': 'assistants=v2' };

export async function assistantsRequest(turn: Turn, options: RequestOptions): Promise<WireRequest> {
  const { url, model, system, context, tools = [] } = options;
  const headers = { accept: 'text/event-stream', ...BETA, ...options.headers };
  const thread = threadOf(turn.messages, url);
  const run = toldNow(turn.messages, 'openAiRun');
  const results = turn.text === '' ? waitingResults(turn.messages) : [];
  if (thread !== undefined && run !== undefined && results.length > 0) {
    const tool_outputs = results.map(({ id, output }) => ({ tool_call_id: id, output }));
    return {
      url: inThread(url, thread, `runs/${segment(run)}/submit_tool_outputs`),
      init: { method: 'POST', headers, body: withoutPageFields({ tool_outputs, stream: true }) },
    };
  }
  await endOldRun(turn, options);
  const history = sentHistory(turn).filter(({ role }) => role === 'user' || role === 'assistant');
  const sent = thread === undefined ? history : history.slice(-1);
  const files = await Promise.all(sentFiles(turn).map((file) => upload(file, options)));
  // Without a system text of the page the assistant keeps its own, and the facts stand in front of the words.
  const facts = system ? '' : systemText({ context });
  const messages = sent.flatMap((message, index) =>
    toMessage(message, index === sent.length - 1 ? { files, facts } : {}),
  );
  const shared = {
    stream: true,
    ...(model !== undefined && { model }),
    ...(system && { instructions: systemText({ system, context }) }),
    ...(tools.length > 0 && { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
  };
  return thread === undefined
    ? { url, init: { method: 'POST', headers, body: { ...shared, thread: { messages } } } }
    : {
        url: inThread(url, thread, 'runs'),
        init: { method: 'POST', headers, body: { ...shared, additional_messages: messages } },
      };
}

export function assistantsCancel({ messages }: Turn, options: RequestOptions): WireRequest | undefined {
  const run = toldNow(messages, 'openAiRun');
  return run === undefined ? undefined : cancelOf(run, messages, options);
}

function cancelOf(run: string, messages: readonly ChatMessage[], options: RequestOptions): WireRequest | undefined {
  const thread = threadOf(messages, options.url);
  if (thread === undefined) return undefined;
  return {
    url: inThread(options.url, thread, `runs/${segment(run)}/cancel`),
    init: { method: 'POST', headers: { ...BETA, ...options.headers }, body: withoutPageFields({}) },
  };
}

/** A thread whose run still waits for results takes no new words. */
async function endOldRun({ messages }: Turn, options: RequestOptions): Promise<void> {
  const last = messages.findLast(({ role, blocks }) => role === 'assistant' && blocks.length > 0);
  const run = last && toldBefore([last], 'openAiRun');
  if (last?.finish !== 'tool_use' || run === undefined) return;
  const request = cancelOf(run, messages, options);
  if (request) await options.ask(request);
}

/** The page's `body` is for a run; every other address refuses fields that it does not know. Only plain objects are merged. */
const withoutPageFields = (body: object): Blob => new Blob([JSON.stringify(body)], { type: 'application/json' });

const THREAD_PATH = /\/threads\/([^/]+)\/runs\/?$/;
/** `/v1/threads/runs` makes a thread and runs it; everything else is below the thread. A page may have chosen one. */
const depthOf = (url: string): number => (THREAD_PATH.test(new URL(url).pathname) ? 2 : 1);
const inThread = (url: string, thread: string, path: string): string =>
  besideUrl(url, `${segment(thread)}/${path}`, depthOf(url));
const threadOf = (messages: readonly ChatMessage[], url: string): string | undefined =>
  toldBefore(messages, 'openAiThread') ?? THREAD_PATH.exec(new URL(url).pathname)?.[1];

/** The API's own address, above the threads. */
export const filesUrl = (url: string, path = ''): string => besideUrl(url, `files${path}`, depthOf(url) + 1);

interface Sent {
  readonly part?: object;
  readonly attachment?: object;
}

/** Pictures are part of the message, other files are searched. A file's address alone can't be sent. */
async function upload(file: Media, { url, headers, ask }: RequestOptions): Promise<Sent> {
  const image = file.kind === 'image';
  if (!isInline(file)) return image ? { part: { type: 'image_url', image_url: { url: file.url } } } : {};
  const { json } = await ask({
    url: filesUrl(url),
    init: {
      method: 'POST',
      headers: { ...headers },
      body: toForm({ purpose: image ? 'vision' : 'assistants' }, 'file', [file]),
    },
  });
  const file_id = isRecord(json) ? json['id'] : undefined;
  return image
    ? { part: { type: 'image_file', image_file: { file_id } } }
    : { attachment: { file_id, tools: [{ type: 'file_search' }] } };
}

function toMessage(
  message: ChatMessage,
  { files = [], facts = '' }: { readonly files?: readonly Sent[]; readonly facts?: string },
): readonly object[] {
  const words = [facts, textOf(message)].filter(Boolean).join('\n\n');
  const parts = files.flatMap(({ part }) => part ?? []);
  const attachments = files.flatMap(({ attachment }) => attachment ?? []);
  if (!words && parts.length === 0 && attachments.length === 0) return [];
  const content = parts.length === 0 ? words : [...(words ? [{ type: 'text', text: words }] : []), ...parts];
  return [{ role: message.role, content, ...(attachments.length > 0 && { attachments }) }];
}
