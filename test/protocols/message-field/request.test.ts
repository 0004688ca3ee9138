import { adapter as messageField } from '../../../src/protocols/message-field/message-field.ts';
import { expect } from '@open-wc/testing';
import { testRequests } from '../../support/adapter-tests.ts';
import { assistant, toolBlock, user } from '../../support/messages.ts';
import { playBody, sse } from '../../support/play-body.ts';
import { emptyTurn, requestOptions } from '../../support/play-body.ts';
import { result, start } from './streams.ts';

/** Every key of an `AgentRequest`, with its default. */
const defaults = {
  models: [],
  type: 'agent',
  project_id: 'thread',
  run_with_another_model: false,
  request_web_knowledge: false,
  speed_mode: false,
  use_webpage_capture_screen: false,
  use_browser_use: false,
  use_python_workspace: false,
  use_browser_use_test_mode: false,
  use_terminal_use: false,
  dataframe_enhanced: false,
  enable_jupyter: false,
  custom_tools: [],
  writingContent: null,
  messages: [],
};
const said = (id: string, role: string, content: string, more: object = {}) => ({
  id,
  role,
  content,
  thinking: false,
  ...more,
});
const search = (args: string) => ({ id: 'k', type: 'function', function: { name: 'web_search', arguments: args } });

describe('message-field, request', () => {
  testRequests(messageField, [
    {
      name: 'the complete history, the new message last',
      messages: [user('hi'), assistant('Hello'), user('search X')],
      body: {
        ...defaults,
        messages: [said('m1', 'user', 'hi'), said('m2', 'assistant', 'Hello'), said('m3', 'user', 'search X')],
      },
    },
    {
      name: 'a model and the page’s tools',
      messages: [user('hi')],
      options: { model: 'm-1', tools: [{ name: 'add', description: 'Adds', parameters: { type: 'object' } }] },
      body: {
        ...defaults,
        models: ['m-1'],
        custom_tools: [
          { type: 'function', function: { name: 'add', description: 'Adds', parameters: { type: 'object' } } },
        ],
        messages: [said('m1', 'user', 'hi')],
      },
    },
    {
      name: 'a call and its result, a message of its own',
      messages: [user('hi'), assistant([toolBlock('k', 'web_search', '{"q":1}', '2 hits')])],
      body: {
        ...defaults,
        messages: [
          said('m1', 'user', 'hi'),
          said('m2', 'assistant', '', { tool_calls: [search('{"q":1}')] }),
          said('m2.1', 'tool', '2 hits', { tool_call_id: 'k' }),
        ],
      },
    },
    {
      name: 'earlier calls without a result, which models reject, are left out',
      messages: [
        user('hi'),
        assistant([
          toolBlock('k', 'web_search', '{"q":1}'),
          { ...toolBlock('l', 'crawler', '{}', 'A page'), id: 'b2' },
        ]),
        user('and?'),
        assistant([toolBlock('k', 'web_search', '{"q":1}')], {
          metadata: { messageId: 'a2', wireMessage: { tool_calls: [search('{"q":1}')], response_id: 'r' } },
        }),
        user('go on'),
      ],
      body: {
        ...defaults,
        messages: [
          said('m1', 'user', 'hi'),
          said('m2', 'assistant', '', {
            tool_calls: [{ id: 'l', type: 'function', function: { name: 'crawler', arguments: '{}' } }],
          }),
          said('b2', 'tool', 'A page', { tool_call_id: 'l' }),
          said('m3', 'user', 'and?'),
          said('m5', 'user', 'go on'),
        ],
      },
    },
    {
      name: 'a call without a result in a reply that is not over: the server may still run it',
      messages: [user('hi'), assistant([toolBlock('k', 'web_search', '{"q":1}')])],
      body: {
        ...defaults,
        messages: [said('m1', 'user', 'hi'), said('m2', 'assistant', '', { tool_calls: [search('{"q":1}')] })],
      },
    },
    ...(['regenerate', 'edit'] as const).map((by) => ({
      name: `a first reply that is made anew after ${by} belongs to the project of the old one`,
      messages: [user('hi')],
      turn: {
        fork: {
          by,
          reply: {
            id: 'r',
            role: 'assistant' as const,
            status: 'interrupted' as const,
            blocks: [],
            timestamp: 1,
            metadata: { projectId: 'p1' },
          },
        },
      },
      body: { ...defaults, project_id: 'p1', messages: [said('m1', 'user', 'hi')] },
    })),
    {
      name: 'a reply that was stopped before its text',
      messages: [
        user('hi'),
        assistant([{ type: 'reasoning_content', content: 'Hm' }], { status: 'cancelled', finish: 'cancelled' }),
        user('go on'),
      ],
      body: { ...defaults, messages: [said('m1', 'user', 'hi'), said('m3', 'user', 'go on')] },
    },
    {
      name: 'the server’s own ids and project, and its data to send back',
      messages: [
        user('hi'),
        assistant('Hello', {
          metadata: {
            messageId: 'a1',
            projectId: 'p1',
            wireMessage: { response_id: 'r', reasoning_encrypted_content: 'AAA', session_state: { step: 2 } },
          },
        }),
        user('more'),
      ],
      body: {
        ...defaults,
        project_id: 'p1',
        messages: [
          said('m1', 'user', 'hi'),
          said('a1', 'assistant', 'Hello', {
            project_id: 'p1',
            response_id: 'r',
            reasoning_encrypted_content: 'AAA',
            session_state: { step: 2 },
          }),
          said('m3', 'user', 'more'),
        ],
      },
    },
  ]);

  it('sends an empty result of a think call that has none', async () => {
    const think = { id: 'h', type: 'function', function: { name: 'think', arguments: '{"thought":"Hm"}' } };
    const played = await playBody(
      messageField,
      sse(start('a', { project_id: 'p' }), result('a', '', { tool_calls: [think] }), result('b', 'Done.')),
    );
    const { init } = await messageField.request(
      { ...emptyTurn, messages: played.messages },
      { ...requestOptions, url: 'https://a.example' },
    );
    const { messages } = JSON.parse(JSON.stringify(init.body)) as Record<string, unknown>;
    expect(messages).to.deep.equal([
      said('a', 'assistant', '', { project_id: 'p', tool_calls: [think] }),
      said('h.result', 'tool', '', { project_id: 'p', tool_call_id: 'h' }),
      said('b', 'assistant', 'Done.'),
    ]);
  });

  it('sends back a reply’s parts: reasoning, calls and their results', async () => {
    const think = { id: 'h', type: 'function', function: { name: 'think', arguments: '{"thought":"Hm"}' } };
    const played = await playBody(
      messageField,
      sse(
        start('a', { project_id: 'p' }),
        result('a', '', { tool_calls: [think, { ...search('{}'), signature: 's' }] }),
        result('t', '2 hits', { role: 'tool', tool_call_id: 'k' }),
        result('u', 'Logged.', { role: 'tool', tool_call_id: 'h', response_id: 'r' }),
        result('b', 'Compare.', { thinking: true }),
        result('c', 'Done.', { thinking_blocks: [{ thinking: 'Hm' }] }),
      ),
    );
    const { init } = await messageField.request(
      { ...emptyTurn, messages: played.messages },
      { ...requestOptions, url: 'https://a.example' },
    );
    const { project_id, messages } = JSON.parse(JSON.stringify(init.body)) as Record<string, unknown>;
    expect(project_id).to.equal('p');
    expect(messages).to.deep.equal([
      said('a', 'assistant', '', { project_id: 'p', tool_calls: [think, { ...search('{}'), signature: 's' }] }),
      said('u', 'tool', 'Logged.', { project_id: 'p', tool_call_id: 'h', response_id: 'r' }),
      said('t', 'tool', '2 hits', { project_id: 'p', tool_call_id: 'k' }),
      said('b', 'assistant', 'Compare.', { thinking: true }),
      said('c', 'assistant', 'Done.', { thinking_blocks: [{ thinking: 'Hm' }] }),
    ]);
  });
});
