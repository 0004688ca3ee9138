import { expect } from '@open-wc/testing';
import { ChatError } from '../../../src/errors.ts';
import { adapter as adk } from '../../../src/protocols/adk/adk.ts';
import type { Answer } from '../../../src/protocols/core/adapter.ts';
import { call as callBlock, text, type ExpectedFields } from '../../support/bare.ts';
import { goOn } from '../../support/go-on.ts';
import { assistant, conversation, toolBlock, user } from '../../support/messages.ts';
import { emptyTurn, playBody, requestOptions } from '../../support/play-body.ts';
import { testSent, type Sent } from '../../support/sent-tests.ts';
import { call, confirmation, event, result, run } from './streams.ts';

const host = 'https://a.example';
const url = `${host}/run_sse`;
const body = { appName: 'shop' };
const turn = { text: 'Hello' };
const sessions = `${host}/apps/shop/users/anonymous-thread/sessions`;
const hello = (sessionId = 's', more: object = {}): Sent => ({
  url,
  method: 'POST',
  body: {
    appName: 'shop',
    userId: 'anonymous-thread',
    sessionId,
    newMessage: { role: 'user', parts: [{ text: 'Hello' }] },
    streaming: true,
    ...more,
  },
});
const replyMetadata = { sessionId: 's', userId: 'anonymous-thread', appName: 'shop' };
const known = [user('A'), assistant('B', { metadata: { ...replyMetadata, author: 'clerk' } }), user('Hello')];
const history = {
  events: [
    { author: 'user', content: { role: 'user', parts: [{ text: 'A' }] } },
    { author: 'clerk', content: { role: 'model', parts: [{ text: 'B' }] } },
  ],
};
const made = { url: sessions, method: 'POST', body: {} };
const answering = (functionResponse: object): Sent =>
  hello('s', { newMessage: { role: 'user', parts: [{ functionResponse }] } });
const asked = [user('A'), assistant('Wait', { metadata: replyMetadata })];
const answer = (more: Partial<Answer>): Answer => ({
  decision: 'granted',
  blockId: 'b',
  actionType: 'question',
  ...more,
});

describe('adk, requests', () => {
  testSent(adk, [
    {
      name: 'creates a session first',
      messages: [user('Hello')],
      turn,
      options: { url, body },
      answers: [{ id: 's' }],
      sent: [made, hello()],
    },
    {
      name: 'an app by its address',
      messages: [user('Hello')],
      turn,
      options: { url: `${host}/apps/shop` },
      answers: [{ id: 's' }],
      sent: [made, hello()],
    },
    {
      name: 'the only app of a server, from its root address',
      messages: [user('Hello')],
      turn,
      options: { url: `${host}/` },
      answers: [['shop'], { id: 's' }],
      sent: [{ url: `${host}/list-apps`, method: 'GET' }, made, hello()],
    },
    { name: 'the next turn, in the same session', messages: known, turn, options: { url, body }, sent: [hello()] },
    {
      name: 'a conversation from another session is included',
      messages: known,
      turn: { ...turn, fork: { by: 'edit' } },
      options: { url, body },
      answers: [{ id: 's2' }],
      sent: [{ ...made, body: history }, hello('s2')],
    },
    {
      name: 'the page’s own user and session',
      messages: [user('Hello')],
      turn,
      options: { url, body: { ...body, userId: 'u', sessionId: 'own' } },
      sent: [hello('own', { userId: 'u' })],
    },
    {
      name: 'the page’s context is state',
      messages: known,
      turn,
      options: { url, body, system: 'Be short', context: { page: '/x' } },
      sent: [hello('s', { stateDelta: { system: 'Be short', page: '/x' } })],
    },
    {
      name: 'files',
      messages: [
        ...known.slice(0, 2),
        user('Hello', {
          blocks: [
            { type: 'content', content: 'Hello' },
            { type: 'image', image_data: { data: 'AA==', mimeType: 'image/png' } },
            { type: 'file', url: 'https://f.example/a.pdf', name: 'a.pdf', mimeType: 'application/pdf' },
          ],
        }),
      ],
      turn,
      options: { url, body },
      sent: [
        hello('s', {
          newMessage: {
            role: 'user',
            parts: [
              { text: 'Hello' },
              { inlineData: { mimeType: 'image/png', data: 'AA==' } },
              { fileData: { fileUri: 'https://f.example/a.pdf', mimeType: 'application/pdf', displayName: 'a.pdf' } },
            ],
          },
        }),
      ],
    },
    ...[
      { name: 'shows', content: 'Sure?\n\n{"days":3}', response: { confirmed: true, payload: { days: 3 } } },
      { name: 'does not show', content: 'Sure?', response: { confirmed: true } },
      { name: 'shows otherwise', content: 'Sure?\n\n{"days":1}', response: { confirmed: true } },
    ].map(({ name, content, response }) => ({
      name: `rule 83: a confirmation, with data that its card ${name}`,
      messages: [
        user('A'),
        assistant('Wait', {
          metadata: replyMetadata,
          blocks: [{ type: 'action', id: 'b', action_type: 'tool_call_permission', status: 'granted', content }],
        }),
      ],
      turn: {
        answers: [
          answer({
            actionType: 'tool_call_permission',
            extra: { requestId: 'q', adk: 'adk_request_confirmation', payload: '{"days":3}' },
          }),
        ],
      },
      options: { url, body },
      sent: [answering({ id: 'q', name: 'adk_request_confirmation', response })],
    })),
    ...[
      { name: 'text is no permission', payload: 'No!', response: { confirmed: false } },
      {
        name: 'the object of a form is one',
        payload: { days: 3 },
        response: { confirmed: true, payload: { days: 3 } },
      },
    ].map(({ name, payload, response }) => ({
      name: `rule 84: ${name}`,
      messages: asked,
      turn: {
        answers: [
          answer({ decision: 'answered', payload, extra: { requestId: 'q', adk: 'adk_request_confirmation' } }),
        ],
      },
      options: { url, body },
      sent: [answering({ id: 'q', name: 'adk_request_confirmation', response })],
    })),
    {
      name: 'a refusal',
      messages: asked,
      turn: {
        answers: [answer({ decision: 'denied', extra: { requestId: 'q', adk: 'adk_request_confirmation' } })],
      },
      options: { url, body },
      sent: [answering({ id: 'q', name: 'adk_request_confirmation', response: { confirmed: false } })],
    },
    {
      name: 'an answer to a question',
      messages: asked,
      turn: {
        answers: [
          answer({ decision: 'answered', payload: 'Blue', extra: { requestId: 'q', adk: 'adk_request_input' } }),
        ],
      },
      options: { url, body },
      sent: [answering({ id: 'q', name: 'adk_request_input', response: { result: 'Blue' } })],
    },
    {
      name: 'rule 84: a denial with a note of a question for yes or no',
      messages: asked,
      turn: {
        answers: [
          answer({
            decision: 'denied',
            note: 'Not now',
            extra: { requestId: 'q', adk: 'adk_request_input', needsChoice: true },
          }),
        ],
      },
      options: { url, body },
      sent: [answering({ id: 'q', name: 'adk_request_input', response: { result: false } })],
    },
    {
      name: 'the address to which a sign-in has returned',
      messages: asked,
      turn: {
        answers: [
          answer({
            decision: 'answered',
            payload: 'https://a.example/back?code=1',
            extra: {
              requestId: 'q',
              adk: 'adk_request_credential',
              authConfig: '{"credentialKey":"k","exchangedAuthCredential":{"oauth2":{"state":"z"}}}',
            },
          }),
        ],
      },
      options: { url, body },
      sent: [
        answering({
          id: 'q',
          name: 'adk_request_credential',
          response: {
            credentialKey: 'k',
            exchangedAuthCredential: { oauth2: { state: 'z', authResponseUri: 'https://a.example/back?code=1' } },
          },
        }),
      ],
    },
    ...[
      { name: 'a text', output: 'red', response: { result: 'red' } },
      { name: 'a number, as text', output: '5', response: { result: '5' } },
      { name: 'a list', output: '["red"]', response: { result: ['red'] } },
      { name: 'an object', output: '{"colour":"red"}', response: { colour: 'red' } },
    ].map(({ name, output, response }) => ({
      name: `the result of a tool of the page: ${name}`,
      messages: [
        user('A'),
        assistant([toolBlock('c', 'pick', '{}', output)], { metadata: { ...replyMetadata, waitingCalls: ['c'] } }),
      ],
      turn: {},
      options: { url, body },
      sent: [answering({ id: 'c', name: 'pick', response })],
    })),
    {
      name: 'the error of a tool of the page',
      messages: [
        user('A'),
        assistant([{ ...toolBlock('c', 'pick', '{}', 'No colour.'), status: 'error' }], {
          metadata: { ...replyMetadata, waitingCalls: ['c'] },
        }),
      ],
      turn: {},
      options: { url, body },
      sent: [answering({ id: 'c', name: 'pick', response: { error: 'No colour.' } })],
    },
    {
      name: 'the answer to a choice',
      messages: asked,
      turn: {
        answers: [answer({ decision: 'answered', payload: 'Red', extra: { requestId: 'q', adk: 'get_user_choice' } })],
      },
      options: { url, body },
      sent: [answering({ id: 'q', name: 'get_user_choice', response: { result: 'Red' } })],
    },
    {
      name: 'Vertex AI Agent Engine',
      messages: [user('Hello')],
      turn,
      options: { url: `${host}/v1/projects/p/locations/l/reasoningEngines/1:streamQuery` },
      answers: [{ output: { id: 's' } }],
      sent: [
        {
          url: `${host}/v1/projects/p/locations/l/reasoningEngines/1:query`,
          method: 'POST',
          body: { class_method: 'async_create_session', input: { user_id: 'anonymous-thread' } },
        },
        {
          url: `${host}/v1/projects/p/locations/l/reasoningEngines/1:streamQuery?alt=sse`,
          method: 'POST',
          body: {
            class_method: 'async_stream_query',
            input: {
              user_id: 'anonymous-thread',
              session_id: 's',
              message: { role: 'user', parts: [{ text: 'Hello' }] },
            },
          },
        },
      ],
    },
  ]);

  const messagesOf = (status: 'error' | 'complete') =>
    conversation(user('A'), assistant('B', { metadata: replyMetadata, status }), user('Hello'));

  it('creates a new session after a failure if the server has lost the previous one', async () => {
    const urls: string[] = [];
    const ask = ({ url: address, init }: { url: string; init: { method?: string } }) => {
      urls.push(`${init.method ?? ''} ${address}`);
      return init.method === 'GET'
        ? Promise.reject(new ChatError('http', 'Session not found', { status: 404 }))
        : Promise.resolve({ headers: new Headers(), json: { id: 's2' } });
    };
    const request = await adk.request(
      { ...emptyTurn, ...turn, messages: messagesOf('error') },
      { ...requestOptions, url, body, ask },
    );
    expect(urls).to.deep.equal([`GET ${sessions}/s`, `POST ${sessions}`]);
    expect(request.init.body).to.include({ sessionId: 's2' });
  });

  it('lists the apps if the page names none', async () => {
    const ask = () => Promise.resolve({ headers: new Headers(), json: ['a', 'b'] });
    const error: unknown = await Promise.resolve(
      adk.request({ ...emptyTurn, ...turn, messages: [] }, { ...requestOptions, url, ask }),
    ).catch((reason: unknown) => reason);
    expect(String(error)).to.contain('2 apps: a, b').and.to.contain('appName');
  });
});

describe('adk, a confirmation with data', () => {
  const leave = { id: 'c', name: 'request_leave', args: { days: 1 } };

  it('rule 83: its card shows the data that is sent, also characters that are not visible', async () => {
    const payload = { days: 365, to: 'bob\u200bmallory 中 \u{e0041}' };
    const { messages } = await playBody(adk, run(confirmation('q', leave, 'Ok?', payload)));
    const [card] = messages.flatMap(({ blocks }) => blocks.filter((block) => block.type === 'action'));
    expect(card?.content).to.equal('Ok?\n\n{"days":365,"to":"bob\\u200bmallory 中 \\udb40\\udc41"}');
    expect(card?.extra?.['rememberable']).to.equal(false);
    const given = answer({ blockId: card?.id ?? '', extra: card?.extra ?? {} });
    const { init } = await adk.request(
      { ...emptyTurn, messages: [...conversation(user('A')), ...messages], answers: [given] },
      { ...requestOptions, url, body, ask: () => Promise.resolve({ headers: new Headers(), json: { id: 's' } }) },
    );
    expect(JSON.stringify(init.body)).to.contain(JSON.stringify({ confirmed: true, payload }));
  });

  it('rule 83: two that differ in the data are two questions', async () => {
    const asking = [1, 365].map((days) => confirmation(`q${String(days)}`, leave, 'Ok?', { days }));
    const { messages } = await playBody(adk, run(...asking));
    const cards = messages.flatMap(({ blocks }) => blocks.filter((block) => block.type === 'action'));
    expect(cards.map(({ status, extra }) => [status, extra?.['requestId']])).to.deep.equal([
      ['cancel', 'q1'],
      ['pending', 'q365'],
    ]);
  });
});

describe('adk, a stream that continues a reply', () => {
  const blocksOf = (messages: readonly ExpectedFields[]): readonly unknown[] => messages.map(({ blocks }) => blocks);

  it('adds the result to the confirmed call, in the same message', async () => {
    const original = { id: 'c', name: 'f', args: {} };
    const { messages } = await playBody(adk, run(call('c', 'f'), confirmation('q', original)));
    const after = await goOn(adk, messages, run(result('c', 'f', { result: 'ok' }), event([{ text: 'Done' }])));
    expect(blocksOf(after)).to.have.length(1);
    const [blocks] = blocksOf(after) as readonly (readonly ExpectedFields[])[];
    expect(blocks?.[0]).to.deep.equal(
      callBlock('c', 'f', { params: '{}', response: 'ok' }, { extra: { remote: true } }),
    );
    expect(blocks?.at(-1)).to.deep.equal(text('Done'));
  });
});
