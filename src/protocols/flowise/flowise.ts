/** Flowise's prediction API (`flowise`). Source: `docs/protocols/flowise.md`; FlowiseAI/Flowise. */
import type { LLMAgentEvent } from '../../model/events/agent-events.ts';
import type { Adapter } from '../core/adapter.ts';
import { readJsonFrames } from '../core/read-frames.ts';
import { readThinkTags } from '../shared/think-tags.ts';
import { FlowiseReply } from './reply.ts';
import { flowiseCancel, flowiseFeedback, flowiseRequest } from './request.ts';

export const adapter: Adapter = {
  id: 'flowise',
  label: 'Flowise',
  kind: 'agent',
  request: flowiseRequest,
  cancel: flowiseCancel,
  feedback: flowiseFeedback,

  async *decode(batches, context) {
    const reply = new FlowiseReply(context);
    const tags = readThinkTags(context.eventId);
    for await (const batch of batches) {
      const events: LLMAgentEvent[] = [];
      for (const { json, frame } of readJsonFrames(batch, context.report)) events.push(...reply.take(json, frame));
      yield tags.read(events);
    }
    yield tags.end();
  },
};
