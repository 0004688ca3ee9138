/** Detection of agent frameworks that use their own stream format instead of a standard. */
import { isRecord } from '../../model/json.ts';
import type { Certainty, DetectionInput } from '../core/adapter.ts';
import { byPath, isOneOf, whenAnyFrame } from './match-frames.ts';

/** The values of an event's field `from`. AG-UI events have a `runId` too, but no `from`. */
const isMastraSource = isOneOf('AGENT', 'USER', 'SYSTEM', 'WORKFLOW', 'NETWORK');
export const detectMastra = byPath(
  /\/api\/agents\/[^/]+\/stream\/?$/,
  whenAnyFrame(
    ({ type, runId, from, payload }) =>
      typeof type === 'string' && typeof runId === 'string' && isMastraSource(from) && isRecord(payload),
  ),
);

/** Event names of agents, teams and workflows. */
const AGNO_EVENT = /^(?:Team)?Run(?:Started|Content|Completed|Continued|Paused|Cancelled|Error)$|^WorkflowStarted$/;
/** Every event has the time of its creation. A complete response has a status instead of the name of an event. */
export const detectAgno = byPath(
  /\/(?:agents|teams|workflows)\/[^/]+\/runs\/?$/,
  whenAnyFrame(({ event, status, content_type, created_at, run_id, agent_id, team_id }) => {
    if (typeof created_at !== 'number' || typeof (run_id ?? agent_id ?? team_id) !== 'string') return false;
    if (typeof event === 'string') return AGNO_EVENT.test(event);
    return typeof status === 'string' && typeof content_type === 'string' && (agent_id ?? team_id) !== undefined;
  }),
);

/** The path alone is not specific, so it counts only in the URL of a WebSocket. */
export const detectCloudflareAgents = (input: DetectionInput): Certainty => {
  const frameCertainty = whenAnyFrame(({ type }) => typeof type === 'string' && type.startsWith('cf_agent_'))(input);
  if (frameCertainty === 'sure') return frameCertainty;
  const { protocol, pathname } = input.url;
  return protocol.startsWith('ws') && /\/agents\/[^/]+\/[^/]+\/?$/.test(pathname) ? 'maybe' : 'no';
};

/** Every event has an envelope with its own id and time. */
export const detectEve = byPath(
  /\/eve\/v1(?:\/session(?:\/[^/]+(?:\/stream)?)?)?\/?$/,
  whenAnyFrame(({ type, meta }) => {
    if (typeof type !== 'string' || !/^\w+(?:\.\w+)+$/.test(type) || !isRecord(meta)) return false;
    return typeof meta['at'] === 'string' && typeof meta['id'] === 'string' && meta['id'].startsWith('evt_');
  }),
);

/** OpenAI Assistants uses such names too, but in the SSE field `event`, and its events have no item. */
const CHAT_KIT = /^thread\.(?:created|updated|item\.(?:added|done|replaced|updated|removed))$/;
export const detectChatKit = byPath(
  /\/chatkit\/?$/,
  whenAnyFrame(({ type, thread, item, item_id, stream_options }, { event }) => {
    if (event !== undefined || typeof type !== 'string') return false;
    if (type === 'stream_options') return isRecord(stream_options);
    return CHAT_KIT.test(type) && (isRecord(thread) || isRecord(item) || typeof item_id === 'string');
  }),
);

/** The events of `ConverseStream`, Amazon Bedrock's API for models. Each is an object with one of these fields. */
const CONVERSE = ['messageStart', 'contentBlockStart', 'contentBlockDelta', 'contentBlockStop', 'messageStop'];
const isConverse = (value: unknown): boolean => isRecord(value) && CONVERSE.some((name) => isRecord(value[name]));
/**
 * Agents on AgentCore are often built with the Strands SDK. `data` with a text could be any JSON stream (`json-stream`), but
 * Strands sends the same text in `delta.text` too.
 */
export const detectAgentCore = whenAnyFrame((json) => {
  const { event, data, delta, init_event_loop, start_event_loop, current_tool_use: use } = json;
  if (isConverse(event) || isConverse(json)) return true;
  if (init_event_loop === true || start_event_loop === true) return true;
  if (isRecord(use) && typeof use['toolUseId'] === 'string') return true;
  return typeof data === 'string' && isRecord(delta) && delta['text'] === data;
});
