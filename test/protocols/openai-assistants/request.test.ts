import { expect } from '@open-wc/testing';
import { adapter as openAiAssistants } from '../../../src/protocols/openai-assistants/openai-assistants.ts';
import { testRequests } from '../../support/adapter-tests.ts';
import { assistant, conversation, toolBlock, user } from '../../support/messages.ts';
import { emptyTurn, requestOptions } from '../../support/play-body.ts';
import { testCancel, testSent } from '../../support/sent-tests.ts';

const api = 'https://api.openai.com/v1';
const url = `${api}/threads/runs`;
const turn = { text: 'Hello' };
const sentMessage = (content: unknown, role = 'user') => ({ role, content });
const first = { stream: true, thread: { messages: [sentMessage('Hello')] } };
const later = { stream: true, additional_messages: [sentMessage('Hello')] };
const known = { openAiThread: 'thread_1', openAiRun: 'run_1' };
const before = [user('A'), assistant('B', { metadata: known })];

const waiting = [
  user('Hello'),
  assistant([toolBlock('c1', 'weather', '{}', 'sunny'), toolBlock('c2', 'news', '{}', 'Gone', true)], {
    metadata: { ...known, waitingCalls: ['c1', 'c2'] },
    finish: 'tool_use',
  }),
];
const submitted = {
  url: `${api}/threads/thread_1/runs/run_1/submit_tool_outputs`,
  method: 'POST',
  body: {
    tool_outputs: [
      { tool_call_id: 'c1', output: 'sunny' },
      { tool_call_id: 'c2', output: 'Error: Gone' },
    ],
    stream: true,
  },
};
const stopped = { url: `${api}/threads/thread_1/runs/run_1/cancel`, method: 'POST', body: {} };
const tool = { name: 'f', description: 'd', parameters: { type: 'object' } };

describe('openai-assistants, requests', () => {
  testRequests(openAiAssistants, [
    { name: 'the first turn creates a thread', messages: [user('Hello')], turn, body: first },
    {
      name: 'a history that the server does not know is included',
      messages: [user('A'), assistant('B'), user('Hello')],
      turn,
      body: {
        stream: true,
        thread: { messages: [sentMessage('A'), sentMessage('B', 'assistant'), sentMessage('Hello')] },
      },
    },
    {
      name: 'model, tools, and a system text instead of the assistant’s own',
      messages: [user('Hello')],
      turn,
      options: { model: 'm', system: 'Be short', context: 'On /x', tools: [tool] },
      body: {
        ...first,
        model: 'm',
        instructions: 'Be short\n\nContext of the page the user is on:\nOn /x',
        tools: [{ type: 'function', function: tool }],
      },
    },
    {
      name: 'only page context comes before the text',
      messages: [user('Hello')],
      turn,
      options: { context: 'On /x' },
      body: { ...first, thread: { messages: [sentMessage('Context of the page the user is on:\nOn /x\n\nHello')] } },
    },
  ]);

  it('puts the page context before the last message only', async () => {
    const messages = conversation(user('A'), assistant('B'), user('Hello'));
    const sent = await openAiAssistants.request(
      { ...emptyTurn, ...turn, messages },
      { ...requestOptions, url, context: 'On /x' },
    );
    expect((sent.init.body as { thread: { messages: readonly object[] } }).thread.messages).to.deep.equal([
      sentMessage('A'),
      sentMessage('B', 'assistant'),
      sentMessage('Context of the page the user is on:\nOn /x\n\nHello'),
    ]);
  });

  testSent(openAiAssistants, [
    {
      name: 'the next turn has only its own message, and runs the thread',
      messages: [...before, user('Hello')],
      turn,
      options: { url },
      sent: [{ url: `${api}/threads/thread_1/runs`, method: 'POST', body: later }],
    },
    {
      name: 'a thread that the page has chosen',
      messages: [user('Hello')],
      turn,
      options: { url: `${api}/threads/mine/runs` },
      sent: [{ url: `${api}/threads/mine/runs`, method: 'POST', body: later }],
    },
    {
      name: 'a thread that the page has chosen, whatever the conversation says',
      messages: [...before, user('Hello')],
      turn,
      options: { url: `${api}/threads/mine/runs` },
      sent: [{ url: `${api}/threads/mine/runs`, method: 'POST', body: later }],
    },
    {
      name: 'a thread id from the conversation can’t lead to an address outside of threads',
      messages: [...before, user('Hello')],
      turn,
      options: { url: 'https://a.example/chat' },
      sent: [
        {
          url: 'https://a.example/chat',
          method: 'POST',
          body: {
            stream: true,
            thread: { messages: [sentMessage('A'), sentMessage('B', 'assistant'), sentMessage('Hello')] },
          },
        },
      ],
    },
    {
      name: 'images are part of the message, other files are searched, and one by its address is named',
      messages: [
        user('Hello', {
          attachments: [
            { kind: 'image', url: 'https://b.example/x.png' },
            { kind: 'image', data: btoa('y'), mimeType: 'image/png' },
            { kind: 'file', data: btoa('z'), mimeType: 'text/csv', name: 'z.csv' },
            { kind: 'file', url: 'https://b.example/d', name: 'd.pdf' },
          ],
        }),
      ],
      turn,
      options: { url },
      answers: [{ id: 'file_y' }, { id: 'file_z' }],
      sent: [
        { url: `${api}/files`, method: 'POST', body: { purpose: 'vision', file: 'image.png (image/png): y' } },
        { url: `${api}/files`, method: 'POST', body: { purpose: 'assistants', file: 'z.csv (text/csv): z' } },
        {
          url,
          method: 'POST',
          body: {
            stream: true,
            thread: {
              messages: [
                {
                  role: 'user',
                  content: [
                    { type: 'text', text: 'Hello' },
                    { type: 'image_url', image_url: { url: 'https://b.example/x.png' } },
                    { type: 'image_file', image_file: { file_id: 'file_y' } },
                    {
                      type: 'text',
                      text: 'Attached file, which can’t be shown to you: d.pdf https://b.example/d',
                    },
                  ],
                  attachments: [{ file_id: 'file_z', tools: [{ type: 'file_search' }] }],
                },
              ],
            },
          },
        },
      ],
    },
    { name: 'the results of the calls that the run waits for', messages: waiting, options: { url }, sent: [submitted] },
    {
      name: 'a new message ends a run that still waits',
      messages: [...waiting, user('Hello')],
      turn,
      options: { url },
      answers: [{}],
      sent: [stopped, { url: `${api}/threads/thread_1/runs`, method: 'POST', body: later }],
    },
  ]);

  it('results and cancels are not merged with the page’s fields, which the server rejects there', async () => {
    const { init } = await openAiAssistants.request(
      { ...emptyTurn, messages: conversation(...waiting) },
      { ...requestOptions, url },
    );
    expect(init.body).to.be.instanceOf(Blob).with.property('type', 'application/json');
    expect(init.headers).to.include({ 'openai-beta': 'assistants=v2' });
  });

  testCancel(openAiAssistants, [
    { name: 'the running run', messages: waiting, options: { url }, sent: stopped },
    {
      name: 'nothing while its id is unknown',
      messages: [...before, user('Hello'), assistant([])],
      options: { url },
      sent: undefined,
    },
  ]);
});
