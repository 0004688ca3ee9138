/** A token as an event of each protocol that the bench speaks, the way its server sends it. */

const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;

export const openAiEvent = (content: string): string =>
  data({
    id: 'chatcmpl-Bx41',
    object: 'chat.completion.chunk',
    created: 1736985600,
    model: 'bench-1',
    system_fingerprint: 'fp_44709d6fcb',
    choices: [{ index: 0, delta: { content }, logprobs: null, finish_reason: null }],
  });
export const openAiEnd =
  data({
    id: 'chatcmpl-Bx41',
    object: 'chat.completion.chunk',
    created: 1736985600,
    model: 'bench-1',
    choices: [{ index: 0, delta: {}, logprobs: null, finish_reason: 'stop' }],
  }) + 'data: [DONE]\n\n';
