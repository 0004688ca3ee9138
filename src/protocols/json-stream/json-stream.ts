/**
 * Custom JSON streams (`json-stream`): objects or strings over server-sent events or lines, with the answer in one
 * string field.
 * Source: `docs/protocols/json-stream.md`.
 */
import { isRecord } from '../../model/json.ts';
import type { Adapter } from '../core/adapter.ts';
import { autoRequest } from '../shared/auto-request.ts';
import { detectJsonStream } from './detect.ts';
import { JsonStreamReader, SESSION } from './decoder.ts';

export const jsonStream: Adapter = {
  id: 'json-stream',
  label: 'Home-made JSON stream',
  kind: 'agent',
  accepts: 'text',
  detect: detectJsonStream,

  // The server accepted the first request, so the same request is sent again with the ids from the server.
  request(turn, options) {
    const request = autoRequest(turn, options);
    const { body } = request.init;
    const ids = turn.messages.findLast(({ metadata }) => isRecord(metadata?.[SESSION]))?.metadata?.[SESSION];
    if (!isRecord(body) || !isRecord(ids)) return request;
    return { ...request, init: { ...request.init, body: { ...body, ...ids } } };
  },

  async *decode(batches, context) {
    const decoder = new JsonStreamReader(context);
    for await (const batch of batches) yield batch.flatMap((frame) => decoder.take(frame));
    yield decoder.end();
  },
};
