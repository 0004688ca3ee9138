import { adapter as cohere } from '../../../src/protocols/cohere/cohere.ts';
import { testRequests } from '../../support/adapter-tests.ts';
import { assistant, system, toolBlock, user } from '../../support/messages.ts';

const stream = { stream: true };
const hi = { role: 'user', content: 'hi' };

describe('cohere, request', () => {
  testRequests(cohere, [
    {
      name: 'the system text and the page context first; a second turn',
      messages: [user('hi'), assistant('Hello'), system('Now in German.'), user('more')],
      options: { model: 'command-x', system: 'Be kind.', context: { page: 2 } },
      body: {
        ...stream,
        model: 'command-x',
        messages: [
          { role: 'system', content: 'Be kind.\n\nContext of the page the user is on:\n{"page":2}' },
          hi,
          { role: 'assistant', content: 'Hello' },
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
        messages: [hi],
        tools: [{ type: 'function', function: { name: 'f', description: 'Does f', parameters: { type: 'object' } } }],
      },
    },
    {
      name: 'calls with their plan and without reasoning, each with its result or denial; others are omitted',
      messages: [
        user('hi'),
        assistant([
          { type: 'reasoning_content', content: 'Hm' },
          { type: 'reasoning_content', content: 'I look.', extra: { stage: 'planning' } },
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
          hi,
          {
            role: 'assistant',
            tool_plan: 'I look.',
            tool_calls: [
              { id: 'a', type: 'function', function: { name: 'f', arguments: '{"x": 1}' } },
              { id: 'b', type: 'function', function: { name: 'f', arguments: '{}' } },
            ],
          },
          { role: 'tool', tool_call_id: 'a', content: 'ok' },
          { role: 'tool', tool_call_id: 'b', content: 'The user denied this call.' },
          { role: 'assistant', content: 'Done' },
          { role: 'user', content: 'more' },
        ],
      },
    },
    {
      name: 'text before a call is sent as its plan',
      messages: [user('hi'), assistant([{ type: 'content', content: 'Wait' }, toolBlock('a', 'f', '{}', 'ok')])],
      body: {
        ...stream,
        messages: [
          hi,
          {
            role: 'assistant',
            tool_plan: 'Wait',
            tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
          },
          { role: 'tool', tool_call_id: 'a', content: 'ok' },
        ],
      },
    },
    {
      name: 'attachments: images as parts, texts as documents, and a note about the rest',
      messages: [
        user('look', {
          id: 'u',
          attachments: [
            { kind: 'image', data: 'AA', mimeType: 'image/png' },
            { kind: 'image', url: 'https://a.example/p.png' },
            { kind: 'file', data: btoa('a,b'), mimeType: 'text/csv', name: 't.csv' },
            { kind: 'file', data: btoa('\u00ff'), mimeType: 'application/pdf', name: 'a.pdf' },
            { kind: 'file', data: btoa('%PDF-1.4 all in letters'), mimeType: 'application/pdf', name: 'b.pdf' },
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
              { type: 'text', text: 'Attached file, which can’t be shown to you: a.pdf (application/pdf)' },
              { type: 'text', text: 'Attached file, which can’t be shown to you: b.pdf (application/pdf)' },
            ],
          },
        ],
        documents: [{ id: 'u.4', data: { title: 't.csv', text: 'a,b' } }],
      },
    },
    {
      name: 'a text file alone: its name as the content, which is never empty',
      messages: [
        user('', {
          id: 'u',
          attachments: [{ kind: 'file', data: btoa('a,b'), mimeType: 'text/csv', name: 't.csv' }],
        }),
      ],
      body: {
        ...stream,
        messages: [{ role: 'user', content: 'Attached file: t.csv' }],
        documents: [{ id: 'u.2', data: { title: 't.csv', text: 'a,b' } }],
      },
    },
  ]);
});
