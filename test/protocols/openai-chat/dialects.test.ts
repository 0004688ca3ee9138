import { expect } from '@open-wc/testing';
import type { MessageInput } from '../../../src/conversation/normalize-message.ts';
import type { RequestOptions } from '../../../src/protocols/core/adapter.ts';
import { adapter as openAiChat } from '../../../src/protocols/openai-chat/openai-chat.ts';
import { assistant, conversation, system, toolBlock, user } from '../../support/messages.ts';
import { emptyTurn, requestOptions } from '../../support/play-body.ts';

/** The request body for an address. */
async function sentTo(url: string, messages: readonly MessageInput[], options: Partial<RequestOptions> = {}) {
  const { init } = await openAiChat.request(
    { ...emptyTurn, messages: conversation(...messages) },
    { ...requestOptions, ...options, url },
  );
  return JSON.parse(JSON.stringify(init.body)) as Record<string, unknown>;
}

describe('openai-chat, dialects of servers', () => {
  for (const { url, asked } of [
    { url: 'https://api.openai.com/v1/chat/completions', asked: true },
    { url: 'http://localhost:11434/v1/chat/completions', asked: true },
    { url: 'https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21', asked: true },
    { url: 'https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=preview', asked: true },
    { url: 'https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-02-01', asked: false },
    { url: 'https://api.mistral.ai/v1/chat/completions', asked: false },
    { url: 'https://api.perplexity.ai/chat/completions', asked: false },
    { url: 'https://notmistral.ai/v1/chat/completions', asked: true },
  ]) {
    it(`${asked ? 'asks' : 'does not ask'} ${url} to count tokens`, async () => {
      expect('stream_options' in (await sentTo(url, [user('hi')]))).to.equal(asked);
    });
  }

  for (const { model, role } of [
    { model: 'o3-mini', role: 'developer' },
    { model: 'gpt-5.1', role: 'developer' },
    { model: 'gpt-5-chat-latest', role: 'system' },
    { model: 'gpt-4o', role: 'system' },
    { model: 'openai/o3', role: 'system' },
    { model: 'gpt-oss-20b', role: 'system' },
  ]) {
    it(`uses a ${role} for ${model}, wherever the page names it`, async () => {
      const messages = [system('Be kind.'), user('hi')];
      for (const options of [{ model }, { body: { model } }]) {
        const sent = await sentTo('https://a.example/chat/completions', messages, options);
        expect(sent['messages']).to.deep.equal([
          { role, content: 'Be kind.' },
          { role: 'user', content: 'hi' },
        ]);
      }
    });
  }

  describe('Mistral', () => {
    const mistral = 'https://api.mistral.ai/v1/chat/completions';

    it('has its own forms for documents and audio', async () => {
      const attachments = [
        { kind: 'image', url: 'https://a.example/p.png' },
        { kind: 'file', data: 'CC', mimeType: 'application/pdf', name: 'a.pdf' },
        { kind: 'audio', data: 'BB', mimeType: 'audio/mpeg' },
      ] as const;
      const { messages } = await sentTo(mistral, [user('look', { attachments: [...attachments] })]);
      expect(messages).to.deep.equal([
        {
          role: 'user',
          content: [
            { type: 'text', text: 'look' },
            { type: 'image_url', image_url: { url: 'https://a.example/p.png' } },
            { type: 'document_url', document_url: 'data:application/pdf;base64,CC', document_name: 'a.pdf' },
            { type: 'input_audio', input_audio: 'BB' },
          ],
        },
      ]);
    });

    it('gets unique ids of nine letters and digits, and no unknown field', async () => {
      const reply = assistant(
        [
          toolBlock('call_1234567890', 'f', '{}', 'one'),
          toolBlock('other_234567890', 'f', '{}', 'two'),
          toolBlock('a1', 'f', '{}', 'three'),
        ],
        {
          metadata: {
            rounds: [
              {
                protocol: 'openai-chat',
                items: [{ calls: ['a1'], reasoning_details: [{ type: 'x' }], extra_content: { a1: { google: {} } } }],
              },
            ],
          },
        },
      );
      const { messages } = await sentTo(mistral, [user('hi'), reply]);
      const asked = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } });
      expect(messages).to.deep.equal([
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: null, tool_calls: [asked('234567890'), asked('000000000'), asked('0000000a1')] },
        { role: 'tool', tool_call_id: '234567890', content: 'one' },
        { role: 'tool', tool_call_id: '000000000', content: 'two' },
        { role: 'tool', tool_call_id: '0000000a1', content: 'three' },
      ]);
    });

    it('gets a prefix flag if the last message is its own', async () => {
      const { messages } = await sentTo(mistral, [user('hi'), assistant('Half')]);
      expect(messages).to.deep.equal([
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'Half', prefix: true },
      ]);
    });
  });
});
