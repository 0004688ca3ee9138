/** What Flowise is sent. Source: `flowise.md`, "Request", "Answering an action". */
import type { Media } from '../../model/blocks.ts';
import { textOf } from '../../model/text-of.ts';
import { segment } from '../shared/beside-url.ts';
import { sentHistory } from '../shared/history.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import { fileName, isInline, sentFiles, toDataUrl, toForm } from '../shared/sent-files.ts';
import { toldBefore } from '../shared/told-before.ts';
import type { Answer, Given, RequestOptions, Turn, WireRequest } from '../adapter.ts';

export async function flowiseRequest(turn: Turn, options: RequestOptions): Promise<WireRequest> {
  const { url, headers = {}, system, context } = options;
  const chatId = chatOf(turn);
  const session = toldBefore(turn.messages, 'sessionId');
  const uploads = await Promise.all(sentFiles(turn).map((file) => toUpload(file, chatId, options)));
  const facts = typeof context === 'string' ? context : JSON.stringify(context ?? undefined);
  const overrideConfig = {
    ...(session !== undefined && session !== chatId && { sessionId: session }),
    ...(system && { systemMessage: system }),
    ...(facts && { vars: { context: facts } }),
  };
  const history = toldBefore(turn.messages, 'chatId') === undefined ? oldHistory(turn) : [];
  const [answer] = turn.answers;
  return {
    url,
    init: {
      method: 'POST',
      headers: { accept: 'text/event-stream', ...headers },
      body: {
        question: turn.text,
        chatId,
        streaming: true,
        ...(Object.keys(overrideConfig).length > 0 && { overrideConfig }),
        ...(history.length > 0 && { history }),
        ...(uploads.length > 0 && { uploads }),
        ...(answer && toAnswer(answer)),
      },
    },
  };
}

export function flowiseCancel(turn: Turn, { url, headers = {} }: RequestOptions): WireRequest | undefined {
  const flow = flowOf(url);
  if (!flow) return undefined;
  const address = `${flow.api}/chatmessage/abort/${flow.id}/${segment(chatOf(turn))}`;
  return { url: address, init: { method: 'PUT', headers } };
}

/** One for a message, made once and changed by its own id from then on. It can't be taken back. */
export function flowiseFeedback(
  given: Given,
  turn: Turn,
  { url, headers = {} }: RequestOptions,
): WireRequest | undefined {
  const { message, value, comment, id } = given;
  const flow = flowOf(url);
  const messageId = message.metadata?.['chatMessageId'];
  if (!flow || typeof messageId !== 'string' || value === null) return undefined;
  const facts = {
    rating: ({ up: 'THUMBS_UP', down: 'THUMBS_DOWN' } as const)[value],
    ...(comment !== undefined && { content: comment }),
  };
  return id === undefined
    ? {
        url: `${flow.api}/feedback/${flow.id}`,
        init: { method: 'POST', headers, body: { chatId: chatOf(turn), messageId, ...facts } },
      }
    : { url: `${flow.api}/feedback/${segment(id)}`, init: { method: 'PUT', headers, body: facts } };
}

/** The memory is the server's; the client names the chat. */
export const chatOf = ({ messages, threadId }: Turn): string => toldBefore(messages, 'chatId') ?? threadId;

/** The flow of a prediction's address; undefined behind a proxy with addresses of its own. */
export function flowOf(url: string): { readonly api: string; readonly id: string } | undefined {
  const [, api, id] = /^(.*\/api\/v1)\/(?:internal-)?prediction\/([^/?#]+)/.exec(url) ?? [];
  return api === undefined || id === undefined ? undefined : { api, id };
}

/** What was said in a conversation that the server does not know. */
const oldHistory = (turn: Turn): readonly object[] =>
  sentHistory(turn)
    .slice(0, -1)
    .filter(({ role }) => role === 'user' || role === 'assistant')
    .map((message) => ({ role: message.role === 'user' ? 'userMessage' : 'apiMessage', content: textOf(message) }));

/** Pictures and sound go as they are; the text of other files is read by the server first, where its address is known. */
async function toUpload(file: Media, chatId: string, { url, headers = {}, ask }: RequestOptions): Promise<object> {
  const facts = { name: fileName(file), mime: file.mimeType ?? '' };
  if (!isInline(file)) return { type: 'url', data: file.url, ...facts };
  const flow = flowOf(url);
  if (file.kind === 'file' && flow) {
    const { json } = await ask({
      url: `${flow.api}/attachments/${flow.id}/${segment(chatId)}`,
      init: { method: 'POST', headers, body: toForm({}, 'files', [file]) },
    });
    const read: unknown = Array.isArray(json) ? json[0] : json;
    if (isRecord(read)) return { type: 'file:full', ...facts, data: read['content'] };
  }
  return { type: file.kind === 'audio' ? 'audio' : 'file', data: toDataUrl(file), ...facts };
}

/** A `payload` is the pressed button's label, or the `humanInput` itself; a note is feedback. */
function toAnswer({ decision, payload, note = '', extra = {} }: Answer): object {
  const { nodeId, approve, reject } = extra;
  const denied = decision === 'denied' || decision === 'dismissed' || (payload !== undefined && payload === reject);
  const label = typeof payload === 'string' ? payload : denied ? (reject ?? 'No') : (approve ?? 'Yes');
  if (typeof nodeId !== 'string')
    return { question: label, action: typeof extra['action'] === 'string' ? parseJson(extra['action']) : {} };
  return {
    question: note || label,
    humanInput: isRecord(payload)
      ? payload
      : { type: denied ? 'reject' : 'proceed', startNodeId: nodeId, feedback: note },
  };
}
