import { adapter as dify } from '../../../src/protocols/dify/dify.ts';
import type { Answer } from '../../../src/protocols/core/adapter.ts';
import { testRequests } from '../../support/adapter-tests.ts';
import { assistant, user } from '../../support/messages.ts';
import { testCancel, testFeedback, testSent, type Sent } from '../../support/sent-tests.ts';
import { flowKnown, known } from './streams.ts';

const api = 'https://api.dify.ai/v1';
const url = `${api}/chat-messages`;
const turn = { text: 'Hello' };
const hello = {
  inputs: {},
  query: 'Hello',
  response_mode: 'streaming',
  user: 'anonymous-thread',
  conversation_id: '',
  auto_generate_name: true,
};
const picture = { kind: 'image', data: btoa('x'), mimeType: 'image/png' } as const;
const upload = (name: string): Sent => ({
  url: `${api}/files/upload`,
  method: 'POST',
  body: { user: 'anonymous-thread', file: name },
});

const form = {
  formToken: 'a/b',
  runId: 'w',
  schema:
    '{"type":"object","properties":{"action":{"enum":["yes","no"]},"inputs":{"type":"object","properties":' +
    '{"comment":{"type":"string"},"level":{"type":"string","default":"low"}}}}}',
  options: [
    { label: 'Yes', value: 'yes' },
    { label: 'No', value: 'no' },
  ] as const,
};
const fields = (count: number): string =>
  Array.from({ length: count }, (_, index) => `"f${String(index)}":{"type":"string","default":"x"},`).join('');
const answer = (more: Partial<Answer>): Answer => ({
  decision: 'answered',
  blockId: 'b',
  actionType: 'question',
  extra: form,
  ...more,
});
const events: Sent = { url: `${api}/workflow/w/events?user=anonymous-thread`, method: 'GET' };
const handedIn = (inputs: object, action: string): Sent => ({
  url: `${api}/form/human_input/a%2Fb`,
  method: 'POST',
  body: { inputs, action, user: 'anonymous-thread' },
});

describe('dify, requests', () => {
  testRequests(dify, [
    { name: 'the first turn', messages: [user('Hello')], turn, body: hello },
    {
      name: 'the next turn has only its own message, and the conversation’s id',
      messages: [user('A'), assistant('B', { metadata: known }), user('Hello')],
      turn,
      body: { ...hello, conversation_id: 'c' },
    },
    {
      name: 'page context and a system text are variables of the app',
      turn,
      options: { system: 'Be short', context: { page: '/x', items: [1] } },
      body: { ...hello, inputs: { system: 'Be short', page: '/x', items: '[1]' } },
    },
    {
      name: 'a text of page context',
      turn,
      options: { context: 'On /x' },
      body: { ...hello, inputs: { context: 'On /x' } },
    },
    { name: 'the page’s own user', turn, options: { body: { user: 'u7' } }, body: { ...hello, user: 'u7' } },
  ]);

  testSent(dify, [
    {
      name: 'a workflow has no conversation: the message is a variable',
      turn,
      options: { url: `${api}/workflows/run` },
      sent: [
        {
          url: `${api}/workflows/run`,
          method: 'POST',
          body: { inputs: { query: 'Hello' }, response_mode: 'streaming', user: 'anonymous-thread' },
        },
      ],
    },
    {
      name: 'files by their address, or uploaded first',
      messages: [
        user('Hello', {
          attachments: [
            picture,
            { kind: 'file', url: 'https://b.example/x.pdf' },
            { kind: 'audio', data: btoa('y'), mimeType: 'audio/mpeg', name: 'y.mp3' },
          ],
        }),
      ],
      turn,
      options: { url },
      answers: [{ id: 'f1' }, { id: 'f2' }],
      sent: [
        upload('image.png (image/png): x'),
        upload('y.mp3 (audio/mpeg): y'),
        {
          url,
          method: 'POST',
          body: {
            ...hello,
            files: [
              { type: 'image', transfer_method: 'local_file', upload_file_id: 'f1' },
              { type: 'document', transfer_method: 'remote_url', url: 'https://b.example/x.pdf' },
              { type: 'audio', transfer_method: 'local_file', upload_file_id: 'f2' },
            ],
          },
        },
      ],
    },
    ...[
      { name: 'a button', given: { payload: 'no' }, inputs: {}, action: 'no' },
      { name: 'a yes', given: { decision: 'granted' }, inputs: {}, action: 'yes' },
      { name: 'a no', given: { decision: 'denied' }, inputs: {}, action: 'no' },
      {
        name: 'a no, whose button is the first',
        given: {
          decision: 'denied',
          extra: {
            ...form,
            options: [
              { label: 'Reject', value: 'a1' },
              { label: 'Approve', value: 'a2' },
            ],
          },
        },
        inputs: {},
        action: 'a1',
      },
      {
        name: 'rule 84: a no, where a button for a yes has the id of a no',
        given: {
          decision: 'denied',
          extra: {
            ...form,
            options: [
              { label: 'Approve', value: 'no' },
              { label: 'Later', value: 'a2' },
            ],
          },
        },
        inputs: {},
        action: 'a2',
      },
      {
        name: 'a yes, whose button is the second of two that say neither',
        given: {
          decision: 'granted',
          extra: {
            ...form,
            options: [
              { label: 'Reject', value: 'a1' },
              { label: 'Later', value: 'a2' },
            ],
          },
        },
        inputs: {},
        action: 'a2',
      },
      { name: 'text, for the first field', given: { payload: 'Fine' }, inputs: { comment: 'Fine' }, action: 'yes' },
      {
        name: 'a button with a note',
        given: { payload: 'no', note: 'Why?' },
        inputs: { comment: 'Why?' },
        action: 'no',
      },
      {
        name: 'the whole form',
        given: { payload: { inputs: { level: 'high' }, action: 'no' } },
        inputs: { level: 'high' },
        action: 'no',
      },
      {
        name: 'the whole form, with a default that the user has removed',
        given: { payload: { inputs: { comment: 'Fine' }, action: 'no' } },
        inputs: { comment: 'Fine', level: '' },
        action: 'no',
      },
      {
        name: 'rule 84: a no with fields, but without a button',
        given: { decision: 'denied', payload: { inputs: { level: 'high' } } },
        inputs: { level: 'high' },
        action: 'no',
      },
    ].map(({ name, given, inputs, action }) => ({
      name: `a form answered by ${name}, and then the rest is read`,
      turn: { answers: [answer(given as Partial<Answer>)] },
      options: { url },
      sent: [handedIn({ comment: '', level: 'low', ...inputs }, action), events],
    })),
    ...(
      [
        ['no card', { defaults: '{"to":"mallory"}', field: 'to' }],
        ['a card of other fields', { schema: form.schema.replace('"comment":{', '"comment":{"title":"Note",') }],
        ['more fields than a card', { schema: form.schema.replace('"level"', `${fields(60)}"level"`) }],
      ] as const
    ).map(([name, extra]) => ({
      name: `rule 83: values that ${name} shows are not sent as the user’s`,
      turn: { answers: [answer({ payload: 'yes', extra: { ...form, schema: undefined, ...extra } })] },
      options: { url },
      sent: [handedIn({}, 'yes'), events],
    })),
    ...[
      ['yes', 'no'],
      ['no', 'yes'],
    ].map((payloads) => ({
      name: `rule 83: no for two forms with one token, answered by ${payloads.join(' and ')}`,
      turn: { answers: payloads.map((payload) => answer({ payload })) },
      options: { url },
      sent: [handedIn({ comment: '', level: 'low' }, 'no'), events],
    })),
  ]);

  const running = [user('Hello'), assistant('Hi', { metadata: known })];
  testCancel(dify, [
    {
      name: 'a chat',
      messages: running,
      options: { url, body: { user: 'u7' } },
      sent: { url: `${url}/t/stop`, method: 'POST', body: { user: 'u7' } },
    },
    {
      name: 'a workflow',
      messages: running,
      options: { url: `${api}/workflows/run` },
      sent: { url: `${api}/workflows/tasks/t/stop`, method: 'POST', body: { user: 'anonymous-thread' } },
    },
    {
      name: 'nothing while the task’s id is unknown',
      messages: [...running, user('More'), assistant([])],
      sent: undefined,
    },
  ]);

  const rated = (body: object): Sent => ({ url: `${api}/messages/m/feedbacks`, method: 'POST', body });
  testFeedback(dify, [
    {
      name: 'a positive rating',
      messages: running,
      options: { url },
      given: { value: 'up' },
      sent: rated({ rating: 'like', user: 'anonymous-thread' }),
    },
    {
      name: 'a negative one, with the reason and the page’s user',
      messages: running,
      options: { url, body: { user: 'u7' } },
      given: { value: 'down', comment: 'Not correct' },
      sent: rated({ rating: 'dislike', user: 'u7', content: 'Not correct' }),
    },
    {
      name: 'removed',
      messages: running,
      options: { url },
      given: { value: null },
      sent: rated({ rating: null, user: 'anonymous-thread' }),
    },
    {
      name: 'none for a workflow, which has no messages',
      messages: [user('Hello'), assistant('Hi', { metadata: flowKnown })],
      options: { url: `${api}/workflows/run` },
      given: { value: 'up' },
      sent: undefined,
    },
    {
      name: 'none for a message that the server does not know',
      messages: [user('Hello'), assistant('Hi')],
      options: { url },
      given: { value: 'up' },
      sent: undefined,
    },
  ]);
});
