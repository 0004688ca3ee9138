/** OpenAI's Assistants API, version 2 (`openai-assistants`). Source: `docs/protocols/openai-assistants.md`. */
import type { LLMAgentEvent } from '../../model/events/agent-events.ts';
import type { Adapter } from '../core/adapter.ts';
import { fit, readJsonFrames } from '../core/read-frames.ts';
import { AssistantsReply } from './reply.ts';
import { assistantsCancel, assistantsRequest } from './request.ts';
import { assistantsEvent } from './reply-schema.ts';

export const adapter: Adapter = {
  id: 'openai-assistants',
  label: 'OpenAI Assistants',
  kind: 'agent',
  request: assistantsRequest,
  cancel: assistantsCancel,

  async *decode(batches, context) {
    const reply = new AssistantsReply(context);
    for await (const batch of batches) {
      const events: LLMAgentEvent[] = [];
      for (const { json, frame } of readJsonFrames(batch, context.report)) {
        const data = fit(assistantsEvent, json, frame, context.report);
        if (data) events.push(...reply.take(data, frame));
      }
      yield events;
    }
  },
};
