/** Cohere's chat API, version 2 (`cohere`). Source: `docs/protocols/cohere.md`; Cohere API reference, "Chat". */
import { fit, readJsonFrames } from '../core/read-frames.ts';
import type { Adapter, AdapterEvent } from '../core/adapter.ts';
import { sentHistory } from '../shared/sent-history.ts';
import { systemText } from '../shared/system-text.ts';
import { toCohereDocuments, toCohereMessages } from './messages.ts';
import { CohereReply } from './reply.ts';
import { cohereEvent, withType } from './reply-schema.ts';

export const adapter: Adapter = {
  id: 'cohere',
  label: 'Cohere chat',
  kind: 'model',

  request(turn, { url, headers = {}, model, tools = [], ...options }) {
    const history = sentHistory(turn);
    const documents = toCohereDocuments(history);
    return {
      url,
      init: {
        method: 'POST',
        headers: { accept: 'text/event-stream', ...headers },
        body: {
          ...(model !== undefined && { model }),
          stream: true,
          messages: toCohereMessages(history, systemText(options)),
          ...(tools.length > 0 && { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
          ...(documents.length > 0 && { documents }),
        },
      },
    };
  },

  async *decode(batches, context) {
    const reply = new CohereReply(context);
    for await (const batch of batches) {
      const events: AdapterEvent[] = [];
      for (const { json, frame } of readJsonFrames(batch, context.report)) {
        const data = fit(cohereEvent, withType(json), frame, context.report);
        if (data) events.push(...reply.take(data));
      }
      yield events;
    }
  },
};
