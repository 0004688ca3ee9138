/** A token as an event of each measured protocol, in the form that its server sends. */

export interface Wire {
  /** The part of the stream before the first token. */
  readonly begin: string;
  event(text: string): string;
  readonly end: string;
}

const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const named = (value: { readonly type: string; readonly [field: string]: unknown }): string =>
  `event: ${value.type}\n${data(value)}`;

const completion = (delta: object, finish_reason: string | null): string =>
  data({
    id: 'chatcmpl-Bx41',
    object: 'chat.completion.chunk',
    created: 1736985600,
    model: 'bench-1',
    system_fingerprint: 'fp_44709d6fcb',
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
  });

export const wires = {
  'openai-chat': {
    begin: completion({ role: 'assistant', content: '' }, null),
    event: (content) => completion({ content }, null),
    end: `${completion({}, 'stop')}data: [DONE]\n\n`,
  },
  anthropic: {
    begin:
      named({
        type: 'message_start',
        message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'bench-1', content: [], stop_reason: null },
      }) + named({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    event: (text) => named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
    end:
      named({ type: 'content_block_stop', index: 0 }) +
      named({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } }) +
      named({ type: 'message_stop' }),
  },
  'ai-sdk': {
    begin:
      data({ type: 'start', messageId: 'm1' }) + data({ type: 'start-step' }) + data({ type: 'text-start', id: '0' }),
    event: (delta) => data({ type: 'text-delta', id: '0', delta }),
    end:
      data({ type: 'text-end', id: '0' }) +
      data({ type: 'finish-step' }) +
      data({ type: 'finish', finishReason: 'stop' }) +
      'data: [DONE]\n\n',
  },
  'deepchat-events': {
    begin: '',
    event: (content) => data({ type: 'response', data: { eventId: 'e1', content } }),
    end: data({ type: 'end', data: { eventId: 'e1', userStop: false } }),
  },
} as const satisfies Readonly<Record<string, Wire>>;

export type WireName = keyof typeof wires;
