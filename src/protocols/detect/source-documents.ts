/** Detection of the reference event formats. */
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
export const detectAgentSession = whenAnyFrame(
  ({ type, data, metadata, phase }) =>
    isSessionEvent(type) &&
    phase === undefined &&
    isRecord(metadata) &&
    // Old events may have their fields at the top level; with only a timestamp they could be n8n events.
    (typeof metadata['sequence'] === 'number' || (isRecord(data) && typeof metadata['timestamp'] === 'number')),
);

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
  if (isAgentLayer(type) && isRecord(data)) return typeof data['eventId'] === 'string';
  const field = Object.hasOwn(coreFields, type) ? coreFields[type] : undefined;
  return data === undefined && frame.event === undefined && field !== undefined && fields[field] !== undefined;
});
