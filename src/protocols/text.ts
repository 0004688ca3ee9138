/** Plain text, streamed as it is (`text`): the whole body is the answer, in Markdown. */
import { createStreamEvent } from '../model/core-events.ts';
import { textOf } from '../model/text-of.ts';
import { detectText } from './detect/generic.ts';
import { sentHistory } from './shared/history.ts';
import { splitThinkTags, type ThoughtPiece } from './shared/think-tags.ts';
import type { Adapter, AdapterEvent } from './adapter.ts';

export const text: Adapter = {
  id: 'text',
  label: 'Plain text',
  kind: 'agent',
  detect: detectText,

  request: (turn, { url, headers = {} }) => ({
    url,
    init: {
      method: 'POST',
      headers: { accept: 'text/plain, text/event-stream', ...headers },
      body: { messages: sentHistory(turn).map((message) => ({ role: message.role, content: textOf(message) })) },
    },
  }),

  async *decode(batches, { eventId }) {
    const thoughts = splitThinkTags();
    const say = (piece: ThoughtPiece): AdapterEvent => {
      if (piece.kind === 'text-was-reasoning')
        return { type: 'response', data: { eventId, content_was_reasoning: true } };
      return piece.kind === 'text' ? createStreamEvent.text(piece.text) : createStreamEvent.reasoning(piece.text);
    };
    let empty = true;
    for await (const batch of batches) {
      const words = batch.filter(({ data }) => data !== '' && data !== '[DONE]');
      if (words.length > 0) empty = false;
      yield words.flatMap(({ data }) => thoughts.feed(data).map(say));
    }
    // The end of the body is the only end there is. One without a word has not answered.
    if (!empty) yield [...thoughts.end().map(say), createStreamEvent.stop('complete')];
  },
};
