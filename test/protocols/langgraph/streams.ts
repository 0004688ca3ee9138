/** Server-sent events with names, each with the next id. */
export const events = (...list: readonly (readonly [string, unknown])[]): string =>
  list.map(([name, data], id) => `event: ${name}\ndata: ${JSON.stringify(data)}\nid: ${String(id)}\n\n`).join('');

export const metadata = ['metadata', { run_id: 'r1', attempt: 1 }] as const;
/** A run of these events. */
export const run = (...list: readonly (readonly [string, unknown])[]): string => events(metadata, ...list);

export const node = (name: string): object => ({ langgraph_node: name, tags: [] });
/** A chunk of a message. */
export const piece = (id: string, content: unknown, more: object = {}): readonly [string, unknown] => [
  'messages',
  [{ type: 'AIMessageChunk', id, content, tool_call_chunks: [], ...more }, {}],
];
export const callPiece = (id: string, chunk: object): readonly [string, unknown] =>
  piece(id, '', { tool_call_chunks: [chunk] });
export const toolMessage = (callId: string, content: unknown, more: object = {}): object => ({
  type: 'tool',
  id: `${callId}-m`,
  tool_call_id: callId,
  content,
  ...more,
});
export const human = { type: 'human', id: 'h', content: 'hi' };
export const ai = (id: string, content: unknown, more: object = {}): object => ({ type: 'ai', id, content, ...more });
export const values = (...messages: readonly object[]): readonly [string, unknown] => ['values', { messages }];

/** Frames of the newer protocol. */
export const v2 = (...list: readonly (readonly [string, unknown, (readonly string[])?])[]): string =>
  events(
    ...list.map(
      ([method, data, namespace = []], seq) =>
        [method, { type: 'event', event_id: String(seq), seq, method, params: { namespace, data } }] as const,
    ),
  );
