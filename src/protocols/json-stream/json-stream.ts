/**
 * Custom JSON streams (`json-stream`): objects or strings over server-sent events or lines, with the answer in one
 * string field.
 * Source: `docs/protocols/json-stream.md`.
 */
import type { Adapter } from '../core/adapter.ts';
import { autoRequest } from '../shared/auto-request.ts';
import { detectJsonStream } from './detect.ts';
import { JsonStreamReader } from './decoder.ts';
import { withSession } from './session.ts';

export const adapter: Adapter = {
  id: 'json-stream',
  label: 'Home-made JSON stream',
  kind: 'agent',
  accepts: 'text',
  detect: detectJsonStream,

  // The server accepted the first request, so the same request is sent again with the ids from the server.
  request(turn, options) {
    return withSession(autoRequest(turn, options), turn);
  },

  async *decode(batches, context) {
    const decoder = new JsonStreamReader(context);
    for await (const batch of batches) yield batch.flatMap((frame) => decoder.take(frame));
    yield decoder.end();
  },
};
