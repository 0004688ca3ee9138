/**
 * Agents on Amazon Bedrock AgentCore (`agentcore`): the events of agents that are built with the Strands SDK ("Strands
 * agents"), and those of Bedrock's Converse API. Source:
 * strands-agents/sdk-python `src/strands/types/_events.py` (050c369) and `streaming.py`, aws/bedrock-agentcore-sdk-python
 * `runtime/app.py` (00c37f2), awslabs/fullstack-solution-template-for-agentcore `agentcore-client`, read 2026-11-23.
 */
import type { LLMAgentEvent } from '../../model/events/agent-events.ts';
import { parseJson } from '../../model/json.ts';
import type { Adapter } from '../core/adapter.ts';
import { fit, readJsonFrames } from '../core/read-frames.ts';
import { AgentCoreReply } from './reply.ts';
import { strandsEventSchema } from './reply-schema.ts';

/** Minimum length of a session id; the runtime refuses shorter ones. */
const SESSION_LENGTH = 33;

export const adapter: Adapter = {
  id: 'agentcore',
  label: 'Bedrock AgentCore',
  kind: 'agent',
  accepts: 'text',

  // The runtime stores the session, so only the new message is sent.
  request({ text, threadId }, { url, headers = {}, context }) {
    return {
      url,
      init: {
        method: 'POST',
        headers: {
          accept: 'text/event-stream, application/json',
          'x-amzn-bedrock-agentcore-runtime-session-id': threadId.padEnd(SESSION_LENGTH, '0'),
          ...headers,
        },
        body: { prompt: text, ...(context !== undefined && context !== null && { context }) },
      },
    };
  },

  async *decode(batches, context) {
    const reply = new AgentCoreReply(context);
    let isTruncated = false;
    for await (const batch of batches) {
      const events: LLMAgentEvent[] = [];
      isTruncated ||= batch.some(({ data, unfinished }) => unfinished && parseJson(data) === undefined);
      for (const { json, frame } of readJsonFrames(batch, context.report)) {
        if (typeof json === 'string') events.push(...reply.takeString(json));
        else {
          const event = fit(strandsEventSchema, json, frame, context.report);
          if (event) events.push(...reply.take(event, frame));
        }
      }
      yield events;
    }
    // A function of the agent that writes its own output sends no end event: its reply ends with the stream.
    if (!isTruncated) yield reply.end();
  },
};
