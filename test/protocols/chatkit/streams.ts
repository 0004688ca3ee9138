/**
 * Short forms of ChatKit's events. Source: openai/chatkit-python, `chatkit/types.py`, and
 * `tests/test_chatkit_server.py`.
 */
import { sse } from '../../support/play-body.ts';

const created_at = '2026-05-19T10:00:00';

export const item = (id: string, type: string, fields: object = {}): object => ({
  id,
  thread_id: 'thr',
  created_at,
  type,
  ...fields,
});
export const added = (value: object): object => ({ type: 'thread.item.added', item: value });
export const done = (value: object): object => ({ type: 'thread.item.done', item: value });
export const replaced = (value: object): object => ({ type: 'thread.item.replaced', item: value });
export const removed = (item_id: string): object => ({ type: 'thread.item.removed', item_id });
export const updated = (item_id: string, type: string, fields: object = {}): object => ({
  type: 'thread.item.updated',
  item_id,
  update: { type, ...fields },
});
export const content = (text: string, annotations: readonly object[] = []): object => ({
  type: 'output_text',
  text,
  annotations,
});
export const assistantMessage = (id: string, ...texts: readonly string[]): object =>
  item(id, 'assistant_message', { content: texts.map((text) => content(text)) });
export const delta = (id: string, words: string, content_index = 0): object =>
  updated(id, 'assistant_message.content_part.text_delta', { content_index, delta: words });

const user = item('u', 'user_message', { content: [{ type: 'input_text', text: 'Hi' }], inference_options: {} });
/** The start of a new thread. */
export const stream = (...events: readonly object[]): string =>
  sse(
    { type: 'thread.created', thread: { id: 'thr', created_at, status: { type: 'active' }, items: { data: [] } } },
    done(user),
    { type: 'stream_options', stream_options: { allow_cancel: true } },
    ...events,
  );

/** The expected `metadata` of the reply. */
export const replyMetadata = { chatKitThread: 'thr', chatKitUserItem: 'u', waitingCalls: [] };
