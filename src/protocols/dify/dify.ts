/**
 * Dify's app API (`dify`): chat, agent, completion and workflow apps. Any field may be absent or null. Source:
 * `docs/protocols/dify.md`; langgenius/dify.
 */
import type { LLMAgentEvent } from '../../model/events/agent-events.ts';
import type { Adapter } from '../core/adapter.ts';
import { fit, readJsonFrames } from '../core/read-frames.ts';
import { DifyReply } from './reply.ts';
import { difyCancel, difyFeedback, difyRequest, type DifyState } from './request.ts';
import { wire } from './reply-schema.ts';

export const adapter: Adapter<DifyState> = {
  id: 'dify',
  label: 'Dify',
  kind: 'agent',
  request: difyRequest,
  cancel: difyCancel,
  feedback: difyFeedback,

  async *decode(batches, context) {
    const reply = new DifyReply(context);
    for await (const batch of batches) {
      const events: LLMAgentEvent[] = [];
      for (const { json, frame } of readJsonFrames(batch, context.report)) {
        const event = fit(wire, json, frame, context.report);
        if (event) events.push(...reply.take(event, frame));
      }
      yield events;
    }
    yield reply.end();
  },
};
