import { expect } from '@open-wc/testing';
import type { ChatMessage } from '../../../src/model/message.ts';
import type { RequestOptions } from '../../../src/protocols/core/adapter.ts';
import { adapter as ollama } from '../../../src/protocols/ollama/ollama.ts';
import { testRequests } from '../../support/adapter-tests.ts';
import { assistant, conversation, system, toolBlock, user } from '../../support/messages.ts';
import { emptyTurn, requestOptions } from '../../support/play-body.ts';

const hi = { role: 'user', content: 'hi' };
const called = (id: string, name: string, args: object) => ({ id, function: { name, arguments: args } });
const tool = { name: 'f', description: 'Does f', parameters: { type: 'object' } };

async function send(url: string, messages: readonly ChatMessage[], options: Partial<RequestOptions> = {}) {
  const request = await ollama.request({ ...emptyTurn, messages }, { ...requestOptions, ...options, url });
  return { url: request.url, body: JSON.parse(JSON.stringify(request.init.body)) as Record<string, unknown> };
}

describe('ollama, request', () => {
  testRequests(ollama, [
    {
      name: 'text as strings, the system text and the page context first, system messages in their place',
      messages: [user('hi'), assistant('Hello'), system('Now in German.'), user('more')],
      options: { model: 'qwen3', system: 'Be kind.', context: { page: 2 } },
      body: {
        model: 'qwen3',
        stream: true,
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
      options: { tools: [tool] },
      body: { stream: true, messages: [hi], tools: [{ type: 'function', function: tool }] },
    },
    {
      name: 'images as raw base64; the model gets a note about other files',
      messages: [
        user('look', {
          attachments: [
            { kind: 'image', data: 'AA', mimeType: 'image/png' },
            { kind: 'image', url: 'data:image/png;base64,BB' },
            { kind: 'image', url: 'https://a.example/p.png' },
            { kind: 'file', data: 'CC', mimeType: 'application/pdf', name: 'a.pdf' },
          ],
        }),
      ],
      body: {
        stream: true,
        messages: [
          {
            role: 'user',
            content: 'look\n[An attachment was left out: image]\n[An attachment was left out: a.pdf]',
            images: ['AA', 'BB'],
          },
        ],
      },
    },
    {
      name: 'the text of a file',
      messages: [
        user('look', {
          attachments: [{ kind: 'file', data: btoa('let x;'), mimeType: 'text/javascript', name: 'a.js' }],
        }),
      ],
      body: { stream: true, messages: [{ role: 'user', content: 'look\nAttached file a.js:\nlet x;' }] },
    },
    {
      name: 'each answered call with its arguments as an object, followed by its result; a denial is a result',
      messages: [
        user('hi'),
        assistant([
          { type: 'reasoning_content', content: 'Hm' },
          { type: 'content', content: 'Wait' },
          toolBlock('a', 'f', '{"x": 1}', '{"ok":true}'),
          toolBlock('b', 'g', 'no JSON', 'The user denied this call.', true),
          toolBlock('c', 'f', '{}'),
        ]),
      ],
      body: {
        stream: true,
        messages: [
          hi,
          {
            role: 'assistant',
            content: 'Wait',
            // The model continues with it between its calls.
            thinking: 'Hm',
            tool_calls: [called('a', 'f', { x: 1 }), called('b', 'g', {})],
          },
          { role: 'tool', tool_name: 'f', tool_call_id: 'a', content: '{"ok":true}' },
          { role: 'tool', tool_name: 'g', tool_call_id: 'b', content: 'The user denied this call.' },
        ],
      },
    },
    {
      name: 'reasoning of past turns is dropped',
      messages: [
        user('hi'),
        assistant([
          { type: 'reasoning_content', content: 'Hm' },
          { type: 'content', content: 'Hello' },
        ]),
        user('more'),
      ],
      body: {
        stream: true,
        messages: [hi, { role: 'assistant', content: 'Hello' }, { role: 'user', content: 'more' }],
      },
    },
  ]);

  it('uses the chat path if the address is only a server', async () => {
    const { url, body } = await send('http://localhost:11434/', conversation(user('hi')));
    expect(url).to.equal('http://localhost:11434/api/chat');
    expect(body['messages']).to.deep.equal([hi]);
  });

  describe('generate', () => {
    const url = 'http://localhost:11434/api/generate';

    it('has one prompt, and no tools', async () => {
      const picture = { kind: 'image', data: 'AA', mimeType: 'image/png' } as const;
      const options = { model: 'm', system: 'Be kind.', tools: [tool] };
      const sent = await send(url, conversation(user('hi', { attachments: [picture] })), options);
      expect(sent).to.deep.equal({
        url,
        body: { model: 'm', stream: true, prompt: 'hi', images: ['AA'], system: 'Be kind.' },
      });
    });

    it('continues with the server’s context', async () => {
      const first = assistant('Hello', { metadata: { ollamaContext: [1, 2] } });
      const last = assistant('Yes', { metadata: { ollamaContext: [1, 2, 3] } });
      const { body } = await send(url, conversation(user('hi'), first, user('so'), last, user('more')));
      expect(body).to.deep.equal({ stream: true, prompt: 'more', context: [1, 2, 3] });
    });

    it('sends the conversation as text without a context', async () => {
      const { body } = await send(url, conversation(user('hi'), assistant('Hello'), user('more')));
      expect(body).to.deep.equal({ stream: true, prompt: 'user: hi\n\nassistant: Hello\n\nuser: more\n\nassistant:' });
    });
  });
});
