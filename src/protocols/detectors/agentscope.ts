/** Detection of AgentScope by its messages or by the events of its servers. */
import { isRecord } from '../../model/json.ts';
import type { Certainty, DetectionInput } from '../core/adapter.ts';
import { isOneOf, whenAnyFrame } from './match-frames.ts';

const isRole = isOneOf('system', 'user', 'assistant', 'tool');
const isJavaRole = isOneOf('SYSTEM', 'USER', 'ASSISTANT', 'TOOL');
/**
 * Whether a value is a `Msg`, AgentScope's message. Other protocols have messages with a role too, so it must have a name, or
 * an uppercase role as in the Java version.
 */
const isMsg = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value['role'] === 'string' &&
  (typeof value['name'] === 'string' ? isRole(value['role'].toLowerCase()) : isJavaRole(value['role'])) &&
  (typeof value['content'] === 'string' ||
    (Array.isArray(value['content']) &&
      value['content'].every((block) => isRecord(block) && typeof block['type'] === 'string')));
export const detectAgentscopeMsg = ({ frames }: DetectionInput): Certainty =>
  frames.some(({ json }) => {
    const first = Array.isArray(json) ? (json as unknown[])[0] : json;
    return isMsg(first) || (isRecord(first) && isMsg(first['msg']));
  })
    ? 'sure'
    : 'no';

const isNativeEvent =
  /^(?:(?:REPLY|AGENT|MODEL_CALL|(?:TEXT|THINKING|DATA|BINARY)_BLOCK|TOOL_CALL|TOOL_RESULT)_(?:START|END|DELTA)|HINT_BLOCK|TOOL_RESULT_(?:TEXT|DATA)_DELTA|REQUIRE_(?:USER_CONFIRM|EXTERNAL_EXECUTION)|USER_(?:CONFIRM_RESULT|INTERRUPT)|EXTERNAL_EXECUTION_RESULT|EXCEED_MAX_ITERS)$/;
/** The same types are in `agentscope/agentscope.ts`. */
const isOldJavaEvent = isOneOf('REASONING', 'TOOL_RESULT', 'HINT', 'SUMMARY', 'AGENT_RESULT');
const isRuntimeObject = isOneOf('response', 'message', 'content');
/**
 * The numbered objects of AgentScope Runtime, the events of AgentScope 2 with their reply id, or the older Java
 * events with a `Msg`.
 */
export const detectAgentscope = (input: DetectionInput): Certainty => {
  const frameCertainty = whenAnyFrame(
    ({ object, sequence_number, status, type, reply_id, replyId, message, isLast, last }) => {
      if (isRuntimeObject(object)) return sequence_number !== undefined && status !== undefined;
      if (typeof type !== 'string') return false;
      if (isOldJavaEvent(type)) return isMsg(message) && typeof (isLast ?? last) === 'boolean';
      return isNativeEvent.test(type) && typeof (reply_id ?? replyId) === 'string';
    },
  )(input);
  if (frameCertainty === 'sure') return 'sure';
  const { pathname, searchParams } = input.url;
  const isNativePath = /\/(?:chat|sessions\/[^/]+\/stream)\/?$/.test(pathname) && searchParams.has('agent_id');
  return isNativePath || pathname.endsWith('/process') ? 'maybe' : 'no';
};
