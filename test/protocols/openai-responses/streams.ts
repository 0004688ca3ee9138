import type { ExpectedFields } from '../../support/bare.ts';
import { sse } from '../../support/play-body.ts';

/** Events as the server sends them: with names, and numbered. */
export const events = (
  ...payloads: readonly ({ readonly type: string } & Readonly<Record<string, unknown>>)[]
): string =>
  payloads
    .map((payload, sequence_number) => `event: ${payload.type}\n${sse({ ...payload, sequence_number })}`)
    .join('');

export const begin = (more: object = {}) => ({
  type: 'response.created',
  response: { id: 'resp_1', object: 'response', status: 'in_progress', output: [], ...more },
});
export const added = (output_index: number, item: object) => ({
  type: 'response.output_item.added',
  output_index,
  item,
});
export const done = (output_index: number, item: object) => ({ type: 'response.output_item.done', output_index, item });
export const usage = { input_tokens: 3, output_tokens: 4, total_tokens: 7 };
const end = (type: string, more: object) => ({ type, response: { id: 'resp_1', object: 'response', ...more } });
export const completed = (more: object = {}) => end('response.completed', { status: 'completed', usage, ...more });
export const incomplete = (reason: string) =>
  end('response.incomplete', { status: 'incomplete', incomplete_details: { reason } });
export const failed = (error: object) => end('response.failed', { status: 'failed', error });

export const say = (output_index: number, delta: string, content_index = 0) => ({
  type: 'response.output_text.delta',
  item_id: `msg_${String(output_index)}`,
  output_index,
  content_index,
  delta,
});
export const message = (text: string, annotations: readonly object[] = [], more: object = {}) => ({
  id: 'msg_0',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations }],
  ...more,
});
export const note = (output_index: number, annotation_index: number, annotation: object) => ({
  type: 'response.output_text.annotation.added',
  output_index,
  content_index: 0,
  annotation_index,
  annotation,
});
/** A message in deltas, and then complete three times. */
export const saying = (output_index: number, ...pieces: readonly string[]) => {
  const text = pieces.join('');
  const place = { output_index, content_index: 0 };
  return [
    added(output_index, { ...message(''), content: [] }),
    { type: 'response.content_part.added', ...place, part: { type: 'output_text', text: '' } },
    ...pieces.map((piece) => say(output_index, piece)),
    { type: 'response.output_text.done', ...place, text },
    { type: 'response.content_part.done', ...place, part: { type: 'output_text', text } },
    done(output_index, message(text)),
  ];
};

/** A reply, with its items to send back. */
export const replied = (
  blocks: readonly ExpectedFields[],
  items: readonly object[],
  more: ExpectedFields = {},
): ExpectedFields => ({
  status: 'complete',
  finish: 'complete',
  usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
  ...more,
  metadata: {
    responseId: 'resp_1',
    ...(items.length > 0 && { rounds: [{ protocol: 'openai-responses', items }] }),
    ...(more['metadata'] as object | undefined),
  },
  blocks,
});
