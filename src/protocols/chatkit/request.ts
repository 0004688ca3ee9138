/** Builds the requests to a ChatKit server. Source: openai/chatkit-python, `chatkit/types.py`, "Request types". */
import type { Media } from '../../model/blocks.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import type { FeedbackInput, RequestOptions, Turn, WireRequest } from '../core/adapter.ts';
import { fileName, isInline, sentFiles } from '../shared/files/sent-files.ts';
import { newestMetadata } from '../shared/last-metadata.ts';
import { pendingCallResults } from '../shared/pending-calls.ts';
import { itemOfSurface } from './items.ts';
import { structuredAnswer } from './structured-input.ts';
import { ACTION } from './reply-schema.ts';

type Json = Readonly<Record<string, unknown>>;

/** Ids that the server sends only when it creates a thread or a user message. For a retry, the request passes them to the decoder. */
export interface ChatKitState {
  readonly chatKitThread?: string;
  /** The id of the user message that is answered. */
  readonly chatKitUserItem?: string;
}

export async function chatKitRequest(turn: Turn, options: RequestOptions): Promise<WireRequest<ChatKitState>> {
  const { url, headers = {}, context } = options;
  const ids = threadIds(turn);
  const [type, params] = await operation(turn, options, ids);
  return {
    url,
    // Only a retry replaces the reply that had the ids; otherwise an earlier message keeps them.
    providerState: type === 'threads.retry_after_item' ? ids : {},
    init: {
      method: 'POST',
      headers: { accept: 'text/event-stream', ...headers },
      // The page's `context` goes into the protocol's field for data of the application.
      body: { type, params, metadata: context === undefined || context === null ? {} : { context } },
    },
  };
}

/**
 * The ids of the thread. The reply that is being regenerated is no longer in `messages`, but may be the only one with the ids.
 */
function threadIds({ messages, fork }: Turn): ChatKitState {
  const replaced = fork?.by === 'regenerate' && fork.reply ? [fork.reply] : [];
  const thread = newestMetadata([...messages, ...replaced], 'chatKitThread');
  const item = newestMetadata(replaced, 'chatKitUserItem');
  return {
    ...(thread !== undefined && { chatKitThread: thread }),
    ...(item !== undefined && { chatKitUserItem: item }),
  };
}

async function operation(
  turn: Turn,
  options: RequestOptions,
  { chatKitThread: thread_id, chatKitUserItem: item_id }: ChatKitState,
): Promise<readonly [string, object]> {
  const { messages } = turn;
  if (thread_id === undefined) return ['threads.create', { input: await inputOf(turn, options) }];
  const answer = turn.answers.map((one) => structuredAnswer(one, questionIds(one.extra))).find(Boolean);
  if (answer) return ['threads.add_structured_input', { thread_id, ...answer }];
  const [result] = turn.text === '' ? pendingCallResults(messages) : [];
  if (result) {
    return ['threads.add_client_tool_output', { thread_id, result: parseJson(result.output) ?? result.output }];
  }
  if (item_id !== undefined) return ['threads.retry_after_item', { thread_id, item_id }];
  const pressedAction = pressedActionOf(turn);
  if (pressedAction) return ['threads.custom_action', { thread_id, ...pressedAction }];
  return ['threads.add_user_message', { thread_id, input: await inputOf(turn, options) }];
}

/** The ids of the questions in a form: the names of its schema's properties (see `structuredQuestion`). */
function questionIds(extra: Json = {}): readonly string[] {
  const schema = typeof extra['schema'] === 'string' ? parseJson(extra['schema']) : extra['schema'];
  const properties = isRecord(schema) ? schema['properties'] : undefined;
  return isRecord(properties) ? Object.keys(properties) : [];
}

/**
 * The button that the user has pressed in a ChatKit widget, which is shown as a surface: its action as it was when pressed, because the
 * server may have replaced it since, and the values of its form.
 */
function pressedActionOf({ messages }: Turn): object | undefined {
  const data = messages.findLast(({ role }) => role === 'user')?.metadata?.['data'];
  if (!isRecord(data) || typeof data['surfaceId'] !== 'string') return undefined;
  const item_id = itemOfSurface(data['surfaceId']);
  if (item_id === undefined) return undefined;
  const { [ACTION]: action, ...entered } = isRecord(data['context']) ? data['context'] : {};
  if (!isRecord(action) || typeof action['type'] !== 'string') return undefined;
  return { item_id, action: withFields(action, entered) };
}

/**
 * Adds the form values to the payload; existing payload fields take precedence. Fields named in `single` are lists in the surface; the
 * server expects their one value.
 */
function withFields({ type, payload, single }: Json, fields: Json): object {
  const singles: readonly unknown[] = Array.isArray(single) ? single : [];
  const entered = Object.entries(fields).map(([name, value]) => {
    const fieldValue = singles.includes(name) && Array.isArray(value) ? ((value as unknown[])[0] ?? null) : value;
    return [name, fieldValue];
  });
  if (entered.length === 0) return { type, ...(payload !== undefined && { payload }) };
  return { type, payload: { ...(Object.fromEntries(entered) as Json), ...(isRecord(payload) ? payload : {}) } };
}

async function inputOf(turn: Turn, options: RequestOptions): Promise<object> {
  const { model } = options;
  const attachments = await Promise.all(sentFiles(turn).map((file) => upload(file, options)));
  return {
    content: turn.text ? [{ type: 'input_text', text: turn.text }] : [],
    attachments: attachments.filter((id) => id !== undefined),
    inference_options: { ...(model !== undefined && { model }) },
  };
}

/**
 * Uploads a file: it is registered first, then its bytes go to the upload URL, if there is one. A file that is only a
 * URL can't be sent.
 */
async function upload(file: Media, { url, headers = {}, ask }: RequestOptions): Promise<string | undefined> {
  if (!isInline(file)) return undefined;
  const bytes = Uint8Array.from(atob(file.data), (letter) => letter.charCodeAt(0));
  const mime_type = file.mimeType || 'application/octet-stream';
  const { json } = await ask({
    url,
    init: {
      method: 'POST',
      headers: { ...headers },
      body: {
        type: 'attachments.create',
        params: { name: fileName(file), size: bytes.length, mime_type },
        metadata: {},
      },
    },
  });
  if (!isRecord(json) || typeof json['id'] !== 'string') return undefined;
  const { id, upload_descriptor: target } = json;
  if (isRecord(target) && typeof target['url'] === 'string') {
    await ask({
      url: new URL(target['url'], url).href,
      withoutPageFields: true,
      init: {
        method: target['method'] === 'PUT' ? 'PUT' : 'POST',
        headers: stringFields(target['headers']),
        body: new Blob([bytes], { type: mime_type }),
      },
    });
  }
  return id;
}

const stringFields = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(isRecord(value) ? value : {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );

/** The request for feedback; undefined if it can't be sent. ChatKit can't withdraw feedback. */
export function chatKitFeedback(
  { message, value }: FeedbackInput,
  { messages }: Turn,
  { url, headers = {} }: RequestOptions,
): WireRequest | undefined {
  const thread_id = newestMetadata(messages, 'chatKitThread');
  const item_ids = message.metadata?.['chatKitItems'];
  if (thread_id === undefined || !Array.isArray(item_ids) || value === null) return undefined;
  const kind = ({ up: 'positive', down: 'negative' } as const)[value];
  return {
    url,
    init: {
      method: 'POST',
      headers,
      body: { type: 'items.feedback', params: { thread_id, item_ids: item_ids as unknown[], kind }, metadata: {} },
    },
  };
}
