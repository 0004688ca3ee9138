import { expect } from '@open-wc/testing';
import type { ChatMessage } from '../../../src/model/message.ts';
import type { RequestOptions } from '../../../src/protocols/core/adapter.ts';
import { adapter as gemini } from '../../../src/protocols/gemini/gemini.ts';
import { testRequests } from '../../support/adapter-tests.ts';
import { assistant, conversation, system, toolBlock, user } from '../../support/messages.ts';
import { emptyTurn, requestOptions } from '../../support/play-body.ts';

const hi = { role: 'user', parts: [{ text: 'hi' }] };
const model = (...parts: object[]) => ({ role: 'model', parts });
const answered = (name: string, response: object, more: object = {}) => ({
  functionResponse: { ...more, name, response },
});
const tool = (parameters: object) => ({ name: 'f', description: 'Does f', parameters });
const declared = (more: object = {}) => ({
  contents: [hi],
  tools: [{ functionDeclarations: [{ name: 'f', description: 'Does f', ...more }] }],
});

async function send(options: Partial<RequestOptions>, messages: readonly ChatMessage[] = conversation(user('hi'))) {
  const { url, init } = await gemini.request({ ...emptyTurn, messages }, { ...requestOptions, ...options });
  return { url, body: init.body as Record<string, unknown> };
}

describe('gemini, request', () => {
  testRequests(gemini, [
    {
      name: 'a first turn: system messages and the page context have their own field',
      messages: [user('hi')],
      options: { model: 'gemini-x', system: 'Be kind.', context: { page: 2 } },
      body: {
        // The address names none.
        model: 'gemini-x',
        systemInstruction: { parts: [{ text: 'Be kind.\n\nContext of the page the user is on:\n{"page":2}' }] },
        contents: [hi],
      },
    },
    {
      name: 'a second turn: only users and models are roles, and no reasoning is sent back',
      messages: [
        user('hi'),
        assistant([
          { type: 'reasoning_content', content: 'Hm' },
          { type: 'content', content: 'Hello' },
        ]),
        system('Now in German.'),
        assistant([]),
        user('more'),
      ],
      body: {
        systemInstruction: { parts: [{ text: 'Now in German.' }] },
        contents: [hi, model({ text: 'Hello' }), { role: 'user', parts: [{ text: 'more' }] }],
      },
    },
    {
      name: 'attachments: by their bytes, by their address, from a data URL',
      messages: [
        user('look', {
          attachments: [
            { kind: 'image', data: 'AA', mimeType: 'image/png' },
            { kind: 'image', url: 'https://a.example/p.png' },
            { kind: 'image', url: 'data:image/gif;base64,BB' },
            { kind: 'audio', data: 'CC', mimeType: 'audio/mpeg' },
            { kind: 'video', url: 'https://a.example/v', mimeType: 'video/mp4' },
            { kind: 'file', data: 'DD' },
          ],
        }),
      ],
      body: {
        contents: [
          {
            role: 'user',
            parts: [
              { text: 'look' },
              { inlineData: { mimeType: 'image/png', data: 'AA' } },
              { fileData: { fileUri: 'https://a.example/p.png' } },
              { inlineData: { mimeType: 'image/gif', data: 'BB' } },
              { inlineData: { mimeType: 'audio/mpeg', data: 'CC' } },
              { fileData: { mimeType: 'video/mp4', fileUri: 'https://a.example/v' } },
              { inlineData: { mimeType: 'application/octet-stream', data: 'DD' } },
            ],
          },
        ],
      },
    },
    {
      name: 'reasoning is requested if the page shows it',
      messages: [user('hi')],
      options: { show: { reasoning: true } },
      body: { contents: [hi], generationConfig: { thinkingConfig: { includeThoughts: true } } },
    },
    {
      name: 'a tool with a schema that Gemini supports',
      messages: [user('hi')],
      options: {
        tools: [
          tool({
            $schema: 'https://json-schema.org/draft/2020-12/schema',
            type: 'object',
            properties: {
              a: { type: 'array', items: { type: 'string', enum: ['x'] } },
              b: { anyOf: [{ type: 'number' }] },
            },
            required: ['a'],
            additionalProperties: false,
          }),
        ],
      },
      body: declared({
        parameters: {
          type: 'object',
          properties: {
            a: { type: 'array', items: { type: 'string', enum: ['x'] } },
            b: { anyOf: [{ type: 'number' }] },
          },
          required: ['a'],
        },
      }),
    },
    {
      name: 'a tool without arguments',
      messages: [user('hi')],
      options: { tools: [tool({ type: 'object', properties: {} })] },
      body: declared(),
    },
    ...[
      { type: ['string', 'null'] },
      { type: 'string', format: 'email' },
      { enum: [1] },
      { $ref: '#' },
      { const: 'x' },
      { items: { not: {} } },
    ].map((schema) => {
      const parameters = { type: 'object', properties: { a: schema } };
      return {
        name: `a tool with a schema that Gemini does not support: ${JSON.stringify(schema)}`,
        messages: [user('hi')],
        options: { tools: [tool(parameters)] },
        body: declared({ parametersJsonSchema: parameters }),
      };
    }),
    {
      name: 'calls of another protocol: with the placeholder signature on the first, each answered by an object',
      messages: [
        user('hi'),
        assistant([
          { type: 'content', content: 'Wait' },
          toolBlock('a', 'f', '{"x": 1}', '{"ok":true}'),
          toolBlock('b', 'g', '', 'The user denied this call.', true),
          toolBlock('c', 'f', '{}'),
          { ...toolBlock('d', 'code_execution', '{}', '1'), extra: { remote: true } },
          { type: 'content', content: 'Done' },
        ]),
        user('more'),
      ],
      body: {
        contents: [
          hi,
          model(
            { text: 'Wait' },
            { functionCall: { name: 'f', args: { x: 1 } }, thoughtSignature: 'skip_thought_signature_validator' },
            { functionCall: { name: 'g', args: {} } },
          ),
          {
            role: 'user',
            parts: [answered('f', { result: { ok: true } }), answered('g', { error: 'The user denied this call.' })],
          },
          model({ text: 'Done' }),
          { role: 'user', parts: [{ text: 'more' }] },
        ],
      },
    },
  ]);

  it('sends none to models that check no signature', async () => {
    const messages = conversation(user('hi'), assistant([toolBlock('a', 'f', '{}', 'ok')]));
    const { body } = await send(
      { url: 'https://a.example/v1beta/models/gemini-2.5-flash:streamGenerateContent' },
      messages,
    );
    expect(JSON.stringify(body)).not.to.contain('thoughtSignature');
  });

  describe('address', () => {
    const host = 'https://generativelanguage.googleapis.com';
    const stream = (name: string, query = 'alt=sse') => `${host}/v1beta/models/${name}:streamGenerateContent?${query}`;
    const rows: readonly { readonly url: string; readonly model?: string; readonly sent: string }[] = [
      { url: stream('m'), sent: stream('m') },
      { url: `${host}/v1beta/models/m:streamGenerateContent`, sent: stream('m') },
      { url: stream('m', 'alt=json'), sent: stream('m', 'alt=json') },
      { url: stream('m', 'key=k'), sent: stream('m', 'key=k&alt=sse') },
      { url: stream('m'), model: 'n', sent: stream('n') },
      { url: `${host}/v1beta`, model: 'n', sent: stream('n') },
      { url: `${host}/v1beta/models/`, model: 'models/n', sent: stream('n') },
      { url: `${host}/v1beta/models/m`, sent: stream('m') },
      { url: `${host}/v1beta/models/m`, model: 'a/x', sent: stream('a%2Fx') },
      {
        url: `${host}/v1beta`,
        model: 'tunedModels/my-1',
        sent: `${host}/v1beta/tunedModels/my-1:streamGenerateContent?alt=sse`,
      },
      {
        url: stream('m'),
        model: 'tunedModels/my/1',
        sent: `${host}/v1beta/tunedModels/my%2F1:streamGenerateContent?alt=sse`,
      },
      { url: `${host}/v1beta/models/m:generateContent`, sent: `${host}/v1beta/models/m:generateContent` },
      { url: `${host}/v1beta`, sent: `${host}/v1beta` },
      { url: 'https://a.example/ask?x=1', model: 'n', sent: 'https://a.example/ask?x=1' },
    ];
    for (const { url, model: name, sent } of rows) {
      it(`${url} with ${name ?? 'no model'}`, async () => {
        const request = await send({ url, model: name });
        expect(request.url).to.equal(sent);
        expect(request.body['model']).to.equal(/\/(?:m|tunedM)odels\//.test(sent) ? undefined : name);
      });
    }

    it('refuses a model name with a path traversal', async () => {
      for (const model of ['../x', 'tunedModels/../x', 'tunedModels/..'])
        expect(await send({ url: stream('m'), model }).catch(String)).to.include('part of an address');
    });
  });
});
