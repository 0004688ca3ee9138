/** Plain text (`text`): the complete body is the answer, in Markdown. Source: `docs/protocols/text-and-json.md`. */
import { createStreamEvent } from '../model/events/core-events.ts';
import { isNamedEnd } from './core/named-end.ts';
import { autoRequest } from './shared/auto-request.ts';
import { errorMessage } from './shared/error-message.ts';
import { splitThinkTags, type ThinkTagChunk } from './shared/think-tags.ts';
import type { Adapter, AdapterEvent } from './core/adapter.ts';

export const adapter: Adapter = {
  id: 'text',
  label: 'Plain text',
  kind: 'agent',
  accepts: 'text',

  // If the protocol was detected, the server has accepted the fields of the first request, so the next requests have them too.
  request: (turn, { headers = {}, ...options }) =>
    autoRequest(turn, { ...options, headers: { accept: 'text/plain, text/event-stream', ...headers } }),

  async *decode(batches, { eventId }) {
    const splitter = splitThinkTags();
    const toEvent = (chunk: ThinkTagChunk): AdapterEvent => {
      if (chunk.kind === 'text-was-reasoning')
        return { type: 'response', data: { eventId, content_was_reasoning: true } };
      return chunk.kind === 'text' ? createStreamEvent.text(chunk.text) : createStreamEvent.reasoning(chunk.text);
    };
    let empty = true;
    let problem: string | undefined;
    for await (const batch of batches) {
      const frames = batch.filter(({ data }) => data !== '' && data !== '[DONE]');
      if (frames.length > 0) empty = false;
      const [error] = frames.filter(({ event }) => event === 'error');
      problem ??= error && (errorMessage(error.data) ?? error.data);
      yield frames.filter((frame) => !isNamedEnd(frame)).flatMap(({ data }) => splitter.feed(data).map(toEvent));
    }
    // The reply ends with the body. An empty body is not a reply.
    if (empty) return;
    yield [
      ...splitter.end().map(toEvent),
      ...(problem === undefined ? [] : [createStreamEvent.error(problem)]),
      createStreamEvent.stop(problem === undefined ? 'complete' : 'error'),
    ];
  },
};
