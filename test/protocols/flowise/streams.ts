/** Flowise's frames as its server writes them: an unused field first, and no space after the colon. */
export const frame = (event: string, data: unknown, more: object = {}): string =>
  `message:\ndata:${JSON.stringify({ event, data, ...more })}\n\n`;

export const stream = (...frames: readonly string[]): string => frames.join('');
export const say = (words: string): string => frame('token', words);
export const end = frame('end', '[DONE]').replace('message:', 'message');

/** The buttons of a flow of the second version, which waits at a node. */
export const buttons = (more: object = {}): object => ({
  id: 'a1',
  mapping: { approve: 'Proceed', reject: 'Reject' },
  elements: [
    { type: 'agentflowv2-approve-button', label: 'Proceed' },
    { type: 'agentflowv2-reject-button', label: 'Reject' },
  ],
  data: { nodeId: 'human_0', nodeLabel: 'Check', input: { humanInputDescription: '<p>Is it <b>right</b>?</p>' } },
  ...more,
});
