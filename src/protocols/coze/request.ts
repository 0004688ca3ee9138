/** Builds the requests to Coze. Source: `docs/protocols/coze.md`; Coze developer documentation, "Chat". */
import type { Media } from '../../model/blocks.ts';
import { textOf } from '../../model/message-text.ts';
import { siblingUrl, withQuery } from '../shared/request-urls.ts';
import { sentHistory } from '../shared/sent-history.ts';
import { isRecord } from '../../model/json.ts';
import { isInline, sentFiles, toForm } from '../shared/files/sent-files.ts';
import { newestMetadata, currentMetadata } from '../shared/last-metadata.ts';
import { pendingCallResults } from '../shared/pending-calls.ts';
import type { RequestOptions, Turn, WireRequest } from '../core/adapter.ts';

export async function cozeRequest(turn: Turn, options: RequestOptions): Promise<WireRequest> {
  const { url, headers: ownHeaders = {}, body, context, system } = options;
  const headers = { accept: 'text/event-stream', ...ownHeaders };
  const conversation = newestMetadata(turn.messages, 'conversationId');
  const results = turn.text === '' ? pendingCallResults(turn.messages) : [];
  if (results.length > 0) {
    const ids = { conversation_id: conversation, chat_id: currentMetadata(turn.messages, 'chatId') };
    const tool_outputs = results.map(({ id, output }) => ({ tool_call_id: id, output }));
    return {
      url: withQuery(chatActionUrl(url, 'submit_tool_outputs'), ids),
      init: { method: 'POST', headers, body: { stream: true, tool_outputs } },
    };
  }
  const variables = toVariables({ system: system || undefined, ...(isRecord(context) ? context : { context }) });
  if (isPlainWorkflow(url)) {
    const parameters = { input: turn.text, BOT_USER_INPUT: turn.text, ...variables };
    return { url, init: { method: 'POST', headers, body: { parameters } }, mergedFields: ['parameters'] };
  }
  const additional_messages = await toMessages(turn, conversation !== undefined, options);
  if (isWorkflow(url)) {
    const ids = conversation === undefined ? {} : { conversation_id: conversation };
    return { url, init: { method: 'POST', headers, body: { ...ids, additional_messages, parameters: variables } } };
  }
  const user = body?.['user_id'];
  return {
    // The page's `conversation_id` takes precedence, because an imported conversation may contain any other id.
    url: new URL(url).searchParams.has('conversation_id') ? url : withQuery(url, { conversation_id: conversation }),
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
  const conversation_id = currentMetadata(turn.messages, 'conversationId');
  const chat_id = currentMetadata(turn.messages, 'chatId');
  if (conversation_id === undefined || chat_id === undefined) return undefined;
  return { url: chatActionUrl(url, 'cancel'), init: { method: 'POST', headers, body: { conversation_id, chat_id } } };
}

/** A workflow without a chat: it has no conversation, and its request contains only the parameters of its start node. */
const isPlainWorkflow = (url: string): boolean => /\/v1\/workflow\/stream_run\/?$/.test(new URL(url).pathname);
const isWorkflow = (url: string): boolean => /\/v1\/workflows\/chat\/?$/.test(new URL(url).pathname);

/** The URL of a chat action, such as `cancel`. The actions of a workflow have the URL of the chat API. */
function chatActionUrl(url: string, name: string): string {
  if (isWorkflow(url)) return siblingUrl(url, `v3/chat/${name}`, 3);
  return siblingUrl(url, `${new URL(url).pathname.split('/').findLast(Boolean) ?? 'chat'}/${name}`);
}

/** The messages to send: the newest one if the server has stored the conversation, otherwise the complete history. */
async function toMessages(turn: Turn, isKnown: boolean, options: RequestOptions): Promise<readonly object[]> {
  const files = await Promise.all(sentFiles(turn).map((file) => toItem(file, options)));
  const history = sentHistory(turn).filter(({ role }) => role === 'user' || role === 'assistant');
  const sent = isKnown ? history.slice(-1) : history;
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
    url: siblingUrl(url, 'v1/files/upload', isWorkflow(url) ? 3 : 2),
    init: { method: 'POST', headers, body: toForm({}, 'file', [file]) },
  });
  const data = isRecord(json) && isRecord(json['data']) ? json['data'] : {};
  return { type, file_id: data['id'] };
}

/** Converts variables to strings, the only type that Coze accepts. */
const toVariables = (values: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined || value === null ? [] : [[name, typeof value === 'string' ? value : JSON.stringify(value)]],
    ),
  );
