import { expect } from '@open-wc/testing';
import { adapter as a2a } from '../../../src/protocols/a2a/a2a.ts';
import { testBodies, testNeverThrows } from '../../support/adapter-tests.ts';
import { failure, text, type ExpectedFields } from '../../support/bare.ts';
import { playBody, sse } from '../../support/play-body.ts';
import { artifact, replyMetadata, version03, rpc, agentMessage, status, stream, task, textParts } from './streams.ts';

/** The phases in order; each step is a name, or a name and a text. */
const phases = (...steps: readonly (readonly [name: string, message?: string])[]): ExpectedFields => {
  const [phase, message] = steps.at(-1) ?? [];
  return {
    type: 'status',
    phase,
    ...(message !== undefined && { message }),
    extra: {
      steps: steps.map(([name, said]) => ({ phase: name, ...(said !== undefined && { message: said }) })),
    },
  };
};
const reply = (
  messageId: string,
  taskState: string,
  blocks: readonly ExpectedFields[],
  more: ExpectedFields = {},
): ExpectedFields => ({
  status: 'complete',
  finish: 'complete',
  metadata: replyMetadata(taskState, { messageId }),
  blocks,
  ...more,
});
const part = (messageId: string, blocks: readonly ExpectedFields[]): ExpectedFields => ({
  status: 'complete',
  finish: 'complete',
  metadata: { messageId },
  blocks,
});

const create = { version: 'v0.9', createSurface: { surfaceId: 's', catalogId: 'c' } };
const update = {
  version: 'v0.9',
  updateComponents: { surfaceId: 's', components: [{ id: 'root', component: 'Text', text: 'Hi' }] },
};

describe('a2a, reply', () => {
  testBodies(a2a, [
    {
      name: '1.0: progress is a phase, chunks of an artifact are one text, files and data have their own blocks',
      body: stream(
        task('SUBMITTED', { history: [{ messageId: 'u', role: 'ROLE_USER', parts: textParts('hello') }] }),
        status('WORKING', agentMessage('s', 'Looking')),
        artifact('a', textParts('One, ')),
        artifact(
          'a',
          [...textParts('two.'), { url: 'https://a.example/p.png', mediaType: 'image/png', filename: 'p.png' }],
          {
            append: true,
          },
        ),
        artifact('a', [{ data: { k: 1 } }, { raw: 'QQ==', mediaType: 'application/pdf' }], {
          append: true,
          lastChunk: true,
        }),
        status('COMPLETED'),
      ),
      messages: [
        reply('a', 'completed', [
          phases(['submitted'], ['working', 'Looking']),
          text('One, two.'),
          { type: 'image', url: 'https://a.example/p.png', name: 'p.png' },
          { type: 'data', data: { data_type: 'custom', data: { k: 1 } }, extra: { dataId: 'a/3' } },
          { type: 'file', data: 'QQ==', mimeType: 'application/pdf' },
        ]),
      ],
    },
    ...[
      { name: 'one message a part', parts: [{ data: create }, { data: update }] },
      { name: 'a list of messages', parts: [{ data: [create, update] }] },
    ].map(({ name, parts }) => ({
      name: `A2UI, ${name}, is one surface`,
      body: stream(task('WORKING'), artifact('a', parts, { lastChunk: true }), status('COMPLETED')),
      messages: [
        reply('a', 'completed', [
          phases(['working']),
          { type: 'ui', ui: { kind: 'a2ui', messages: [create, update] }, extra: { dataId: 'a/0' } },
        ]),
      ],
    })),
    {
      name: 'A2UI in chunks of an artifact stays one surface',
      body: stream(
        task('WORKING'),
        artifact('a', [{ data: create, metadata: { mimeType: 'application/json+a2ui' } }]),
        artifact('a', [{ data: update, metadata: { mimeType: 'application/json+a2ui' } }], {
          append: true,
          lastChunk: true,
        }),
        status('COMPLETED'),
      ),
      messages: [
        reply('a', 'completed', [
          phases(['working']),
          { type: 'ui', ui: { kind: 'a2ui', messages: [create, update] }, extra: { dataId: 'a/0' } },
        ]),
      ],
    },
    {
      name: '0.3: kinds inside of the result, files nested one level deeper',
      body: stream(
        version03('task', { id: 'T', contextId: 'C', status: { state: 'working' }, artifacts: [] }),
        version03('artifact-update', {
          taskId: 'T',
          contextId: 'C',
          artifact: {
            artifactId: 'a',
            parts: [
              { kind: 'text', text: 'Here' },
              { kind: 'file', file: { uri: 'https://a.example/p.png', mimeType: 'image/png' } },
              { kind: 'data', data: { k: 1 } },
            ],
          },
          append: false,
        }),
        version03('status-update', { taskId: 'T', contextId: 'C', status: { state: 'completed' }, final: true }),
      ),
      messages: [
        reply(
          'a',
          'completed',
          [
            phases(['working']),
            text('Here'),
            { type: 'image', url: 'https://a.example/p.png' },
            { type: 'data', data: { data_type: 'custom', data: { k: 1 } }, extra: { dataId: 'a/2' } },
          ],
          { metadata: replyMetadata('completed', { version: '0.3', messageId: 'a' }) },
        ),
      ],
    },
    {
      name: 'a complete artifact replaces its earlier version; another artifact is a new message',
      body: stream(
        artifact('a', textParts('Draft')),
        artifact('b', textParts('Second')),
        artifact('a', textParts('Final')),
        status('COMPLETED', agentMessage('s', 'Done.')),
      ),
      messages: [reply('a', 'completed', [text('Final')]), part('b', [text('Second')]), part('s', [text('Done.')])],
    },
    {
      name: 'a final message that repeats the result is shown once',
      body: stream(artifact('a', textParts('Same')), status('COMPLETED', agentMessage('s', 'Same'))),
      messages: [reply('a', 'completed', [text('Same')])],
    },
    {
      name: 'a reply without a task',
      body: stream(rpc({ message: agentMessage('m', 'Quick.', { contextId: 'C' }) })),
      messages: [
        {
          status: 'complete',
          finish: 'complete',
          metadata: { version: '1.0', contextId: 'C', messageId: 'm' },
          blocks: [text('Quick.')],
        },
      ],
    },
    {
      name: 'one document instead of a stream, with the answer only in the history',
      body: JSON.stringify(
        task('COMPLETED', {
          history: [{ messageId: 'u', role: 'user', parts: textParts('hello') }, agentMessage('h', 'Hi')],
        }),
        null,
        2,
      ),
      messages: [reply('h', 'completed', [text('Hi')])],
    },
    {
      name: 'plain HTTP: no envelope, the parts of 0.3 under another name',
      body: sse(
        { task: { id: 'T', contextId: 'C', status: { state: 'TASK_STATE_WORKING' } } },
        {
          statusUpdate: {
            taskId: 'T',
            contextId: 'C',
            status: {
              state: 'TASK_STATE_COMPLETED',
              message: { messageId: 's', role: 'ROLE_AGENT', content: [{ text: 'Hi' }, { data: { data: { k: 1 } } }] },
            },
          },
        },
      ),
      messages: [
        reply('s', 'completed', [
          phases(['working']),
          text('Hi'),
          { type: 'data', data: { data_type: 'custom', data: { k: 1 } }, extra: { dataId: 's/1' } },
        ]),
      ],
    },
    {
      name: 'a requested task, without an envelope',
      body: JSON.stringify({
        id: 'T',
        contextId: 'C',
        status: { state: 'TASK_STATE_COMPLETED' },
        artifacts: [{ artifactId: 'a', parts: textParts('Hi') }],
      }),
      messages: [reply('a', 'completed', [text('Hi')])],
    },
    {
      name: 'a question waits for the user',
      body: stream(task('WORKING'), status('INPUT_REQUIRED', agentMessage('q', 'Which city?'))),
      messages: [
        reply(
          'q',
          'input-required',
          [
            phases(['working']),
            text('Which city?'),
            { type: 'action', status: 'pending', action_type: 'question', extra: { requestId: 'q' } },
          ],
          { status: 'streaming', finish: 'tool_use' },
        ),
      ],
    },
    {
      name: 'a sign-in elsewhere, after which the agent continues in the same stream',
      body: stream(
        status('AUTH_REQUIRED', agentMessage('q', 'Sign in at https://a.example')),
        status('WORKING'),
        artifact('a', textParts('Thanks')),
        status('COMPLETED'),
      ),
      messages: [
        reply('q', 'completed', [phases(['auth_required'], ['working']), text('Sign in at https://a.example')]),
        part('a', [text('Thanks')]),
      ],
    },
    {
      name: 'a sign-in elsewhere, which ends the stream',
      body: stream(status('AUTH_REQUIRED', agentMessage('q', 'Sign in'))),
      messages: [
        reply(
          'q',
          'auth-required',
          [
            phases(['auth_required']),
            text('Sign in'),
            { type: 'action', status: 'pending', action_type: 'interrupt', extra: { requestId: 'q' } },
          ],
          { status: 'streaming', finish: 'tool_use' },
        ),
      ],
    },
    ...['FAILED', 'REJECTED'].map((state) => ({
      name: `${state}: its text is the reason`,
      body: stream(artifact('a', textParts('Half')), status(state, agentMessage('s', 'No power'))),
      messages: [
        reply('a', state.toLowerCase(), [text('Half'), failure('No power')], { status: 'error', finish: 'error' }),
      ],
    })),
    {
      name: 'a failure without text: its reason is in the data',
      body: stream(
        status('FAILED', { messageId: 's', role: 'ROLE_AGENT', parts: [{ data: { error: { message: 'No power' } } }] }),
      ),
      messages: [
        {
          status: 'error',
          finish: 'error',
          metadata: replyMetadata('failed'),
          blocks: [failure('No power')],
        },
      ],
    },
    ...[
      { name: 'sentences', texts: ['One.', 'Two.'], all: 'One.\n\nTwo.' },
      { name: 'chunks', texts: ['One ', 'two', ' three'], all: 'One two three' },
      { name: 'the text so far', texts: ['One', 'One two'], all: 'One two' },
    ].map(({ name, texts, all }) => ({
      name: `a completed task whose only text is its progress: ${name}`,
      body: stream(
        ...texts.map((said, index) => status('WORKING', agentMessage(`p${String(index)}`, said))),
        status('COMPLETED'),
      ),
      messages: [
        reply(`p${String(texts.length - 1)}`, 'completed', [phases(['working', texts.at(-1) ?? '']), text(all)]),
      ],
    })),
    {
      name: 'canceled',
      body: stream(artifact('a', textParts('Half')), status('CANCELED')),
      messages: [reply('a', 'canceled', [text('Half')], { status: 'cancelled', finish: 'cancelled' })],
    },
    {
      name: 'an error instead of the stream, pretty-printed',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32001, message: 'Task not found' } }, null, 1),
      messages: [{ status: 'error', finish: 'error', blocks: [failure('Task not found', { code: '-32001' })] }],
    },
    {
      name: 'an error of the plain binding as the last event',
      body: `${stream(artifact('a', textParts('Half')))}event: error\ndata: {"error":{"code":500,"status":"INTERNAL","message":"Oh"}}\n\n`,
      messages: [
        {
          ...reply('a', '', [text('Half'), failure('Oh', { code: '500' })], { status: 'error', finish: 'error' }),
          metadata: { version: '1.0', contextId: 'C', taskId: 'T', messageId: 'a' },
        },
      ],
    },
    {
      name: 'a body that ends while the agent works is interrupted',
      body: stream(task('WORKING'), artifact('a', textParts('Half'))),
      messages: [
        reply('a', 'working', [phases(['working']), text('Half')], {
          status: 'interrupted',
          finish: 'error',
        }),
      ],
      problem: 'cut',
    },
    {
      name: 'unknown results',
      body: stream(rpc({ kind: 'surprise' }), artifact('a', textParts('Hi')), status('COMPLETED')),
      messages: [reply('a', 'completed', [text('Hi')])],
      warnings: ['unknown'],
    },
  ]);

  it('emits the state of the task and its artifacts', async () => {
    const { events } = await playBody(a2a, stream(artifact('a', textParts('Hi')), status('COMPLETED')));
    const states = events.flatMap((event) => (event.type === 'response' && event.data.state ? [event.data.state] : []));
    expect(JSON.parse(JSON.stringify(states.at(-1)?.value))).to.deep.equal({
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [{ artifactId: 'a', parts: [{ text: 'Hi' }] }],
    });
  });

  testNeverThrows(a2a, [
    task('SUBMITTED', { artifacts: [{ artifactId: 'a', parts: textParts('x') }], history: [agentMessage('h', 'x')] }),
    version03('task', { id: 'T', contextId: 'C', status: { state: 'working' }, artifacts: [] }),
    version03('status-update', {
      taskId: 'T',
      status: { state: 'input-required', message: agentMessage('q', 'x') },
      final: true,
    }),
    version03('message', agentMessage('m', 'x')),
    status('COMPLETED', agentMessage('s', 'x')),
    artifact('a', [{ url: 'https://a.example/p', mediaType: 'image/png' }, { data: { data: {} } }, { raw: 'QQ==' }], {
      append: true,
    }),
    version03('artifact-update', { artifact: { artifactId: 'a', parts: [{ kind: 'file', file: { bytes: 'QQ==' } }] } }),
    { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'x', data: [{ reason: 'X' }] } },
  ]);
});
