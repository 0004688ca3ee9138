/** The four events of the protocol. */
export const start = (id: string, more: object = {}) => ({
  type: 'message_start',
  message_id: id,
  role: 'assistant',
  ...more,
});
export const field = (id: string, name: string, value: unknown) => ({
  type: 'message_field',
  message_id: id,
  field_name: name,
  field_value: value,
});
export const delta = (id: string, name: string, text: string) => ({
  type: 'message_field_delta',
  message_id: id,
  field_name: name,
  delta: text,
});
export const result = (id: string, content: string, more: object = {}) => ({
  type: 'message_result',
  message_id: id,
  message: { id, role: 'assistant', content, thinking: false, ...more },
});
