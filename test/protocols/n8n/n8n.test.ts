import { adapter as n8n } from '../../../src/protocols/n8n.ts';
import { testBodies, testNeverThrows, testRecordings, testRequests } from '../../support/adapter-tests.ts';
import { failure, text, thought, type ExpectedFields } from '../../support/bare.ts';
import { testDetection } from '../../support/detection-tests.ts';
import { assistant, user } from '../../support/messages.ts';
import { ndjson } from '../../support/play-body.ts';
import { testSent } from '../../support/sent-tests.ts';

/** A chunk of a node, and of one of its runs. */
const chunk = (type: string, node = 'a', more: object = {}, runIndex = 0): object => ({
  type,
  ...more,
  metadata: { nodeId: node, nodeName: `Agent ${node}`, itemIndex: 0, runIndex, timestamp: 1 },
});
const begin = (node?: string): object => chunk('begin', node);
const say = (content: string, node?: string): object => chunk('item', node, { content });
const end = (node?: string): object => chunk('end', node);

const done = (blocks: readonly ExpectedFields[], more: ExpectedFields = {}): ExpectedFields => ({
  status: 'complete',
  finish: 'complete',
  ...more,
  blocks,
});
const by = (node: string, more: ExpectedFields = {}): ExpectedFields => ({
  metadata: { messageId: `${node}:0` },
  ...more,
});
const failed = (...blocks: readonly ExpectedFields[]): ExpectedFields =>
  done(blocks, { status: 'error', finish: 'error' });

const turn = { text: 'Hello' };
const hello = { action: 'sendMessage', sessionId: 'thread', chatInput: 'Hello' };
const file = { kind: 'file', data: btoa('z'), mimeType: 'text/csv', name: 'z.csv' } as const;

describe('n8n', () => {
  testRecordings(n8n, 'n8n');

  testBodies(n8n, [
    {
      name: 'one node',
      body: ndjson(begin(), say('Hel'), say('lo'), end()),
      messages: [done([text('Hello')], by('a'))],
    },
    {
      name: 'reasoning in tags, of each node',
      body: ndjson(
        begin(),
        say('<thi'),
        say('nk>\nHm\n</think>\n'),
        say('\nHello <think>'),
        end(),
        begin('b'),
        say('<think>Ah</think>b', 'b'),
        end('b'),
      ),
      messages: [
        done([thought('Hm'), text('Hello <think>')], by('a')),
        done([thought('Ah'), text('b')], by('b', { name: 'Agent b' })),
      ],
    },
    {
      name: 'reasoning in tags in plain text',
      body: '<think>Hm</think>\n\nHello <b',
      messages: [done([thought('Hm'), text('Hello <b')])],
    },
    {
      name: 'the last line without its line end',
      body: ndjson(begin(), say('Hello'), end()).trimEnd(),
      messages: [done([text('Hello')], by('a'))],
    },
    {
      name: 'a plain line between items stays unchanged',
      body: `${ndjson(begin(), say('Hello'))}  there \n${ndjson(end())}`,
      messages: [done([text('Hello  there ')], by('a'))],
    },
    {
      name: 'a node without an end: interrupted',
      body: ndjson(begin(), say('Hel')),
      messages: [done([text('Hel')], by('a', { status: 'interrupted', finish: 'error' }))],
      problem: 'cut',
    },
    {
      name: 'a truncated line is no text',
      body: ndjson(begin(), say('Hel')) + '{"type":"item","cont',
      messages: [done([text('Hel')], by('a', { status: 'interrupted', finish: 'error' }))],
      problem: 'cut',
    },
    {
      name: 'two parallel nodes, the second with a name; an empty one',
      body: ndjson(
        begin('a'),
        begin('b'),
        say('1', 'a'),
        say('2', 'b'),
        say('3', 'a'),
        begin('c'),
        end('c'),
        end('b'),
        end('a'),
      ),
      messages: [done([text('13')], by('a')), done([text('2')], by('b', { name: 'Agent b' }))],
    },
    {
      name: 'chunks without metadata',
      body: ndjson({ type: 'item', content: 'a' }, { type: 'item', content: 'b' }),
      messages: [done([text('ab')])],
    },
    {
      name: 'a node that answers with a document',
      body: ndjson(begin(), say('{"output":"Hi"}'), end()),
      messages: [done([text('Hi')], by('a'))],
    },
    {
      name: 'JSON in a text stays a text',
      body: ndjson(begin(), say('{"a":1}'), end()),
      messages: [done([text('{"a":1}')], by('a'))],
    },
    {
      name: 'a line of invalid JSON is text',
      body: `${ndjson(begin(), say('Hi '))}there\n${ndjson(end())}`,
      messages: [done([text('Hi there')], by('a'))],
    },
    {
      name: 'an error of a node',
      body: ndjson(begin(), say('Hi'), chunk('error', 'a', { content: 'No quota' })),
      messages: [{ ...failed(text('Hi'), failure('No quota')), ...by('a') }],
    },
    {
      name: 'types of community nodes',
      body: ndjson(begin(), chunk('tool-call-start'), say('Hi'), end()),
      messages: [done([text('Hi')], by('a'))],
      warnings: ['unknown'],
    },
    ...[
      { name: 'output', json: { output: 'Hi', text: 'x' } },
      { name: 'text', json: { text: 'Hi' } },
      { name: 'message', json: { message: 'Hi' } },
      { name: 'nested one level', json: { data: { output: 'Hi' } } },
      { name: 'in a list', json: [{ json: { text: 'Hi' } }] },
    ].map(({ name, json }) => ({
      name: `a reply that was not streamed: ${name}`,
      body: JSON.stringify(json),
      messages: [done([text('Hi')])],
    })),
    {
      name: 'a document on several lines',
      body: JSON.stringify({ output: 'Hi' }, null, 2),
      messages: [done([text('Hi')])],
    },
    ...['{"output":"Hel', '[{"output":"Hel', '[{"out', '{'].map((body) => ({
      name: `a truncated document is no text: ${body}`,
      body,
      messages: [{ status: 'interrupted', finish: 'error', blocks: [] }],
      problem: 'empty',
    })),
    {
      name: 'text that begins with a bracket, without a line end',
      body: '[1] is the source.',
      messages: [done([text('[1] is the source.')])],
    },
    {
      name: 'several items of a list',
      body: JSON.stringify([{ output: 'First.' }, { output: 'Second.' }]),
      messages: [done([text('First.'), text('Second.')])],
    },
    { name: 'a document without text', body: '{"a":[1]}', messages: [done([text('{"a":[1]}')])] },
    { name: 'plain text', body: 'Hi 1 there\n2', messages: [done([text('Hi 1 there\n2')])] },
    {
      name: 'a workflow with an empty response',
      body: '{"code":0,"message":"Workflow was started"}',
      messages: [
        failed(failure('The workflow was started, but returns no answer: set a response mode on its trigger.')),
      ],
    },
    {
      name: 'a workflow that waits for something else',
      body: '{"executionStarted":true,"executionId":"7"}',
      messages: [
        failed(failure('The workflow waits for something outside of this chat. Use "Respond to Webhook" in it.')),
      ],
    },
    {
      name: 'an error with a hint',
      body: '{"code":404,"message":"Not registered.","hint":"Activate it."}',
      messages: [failed(failure('Not registered. Activate it.'))],
    },
  ]);

  testRequests(n8n, [
    { name: 'the first turn', messages: [user('Hello')], turn, body: hello },
    {
      name: 'only the new message, since the workflow has the history',
      messages: [user('A'), assistant('B'), user('Hello')],
      turn,
      body: hello,
    },
    {
      name: 'page context and a system text',
      turn,
      options: { system: 'Be short', context: { page: '/x' } },
      body: { ...hello, metadata: { system: 'Be short', page: '/x' } },
    },
    {
      name: 'files by their addresses, as lines of the text',
      messages: [
        user('Hello', {
          attachments: [
            { kind: 'image', url: 'https://a.example/p.png' },
            { kind: 'file', url: 'https://a.example/1', name: 'b.pdf' },
          ],
        }),
      ],
      turn,
      body: {
        ...hello,
        chatInput: 'Hello\nAttached file: https://a.example/p.png\nAttached file: b.pdf https://a.example/1',
      },
    },
  ]);

  testSent(n8n, [
    {
      name: 'files in a form, with the page’s own fields',
      messages: [user('Hello', { attachments: [file] })],
      turn,
      options: { context: { page: '/x' }, body: { sessionId: 's', tenant: 7 } },
      sent: [
        {
          url: 'https://a.example/chat',
          method: 'POST',
          body: { ...hello, sessionId: 's', tenant: '7', metadata: '{"page":"/x"}', files: 'z.csv (text/csv): z' },
        },
      ],
    },
  ]);

  testNeverThrows(n8n, [
    begin(),
    say('{"output":"x"}'),
    end(),
    chunk('error', 'a', { content: 'x' }),
    { type: 'item', content: 'x' },
    { data: { output: 'x' } },
    [{ json: { text: 'x' } }],
    { code: 0, message: 'Workflow was started' },
    { code: 404, message: 'm', hint: 'h' },
    { executionStarted: true },
  ]);

  testDetection('n8n', {
    own: {
      'a node': ndjson(begin(), say('Hi'), end()),
      'an item in front': ndjson(say('Hi')),
      'an error in front': ndjson({ type: 'error', content: 'x' }, begin()),
    },
    others: {
      'a session’s event, which has data': [
        ndjson({ type: 'error', data: { message: 'x' }, metadata: { timestamp: 1 } }),
        'agent-session',
      ],
      'a document': ['{"output":"x"}', 'json'],
    },
    urls: ['https://n.example/webhook/7/chat', 'https://n.example/webhook-test/7'],
    otherUrls: ['https://n.example/webhooks/rest/webhook', 'https://n.example/webhook'],
  });
});
