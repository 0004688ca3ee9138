import { expect } from '@open-wc/testing';
import type { LooseBlock } from '../../support/messages.ts';
import { adapter as anthropic } from '../../../src/protocols/anthropic/anthropic.ts';
import { testRequests } from '../../support/adapter-tests.ts';
import { assistant, system, toolBlock, user } from '../../support/messages.ts';
import { emptyTurn, requestOptions } from '../../support/play-body.ts';
import { rounds } from './streams.ts';

const stream = { max_tokens: 4096, stream: true };
const hi = { role: 'user', content: [{ type: 'text', text: 'hi' }] };
const text = (words: string) => ({ type: 'text', text: words });
const use = (id: string, input: object = {}) => ({ type: 'tool_use', id, name: 'f', input });
const result = (id: string, content: string, more: object = {}) => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...more,
});
const signed = { type: 'thinking', thinking: 'Hm', signature: 'SIG' };
const hidden = { type: 'redacted_thinking', data: 'OPAQUE' };
const textBlockOf = (content: string): LooseBlock => ({ type: 'content', content });

describe('anthropic, request', () => {
  testRequests(anthropic, [
    {
      name: 'the system text separately, with the page context and system messages',
      messages: [user('hi'), system('Now in German.'), user('more')],
      options: { model: 'claude-x', system: 'Be kind.', context: { page: 2 } },
      body: {
        ...stream,
        model: 'claude-x',
        system: 'Be kind.\n\nContext of the page the user is on:\n{"page":2}\n\nNow in German.',
        messages: [{ role: 'user', content: [text('hi'), text('more')] }],
      },
    },
    {
      name: 'a second turn; empty text is omitted',
      messages: [user('hi'), assistant('Hello'), user(' '), assistant([]), user('more')],
      body: {
        ...stream,
        messages: [hi, { role: 'assistant', content: [text('Hello')] }, { role: 'user', content: [text('more')] }],
      },
    },
    {
      name: 'the first message is a user’s',
      messages: [assistant('What can I do?'), user('hi')],
      body: {
        ...stream,
        messages: [
          { role: 'user', content: [text('.')] },
          { role: 'assistant', content: [text('What can I do?')] },
          hi,
        ],
      },
    },
    {
      name: 'the page’s tools',
      messages: [user('hi')],
      options: { tools: [{ name: 'f', description: 'Does f', parameters: { type: 'object' } }] },
      body: {
        ...stream,
        messages: [hi],
        tools: [{ name: 'f', description: 'Does f', input_schema: { type: 'object' } }],
      },
    },
    {
      name: 'attachments: images, documents, texts, and a note about unsupported files',
      messages: [
        user('look', {
          attachments: [
            { kind: 'image', data: 'AA', mimeType: 'image/png' },
            { kind: 'image', url: 'https://a.example/p.png' },
            { kind: 'image', url: 'data:image/gif;base64,BB' },
            { kind: 'file', data: 'CC==', mimeType: 'application/pdf', name: 'a.pdf' },
            { kind: 'file', url: 'https://a.example/b.PDF', name: 'b.PDF' },
            { kind: 'file', data: btoa('a,b'), mimeType: 'text/csv', name: 't.csv' },
            { kind: 'file', data: btoa('\u00ff\u00fe'), mimeType: 'application/zip', name: 'z.zip' },
            { kind: 'image', data: 'DD', mimeType: 'image/svg+xml', name: 'v.svg' },
            { kind: 'video', url: 'https://a.example/v.mp4' },
          ],
        }),
      ],
      body: {
        ...stream,
        messages: [
          {
            role: 'user',
            content: [
              text('look'),
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA' } },
              { type: 'image', source: { type: 'url', url: 'https://a.example/p.png' } },
              { type: 'image', source: { type: 'base64', media_type: 'image/gif', data: 'BB' } },
              ...[
                { title: 'a.pdf', source: { type: 'base64', media_type: 'application/pdf', data: 'CC==' } },
                { title: 'b.PDF', source: { type: 'url', url: 'https://a.example/b.PDF' } },
                { title: 't.csv', source: { type: 'text', media_type: 'text/plain', data: 'a,b' } },
              ].map((document) => ({ type: 'document', citations: { enabled: true }, ...document })),
              text('Attached file, which can’t be shown to you: z.zip (application/zip)'),
              text('Attached file, which can’t be shown to you: v.svg (image/svg+xml)'),
              text('Attached file, which can’t be shown to you: unnamed https://a.example/v.mp4'),
            ],
          },
        ],
      },
    },
    {
      name: 'a history of another protocol: calls with their results, with valid ids, and no reasoning',
      messages: [
        user('hi'),
        assistant([
          { type: 'reasoning_content', content: 'Hm' },
          textBlockOf('Wait'),
          toolBlock('functions.f:0', 'f', '{"x":1}', 'ok'),
          toolBlock('b', 'f', 'no JSON', 'The user denied this call.', true),
          toolBlock('c', 'f', '{}'),
          textBlockOf('Done'),
        ]),
        user('more'),
      ],
      body: {
        ...stream,
        messages: [
          hi,
          { role: 'assistant', content: [text('Wait'), use('functions_f_0', { x: 1 }), use('b')] },
          {
            role: 'user',
            content: [result('functions_f_0', 'ok'), result('b', 'The user denied this call.', { is_error: true })],
          },
          { role: 'assistant', content: [text('Done')] },
          { role: 'user', content: [text('more')] },
        ],
      },
    },
    {
      name: 'stored rounds unchanged: signed and redacted reasoning, then the results, then the user’s message',
      messages: [
        user('hi'),
        assistant(
          [textBlockOf('Wait'), toolBlock('a', 'f', '{"x": 1}', 'ok'), toolBlock('b', 'f', '{}', 'No.', true)],
          {
            metadata: rounds(signed, hidden, text('Wait'), use('a', { x: 1 }), use('b')),
          },
        ),
        user('more'),
      ],
      body: {
        ...stream,
        messages: [
          hi,
          { role: 'assistant', content: [signed, hidden, text('Wait'), use('a', { x: 1 }), use('b')] },
          { role: 'user', content: [result('a', 'ok'), result('b', 'No.', { is_error: true }), text('more')] },
        ],
      },
    },
  ]);

  it('sends the headers that the API requires from a browser', async () => {
    const { init } = await anthropic.request(emptyTurn, { ...requestOptions, headers: { 'x-api-key': 'k' } });
    expect(init.headers).to.deep.equal({
      accept: 'text/event-stream',
      'anthropic-version': '2023-06-01',
      'anthropic-dangerous-direct-browser-access': 'true',
      'x-api-key': 'k',
    });
  });
});
