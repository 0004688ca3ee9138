import { expect } from '@open-wc/testing';
import { adapter as assistantTransport } from '../../../src/protocols/assistant-transport/assistant-transport.ts';
import { testBodies, testNeverThrows } from '../../support/adapter-tests.ts';
import { call, failure, text, thought, type ExpectedFields } from '../../support/bare.ts';
import { playBody, sse } from '../../support/play-body.ts';

const stream = (...chunks: readonly unknown[]): string => sse(...chunks, '[DONE]');
const begin = (type: string, more: ExpectedFields = {}): ExpectedFields => ({
  type: 'part-start',
  part: { type, ...more },
  path: [],
});
const grow = (index: number, textDelta: string): ExpectedFields => ({ type: 'text-delta', textDelta, path: [index] });
const close = (index: number): ExpectedFields => ({ type: 'part-finish', path: [index] });
const result = (index: number, value: unknown, isError = false): ExpectedFields => ({
  type: 'result',
  result: value,
  isError,
  path: [index],
});
const finishStep = (finishReason: string, more: ExpectedFields = {}): ExpectedFields => ({
  type: 'step-finish',
  finishReason,
  isContinued: false,
  ...more,
});
const set = (path: readonly string[], value: unknown): ExpectedFields => ({
  type: 'update-state',
  operations: [{ type: 'set', path, value }],
});
const done = (
  blocks: readonly ExpectedFields[],
  more: ExpectedFields = {},
  metadata: ExpectedFields = {},
): ExpectedFields => ({
  status: 'complete',
  finish: 'complete',
  ...more,
  metadata: { openCalls: [], ...metadata },
  blocks,
});

describe('assistant-transport', () => {
  testBodies(assistantTransport, [
    {
      name: 'parts of every kind, by their path',
      body: stream(
        { type: 'step-start', messageId: 'm' },
        begin('reasoning'),
        grow(0, 'Hm'),
        close(0),
        begin('text'),
        grow(1, 'Let me see.'),
        begin('tool-call', { toolCallId: 'c', toolName: 'f' }),
        grow(2, '{"x":'),
        grow(2, '1}'),
        { type: 'tool-call-args-text-finish', path: [2] },
        result(2, { y: 2 }),
        close(2),
        begin('source', { sourceType: 'url', id: 's', url: 'https://a.example/', title: 'A' }),
        begin('file', { data: 'AA==', mimeType: 'image/png' }),
        begin('data', { name: 'w', data: { t: 1 } }),
        { type: 'data', data: [{ n: 1 }] },
        { type: 'annotations', annotations: [{ a: 1 }] },
        finishStep('stop', { usage: { inputTokens: 1, outputTokens: 2 } }),
        { type: 'message-finish', finishReason: 'stop', usage: { inputTokens: 3, outputTokens: 4 } },
      ),
      messages: [
        done(
          [
            thought('Hm'),
            text('Let me see.', { citations: [{ id: 's', url: 'https://a.example/', title: 'A' }] }),
            call('c', 'f', { params: '{"x":1}', response: '{"y":2}' }),
            { type: 'image', image_data: { data: 'AA==', mimeType: 'image/png' } },
            { type: 'data', data: { data_type: 'custom', data: { t: 1 }, metadata: { dataType: 'w' } } },
            { type: 'data', data: { data_type: 'custom', data: { n: 1 } } },
          ],
          { usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 } },
          { messageId: 'm', annotations: [{ a: 1 }] },
        ),
      ],
    },
    {
      name: 'a call that fails, and one for the page',
      body: stream(
        begin('tool-call', { toolCallId: 'a', toolName: 'f' }),
        result(0, 'Broken', true),
        begin('tool-call', { toolCallId: 'b', toolName: 'g' }),
        finishStep('stop'),
      ),
      messages: [
        done(
          [call('a', 'f', { response: 'Broken' }, { status: 'error' }), call('b', 'g', {}, { status: 'loading' })],
          { finish: 'tool_use' },
          { openCalls: ['b'] },
        ),
      ],
    },
    {
      name: 'a call for the page, and only an end marker',
      body: stream(begin('tool-call', { toolCallId: 'b', toolName: 'g' })),
      messages: [done([call('b', 'g', {}, { status: 'loading' })], { finish: 'tool_use' }, { openCalls: ['b'] })],
    },
    ...(
      [
        ['length', 'complete', 'max_tokens'],
        ['tool-calls', 'complete', 'tool_use'],
        ['content-filter', 'error', 'error'],
        ['error', 'error', 'error'],
        ['unknown', 'complete', 'complete'],
      ] as const
    ).map(([reason, status, finish]) => ({
      name: `finishReason ${reason}`,
      body: stream(begin('text'), grow(0, 'Hi'), finishStep(reason)),
      messages: [done([text('Hi')], { status, finish }, reason === 'content-filter' ? { filtered: true } : {})],
    })),
    {
      name: 'the tokens of all steps',
      body: stream(
        begin('text'),
        grow(0, 'Hi'),
        finishStep('tool-calls', { usage: { inputTokens: 1, outputTokens: 2 } }),
        { type: 'step-start', messageId: 'm' },
        begin('text'),
        grow(1, ' there'),
        finishStep('stop', { usage: { inputTokens: 3, outputTokens: 4 } }),
      ),
      messages: [
        done(
          [text('Hi there')],
          { usage: { prompt_tokens: 4, completion_tokens: 6, total_tokens: 10 } },
          { messageId: 'm' },
        ),
      ],
    },
    {
      name: 'only an end marker',
      body: stream(begin('text'), grow(0, 'Hi')),
      messages: [done([text('Hi')])],
    },
    {
      name: 'no end: interrupted',
      body: sse(begin('text'), grow(0, 'Hi')),
      messages: [done([text('Hi')], { status: 'interrupted', finish: 'error' })],
      problem: 'cut',
    },
    {
      name: 'an error, with its code; a warning is ignored',
      body: stream(
        begin('text'),
        grow(0, 'Hi'),
        { type: 'error', error: 'Slow', severity: 'warning' },
        { type: 'error', error: 'Boom', code: 'E1' },
        finishStep('stop'),
      ),
      messages: [done([text('Hi'), failure('Boom', { code: 'E1' })], { status: 'error', finish: 'error' })],
    },
    ...[{ error: { message: 'Boom' } }, { error: null, message: 'Boom' }, { error: ['Boom'] }].map((problem) => ({
      name: `an error as ${JSON.stringify(problem)}`,
      body: stream(begin('text'), grow(0, 'Hi'), { type: 'error', ...problem }),
      messages: [done([text('Hi'), failure('Boom')], { status: 'error', finish: 'error' })],
    })),
    {
      name: 'an error without a message',
      body: stream(begin('text'), grow(0, 'Hi'), { type: 'error' }),
      messages: [done([text('Hi'), failure('The agent reported an error.')], { status: 'error', finish: 'error' })],
    },
    {
      name: 'unknown and invalid parts keep their place',
      body: stream(
        begin('component', { name: 'card' }),
        begin('reasoning'),
        begin('tool-call', { toolCallId: 'c' }),
        { type: 'part-start' },
        begin('text'),
        grow(0, 'card'),
        grow(1, 'Hm'),
        grow(4, 'Hi'),
        finishStep('stop'),
      ),
      messages: [done([thought('Hm'), text('Hi')])],
      warnings: ['unknown', 'unknown', 'unknown'],
    },
    {
      name: 'preliminary results, then the final one',
      body: stream(
        begin('tool-call', { toolCallId: 'c', toolName: 'f' }),
        { ...result(0, '10%'), isPreliminary: true },
        result(0, 'done'),
        finishStep('stop'),
      ),
      messages: [done([call('c', 'f', { response: 'done' })])],
    },
    {
      name: 'an unknown path, an unknown kind and a malformed chunk',
      body: stream(
        begin('text'),
        grow(7, 'lost'),
        { type: 'new', path: [] },
        { type: 'text-delta', path: [0] },
        grow(0, 'Hi'),
      ),
      messages: [done([text('Hi')])],
      warnings: ['malformed', 'unknown', 'malformed'],
    },
  ]);

  it('emits the shared state once for each read, and stores it', async () => {
    const { messages, events } = await playBody(
      assistantTransport,
      stream(
        begin('text'),
        grow(0, 'Hi'),
        set(['status'], 'running'),
        { type: 'update-state', operations: [{ type: 'append-text', path: ['status'], value: '!' }] },
        finishStep('stop'),
      ),
    );
    const states = events.flatMap((event) => (event.type === 'response' && event.data.state ? [event.data.state] : []));
    expect(states.at(-1)).to.deep.equal({ value: { status: 'running!' } });
    expect(messages[0]?.metadata?.['agentState']).to.deep.equal({ status: 'running!' });
  });

  describe('with messages in the state', () => {
    const shown = async (...states: readonly unknown[]): Promise<unknown> => {
      const { seen } = await playBody(
        assistantTransport,
        stream(...states.map((messages) => set(['messages'], messages))),
      );
      return seen.map(({ blocks }) => blocks);
    };

    it('shows assistant-ui’s, while they stream', async () => {
      const asked = { role: 'user', parts: [{ type: 'text', text: 'hi' }] };
      expect(
        await shown(
          [{ role: 'assistant', content: 'Welcome' }, asked],
          [{ role: 'assistant', content: 'Welcome' }, asked, { role: 'assistant', content: 'Hel' }],
          [
            { role: 'assistant', content: 'Welcome' },
            asked,
            { role: 'assistant', content: [{ type: 'text', text: 'Hello' }] },
          ],
        ),
      ).to.deep.equal([[text('Hello')]]);
    });

    it('shows LangChain’s, with their calls and reasoning', async () => {
      const asked = { type: 'human', content: 'hi' };
      const asking = {
        type: 'ai',
        content: [{ type: 'thinking', thinking: 'Hm' }],
        tool_calls: [{ id: 'c', name: 'f', args: { x: 1 } }],
      };
      expect(
        await shown(
          [asked, asking],
          [
            asked,
            asking,
            { type: 'tool', tool_call_id: 'c', content: [{ type: 'text', text: 'ok' }] },
            { type: 'ai', content: 'Done' },
          ],
        ),
      ).to.deep.equal([
        [
          thought('Hm'),
          call('c', 'f', { params: '{"x":1}', response: 'ok' }, { extra: { remote: true } }),
          text('Done'),
        ],
      ]);
    });

    it('takes only the result of a tool for the result of a call', async () => {
      const asked = { type: 'human', content: 'hi' };
      const asking = { type: 'ai', content: 'Wait.', tool_calls: [{ name: 'f', args: {} }] };
      const blocks = await shown([asked], [asked, asking]);
      expect(JSON.stringify(blocks)).to.contain('"name":"f"').and.not.to.contain('"response"');
    });

    it('ignores them if the parts contain them', async () => {
      const { seen } = await playBody(
        assistantTransport,
        stream(begin('text'), grow(0, 'Hi'), set(['messages'], [{ role: 'assistant', content: 'Hi' }])),
      );
      expect(seen.map(({ blocks }) => blocks)).to.deep.equal([[text('Hi')]]);
    });
  });

  testNeverThrows(assistantTransport, [
    { type: 'step-start', messageId: 'm' },
    begin('text'),
    begin('tool-call', { toolCallId: 'c', toolName: 'f' }),
    begin('source', { id: 's', url: 'https://a.example/' }),
    begin('file', { data: 'AA==', mimeType: 'image/png' }),
    begin('data', { name: 'w', data: 1 }),
    grow(0, 'x'),
    result(1, { y: 1 }),
    { type: 'data', data: [1] },
    { type: 'annotations', annotations: [1] },
    set(['messages', '0'], { type: 'ai', content: 'x', tool_calls: [{ id: 'c', name: 'f', args: {} }] }),
    set(['__proto__', 'polluted'], 1),
    { type: 'update-state', operations: [{ type: 'append-text', path: ['messages', '0', 'content'], value: 'y' }] },
    finishStep('stop', { usage: { inputTokens: 1, outputTokens: 2 } }),
    { type: 'message-finish', finishReason: 'stop', usage: { inputTokens: 1, outputTokens: 2 } },
    { type: 'error', error: 'x', code: 'y', severity: 'critical' },
  ]);
});
