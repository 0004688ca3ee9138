const head = { model: 'qwen3', created_at: '2026-01-15T10:00:00.100000Z' };
/** A line of `/api/chat`. */
export const line = (message: object, more: object = {}) => ({
  ...head,
  message: { role: 'assistant', content: '', ...message },
  done: false,
  ...more,
});
export const say = (content: string) => line({ content });
export const done = (more: object = {}, message: object = {}) =>
  line(message, { done: true, done_reason: 'stop', ...more });
export const call = (name: string, args: unknown, more: object = {}) =>
  line({ tool_calls: [{ function: { name, arguments: args }, ...more }] });
/** A line of `/api/generate`. */
export const generated = (response: string, more: object = {}) => ({ ...head, response, done: false, ...more });
