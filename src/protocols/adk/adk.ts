/**
 * Google's Agent Development Kit (`adk`): `adk api_server`, `adk web` and compatible servers (Python, Java, Go, TypeScript),
 * and agents on Vertex AI Agent Engine. Source: `google/adk-python`, `cli/api_server.py` of 2.x, read 2026-11-23;
 * `@google/adk-devtools` 2.0.0; `googleapis/python-aiplatform`, `agent_engines/templates/adk.py`.
 */
import type { LLMAgentEvent } from '../../model/events/agent-events.ts';
import { parseJson } from '../../model/json.ts';
import type { Adapter } from '../core/adapter.ts';
import { fit, readJsonFrames } from '../core/read-frames.ts';
import { AdkReply } from './reply.ts';
import { adkRequest, type AdkSession } from './request.ts';
import { adkEvent, toCamelCaseKeys } from './reply-schema.ts';

/** Adapter for Google ADK. It has no `cancel`: the server ends the run when the connection closes. */
export const adapter: Adapter<AdkSession> = {
  id: 'adk',
  label: 'Google ADK',
  kind: 'agent',
  request: adkRequest,

  async *decode(batches, context) {
    const reply = new AdkReply(context);
    let isTruncated = false;
    yield reply.start();
    for await (const batch of batches) {
      const events: LLMAgentEvent[] = [];
      isTruncated ||= batch.some(({ data, unfinished }) => unfinished && parseJson(data) === undefined);
      for (const { json, frame } of readJsonFrames(batch, context.report)) {
        const event = fit(adkEvent, toCamelCaseKeys(json), frame, context.report);
        if (event) events.push(...reply.take(event, frame));
      }
      yield events;
    }
    if (!isTruncated) yield reply.end();
  },
};
