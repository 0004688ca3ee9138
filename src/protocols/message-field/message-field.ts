/** Message fields over SSE (`message-field`). Source: `docs/protocols/message-field.md`. */
import type { LLMAgentEvent } from '../../model/events/agent-events.ts';
import type { Adapter } from '../core/adapter.ts';
import { fit, readJsonFrames } from '../core/read-frames.ts';
import { isFailure, MessageFieldReply } from './reply.ts';
import { messageFieldRequest } from './request.ts';
import { fieldEvent } from './reply-schema.ts';

export const adapter: Adapter = {
  id: 'message-field',
  label: 'Message fields',
  kind: 'agent',
  accepts: 'text',
  request: messageFieldRequest,

  async *decode(batches, context) {
    const reply = new MessageFieldReply(context);
    for await (const batch of batches) {
      const events: LLMAgentEvent[] = [];
      for (const { json, frame } of readJsonFrames(batch, context.report)) {
        if (isFailure(json, frame)) {
          events.push(...reply.fail(json));
          continue;
        }
        const event = fit(fieldEvent, json, frame, context.report);
        if (event) events.push(...reply.take(event, frame));
      }
      yield events;
    }
    yield reply.end();
  },
};
