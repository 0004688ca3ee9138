/** Short forms of the events of an assistant's run. */
export const event = (name: string, data: unknown): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** A state of the run. */
export const run = (state: string, more: object = {}): string =>
  event(`thread.run.${state}`, { id: 'run_1', object: 'thread.run', thread_id: 'thread_1', status: state, ...more });
const text = (value: string, annotations: readonly object[]): object => ({
  type: 'text',
  text: { value, ...(annotations.length > 0 && { annotations }) },
});
/** A chunk of a message. */
export const say = (value: string, annotations: readonly object[] = [], id = 'msg_1'): string =>
  event('thread.message.delta', {
    id,
    object: 'thread.message.delta',
    delta: { content: [{ index: 0, ...text(value, annotations) }] },
  });
export const whole = (value: string, annotations: readonly object[] = [], id = 'msg_1'): string =>
  event('thread.message.completed', {
    id,
    object: 'thread.message',
    role: 'assistant',
    content: [text(value, annotations)],
  });
/** A chunk of a step that calls tools. */
export const stepDelta = (...tool_calls: readonly object[]): string =>
  event('thread.run.step.delta', { id: 'step_1', delta: { step_details: { type: 'tool_calls', tool_calls } } });
export const step = (state: string, tool_calls: readonly object[], more: object = {}): string =>
  event(`thread.run.step.${state}`, { id: 'step_1', step_details: { type: 'tool_calls', tool_calls }, ...more });
export const waits = (...tool_calls: readonly object[]): string =>
  run('requires_action', { required_action: { type: 'submit_tool_outputs', submit_tool_outputs: { tool_calls } } });

export const end = run('completed', { usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } });
export const done = 'event: done\ndata: [DONE]\n\n';
export const stream = (...events: readonly string[]): string =>
  [event('thread.created', { id: 'thread_1', object: 'thread' }), run('created'), run('in_progress'), ...events].join(
    '',
  );

export const cited = (mark: string, file_id: string, quote?: string): object => ({
  index: 0,
  type: 'file_citation',
  text: mark,
  start_index: 0,
  end_index: mark.length,
  file_citation: { file_id, ...(quote !== undefined && { quote }) },
});
