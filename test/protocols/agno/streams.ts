/** Short forms of Agno's events. Source: `agno-agi/agno`, `run/agent.py`, `os/utils.py` (`format_sse_event`). */
export const event = (name: string, more: object = {}): object => ({
  created_at: 1_764_000_000,
  event: name,
  agent_id: 'guide',
  agent_name: 'Guide',
  run_id: 'r',
  session_id: 's',
  nested_depth: 0,
  ...more,
});
export const say = (content: unknown, more: object = {}): object =>
  event('RunContent', { content, content_type: 'str', ...more });
export const tool = (more: object = {}): object => ({
  tool_call_id: 'c',
  tool_name: 'weather',
  tool_args: { city: 'Rome' },
  stop_after_tool_call: false,
  created_at: 1_764_000_000,
  ...more,
});
export const completed = (more: object = {}): object =>
  event('RunCompleted', { content: '', content_type: 'str', ...more });

/** As the server frames it: each event has its name. */
export const named = (...events: readonly object[]): string =>
  events.map((one) => `event: ${(one as { readonly event: string }).event}\ndata: ${JSON.stringify(one)}\n\n`).join('');
export const stream = (...events: readonly object[]): string => named(event('RunStarted'), ...events);

/** The expected `metadata` of the reply. */
export const known = { runId: 'r', sessionId: 's' };
