/**
 * The assistant transport of assistant-ui, a React library (`assistant-transport`). The request contains commands; the response
 * contains message parts and changes of a shared state. Source: `docs/protocols/assistant-transport.md`; assistant-ui/assistant-ui,
 * `packages/core/src/react/runtimes/assistant-transport`.
 */
import type { Adapter, AdapterEvent } from '../core/adapter.ts';
import { fit, readJsonFrames } from '../core/read-frames.ts';
import { AssistantTransportReply } from './reply.ts';
import { assistantTransportRequest } from './request.ts';
import { chunk } from './reply-schema.ts';

export const adapter: Adapter = {
  id: 'assistant-transport',
  label: 'assistant-ui transport',
  kind: 'agent',
  request: assistantTransportRequest,

  async *decode(batches, context) {
    const { report } = context;
    const reply = new AssistantTransportReply(context);
    for await (const batch of batches) {
      const events: AdapterEvent[] = [];
      for (const { json, frame } of readJsonFrames(batch, report)) {
        const data = fit(chunk, json, frame, report);
        if (data) events.push(...reply.take(data, frame));
      }
      // One state event for the many small changes of a batch.
      yield [...events, ...reply.shareState()];
    }
    yield reply.end();
  },
};
