import { adapter as aiSdk } from '../../../src/protocols/ai-sdk/ai-sdk.ts';
import { detectAiSdk } from '../../../src/protocols/detectors/agent-protocols.ts';
import { testBodies, testNeverThrows } from '../../support/adapter-tests.ts';
import { call, failure, text, type ExpectedFields } from '../../support/bare.ts';
import { sse } from '../../support/play-body.ts';
import { expect } from '@open-wc/testing';

const usage = { inputTokens: 3, outputTokens: 4, totalTokens: 7 };
const textParts = (id: string, ...pieces: readonly string[]): readonly object[] => [
  { type: 'text-start', id },
  ...pieces.map((piece) => ({ type: 'text-delta', id, text: piece })),
  { type: 'text-end', id },
];
const roundsOf = (...items: readonly object[]): ExpectedFields => ({ rounds: [{ protocol: 'ai-sdk', items }] });
const step = { type: 'step-start' };

const parts = [
  { type: 'start' },
  { type: 'start-step', request: {}, warnings: [] },
  { type: 'reasoning-start', id: 'r' },
  { type: 'reasoning-delta', id: 'r', text: 'Where?' },
  { type: 'reasoning-end', id: 'r' },
  { type: 'tool-input-start', id: 'c', toolName: 'weather' },
  { type: 'tool-input-delta', id: 'c', delta: '{"city":"Ulm"}' },
  { type: 'tool-input-end', id: 'c' },
  { type: 'tool-call', toolCallId: 'c', toolName: 'weather', input: { city: 'Ulm' } },
  { type: 'tool-result', toolCallId: 'c', toolName: 'weather', input: { city: 'Ulm' }, output: { celsius: 21 } },
  { type: 'finish-step', finishReason: 'tool-calls', usage },
  { type: 'start-step', request: {}, warnings: [] },
  ...textParts('t', 'It is ', 'warm.'),
  { type: 'finish-step', finishReason: 'stop', usage },
  { type: 'finish', finishReason: 'stop', totalUsage: usage },
];

describe('ai-sdk, a fullStream as server-sent events', () => {
  testBodies(aiSdk, [
    {
      name: 'reasoning, a tool call, its result, the text, and the tokens',
      body: sse(...parts),
      messages: [
        {
          status: 'complete',
          finish: 'complete',
          usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
          metadata: roundsOf(
            step,
            { type: 'reasoning', id: 'r', text: 'Where?', state: 'done' },
            {
              type: 'tool-weather',
              toolCallId: 'c',
              state: 'output-available',
              input: { city: 'Ulm' },
              output: { celsius: 21 },
            },
            step,
            { type: 'text', text: 'It is warm.', state: 'done' },
          ),
          blocks: [
            { type: 'reasoning_content', content: 'Where?' },
            call('c', 'weather', { params: '{"city":"Ulm"}', response: '{"celsius":21}' }),
            text('It is warm.'),
          ],
        },
      ],
    },
    {
      name: 'a tool that fails, with its stack',
      body: sse(
        { type: 'tool-call', toolCallId: 'c', toolName: 'f', input: {} },
        { type: 'tool-error', toolCallId: 'c', toolName: 'f', error: { message: 'Boom\n    at f (file:///a.js:1:2)' } },
        ...textParts('t', 'It failed.'),
        { type: 'finish', finishReason: 'stop', totalUsage: usage },
      ),
      messages: [
        {
          status: 'complete',
          finish: 'complete',
          usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
          metadata: roundsOf(
            { type: 'tool-f', toolCallId: 'c', state: 'output-error', input: {}, errorText: 'Boom' },
            { type: 'text', text: 'It failed.', state: 'done' },
          ),
          blocks: [call('c', 'f', { params: '{}', response: 'Boom' }, { status: 'error' }), text('It failed.')],
        },
      ],
    },
    {
      name: 'a message that was sent meanwhile',
      body: sse(
        { type: 'start' },
        { type: 'steering-message', id: 's', message: { role: 'user', content: 'In Texas.' }, stepNumber: 1 },
        ...textParts('t', 'It is hot.'),
        { type: 'finish', finishReason: 'stop' },
      ),
      messages: [
        {
          status: 'complete',
          finish: 'complete',
          metadata: roundsOf(
            { type: 'steering-message', id: 's', parts: [{ type: 'text', text: 'In Texas.' }] },
            { type: 'text', text: 'It is hot.', state: 'done' },
          ),
          blocks: [text('It is hot.')],
        },
      ],
    },
    {
      name: 'an error as an object',
      body: sse(...textParts('t', 'Hi'), { type: 'error', error: { name: 'APIError', message: 'Overloaded' } }),
      messages: [{ status: 'error', finish: 'error', blocks: [text('Hi'), failure('Overloaded')] }],
    },
  ]);

  testNeverThrows(aiSdk, parts);

  it('is detected', () => {
    const frames = parts.slice(1, 2).map((json) => ({ data: JSON.stringify(json), json }));
    const url = new URL('https://a.example/agents/a/stream');
    expect(detectAiSdk({ url, headers: new Headers(), framing: 'sse', frames, ended: false })).to.equal('sure');
  });
});
