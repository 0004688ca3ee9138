/**
 * Agno's server (AgentOS): the runs of its agents, teams and workflows. Source: `agno-agi/agno` at 9644f22,
 * `os/routers/agents/router.py`, `os/routers/teams/router.py`, `run/agent.py`, `run/team.py`, read 2026-11-25.
 */
import type { LLMAgentEvent } from '../../model/events/agent-events.ts';
import { parseJson } from '../../model/json.ts';
import type { Adapter } from '../core/adapter.ts';
import { fit, readJsonFrames } from '../core/read-frames.ts';
import { AgnoReply } from './reply.ts';
import { agnoCancel, agnoRequest, agnoResume } from './request.ts';
import { agnoEvent } from './reply-schema.ts';

/** Adapter for Agno's AgentOS. */
export const adapter: Adapter = {
  id: 'agno',
  label: 'Agno',
  kind: 'agent',
  request: agnoRequest,
  cancel: agnoCancel,
  resume: agnoResume,

  async *decode(batches, context) {
    const reply = new AgnoReply(context);
    let isTruncated = false;
    for await (const batch of batches) {
      const events: LLMAgentEvent[] = [];
      isTruncated ||= batch.some(({ data, unfinished }) => unfinished && parseJson(data) === undefined);
      for (const { json, frame } of readJsonFrames(batch, context.report)) {
        const event = fit(agnoEvent, json, frame, context.report);
        if (event) events.push(...reply.take(event, frame));
      }
      yield events;
    }
    if (!isTruncated) yield reply.end();
  },
};
