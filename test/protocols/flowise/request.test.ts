import { adapter as flowise } from '../../../src/protocols/flowise/flowise.ts';
import type { Answer } from '../../../src/protocols/core/adapter.ts';
import { testRequests } from '../../support/adapter-tests.ts';
import { assistant, user } from '../../support/messages.ts';
import { testCancel, testFeedback, testSent } from '../../support/sent-tests.ts';

const api = 'https://f.example/api/v1';
const url = `${api}/prediction/flow`;
const turn = { text: 'Hello' };
const hello = { question: 'Hello', chatId: 'thread', streaming: true };
const answered = assistant('B', { metadata: { chatId: 'c', sessionId: 'c' } });

const answer = (more: Partial<Answer>): Answer => ({
  decision: 'answered',
  blockId: 'b',
  actionType: 'confirmation',
  ...more,
});
const second = { approve: 'Proceed', reject: 'Reject', nodeId: 'human_0' };
const old = { approve: 'Yes', reject: 'No', action: '{"id":"a2"}' };
const human = (type: string, feedback = '') => ({ type, startNodeId: 'human_0', feedback });

describe('flowise, requests', () => {
  testRequests(flowise, [
    { name: 'the first turn', messages: [user('Hello')], turn, body: hello },
    {
      name: 'the next turn has only its own message, and the chat’s id',
      messages: [user('A'), answered, user('Hello')],
      turn,
      body: { ...hello, chatId: 'c' },
    },
    {
      name: 'a session with another name',
      messages: [user('A'), assistant('B', { metadata: { chatId: 'c', sessionId: 's' } }), user('Hello')],
      turn,
      body: { ...hello, chatId: 'c', overrideConfig: { sessionId: 's' } },
    },
    {
      name: 'a history that the server does not know',
      messages: [user('A'), assistant('B'), user('Hello')],
      turn,
      body: {
        ...hello,
        history: [
          { role: 'userMessage', content: 'A' },
          { role: 'apiMessage', content: 'B' },
        ],
      },
    },
    {
      name: 'page context is a variable, a system text overrides the flow’s',
      turn,
      options: { system: 'Be short', context: { page: '/x' } },
      body: { ...hello, overrideConfig: { systemMessage: 'Be short', vars: { context: '{"page":"/x"}' } } },
    },
    ...[
      {
        name: 'yes',
        given: { decision: 'granted' },
        extra: second,
        body: { question: 'Proceed', humanInput: human('proceed') },
      },
      {
        name: 'no',
        given: { decision: 'denied' },
        extra: second,
        body: { question: 'Reject', humanInput: human('reject') },
      },
      {
        name: 'its button',
        given: { payload: 'Reject' },
        extra: second,
        body: { question: 'Reject', humanInput: human('reject') },
      },
      {
        name: 'a no with a note',
        given: { decision: 'denied', note: 'Too long' },
        extra: second,
        body: { question: 'Too long', humanInput: human('reject', 'Too long') },
      },
      {
        name: 'rule 84: text that is no button',
        given: { payload: 'Better not' },
        extra: second,
        body: { question: 'Better not', humanInput: human('reject') },
      },
      {
        name: 'the server’s own form',
        given: { payload: human('proceed', 'x') },
        extra: second,
        body: { question: 'Proceed', humanInput: human('proceed', 'x') },
      },
      {
        name: 'yes, of the first version',
        given: { decision: 'granted' },
        extra: old,
        body: { question: 'Yes', action: { id: 'a2' } },
      },
      {
        name: 'its button, of the first version',
        given: { payload: 'No' },
        extra: old,
        body: { question: 'No', action: { id: 'a2' } },
      },
    ].map(({ name, given, extra, body }) => ({
      name: `a question answered by ${name}`,
      messages: [user('A'), answered],
      turn: { answers: [answer({ ...(given as Partial<Answer>), extra })] },
      body: { chatId: 'c', streaming: true, ...body },
    })),
    ...(
      [
        ['a denial, whose stored labels are swapped', { decision: 'denied' }, {}, 'No', 'reject'],
        ['a button that denies by its label, and is stored as the approval', { payload: 'No' }, {}, 'No', 'reject'],
        [
          'a button whose stored value is another label',
          { payload: 'Ja' },
          { approve: 'Ja', reject: 'Nein', options: [{ label: 'Nein', value: 'Ja' }] },
          'Nein',
          'reject',
        ],
        [
          'a button whose stored value is a complete answer',
          { payload: human('proceed') },
          { options: [{ label: 'No', value: human('proceed') }] },
          'No',
          'reject',
        ],
        [
          'a form of a question of another kind',
          { actionType: 'question', payload: human('proceed') },
          {},
          'No',
          'reject',
        ],
        [
          'an imported button, of which nobody knows what it does',
          { payload: 'Nein' },
          { approve: undefined, reject: undefined, options: [{ label: 'Nein', value: 'Nein' }] },
          'Nein',
          'reject',
        ],
      ] as const
    ).flatMap(([name, given, more, question, type]) => {
      const swapped = { approve: 'No', reject: 'Yes', ...more };
      const mapping = { approve: swapped.approve ?? 'Nein', reject: swapped.reject ?? 'Ja' };
      return [
        {
          name: `rule 84: ${name}`,
          messages: [user('A'), answered],
          turn: { answers: [answer({ ...(given as Partial<Answer>), extra: { ...swapped, nodeId: 'human_0' } })] },
          body: { chatId: 'c', streaming: true, question, humanInput: human(type) },
        },
        {
          name: `rule 84: ${name}, of the first version`,
          messages: [user('A'), answered],
          turn: {
            answers: [
              answer({ ...(given as Partial<Answer>), extra: { ...swapped, action: JSON.stringify({ mapping }) } }),
            ],
          },
          body: { chatId: 'c', streaming: true, question, action: name.includes('another label') ? { mapping } : {} },
        },
      ];
    }),
    {
      name: 'rule 83: two questions about one step, of which the first was answered by yes',
      messages: [user('A'), answered],
      turn: {
        answers: [
          answer({ decision: 'granted', extra: { ...second, requestId: 'p' } }),
          answer({ decision: 'denied', extra: { ...second, requestId: 'q' } }),
        ],
      },
      body: { chatId: 'c', streaming: true, question: 'Reject', humanInput: human('reject') },
    },
  ]);

  testSent(flowise, [
    {
      name: 'images and audio with their bytes, others by address',
      messages: [
        user('Hello', {
          attachments: [
            { kind: 'image', data: btoa('x'), mimeType: 'image/png', name: 'x.png' },
            { kind: 'audio', data: btoa('y'), mimeType: 'audio/webm' },
            { kind: 'file', url: 'https://b.example/z.pdf', name: 'z.pdf', mimeType: 'application/pdf' },
          ],
        }),
      ],
      turn,
      options: { url },
      sent: [
        {
          url,
          method: 'POST',
          body: {
            ...hello,
            uploads: [
              { type: 'file', name: 'x.png', mime: 'image/png', data: 'data:image/png;base64,eA==' },
              { type: 'audio', name: 'audio.webm', mime: 'audio/webm', data: 'data:audio/webm;base64,eQ==' },
              { type: 'url', name: 'z.pdf', mime: 'application/pdf', data: 'https://b.example/z.pdf' },
            ],
          },
        },
      ],
    },
    {
      name: 'the server extracts a document’s text first',
      messages: [
        user('Hello', { attachments: [{ kind: 'file', data: btoa('z'), mimeType: 'text/csv', name: 'z.csv' }] }),
      ],
      turn,
      options: { url },
      answers: [[{ name: 'z.csv', mimeType: 'text/csv', size: 1, content: 'words of z' }]],
      sent: [
        { url: `${api}/attachments/flow/thread`, method: 'POST', body: { files: 'z.csv (text/csv): z' } },
        {
          url,
          method: 'POST',
          body: { ...hello, uploads: [{ type: 'file:full', name: 'z.csv', mime: 'text/csv', data: 'words of z' }] },
        },
      ],
    },
  ]);

  testCancel(flowise, [
    {
      name: 'a flow',
      messages: [user('A'), answered, user('Hello')],
      options: { url },
      sent: { url: `${api}/chatmessage/abort/flow/c`, method: 'PUT' },
    },
    { name: 'nothing for an address without an id', messages: [user('Hello')], sent: undefined },
  ]);

  const told = [user('A'), assistant('B', { metadata: { chatId: 'c', chatMessageId: 'm' } })];
  testFeedback(flowise, [
    {
      name: 'a positive rating',
      messages: told,
      options: { url },
      given: { value: 'up' },
      sent: {
        url: `${api}/feedback/flow`,
        method: 'POST',
        body: { chatId: 'c', messageId: 'm', rating: 'THUMBS_UP' },
      },
    },
    {
      name: 'a changed rating, with the id that the server has given the first',
      messages: told,
      options: { url },
      given: { value: 'down', comment: 'Not correct', id: 'f1' },
      sent: { url: `${api}/feedback/f1`, method: 'PUT', body: { rating: 'THUMBS_DOWN', content: 'Not correct' } },
    },
    {
      name: 'it can’t be removed',
      messages: told,
      options: { url },
      given: { value: null, id: 'f1' },
      sent: undefined,
    },
    {
      name: 'none for a message that the server does not know',
      messages: [user('A'), answered],
      options: { url },
      given: { value: 'up' },
      sent: undefined,
    },
  ]);
});
