/**
 * Gemini's Interactions API (`POST /v1beta/interactions`): models and agents such as Deep Research. Source:
 * ai.google.dev, "Streaming interactions"; `googleapis/js-genai` at 6e9b35c, `src/gaos`, read 2026-11-25.
 */
import type { LLMAgentEvent } from '../../model/events/agent-events.ts';
import type { Adapter } from '../core/adapter.ts';
import { fit, readJsonFrames } from '../core/read-frames.ts';
import { InteractionReply } from './reply.ts';
import { interactionsCancel, interactionsRequest, interactionsResume } from './request.ts';
import { interactionEvent } from './reply-schema.ts';

/** Adapter for Gemini's Interactions API. */
export const adapter: Adapter = {
  id: 'gemini-interactions',
  label: 'Gemini Interactions',
  kind: 'model',
  request: interactionsRequest,
  cancel: interactionsCancel,
  resume: interactionsResume,

  async *decode(batches, context) {
    const reply = new InteractionReply(context);
    for await (const batch of batches) {
      const events: LLMAgentEvent[] = [];
      for (const { json, frame } of readJsonFrames(batch, context.report)) {
        const event = fit(interactionEvent, json, frame, context.report);
        if (event) events.push(...reply.take(event, frame));
      }
      yield events;
    }
    yield reply.end();
  },
};
