/** Short forms of Coze's events: each has a name and its ids. */
export const event = (name: string, data: unknown): string => `event:${name}\ndata:${JSON.stringify(data)}\n\n`;

const ids = { conversation_id: 'c', bot_id: 'b', chat_id: 'k' };
/** An event of the chat. */
export const chat = (name: string, more: object = {}): string =>
  event(`conversation.chat.${name}`, { id: 'k', conversation_id: 'c', status: name, ...more });
/** A chunk of a message. */
export const say = (content: string, more: object = {}): string =>
  event('conversation.message.delta', { id: 'm', role: 'assistant', type: 'answer', content, ...ids, ...more });
/** A complete message. */
export const whole = (type: string, content: string, id = 'm', more: object = {}): string =>
  event('conversation.message.completed', { id, role: 'assistant', type, content, ...ids, ...more });
export const end = chat('completed', { usage: { token_count: 3, output_count: 2, input_count: 1 } });
export const done = event('done', '[DONE]');

export const stream = (...events: readonly string[]): string =>
  [chat('created'), chat('in_progress'), ...events].join('');
/** A call that the bot waits for. */
export const waits = (...calls: readonly object[]): string =>
  chat('requires_action', {
    required_action: { type: 'submit_tool_outputs', submit_tool_outputs: { tool_calls: calls } },
  });
export const call = (id: string, name: string, args: string): object => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});
