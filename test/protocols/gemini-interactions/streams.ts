/** Short forms of the Interactions API's events. Source: `googleapis/js-genai`, `src/gaos/models/interactions`. */
export const event = (event_type: string, more: object = {}): object => ({ ...more, event_type });
export const created = event('interaction.created', {
  interaction: { id: 'v1_a', status: 'in_progress', object: 'interaction', model: 'gemini-3.8-flash' },
});
export const start = (index: number, step: object): object => event('step.start', { index, step });
export const delta = (index: number, value: object): object => event('step.delta', { index, delta: value });
export const stop = (index: number): object => event('step.stop', { index });
export const completed = (status = 'completed', more: object = {}): object =>
  event('interaction.completed', { interaction: { id: 'v1_a', status, object: 'interaction', ...more } });
export const usage = { total_input_tokens: 3, total_output_tokens: 4, total_thought_tokens: 1, total_tokens: 8 };

/** A step of text in these chunks. */
export const say = (index: number, ...chunks: readonly string[]): readonly object[] => [
  start(index, { type: 'model_output' }),
  ...chunks.map((text) => delta(index, { type: 'text', text })),
  stop(index),
];

export const named = (...events: readonly object[]): string =>
  events
    .map((one) => `event: ${(one as { readonly event_type: string }).event_type}\ndata: ${JSON.stringify(one)}\n\n`)
    .join('');
export const stream = (...events: readonly object[]): string => `${named(created, ...events)}data: [DONE]\n\n`;

/** The expected `metadata` of a reply. */
export const known = { interactionId: 'v1_a', continueFrom: 'v1_a', waitingCalls: [] };
