/** Messages of the protocol, and their blocks. */
export const msg = (id: string, content: string | readonly object[], more: object = {}) => ({
  name: 'Friday',
  role: 'ASSISTANT',
  content,
  metadata: {},
  id,
  timestamp: '2024-01-15T10:30:00Z',
  ...more,
});
export const textContent = (text: string) => [{ type: 'text', text }];
export const toolUse = (id: string) => ({ type: 'tool_use', id, name: 'f', input: { a: 1 } });
export const toolResult = (keys: object, text: string) => ({ type: 'tool_result', output: textContent(text), ...keys });
