import { expect } from '@open-wc/testing';
import { adapter as langgraph } from '../../../src/protocols/langgraph/langgraph.ts';
import { call, failure, text, thought, type ExpectedFields } from '../../support/bare.ts';
import { playBody } from '../../support/play-body.ts';
import { ai, human, v2 } from './streams.ts';
import { done, testShown } from './shown.ts';

const model = ['model_request:1'];
const start = (id: string, more: object = {}): [string, unknown, string[]] => [
  'messages',
  { event: 'message-start', id, ...more },
  model,
];
const block = (kind: 'start' | 'finish', index: number, content: object): [string, unknown, string[]] => [
  'messages',
  { event: `content-block-${kind}`, index, content },
  model,
];
const delta = (index: number, piece: object): [string, unknown, string[]] => [
  'messages',
  { event: 'content-block-delta', index, delta: piece },
  model,
];
const finish = (more: object = {}): [string, unknown, string[]] => [
  'messages',
  { event: 'message-finish', reason: 'stop', ...more },
  model,
];
const chunk = (args: string): [string, unknown, string[]] =>
  delta(0, { type: 'block-delta', fields: { type: 'tool_call_chunk', id: 'c', name: 'f', args } });
const failed = (cause: object): [string, unknown, string[]] => [
  'messages',
  { event: 'message-error', ...cause },
  model,
];
const completed: [string, unknown] = ['lifecycle', { event: 'completed', graph_name: 'agent' }];
const textMessage = (id: string, words: string): [string, unknown, string[]][] => [
  start(id),
  block('start', 0, { type: 'text', text: '' }),
  delta(0, { type: 'text-delta', text: words }),
  finish(),
];

describe('langgraph, v2', () => {
  testShown([
    {
      name: 'the start of a block has its first text, its end the complete text',
      body: v2(
        ['lifecycle', { event: 'running' }],
        start('a'),
        block('start', 0, { type: 'reasoning', reasoning: 'H' }),
        delta(0, { type: 'reasoning-delta', reasoning: 'm' }),
        block('start', 1, { type: 'text', text: 'Ye' }),
        delta(1, { type: 'text-delta', text: 's' }),
        block('finish', 0, { type: 'reasoning', reasoning: 'Hm.' }),
        block('finish', 1, { type: 'text', text: 'Yes' }),
        finish({ usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3 } }),
        ['values', { messages: [human, ai('a', 'Yes')] }],
        completed,
      ),
      messages: [
        done([thought('Hm.'), text('Yes')], { usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } }),
      ],
    },
    {
      name: 'arguments come twice, and a tool’s message is its result',
      body: v2(
        start('a'),
        block('start', 0, { type: 'tool_use', id: 'c', name: 'f', input: '' }),
        chunk(''),
        delta(0, { type: 'block-delta', fields: { type: 'input_json_delta', input: '{"a"' } }),
        chunk('{"a"'),
        delta(0, { type: 'block-delta', fields: { type: 'input_json_delta', input: ':1}' } }),
        chunk('{"a":1}'),
        block('finish', 0, { type: 'tool_call', id: 'c', name: 'f', args: { a: 1 } }),
        finish(),
        ['tools', { event: 'tool-started', tool_call_id: 'c', tool_name: 'f', input: '{}' }, ['tools:1']],
        ['tools', { event: 'tool-output-delta', tool_call_id: 'c', delta: 'half' }, ['tools:1']],
        ['messages', { event: 'message-start', id: 't', role: 'tool', tool_call_id: 'c' }, ['tools:1']],
        [
          'messages',
          { event: 'content-block-delta', index: 0, delta: { type: 'text-delta', text: 'ok' } },
          ['tools:1'],
        ],
        ['messages', { event: 'message-finish' }, ['tools:1']],
        ['tools', { event: 'tool-finished', tool_call_id: 'c', output: { content: 'ok' } }, ['tools:1']],
        ...textMessage('b', 'Done'),
        completed,
      ),
      messages: [
        done([call('c', 'f', { params: '{"a":1}', response: 'ok' }, { extra: { remote: true } }), text('Done')]),
      ],
    },
    {
      name: 'interleaved messages of several graphs; those of a tool’s own model are not shown',
      body: v2(
        ['messages', { event: 'message-start', id: 'a' }, ['x:1']],
        ['messages', { event: 'message-start', id: 'i' }, ['tools:1', 'inner:1']],
        [
          'messages',
          { event: 'content-block-delta', index: 0, delta: { type: 'text-delta', text: 'secret' } },
          ['tools:1', 'inner:1'],
        ],
        ['messages', { event: 'content-block-delta', index: 0, delta: { type: 'text-delta', text: 'Shown' } }, ['x:1']],
        ['messages', { event: 'message-finish' }, ['x:1']],
        completed,
      ),
      messages: [done([text('Shown')])],
    },
    {
      name: 'events after the end of the run are ignored',
      body: v2(...textMessage('a', 'Hi'), completed, ...textMessage('b', 'late')),
      messages: [done([text('Hi')])],
    },
    {
      name: 'a body that ends between messages is complete',
      body: v2(...textMessage('a', 'Hi')),
      messages: [done([text('Hi')])],
    },
    {
      name: 'a body that ends inside one is interrupted',
      body: v2(start('a'), delta(0, { type: 'text-delta', text: 'Ha' })),
      messages: [done([text('Ha')], { status: 'interrupted', finish: 'error' })],
      problem: 'cut',
    },
    {
      name: 'a run that fails',
      body: v2(['lifecycle', { event: 'failed', error: 'Boom' }]),
      messages: [done([failure('Boom')], { status: 'error', finish: 'error' })],
    },
    {
      name: 'a run that fails with an object',
      body: v2(['lifecycle', { event: 'failed', error: { message: 'Boom' } }]),
      messages: [done([failure('Boom')], { status: 'error', finish: 'error' })],
    },
    ...[{ error: { message: 'Boom' } }, { message: 'Boom' }].map((cause) => ({
      name: `a message that fails, and with it the run: ${JSON.stringify(cause)}`,
      body: v2(start('a'), delta(0, { type: 'text-delta', text: 'Half' }), failed(cause)),
      messages: [done([text('Half'), failure('Boom')], { status: 'error', finish: 'error' })],
    })),
    {
      name: 'a message that fails without a reason, as does the run',
      body: v2(start('a'), failed({}), ['lifecycle', { event: 'failed' }]),
      messages: [done([failure('The run has failed.')], { status: 'error', finish: 'error' })],
    },
    {
      name: 'the reason of a message is that of the run which fails without one',
      body: v2(start('a'), failed({ message: 'Boom' }), ['lifecycle', { event: 'failed' }]),
      messages: [done([failure('Boom')], { status: 'error', finish: 'error' })],
    },
    {
      name: 'a message that fails, after which another node answers',
      body: v2(start('a'), failed({ message: 'Boom' }), ...textMessage('b', 'Yes'), completed),
      messages: [done([text('Yes')])],
    },
    {
      name: 'an answer that was cut',
      body: v2(start('a'), delta(0, { type: 'text-delta', text: 'Half' }), finish({ reason: 'length' }), completed),
      messages: [done([text('Half')], { finish: 'max_tokens' })],
    },
    {
      name: 'an image, which stays when the text changes',
      body: v2(
        start('a'),
        block('start', 0, { type: 'image', base64: 'AA', mime_type: 'image/png' }),
        block('finish', 0, { type: 'image', base64: 'AA', mime_type: 'image/png' }),
        delta(1, { type: 'text-delta', text: 'Yes' }),
        block('finish', 1, { type: 'text', text: 'No' }),
        finish(),
        completed,
      ),
      messages: [done([{ type: 'image', image_data: { data: 'AA', mimeType: 'image/png' } }, text('No')])],
    },
    {
      name: 'the nodes of the graph are phases, and its data blocks',
      body: v2(
        ['lifecycle', { event: 'started', graph_name: 'plan' }, ['plan:1']],
        ['lifecycle', { event: 'started', graph_name: 'tools' }, ['tools:1']],
        ['custom', { payload: { n: 1 } }],
        completed,
      ),
      messages: [
        done([
          { type: 'status', phase: 'plan', extra: { steps: [{ phase: 'plan' }] } },
          { type: 'data', data: { data_type: 'custom', data: { n: 1 } } },
        ]),
      ],
    },
  ]);

  it('shows the request that the run waits for', async () => {
    const value = { action_requests: [{ name: 'f', args: { a: 1 }, description: 'Sure?' }], review_configs: [] };
    const body = v2(
      ['input.requested', { interrupt_id: 'i', payload: value }],
      ['lifecycle', { event: 'interrupted' }],
    );
    const { seen, outcome } = await playBody(langgraph, body);
    const [block] = (seen[0]?.['blocks'] ?? []) as readonly ExpectedFields[];
    expect(block).to.include({ action_type: 'tool_call_permission', status: 'pending', content: 'Sure?' });
    expect(block?.['extra']).to.include({ requestId: 'i', index: 0 });
    expect(outcome.finish).to.equal('tool_use');
  });
});
