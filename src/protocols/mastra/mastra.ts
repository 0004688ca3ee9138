/**
 * Mastra's agent server (`mastra`): `POST /api/agents/:id/stream` and the endpoints that continue a run.
 * Source: the types of `@mastra/core` 1.71 (`stream/types.d.ts`), the routes of `@mastra/server` 1.68 and their use
 * in `@mastra/client-js` 1.47, read 2026-11-23.
 */
import type { LLMAgentEvent } from '../../model/events/agent-events.ts';
import type { Adapter } from '../core/adapter.ts';
import { fit, readJsonFrames } from '../core/read-frames.ts';
import { MastraReply } from './reply.ts';
import { mastraNextAnswers, mastraRequest, mastraResume } from './request.ts';
import { toMastraChunk, wire } from './reply-schema.ts';

export const adapter: Adapter = {
  id: 'mastra',
  label: 'Mastra',
  kind: 'agent',
  request: mastraRequest,
  resume: mastraResume,
  nextAnswers: mastraNextAnswers,

  async *decode(batches, context) {
    const reply = new MastraReply(context);
    for await (const batch of batches) {
      const events: LLMAgentEvent[] = [];
      for (const { json, frame } of readJsonFrames(batch, context.report)) {
        const chunk = fit(wire, toMastraChunk(json), frame, context.report);
        if (chunk) events.push(...reply.take(chunk, frame));
      }
      yield events;
    }
    yield reply.end();
  },
};
