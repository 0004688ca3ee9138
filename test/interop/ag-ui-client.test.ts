/** Runs of AG-UI, as its own client reads them and as we do. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { readOurs, readTheirs, type AgUiReading } from './support/ag-ui-reading.ts';
import { agUiServer, callTool, result, say, think, type AgUiServer, type Run } from './support/ag-ui-server.ts';

interface Row {
  readonly name: string;
  readonly run: Run;
  /** What both have to find, so that two empty readings do not agree. */
  readonly has: Partial<AgUiReading>;
}

const snapshot = (...messages: readonly object[]): Run => [{ type: 'MESSAGES_SNAPSHOT', messages }];
const user = { id: 'u', role: 'user', content: 'Hi' };

const rows: readonly Row[] = [
  {
    name: 'words in pieces, in two messages',
    run: [...say('m', 'Grüße ', '👋🏽'), ...say('n', 'Bye')],
    has: { shown: [{ text: 'Grüße 👋🏽' }, { text: 'Bye' }], state: {} },
  },
  {
    name: 'thoughts, a call of the agent’s own with its result, and the words',
    run: [
      ...think('z', 'Hm', '.'),
      ...callTool('c', 'find', '{"q":"tea"}', 'm'),
      ...result('c', 'leaf'),
      ...say('n', 'A leaf.'),
    ],
    has: {
      shown: [{ thought: 'Hm.' }, { call: 'find', params: '{"q":"tea"}', response: 'leaf' }, { text: 'A leaf.' }],
    },
  },
  {
    name: 'the short forms',
    run: [
      { type: 'REASONING_MESSAGE_CHUNK', messageId: 'z', delta: 'Hm' },
      { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', role: 'assistant', delta: 'Y' },
      { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', delta: 'es' },
      { type: 'TOOL_CALL_CHUNK', toolCallId: 'c', toolCallName: 'f', parentMessageId: 'm', delta: '{"a":' },
      { type: 'TOOL_CALL_CHUNK', toolCallId: 'c', delta: '1}' },
      ...result('c', 'ok'),
    ],
    has: { shown: [{ thought: 'Hm' }, { text: 'Yes' }, { call: 'f', params: '{"a":1}', response: 'ok' }] },
  },
  {
    name: 'a state that is told whole, and changed by patches',
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
      ...say('m', 'Ok'),
      { type: 'STATE_DELTA', delta: [{ op: 'remove', path: '/cart/1' }] },
    ],
    has: { shown: [{ text: 'Ok' }], state: { cart: ['milk'], note: { b: 1 }, 'n/m': 1 } },
  },
  {
    name: 'a patch without a state before it',
    run: [{ type: 'STATE_DELTA', delta: [{ op: 'add', path: '/a', value: 1 }] }, ...say('m', 'Ok')],
    has: { state: { a: 1 } },
  },
  {
    name: 'an activity that changes in its place',
    run: [
      { type: 'ACTIVITY_SNAPSHOT', messageId: 'a', activityType: 'search', content: { hits: [] } },
      ...say('m', 'Looking'),
      {
        type: 'ACTIVITY_DELTA',
        messageId: 'a',
        activityType: 'search',
        patch: [{ op: 'add', path: '/hits/-', value: 'x' }],
      },
      { type: 'ACTIVITY_SNAPSHOT', messageId: 'a', activityType: 'search', content: {}, replace: false },
    ],
    has: { shown: [{ activity: 'search', content: { hits: ['x'] } }, { text: 'Looking' }] },
  },
  {
    name: 'a snapshot of the messages that has the last word',
    run: [
      ...callTool('c', 'f', '{"a":1}', 'm'),
      ...result('c', 'ok'),
      ...say('n', 'Wrong'),
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
    has: { shown: [{ call: 'f', params: '{"a":1}', response: 'ok' }, { text: 'Right' }, { text: 'And more' }] },
  },
  {
    name: 'a snapshot alone',
    run: snapshot(user, { id: 'm', role: 'assistant', content: 'Hello' }),
    has: { shown: [{ text: 'Hello' }] },
  },
  {
    name: 'a run that fails',
    run: [...say('m', 'Half'), { type: 'RUN_ERROR', message: 'No more fuel.' }],
    has: { shown: [{ text: 'Half' }], error: 'No more fuel.' },
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
