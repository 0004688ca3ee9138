import { expect } from '@open-wc/testing';
import { adapter as coze } from '../../../src/protocols/coze/coze.ts';
import { testRequests } from '../../support/adapter-tests.ts';
import { assistant, conversation, toolBlock, user } from '../../support/messages.ts';
import { emptyTurn, requestOptions } from '../../support/play-body.ts';
import { testCancel, testSent } from '../../support/sent-tests.ts';

const api = 'https://api.coze.cn';
const url = `${api}/v3/chat`;
const turn = { text: 'Hello' };
const userMessage = (content: string) => ({ role: 'user', content, content_type: 'text' });
const hello = {
  user_id: 'anonymous-thread',
  stream: true,
  auto_save_history: true,
  additional_messages: [userMessage('Hello')],
};
const known = { conversationId: 'c', chatId: 'k' };
const picture = { kind: 'image', data: btoa('x'), mimeType: 'image/png', name: 'x.png' } as const;
const items = (...list: readonly object[]): object => ({
  role: 'user',
  content: JSON.stringify([{ type: 'text', text: 'Hello' }, ...list]),
  content_type: 'object_string',
});

const waiting = [
  user('Hello'),
  assistant([toolBlock('w1', 'weather', '{}', 'sunny'), toolBlock('w2', 'news', '{}', 'Gone', true)], {
    metadata: { ...known, waitingCalls: ['w1', 'w2', 'w3'] },
  }),
];
const tool_outputs = [
  { tool_call_id: 'w1', output: 'sunny' },
  { tool_call_id: 'w2', output: 'Error: Gone' },
  { tool_call_id: 'w3', output: 'Error: The tool was not run.' },
];

describe('coze, requests', () => {
  testRequests(coze, [
    { name: 'the first turn', messages: [user('Hello')], turn, body: hello },
    {
      name: 'a history that the server does not know is included',
      messages: [user('A'), assistant('B'), user('Hello')],
      turn,
      body: {
        ...hello,
        additional_messages: [
          userMessage('A'),
          { role: 'assistant', type: 'answer', content: 'B', content_type: 'text' },
          userMessage('Hello'),
        ],
      },
    },
    {
      name: 'page context and a system text are variables',
      messages: [user('Hello')],
      turn,
      options: { system: 'Be short', context: { page: '/x', items: [1] } },
      body: { ...hello, custom_variables: { system: 'Be short', page: '/x', items: '[1]' } },
    },
    {
      name: 'the page’s own user',
      messages: [user('Hello')],
      turn,
      options: { body: { user_id: 'u7', bot_id: 'b' } },
      body: { ...hello, user_id: 'u7' },
    },
  ]);

  testSent(coze, [
    {
      name: 'the next turn has only its own message, and the conversation’s id',
      messages: [user('A'), assistant('B', { metadata: known }), user('Hello')],
      turn,
      options: { url },
      sent: [{ url: `${url}?conversation_id=c`, method: 'POST', body: hello }],
    },
    {
      name: 'a conversation in the page’s URL takes precedence',
      messages: [user('A'), assistant('B', { metadata: known }), user('Hello')],
      turn,
      options: { url: `${url}?conversation_id=of-the-page` },
      sent: [{ url: `${url}?conversation_id=of-the-page`, method: 'POST', body: hello }],
    },
    {
      name: 'a chat workflow has the conversation in its body',
      messages: [user('A'), assistant('B', { metadata: known }), user('Hello')],
      turn,
      options: { url: `${api}/v1/workflows/chat`, context: { page: '/x' } },
      sent: [
        {
          url: `${api}/v1/workflows/chat`,
          method: 'POST',
          body: { conversation_id: 'c', additional_messages: [userMessage('Hello')], parameters: { page: '/x' } },
        },
      ],
    },
    {
      name: 'files by their address, or uploaded first',
      messages: [user('Hello', { attachments: [picture, { kind: 'file', url: 'https://b.example/x.pdf' }] })],
      turn,
      options: { url },
      answers: [{ code: 0, data: { id: 'f1' } }],
      sent: [
        { url: `${api}/v1/files/upload`, method: 'POST', body: { file: 'x.png (image/png): x' } },
        {
          url,
          method: 'POST',
          body: {
            ...hello,
            additional_messages: [
              items({ type: 'image', file_id: 'f1' }, { type: 'file', file_url: 'https://b.example/x.pdf' }),
            ],
          },
        },
      ],
    },
    {
      name: 'the results of the calls that it waits for',
      messages: waiting,
      options: { url },
      sent: [
        {
          url: `${url}/submit_tool_outputs?conversation_id=c&chat_id=k`,
          method: 'POST',
          body: { stream: true, tool_outputs },
        },
      ],
    },
    {
      name: 'the result of a single call',
      messages: [
        user('Hello'),
        assistant([toolBlock('w1', 'weather', '{}', 'sunny')], { metadata: { ...known, waitingCalls: ['w1'] } }),
      ],
      options: { url },
      sent: [
        {
          url: `${url}/submit_tool_outputs?conversation_id=c&chat_id=k`,
          method: 'POST',
          body: { stream: true, tool_outputs: tool_outputs.slice(0, 1) },
        },
      ],
    },
    {
      name: 'results of a workflow are sent to the chat',
      messages: waiting,
      options: { url: `${api}/v1/workflows/chat` },
      sent: [
        {
          url: `${api}/v3/chat/submit_tool_outputs?conversation_id=c&chat_id=k`,
          method: 'POST',
          body: { stream: true, tool_outputs },
        },
      ],
    },
  ]);

  it('a workflow without a chat has parameters, to which those of the page are added', async () => {
    const sent = await coze.request(
      { ...emptyTurn, ...turn, messages: conversation(user('Hello')) },
      { ...requestOptions, url: `${api}/v1/workflow/stream_run`, context: { page: '/x' } },
    );
    expect(sent.init.body).to.deep.equal({ parameters: { input: 'Hello', BOT_USER_INPUT: 'Hello', page: '/x' } });
    expect(sent.mergedFields).to.deep.equal(['parameters']);
  });

  testCancel(coze, [
    {
      name: 'the running chat',
      messages: waiting,
      options: { url },
      sent: { url: `${url}/cancel`, method: 'POST', body: { conversation_id: 'c', chat_id: 'k' } },
    },
    { name: 'nothing while its id is unknown', messages: [...waiting, user('More'), assistant([])], sent: undefined },
  ]);
});
