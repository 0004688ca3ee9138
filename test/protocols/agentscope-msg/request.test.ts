import { expect } from '@open-wc/testing';
import { adapter as agentscopeMsg } from '../../../src/protocols/agentscope-msg/agentscope-msg.ts';
import { testRequests } from '../../support/adapter-tests.ts';
import { assistant, toolBlock, user } from '../../support/messages.ts';
import { emptyTurn, NOW, playBody, sse, requestOptions } from '../../support/play-body.ts';
import { msg, toolResult, textContent, toolUse } from './streams.ts';

const sent = (id: string, role: string, name: string, content: readonly object[], more: object = {}) => ({
  id,
  name,
  role,
  content,
  metadata: {},
  timestamp: new Date(NOW).toISOString(),
  ...more,
});

describe('agentscope-msg, request', () => {
  testRequests(agentscopeMsg, [
    {
      name: 'the history as messages, with the names of their authors',
      messages: [user('hi'), assistant('Hello', { name: 'Friday' }), user('more')],
      body: {
        messages: [
          sent('m1', 'USER', 'user', textContent('hi')),
          sent('m2', 'ASSISTANT', 'Friday', textContent('Hello')),
          sent('m3', 'USER', 'user', textContent('more')),
        ],
      },
    },
    {
      name: 'images, audio and videos inline',
      messages: [
        user('look', {
          attachments: [
            { kind: 'image', data: 'AA', mimeType: 'image/png' },
            { kind: 'audio', data: 'BB', mimeType: 'audio/wav' },
            { kind: 'video', url: 'https://a.example/v.mp4' },
          ],
        }),
      ],
      body: {
        messages: [
          sent('m1', 'USER', 'user', [
            ...textContent('look'),
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA' } },
            { type: 'audio', source: { type: 'base64', media_type: 'audio/wav', data: 'BB' } },
            { type: 'video', source: { type: 'url', url: 'https://a.example/v.mp4' } },
          ]),
        ],
      },
    },
    {
      name: 'a call, its result in a message of the tool, and the text of that message',
      messages: [
        assistant([
          { type: 'reasoning_content', content: 'Hm' },
          toolBlock('k', 'f', '{"a":1}', 'no', true),
          { type: 'content', content: 'Done' },
        ]),
      ],
      body: {
        messages: [
          sent('m1', 'ASSISTANT', 'assistant', [{ type: 'thinking', thinking: 'Hm' }, toolUse('k')]),
          sent(
            'm1.1',
            'TOOL',
            'system',
            [{ type: 'tool_result', id: 'k', toolUseId: 'k', name: 'f', output: textContent('no'), state: 'error' }],
            { metadata: { part_of: 'm1' } },
          ),
          sent('m1.2', 'ASSISTANT', 'assistant', textContent('Done'), { metadata: { part_of: 'm1' } }),
        ],
      },
    },
  ]);

  it('sends a reply back with its original ids and names, and that with a result with its time', async () => {
    const { messages } = await playBody(
      agentscopeMsg,
      sse(
        msg('a', [toolUse('k')]),
        msg('t', [toolResult({ toolUseId: 'k' }, 'ok')], { role: 'TOOL', name: 'system' }),
        msg('b', textContent('Done'), { name: 'Writer' }),
      ),
    );
    const { init } = await agentscopeMsg.request(
      { ...emptyTurn, messages },
      { ...requestOptions, url: 'https://a.example' },
    );
    const { timestamp } = msg('', '');
    expect(init.body).to.deep.equal({
      messages: [
        sent('a', 'ASSISTANT', 'Friday', [toolUse('k')], { timestamp }),
        sent(
          't',
          'TOOL',
          'system',
          [{ type: 'tool_result', id: 'k', toolUseId: 'k', name: 'f', output: textContent('ok') }],
          {
            metadata: { part_of: 'a' },
            timestamp,
          },
        ),
        sent('b', 'ASSISTANT', 'Writer', textContent('Done')),
      ],
    });
  });

  it('sends the calls of AgentScope 2 back as it names them', async () => {
    const use = { type: 'tool_call', id: 'k', name: 'f', input: '{"a":1}', state: 'finished' };
    const body = sse(msg('a', [use]), msg('t', [toolResult({ id: 'k' }, 'ok')], { role: 'TOOL', name: 'system' }));
    const { messages } = await playBody(agentscopeMsg, body);
    const { init } = await agentscopeMsg.request(
      { ...emptyTurn, messages },
      { ...requestOptions, url: 'https://a.example' },
    );
    const [first] = (init.body as { messages: readonly { content: unknown }[] }).messages;
    expect(first?.content).to.deep.equal([use]);
  });
});
