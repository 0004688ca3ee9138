/** Requests to OpenAI's Assistants API. Source: `docs/protocols/openai-assistants.md`. */
import type { Media } from '../../model/blocks.ts';
import type { ChatMessage } from '../../model/message.ts';
import { attachmentNote } from '../../formats/attached-file.ts';
import { textOf } from '../../model/message-text.ts';
import { siblingUrl, pathSegment } from '../shared/request-urls.ts';
import { sentHistory } from '../shared/sent-history.ts';
import { isRecord } from '../../model/json.ts';
import { isInline, sentFiles, toForm } from '../shared/files/sent-files.ts';
import { systemText } from '../shared/system-text.ts';
import { newestMetadata, currentMetadata } from '../shared/last-metadata.ts';
import { pendingCallResults } from '../shared/pending-calls.ts';
import type { RequestOptions, Turn, WireRequest } from '../core/adapter.ts';

const BETA = { 'openai-beta': 'assistants=v2' };

export async function assistantsRequest(turn: Turn, options: RequestOptions): Promise<WireRequest> {
  const { url, model, system, context, tools = [] } = options;
  const headers = { accept: 'text/event-stream', ...BETA, ...options.headers };
  const thread = threadOf(turn.messages, url);
  const run = currentMetadata(turn.messages, 'openAiRun');
  const results = turn.text === '' ? pendingCallResults(turn.messages) : [];
  if (thread !== undefined && run !== undefined && results.length > 0) {
    const tool_outputs = results.map(({ id, output }) => ({ tool_call_id: id, output }));
    return {
      url: inThread(url, thread, `runs/${pathSegment(run)}/submit_tool_outputs`),
      init: { method: 'POST', headers, body: withoutPageFields({ tool_outputs, stream: true }) },
    };
  }
  await endOldRun(turn, options);
  const history = sentHistory(turn).filter(({ role }) => role === 'user' || role === 'assistant');
  const sentMessages = thread === undefined ? history : history.slice(-1);
  const files = await Promise.all(sentFiles(turn).map((file) => upload(file, options)));
  // Without a system text from the page, the assistant uses its own, and the page context precedes the message.
  const contextText = system ? '' : systemText({ context });
  const messages = sentMessages.flatMap((message, index) =>
    toMessage(message, index === sentMessages.length - 1 ? { files, contextText } : {}),
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
  const run = currentMetadata(messages, 'openAiRun');
  return run === undefined ? undefined : cancelRequest(run, messages, options);
}

function cancelRequest(
  run: string,
  messages: readonly ChatMessage[],
  options: RequestOptions,
): WireRequest | undefined {
  const thread = threadOf(messages, options.url);
  if (thread === undefined) return undefined;
  return {
    url: inThread(options.url, thread, `runs/${pathSegment(run)}/cancel`),
    init: { method: 'POST', headers: { ...BETA, ...options.headers }, body: withoutPageFields({}) },
  };
}

/** A thread whose run waits for tool results accepts no new messages, so that run is cancelled first. */
async function endOldRun({ messages }: Turn, options: RequestOptions): Promise<void> {
  const last = messages.findLast(({ role, blocks }) => role === 'assistant' && blocks.length > 0);
  const run = last && newestMetadata([last], 'openAiRun');
  if (last?.finish !== 'tool_use' || run === undefined) return;
  const request = cancelRequest(run, messages, options);
  if (request) await options.ask(request);
}

/**
 * Prevents a body from being merged with the page's `body`, as plain objects are: that is for new runs, and other endpoints
 * refuse its fields.
 */
const withoutPageFields = (body: object): Blob => new Blob([JSON.stringify(body)], { type: 'application/json' });

const THREADS_PATH = /\/threads\/runs\/?$/;
const THREAD_PATH = /\/threads\/([^/]+)\/runs\/?$/;
/**
 * The number of last path segments that are replaced for a URL in a thread: `runs` of `/v1/threads/runs`, which creates a
 * thread and runs it, or `<thread>/runs` if the page has set the URL of a thread.
 */
const depthOf = (url: string): number => (THREAD_PATH.test(new URL(url).pathname) ? 2 : 1);
const inThread = (url: string, thread: string, path: string): string =>
  siblingUrl(url, `${pathSegment(thread)}/${path}`, depthOf(url));
/** A thread in the page's URL takes precedence: an imported conversation may name any other thread. */
const threadOf = (messages: readonly ChatMessage[], url: string): string | undefined => {
  const { pathname } = new URL(url);
  // With any other URL, such as a proxy's, a thread has no known URL.
  const storedThread = THREADS_PATH.test(pathname) ? newestMetadata(messages, 'openAiThread') : undefined;
  return THREAD_PATH.exec(pathname)?.[1] ?? storedThread;
};

/** The URL of the files API, which is above the threads. */
export const filesUrl = (url: string, path = ''): string => siblingUrl(url, `files${path}`, depthOf(url) + 1);

interface UploadedFile {
  readonly part?: object;
  readonly attachment?: object;
}

/**
 * Uploads a file: images become part of the message, other files are searched. A URL is sent only for an image; about any
 * other file without data, a note informs the model.
 */
async function upload(file: Media, { url, headers, ask }: RequestOptions): Promise<UploadedFile> {
  const image = file.kind === 'image';
  if (!isInline(file)) {
    return {
      part: image ? { type: 'image_url', image_url: { url: file.url } } : { type: 'text', text: attachmentNote(file) },
    };
  }
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
  { files = [], contextText = '' }: { readonly files?: readonly UploadedFile[]; readonly contextText?: string },
): readonly object[] {
  const text = [contextText, textOf(message)].filter(Boolean).join('\n\n');
  const parts = files.flatMap(({ part }) => part ?? []);
  const attachments = files.flatMap(({ attachment }) => attachment ?? []);
  if (!text && parts.length === 0 && attachments.length === 0) return [];
  const content = parts.length === 0 ? text : [...(text ? [{ type: 'text', text }] : []), ...parts];
  return [{ role: message.role, content, ...(attachments.length > 0 && { attachments }) }];
}
