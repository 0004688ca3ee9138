/** What Coze is sent. Source: `other.md`, "Coze". */
import type { Media } from '../../model/blocks.ts';
import { textOf } from '../../model/text-of.ts';
import { besideUrl, withQuery } from '../shared/beside-url.ts';
import { sentHistory } from '../shared/history.ts';
import { isRecord } from '../../model/json.ts';
import { isInline, sentFiles, toForm } from '../shared/sent-files.ts';
import { toldBefore, toldNow } from '../shared/told-before.ts';
import { waitingResults } from '../shared/waiting-calls.ts';
import type { RequestOptions, Turn, WireRequest } from '../adapter.ts';

export async function cozeRequest(turn: Turn, options: RequestOptions): Promise<WireRequest> {
  const { url, headers: own = {}, body, context, system } = options;
  const headers = { accept: 'text/event-stream', ...own };
  const conversation = toldBefore(turn.messages, 'conversationId');
  const results = turn.text === '' ? waitingResults(turn.messages) : [];
  if (results.length > 0) {
    const ids = { conversation_id: conversation, chat_id: toldNow(turn.messages, 'chatId') };
    const tool_outputs = results.map(({ id, output }) => ({ tool_call_id: id, output }));
    return {
      url: withQuery(inChat(url, 'submit_tool_outputs'), ids),
      init: { method: 'POST', headers, body: { stream: true, tool_outputs } },
    };
  }
  const additional_messages = await toMessages(turn, conversation !== undefined, options);
  const variables = toVariables({ system: system || undefined, ...(isRecord(context) ? context : { context }) });
  if (isWorkflow(url)) {
    const ids = conversation === undefined ? {} : { conversation_id: conversation };
    return { url, init: { method: 'POST', headers, body: { ...ids, additional_messages, parameters: variables } } };
  }
  const user = body?.['user_id'];
  return {
    url: withQuery(url, { conversation_id: conversation }),
    init: {
      method: 'POST',
      headers,
      body: {
        user_id: typeof user === 'string' ? user : `anonymous-${turn.threadId}`,
        stream: true,
        auto_save_history: true,
        additional_messages,
        ...(Object.keys(variables).length > 0 && { custom_variables: variables }),
      },
    },
  };
}

export function cozeCancel(turn: Turn, { url, headers = {} }: RequestOptions): WireRequest | undefined {
  const conversation_id = toldNow(turn.messages, 'conversationId');
  const chat_id = toldNow(turn.messages, 'chatId');
  if (conversation_id === undefined || chat_id === undefined) return undefined;
  return { url: inChat(url, 'cancel'), init: { method: 'POST', headers, body: { conversation_id, chat_id } } };
}

const isWorkflow = (url: string): boolean => /\/v1\/workflows\/chat\/?$/.test(new URL(url).pathname);

/** An address below the chat's, which a workflow has elsewhere. */
function inChat(url: string, name: string): string {
  if (isWorkflow(url)) return besideUrl(url, `v3/chat/${name}`, 3);
  return besideUrl(url, `${new URL(url).pathname.split('/').findLast(Boolean) ?? 'chat'}/${name}`);
}

/** The server keeps the history of a conversation that it knows; another one is told whole. */
async function toMessages(turn: Turn, known: boolean, options: RequestOptions): Promise<readonly object[]> {
  const files = await Promise.all(sentFiles(turn).map((file) => toItem(file, options)));
  const history = sentHistory(turn).filter(({ role }) => role === 'user' || role === 'assistant');
  const sent = known ? history.slice(-1) : history;
  return sent.flatMap((message, index) => {
    const text = textOf(message);
    const withFiles = index === sent.length - 1 && files.length > 0;
    if (!text && !withFiles) return [];
    const items = [...(text ? [{ type: 'text', text }] : []), ...files];
    return [
      {
        role: message.role,
        ...(message.role === 'assistant' && { type: 'answer' }),
        content: withFiles ? JSON.stringify(items) : text,
        content_type: withFiles ? 'object_string' : 'text',
      },
    ];
  });
}

async function toItem(file: Media, { url, headers = {}, ask }: RequestOptions): Promise<object> {
  const type = file.kind === 'image' || file.kind === 'audio' ? file.kind : 'file';
  if (!isInline(file)) return { type, file_url: file.url };
  const { json } = await ask({
    url: besideUrl(url, 'v1/files/upload', isWorkflow(url) ? 3 : 2),
    init: { method: 'POST', headers, body: toForm({}, 'file', [file]) },
  });
  const data = isRecord(json) && isRecord(json['data']) ? json['data'] : {};
  return { type, file_id: data['id'] };
}

/** They are text alone. */
const toVariables = (facts: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(facts).flatMap(([name, value]) =>
      value === undefined || value === null ? [] : [[name, typeof value === 'string' ? value : JSON.stringify(value)]],
    ),
  );
