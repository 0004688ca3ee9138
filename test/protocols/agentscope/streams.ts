/** Short forms of the responses of AgentScope's servers. */
type Json = Readonly<Record<string, unknown>>;

/** The Runtime's objects: null fields are present, and each has a number. */
export const response = (status: string, more: Json = {}): Json => ({
  object: 'response',
  sequence_number: 0,
  status,
  error: null,
  id: 'r1',
  session_id: 's1',
  output: null,
  usage: null,
  ...more,
});
export const message = (
  id: string,
  type: string,
  status: string,
  content: readonly Json[] | null,
  more: Json = {},
): Json => ({
  object: 'message',
  sequence_number: 1,
  status,
  error: null,
  id,
  type,
  role: 'assistant',
  content,
  usage: null,
  metadata: null,
  ...more,
});
export const content = (msg_id: string, more: Json): Json => ({
  object: 'content',
  sequence_number: 2,
  status: 'in_progress',
  error: null,
  type: 'text',
  index: 0,
  delta: false,
  msg_id,
  ...more,
});
export const completedContent = (msg_id: string, more: Json): Json => content(msg_id, { status: 'completed', ...more });
export const contentDelta = (msg_id: string, text: string): Json => content(msg_id, { delta: true, text });

/** An event of AgentScope 2. */
export const event = (type: string, more: Json = {}): Json => ({
  id: `${type}-${JSON.stringify(more)}`,
  created_at: '2026-08-01T10:00:00',
  metadata: {},
  reply_id: 'rp',
  type,
  ...more,
});
export const start = (more: Json = {}): Json =>
  event('REPLY_START', { id: 'e1', session_id: 's', name: 'Friday', ...more });
export const textDelta = (delta: string, block_id = 'b'): Json => event('TEXT_BLOCK_DELTA', { block_id, delta });
export const end = (finished_reason = 'completed', more: Json = {}): Json =>
  event('REPLY_END', { session_id: 's', finished_reason, error: null, ...more });
export const call = (id: string, name: string, args: string): readonly Json[] => [
  event('TOOL_CALL_START', { tool_call_id: id, tool_call_name: name }),
  event('TOOL_CALL_DELTA', { tool_call_id: id, delta: args }),
  event('TOOL_CALL_END', { tool_call_id: id }),
];
export const result = (id: string, text: string, state = 'success'): readonly Json[] => [
  event('TOOL_RESULT_START', { tool_call_id: id, tool_call_name: '' }),
  event('TOOL_RESULT_TEXT_DELTA', { tool_call_id: id, delta: text }),
  event('TOOL_RESULT_END', { tool_call_id: id, state }),
];
export const block = (id: string, name: string, input: unknown): Json => ({
  id,
  name,
  input,
  type: 'tool_call',
  state: 'asking',
  suggested_rules: [],
});
