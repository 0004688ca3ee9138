/**
 * Vercel's eve: durable sessions, whose events are a stream of lines. Source: `eve` 0.80.1 (npm),
 * `protocol/message.d.ts`, and the pages `concepts/sessions-runs-and-streaming` and `channels/eve` of its documentation,
 * read 2026-11-25.
 */
import type { LLMAgentEvent } from '../../model/events/agent-events.ts';
import type { Adapter } from '../core/adapter.ts';
import { fit, readJsonFrames } from '../core/read-frames.ts';
import { EveReply } from './reply.ts';
import { eveCancel, eveRequest, eveResume, type EvePosition } from './request.ts';
import { eveEvent } from './reply-schema.ts';

/** Adapter for eve. */
export const adapter: Adapter<EvePosition> = {
  id: 'eve',
  label: 'eve',
  kind: 'agent',
  request: eveRequest,
  cancel: eveCancel,
  resume: eveResume,
  resumesRound: true,

  async *decode(batches, context) {
    const reply = new EveReply(context);
    yield [...reply.start(), ...reply.position()];
    for await (const batch of batches) {
      const events: LLMAgentEvent[] = [];
      for (const { json, frame } of readJsonFrames(batch, context.report)) {
        const event = fit(eveEvent, json, frame, context.report);
        if (event) events.push(...reply.take(event, frame));
      }
      // The position comes first, because the reply ends with its last event.
      yield [...reply.position(), ...events];
    }
  },
};
