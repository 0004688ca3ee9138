/** Compares how AG-UI's own client and our adapter read the same runs. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { readOurs, readTheirs, type AgUiReading } from './support/ag-ui-reading.ts';
import { agUiServer, callTool, result, textMessage, think, type AgUiServer, type Run } from './support/ag-ui-server.ts';

interface Row {
  readonly name: string;
  readonly run: Run;
  /** The parts that both must contain, so that two empty readings do not agree. */
  readonly has: Partial<AgUiReading>;
}

const snapshot = (...messages: readonly object[]): Run => [{ type: 'MESSAGES_SNAPSHOT', messages }];
const user = { id: 'u', role: 'user', content: 'Hi' };

const rows: readonly Row[] = [
  {
    name: 'text in chunks, in two messages',
    run: [...textMessage('m', 'Grüße ', '👋🏽'), ...textMessage('n', 'Bye')],
    has: { parts: [{ text: 'Grüße 👋🏽' }, { text: 'Bye' }], state: {} },
  },
  {
    name: 'reasoning, a call of the agent’s own tool with its result, and text',
    run: [
      ...think('z', 'Hm', '.'),
      ...callTool('c', 'find', '{"q":"tea"}', 'm'),
      ...result('c', 'leaf'),
      ...textMessage('n', 'A leaf.'),
    ],
    has: {
      parts: [{ thought: 'Hm.' }, { call: 'find', params: '{"q":"tea"}', response: 'leaf' }, { text: 'A leaf.' }],
    },
  },
  {
    name: 'the short forms of events',
    run: [
      { type: 'REASONING_MESSAGE_CHUNK', messageId: 'z', delta: 'Hm' },
      { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', role: 'assistant', delta: 'Y' },
      { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', delta: 'es' },
      { type: 'TOOL_CALL_CHUNK', toolCallId: 'c', toolCallName: 'f', parentMessageId: 'm', delta: '{"a":' },
      { type: 'TOOL_CALL_CHUNK', toolCallId: 'c', delta: '1}' },
      ...result('c', 'ok'),
    ],
    has: { parts: [{ thought: 'Hm' }, { text: 'Yes' }, { call: 'f', params: '{"a":1}', response: 'ok' }] },
  },
  {
    name: 'a complete state, changed by patches',
    run: [
      { type: 'STATE_SNAPSHOT', snapshot: { cart: ['tea'], note: { a: 1 } } },
      {
        type: 'STATE_DELTA',
        delta: [
          { op: 'add', path: '/cart/0', value: 'milk' },
          { op: 'move', from: '/note/a', path: '/note/b' },
          { op: 'copy', from: '/note/b', path: '/n~1m' },
        ],
      },
      ...textMessage('m', 'Ok'),
      { type: 'STATE_DELTA', delta: [{ op: 'remove', path: '/cart/1' }] },
    ],
    has: { parts: [{ text: 'Ok' }], state: { cart: ['milk'], note: { b: 1 }, 'n/m': 1 } },
  },
  {
    name: 'a patch without an earlier state',
    run: [{ type: 'STATE_DELTA', delta: [{ op: 'add', path: '/a', value: 1 }] }, ...textMessage('m', 'Ok')],
    has: { state: { a: 1 } },
  },
  {
    name: 'an activity that changes at its position',
    run: [
      { type: 'ACTIVITY_SNAPSHOT', messageId: 'a', activityType: 'search', content: { hits: [] } },
      ...textMessage('m', 'Looking'),
      {
        type: 'ACTIVITY_DELTA',
        messageId: 'a',
        activityType: 'search',
        patch: [{ op: 'add', path: '/hits/-', value: 'x' }],
      },
      { type: 'ACTIVITY_SNAPSHOT', messageId: 'a', activityType: 'search', content: {}, replace: false },
    ],
    has: { parts: [{ activity: 'search', content: { hits: ['x'] } }, { text: 'Looking' }] },
  },
  {
    name: 'a final snapshot of the messages, which replaces what was streamed',
    run: [
      ...callTool('c', 'f', '{"a":1}', 'm'),
      ...result('c', 'ok'),
      ...textMessage('n', 'Wrong'),
      ...snapshot(
        user,
        {
          id: 'm',
          role: 'assistant',
          toolCalls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
        },
        { id: 'c-result', role: 'tool', toolCallId: 'c', content: 'ok' },
        { id: 'n', role: 'assistant', content: 'Right' },
        { id: 'o', role: 'assistant', content: 'And more' },
      ),
    ],
    has: { parts: [{ call: 'f', params: '{"a":1}', response: 'ok' }, { text: 'Right' }, { text: 'And more' }] },
  },
  {
    name: 'a snapshot without a stream',
    run: snapshot(user, { id: 'm', role: 'assistant', content: 'Hello' }),
    has: { parts: [{ text: 'Hello' }] },
  },
  {
    name: 'a run that fails',
    run: [...textMessage('m', 'Half'), { type: 'RUN_ERROR', message: 'No more fuel.' }],
    has: { parts: [{ text: 'Half' }], error: 'No more fuel.' },
  },
];

describe('AG-UI’s client and ours', () => {
  let server: AgUiServer;
  before(async () => {
    server = await agUiServer();
  });
  after(() => server.close());

  for (const { name, run, has } of rows) {
    it(name, async () => {
      server.play(run);
      const theirs = await readTheirs(server.url);
      assert.deepEqual(theirs, { ...theirs, ...has }, 'the vendor’s client');
      assert.deepEqual(await readOurs(server.url), theirs, 'ours');
    });
  }
});
