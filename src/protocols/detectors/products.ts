/** Detection of products for building agents. */
import { isRecord } from '../../model/json.ts';
import { byPath, hasEvent, isOneOf, whenAnyFrame } from './match-frames.ts';

const isDifyEvent = isOneOf(
  'message',
  'agent_message',
  'agent_thought',
  'message_file',
  'message_end',
  'message_replace',
  'tts_message',
  'tts_message_end',
  'workflow_started',
  'workflow_finished',
  'workflow_paused',
  'node_started',
  'node_finished',
  'node_retry',
  'iteration_started',
  'loop_started',
  'parallel_branch_started',
  'agent_log',
  'text_chunk',
  'text_replace',
  'reasoning_chunk',
  'human_input_required',
  'human_input_form_filled',
  'human_input_form_timeout',
);
export const detectDify = byPath(
  /\/(?:(?:chat|completion)-messages|workflows\/run)\/?$/,
  whenAnyFrame(({ event, task_id }) => isDifyEvent(event) && typeof task_id === 'string'),
);

/**
 * Langflow and Flowise both use `event` and `data`. Langflow's data is always an object; Flowise has no such events
 * with object data. Dify's events have a `task_id`.
 */
const isLangflowEvent = isOneOf(
  'add_message',
  'token',
  'remove_message',
  'vertices_sorted',
  'build_start',
  'end_vertex',
);
export const detectLangflow = byPath(
  /\/api\/v1\/run\//,
  whenAnyFrame(({ event, data, task_id }) => isLangflowEvent(event) && isRecord(data) && task_id === undefined),
);

const isFlowiseText = isOneOf('start', 'token', 'thinking', 'nextAgent', 'agentFlowEvent');
const isFlowiseData = isOneOf(
  'sourceDocuments',
  'usedTools',
  'calledTools',
  'agentReasoning',
  'nextAgentFlow',
  'agentFlowExecutedData',
  'artifacts',
  'fileAnnotations',
  'usageMetadata',
  'metadata',
);
export const detectFlowise = byPath(/\/api\/v1\/prediction\//, (input) => {
  const streamed = whenAnyFrame(({ event, data, task_id }) => {
    if (task_id !== undefined) return false;
    return (isFlowiseText(event) && typeof data === 'string') || (isFlowiseData(event) && typeof data === 'object');
  });
  const complete = whenAnyFrame(({ text, question, chatId, chatMessageId }) =>
    [text, question, chatId, chatMessageId].every((field) => typeof field === 'string'),
  );
  return streamed(input) === 'sure' ? 'sure' : complete(input);
});

/** `/rest/webhook/` is Rasa's path. */
export const detectN8n = byPath(
  /(?<!\/rest)\/webhook(?:-test)?\//,
  whenAnyFrame(({ type, metadata, content, data, phase, event }) => {
    if (data !== undefined || phase !== undefined || event !== undefined) return false;
    if (!isRecord(metadata) || typeof metadata['nodeId'] !== 'string') return false;
    return type === 'begin' || type === 'end' || (type === 'item' && typeof content === 'string');
  }),
);

export const detectCoze = byPath(
  /\/(?:v3\/chat|v1\/workflows\/chat|v1\/workflow\/stream_run)\/?$/,
  hasEvent(/^conversation\.(?:chat|message|audio)\./),
);

/** The response is an array, and each of its entries is a separate frame. */
export const detectRasa = byPath(
  /\/webhooks\/rest\/webhook\/?$/,
  whenAnyFrame(({ recipient_id }) => typeof recipient_id === 'string'),
);
