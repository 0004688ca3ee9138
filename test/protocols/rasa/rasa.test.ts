import { adapter as rasa } from '../../../src/protocols/rasa.ts';
import { testBodies, testNeverThrows, testRecordings, testRequests } from '../../support/adapter-tests.ts';
import { text, type ExpectedFields } from '../../support/bare.ts';
import { testDetection } from '../../support/detection-tests.ts';
import { assistant, user } from '../../support/messages.ts';

/** An array of entries, each with its recipient. */
const body = (...entries: readonly object[]): string =>
  JSON.stringify(entries.map((entry) => ({ recipient_id: 'thread', ...entry })));
const doneReply = (index: number, blocks: readonly ExpectedFields[], more: ExpectedFields = {}): ExpectedFields => ({
  status: 'complete',
  finish: 'complete',
  metadata: { messageId: `reply:${String(index)}` },
  ...more,
  blocks,
});
const cut = { status: 'interrupted', finish: 'error' };
const custom = (data: unknown): ExpectedFields => ({ type: 'data', data: { data_type: 'custom', data } });

const turn = { text: 'Hello' };
const hello = { sender: 'thread', message: 'Hello' };

describe('rasa', () => {
  testRecordings(rasa, 'rasa');

  testBodies(rasa, [
    { name: 'one message', body: body({ text: 'Hi' }), messages: [doneReply(0, [text('Hi')])] },
    {
      name: 'two messages, on several lines',
      body: JSON.stringify(JSON.parse(body({ text: 'A' }, { text: 'B' })), null, 2),
      messages: [doneReply(0, [text('A')]), doneReply(1, [text('B')])],
    },
    { name: 'an empty response', body: '[]', messages: [{ status: 'complete', finish: 'complete', blocks: [] }] },
    {
      name: 'everything in one entry, with empty fields',
      body: body({
        text: 'Hi',
        image: 'https://i.example/a.png',
        attachment: { type: 'video', payload: { src: 'https://v.example/a' } },
        custom: null,
        buttons: null,
      }),
      messages: [
        doneReply(0, [
          text('Hi'),
          { type: 'image', url: 'https://i.example/a.png' },
          custom({ type: 'video', payload: { src: 'https://v.example/a' } }),
        ]),
      ],
    },
    {
      name: 'buttons of an earlier message, one without a payload, an invalid one',
      body: body({ text: 'A', buttons: [{ title: 'Yes', payload: '/affirm' }, { title: 'No' }, 7] }, { text: 'B' }),
      messages: [
        doneReply(0, [text('A')]),
        doneReply(1, [text('B')], {
          suggestions: [
            { label: 'Yes', prompt: '/affirm' },
            { label: 'No', prompt: 'No' },
          ],
        }),
      ],
    },
    {
      name: 'an invalid entry',
      body: '[{"text":"x"},{"recipient_id":"thread","text":"Hi"}]',
      messages: [doneReply(0, [text('Hi')])],
      warnings: ['malformed'],
    },
    {
      name: 'truncated within an entry',
      body: body({ text: 'A' }, { text: 'B' }).slice(0, -5),
      messages: [doneReply(0, [text('A')], cut)],
      problem: 'cut',
    },
    {
      name: 'another document',
      body: '{"status":"failure"}',
      messages: [{ ...cut, blocks: [] }],
      warnings: ['malformed'],
      problem: 'empty',
    },
  ]);

  testRequests(rasa, [
    { name: 'the first turn', messages: [user('Hello')], turn, body: hello },
    {
      name: 'only the new message, since the server has the history',
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
      name: 'page context that is not a record',
      turn,
      options: { context: 'x' },
      body: { ...hello, metadata: { context: 'x' } },
    },
  ]);

  testNeverThrows(rasa, [
    { recipient_id: 'r', text: 'x' },
    { recipient_id: 'r', image: 'https://i.example/a.png' },
    { recipient_id: 'r', text: 'x', buttons: [{ title: 'Yes', payload: '/affirm' }] },
    { recipient_id: 'r', custom: { a: 1 } },
    { recipient_id: 'r', attachment: { type: 'video', payload: {} } },
  ]);

  testDetection('rasa', {
    own: {
      'an array': body({ text: 'Hi' }),
      'an array with one other entry in front': `[{},${body({ text: 'Hi' }).slice(1)}`,
    },
    others: { 'an array of documents': ['[{"text":"x"}]', 'json'] },
    urls: ['https://r.example/webhooks/rest/webhook', 'https://r.example/bot/webhooks/rest/webhook?token=x'],
    otherUrls: ['https://r.example/webhooks/rest', 'https://r.example/webhooks/callback/webhook'],
  });
});
