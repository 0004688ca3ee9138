import { expect } from '@open-wc/testing';
import type { ChatMessage } from '../../../src/model/message.ts';
import { adapter as openAiChat } from '../../../src/protocols/openai-chat/openai-chat.ts';
import { testRequests } from '../../support/adapter-tests.ts';
import { chunksOf } from '../../support/cuts.ts';
import { assistant, conversation, system, toolBlock, user } from '../../support/messages.ts';
import { decodeContext, emptyTurn, framesOf, requestOptions } from '../../support/play-body.ts';
import { call, chunk, say, stop } from './streams.ts';

const stream = { stream: true, stream_options: { include_usage: true } };
const asked = (id: string, args: string, more: object = {}) => ({
  id,
  type: 'function',
  function: { name: 'f', arguments: args },
  ...more,
});

/** The messages of the request after a conversation. */
async function sentAfter(messages: readonly ChatMessage[]): Promise<readonly Record<string, unknown>[]> {
  const { init } = await openAiChat.request(
    { ...emptyTurn, messages },
    { ...requestOptions, url: 'https://a.example/chat/completions' },
  );
  const { messages: sent } = JSON.parse(JSON.stringify(init.body)) as { messages: Record<string, unknown>[] };
  return sent;
}

/** The metadata that a stream leaves in its message. */
async function factsOf(messages: readonly ChatMessage[], ...chunks: readonly unknown[]): Promise<object> {
  const facts = {};
  const context = { ...decodeContext(), turn: { ...emptyTurn, messages } };
  for await (const events of openAiChat.decode(chunksOf([framesOf(...chunks)]), context)) {
    for (const event of events) if (event.type === 'response') Object.assign(facts, event.data.metadata);
  }
  return facts;
}

describe('openai-chat, request', () => {
  testRequests(openAiChat, [
    {
      name: 'text as strings, the system text and the page context first',
      messages: [user('hi'), assistant('Hello'), user('more')],
      options: { model: 'm-1', system: 'Be kind.', context: { page: 2 } },
      body: {
        model: 'm-1',
        ...stream,
        messages: [
          { role: 'system', content: 'Be kind.\n\nContext of the page the user is on:\n{"page":2}' },
          { role: 'user', content: 'hi' },
          { role: 'assistant', content: 'Hello' },
          { role: 'user', content: 'more' },
        ],
      },
    },
    {
      name: 'DeepSeek V4 gets the reasoning of every message, also an empty one',
      messages: [
        user('a'),
        assistant([
          { type: 'reasoning_content', content: 'Hm' },
          { type: 'content', content: 'b' },
        ]),
        user('c'),
        assistant('d'),
        user('e'),
      ],
      options: { model: 'deepseek-v4-flash' },
      body: {
        model: 'deepseek-v4-flash',
        stream: true,
        stream_options: { include_usage: true },
        messages: [
          { role: 'user', content: 'a' },
          { role: 'assistant', content: 'b', reasoning_content: 'Hm' },
          { role: 'user', content: 'c' },
          { role: 'assistant', content: 'd', reasoning_content: '' },
          { role: 'user', content: 'e' },
        ],
      },
    },
    {
      name: 'a system message of the conversation stays in its place',
      messages: [user('hi'), system('Now in German.'), user('more')],
      body: {
        ...stream,
        messages: [
          { role: 'user', content: 'hi' },
          { role: 'system', content: 'Now in German.' },
          { role: 'user', content: 'more' },
        ],
      },
    },
    {
      name: 'the page’s tools',
      messages: [user('hi')],
      options: { tools: [{ name: 'f', description: 'Does f', parameters: { type: 'object' } }] },
      body: {
        ...stream,
        messages: [{ role: 'user', content: 'hi' }],
        tools: [{ type: 'function', function: { name: 'f', description: 'Does f', parameters: { type: 'object' } } }],
      },
    },
    {
      name: 'attachments as parts: an image, a linked one, audio and a document',
      messages: [
        user('look', {
          attachments: [
            { kind: 'image', data: 'AA', mimeType: 'image/png' },
            { kind: 'image', url: 'https://a.example/p.png' },
            { kind: 'audio', data: 'BB', mimeType: 'audio/mpeg' },
            { kind: 'file', data: 'CC', mimeType: 'application/pdf', name: 'a.pdf' },
          ],
        }),
      ],
      body: {
        ...stream,
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'look' },
              { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
              { type: 'image_url', image_url: { url: 'https://a.example/p.png' } },
              { type: 'input_audio', input_audio: { data: 'BB', format: 'mp3' } },
              { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,CC' } },
            ],
          },
        ],
      },
    },
    {
      name: 'a document without a name, which the API requires, and one by its address, which it refuses',
      messages: [
        user('look', {
          attachments: [
            { kind: 'file', data: 'CC', mimeType: 'application/pdf' },
            { kind: 'file', url: 'https://a.example/b.pdf', mimeType: 'application/pdf', name: 'b.pdf' },
          ],
        }),
      ],
      body: {
        ...stream,
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'look' },
              { type: 'file', file: { filename: 'file.pdf', file_data: 'data:application/pdf;base64,CC' } },
              {
                type: 'text',
                text: 'Attached file, which can’t be shown to you: b.pdf (application/pdf) https://a.example/b.pdf',
              },
            ],
          },
        ],
      },
    },
    {
      name: 'each answered call with its original arguments, followed by its result; a denial is a result',
      messages: [
        user('hi'),
        assistant([
          { type: 'content', content: 'Wait' },
          toolBlock('a', 'f', '{"x": 1}', 'ok'),
          toolBlock('b', 'f', '', 'The user denied this call.', true),
          toolBlock('c', 'f', '{}'),
          { type: 'content', content: 'Done' },
        ]),
        user('more'),
      ],
      body: {
        ...stream,
        messages: [
          { role: 'user', content: 'hi' },
          { role: 'assistant', content: 'Wait', tool_calls: [asked('a', '{"x": 1}'), asked('b', '{}')] },
          { role: 'tool', tool_call_id: 'a', content: 'ok' },
          { role: 'tool', tool_call_id: 'b', content: 'The user denied this call.' },
          { role: 'assistant', content: 'Done' },
          { role: 'user', content: 'more' },
        ],
      },
    },
    {
      name: 'of several agents, each message has its name',
      messages: [assistant('A', { name: 'Ann' }), assistant('B', { name: 'Bob' })],
      body: {
        ...stream,
        messages: [
          { role: 'user', content: '[Ann]: A' },
          { role: 'user', content: '[Bob]: B' },
        ],
      },
    },
  ]);

  it('sends reasoning back between the calls of a turn, only to servers with that field', async () => {
    const reply = [{ type: 'reasoning_content' as const, content: 'Hm' }, toolBlock('a', 'f', '{}', 'ok')];
    for (const [field, expected] of [
      ['reasoning_content', 'Hm'],
      ['reasoning', undefined],
    ] as const) {
      const metadata = { ...(await factsOf([], chunk({ [field]: 'Hm' }), call({ id: 'a', function: { name: 'f' } }))) };
      const [, sent] = await sentAfter(conversation(user('hi'), assistant(reply, { metadata })));
      expect(sent?.['reasoning_content'], field).to.equal(expected);
    }
  });

  it('sends signed parts back, each round in its own message', async () => {
    const first = [{ type: 'reasoning.text', text: 'Hm', signature: 's1', index: 0 }];
    const last = [{ type: 'reasoning.encrypted', data: 'AA', index: 0 }];
    const signed = { extra_content: { google: { thought_signature: 's' } } };
    const asking = conversation(user('hi'), assistant([]));
    const facts = await factsOf(
      asking,
      chunk({ reasoning_details: first }),
      call({ index: 0, id: 'a', function: { name: 'f', arguments: '{}' }, ...signed }),
      stop('tool_calls'),
    );
    const answered = conversation(user('hi'), assistant([toolBlock('a', 'f', '{}', 'ok')], { metadata: { ...facts } }));
    const more = await factsOf(answered, chunk({ reasoning_details: last }), say('Done'), stop());
    const sent = await sentAfter(
      conversation(
        user('hi'),
        assistant([toolBlock('a', 'f', '{}', 'ok'), { type: 'content', content: 'Done' }], { metadata: { ...more } }),
        user('more'),
      ),
    );
    expect(sent).to.deep.equal([
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: null, reasoning_details: first, tool_calls: [asked('a', '{}', signed)] },
      { role: 'tool', tool_call_id: 'a', content: 'ok' },
      { role: 'assistant', content: 'Done', reasoning_details: last },
      { role: 'user', content: 'more' },
    ]);
  });
});
