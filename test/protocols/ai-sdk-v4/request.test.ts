import { adapter as aiSdkV4 } from '../../../src/protocols/ai-sdk/ai-sdk-v4.ts';
import { testRequests } from '../../support/adapter-tests.ts';
import { assistant, system, toolBlock, user } from '../../support/messages.ts';
import { NOW } from '../../support/play-body.ts';

const createdAt = new Date(NOW).toISOString();
const body = (...messages: readonly object[]): object => ({ id: 'thread', messages });
const message = (id: string, role: string, content: string, parts?: readonly object[], more: object = {}): object => ({
  id,
  role,
  createdAt,
  content,
  parts: parts ?? [{ type: 'text', text: content }],
  ...more,
});
const invocation = (toolCallId: string, step: number, args: unknown, result: unknown): object => ({
  state: 'result',
  step,
  toolCallId,
  toolName: 'f',
  args,
  result,
});

describe('ai-sdk-v4, request', () => {
  testRequests(aiSdkV4, [
    {
      name: 'the complete conversation, with the server’s ids if it has given any',
      messages: [user('hi'), assistant('Hello', { metadata: { messageId: 'srv' } }), system('Be brief.'), user('more')],
      body: body(
        message('m1', 'user', 'hi'),
        message('srv', 'assistant', 'Hello'),
        message('m3', 'system', 'Be brief.'),
        message('m4', 'user', 'more'),
      ),
    },
    {
      name: 'the page’s settings beside it',
      messages: [user('hi')],
      options: {
        model: 'm-1',
        system: 'Be kind.',
        tools: [{ name: 'f', description: 'Does f', parameters: { type: 'object' } }],
      },
      body: {
        ...body(message('m1', 'user', 'hi')),
        model: 'm-1',
        system: 'Be kind.',
        tools: { f: { description: 'Does f', parameters: { type: 'object' } } },
      },
    },
    {
      name: 'attachments',
      messages: [
        user('look', {
          attachments: [
            { kind: 'image', data: 'AA', mimeType: 'image/png', name: 'a.png' },
            { kind: 'file', url: 'https://a.example/d', name: 'd', mimeType: 'application/pdf' },
            { kind: 'image', url: 'https://a.example/p' },
            { kind: 'file', url: 'https://a.example/f' },
          ],
        }),
      ],
      body: body(
        message('m1', 'user', 'look', undefined, {
          experimental_attachments: [
            { name: 'a.png', contentType: 'image/png', url: 'data:image/png;base64,AA' },
            { name: 'd', contentType: 'application/pdf', url: 'https://a.example/d' },
            { contentType: 'image/*', url: 'https://a.example/p' },
            { contentType: 'application/octet-stream', url: 'https://a.example/f' },
          ],
        }),
      ),
    },
    {
      name: 'a reply with its calls, their results and its signed reasoning',
      messages: [
        user('hi'),
        assistant(
          [
            { type: 'reasoning_content', content: 'Hm' },
            toolBlock('a', 'f', '{"x":1}', '{"y":2}'),
            { type: 'reasoning_content', content: 'So' },
            toolBlock('b', 'f', '', 'Broken', true),
            toolBlock('c', 'f', '{}'),
            { type: 'content', content: 'Done', citations: [{ id: 's', url: 'https://a.example/', title: 'A' }] },
            { type: 'image', image_data: { data: 'AA', mimeType: 'image/png' } },
          ],
          {
            metadata: {
              rounds: [
                {
                  protocol: 'ai-sdk-v4',
                  items: [
                    { details: [{ type: 'redacted', data: 'xx' }] },
                    { details: [{ type: 'text', text: 'Hm', signature: 's' }] },
                  ],
                },
                { protocol: 'ai-sdk-v4', items: [{ details: [{ type: 'text', text: 'other words' }] }] },
              ],
            },
          },
        ),
        user('more'),
      ],
      body: body(
        message('m1', 'user', 'hi'),
        message(
          'm2',
          'assistant',
          'Done',
          [
            { type: 'reasoning', reasoning: '', details: [{ type: 'redacted', data: 'xx' }] },
            { type: 'reasoning', reasoning: 'Hm', details: [{ type: 'text', text: 'Hm', signature: 's' }] },
            { type: 'tool-invocation', toolInvocation: invocation('a', 0, { x: 1 }, { y: 2 }) },
            { type: 'step-start' },
            { type: 'reasoning', reasoning: 'So', details: [{ type: 'text', text: 'So' }] },
            { type: 'tool-invocation', toolInvocation: invocation('b', 1, {}, { error: 'Broken' }) },
            { type: 'step-start' },
            { type: 'text', text: 'Done' },
            { type: 'source', source: { sourceType: 'url', id: 's', url: 'https://a.example/', title: 'A' } },
            { type: 'file', mimeType: 'image/png', data: 'AA' },
          ],
          {
            toolInvocations: [invocation('a', 0, { x: 1 }, { y: 2 }), invocation('b', 1, {}, { error: 'Broken' })],
          },
        ),
        message('m3', 'user', 'more'),
      ),
    },
  ]);
});
