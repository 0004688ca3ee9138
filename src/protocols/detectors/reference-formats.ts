/** Detection of the reference event formats (`docs/protocols/README.md`), except for AgentScope's messages. */
import { isRecord } from '../../model/json.ts';
import { isOneOf, whenAnyFrame } from './match-frames.ts';

const isFieldEvent = isOneOf('message_start', 'message_field', 'message_field_delta', 'message_result');
export const detectMessageField = whenAnyFrame(
  (json) => typeof json['message_id'] === 'string' && isFieldEvent(json['type']),
);

const isPhase = isOneOf('thinking', 'tool_calling', 'generating', 'completed', 'error');
export const detectAgentPhase = whenAnyFrame(
  (json) => typeof json['type'] === 'string' && isPhase(json['phase']) && isRecord(json['data']),
);

const isSessionEvent = isOneOf(
  'session_start',
  'thinking',
  'tool_call_start',
  'tool_call_progress',
  'tool_call_end',
  'content',
  'data',
  'error',
  'session_end',
  'token',
  'tool_call',
  'tool_result',
  'final_answer',
  'dataframe_data',
  'done',
);
/** Fields of a session event that no other protocol has under this type, so that it needs no metadata. */
const sessionFields: Readonly<Record<string, readonly string[]>> = {
  session_start: ['session_id'],
  tool_call_start: ['tool_id', 'tool_name'],
  tool_call_progress: ['tool_id'],
  tool_call_end: ['tool_id'],
  data: ['data_type'],
  tool_call: ['tool_id', 'tool_name'],
  tool_result: ['tool_id'],
  session_end: ['status'],
  final_answer: ['content'],
};
/**
 * Events at the end of a reply. They say nothing about the text before them, so they identify the format only as a sole frame.
 * For a later frame, `runtime/stream/hand-over.ts` compares the text that both protocols read.
 */
const ENDING = /^(?:session_end|final_answer)$/;
const isBareSessionEvent = (type: string, data: unknown): boolean =>
  type === 'dataframe_data' ||
  (isRecord(data) &&
    Object.hasOwn(sessionFields, type) &&
    sessionFields[type]?.some((name) => typeof data[name] === 'string') === true);

export const detectAgentSession = whenAnyFrame(({ type, data, content, metadata, phase }, _frame, { length }) => {
  if (typeof type !== 'string' || !isSessionEvent(type) || phase !== undefined) return false;
  // An old final answer may have its text at the top level.
  const fields = type === 'final_answer' ? (data ?? { content }) : data;
  if (isBareSessionEvent(type, fields) && (!ENDING.test(type) || length < 2)) return true;
  if (!isRecord(metadata)) return false;
  // Old events may have their fields at the top level; with only a timestamp they could be n8n events.
  return typeof metadata['sequence'] === 'number' || (isRecord(data) && typeof metadata['timestamp'] === 'number');
});

/** The core event types of DeepChat, each with its own field at the top level. An error alone identifies nothing. */
const coreFields: Readonly<Record<string, string>> = {
  text: 'content',
  reasoning: 'reasoning_content',
  tool_call_start: 'tool_call_id',
  tool_call_chunk: 'tool_call_id',
  tool_call_end: 'tool_call_id',
  usage: 'usage',
  stop: 'stop_reason',
  image_data: 'image_data',
  rate_limit: 'rate_limit',
};
const isAgentLayer = isOneOf('response', 'error', 'end');
export const detectDeepchatEvents = whenAnyFrame(({ type, data, ...fields }, frame) => {
  if (typeof type !== 'string') return false;
  // A response of an agent has its content in an object.
  if (isRecord(fields['content'])) return typeof fields['agentId'] === 'string';
  if (isAgentLayer(type) && isRecord(data)) return typeof data['eventId'] === 'string';
  const field = Object.hasOwn(coreFields, type) ? coreFields[type] : undefined;
  return data === undefined && frame.event === undefined && field !== undefined && fields[field] !== undefined;
});
