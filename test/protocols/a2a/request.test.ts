import { expect } from '@open-wc/testing';
import { ChatError } from '../../../src/errors.ts';
import { adapter as a2a } from '../../../src/protocols/a2a/a2a.ts';
import { testRequests } from '../../support/adapter-tests.ts';
import { assistant, conversation, PRESS, user } from '../../support/messages.ts';
import { NOW } from '../../support/play-body.ts';
import { answer, methodOf, optionsAt, paramsOf, replied, turnOf } from './server.ts';

const sent = (message: object, method = 'message/stream'): object => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params: { message, configuration: { blocking: true } },
});
const { version: _version, ...press } = PRESS;
const userAction = { ...press, timestamp: new Date(NOW).toISOString() };

describe('a2a, request', () => {
  testRequests(a2a, [
    {
      name: 'the button of a surface of 0.8',
      messages: [user('Go\nwho: Mia', { metadata: { data: { ...PRESS, version: 'v0.8' } } })],
      turn: { text: 'Go\nwho: Mia' },
      body: sent({
        kind: 'message',
        messageId: 'm1',
        role: 'user',
        parts: [{ kind: 'data', data: { userAction }, metadata: { mimeType: 'application/json+a2ui' } }],
      }),
    },
    {
      name: 'a reply that is regenerated has another id',
      messages: [user('Hi')],
      turn: { text: 'Hi', fork: { by: 'regenerate', reply: conversation(user('Hi'), assistant('Oh'))[1] } },
      body: sent({ kind: 'message', messageId: 'm1.m2', role: 'user', parts: [{ kind: 'text', text: 'Hi' }] }),
    },
    {
      name: 'the button of a surface of 0.9 that asks for its data',
      messages: [user('Go', { metadata: { data: { ...PRESS, dataModel: { a: 1 } } } })],
      turn: { text: 'Go' },
      body: sent({
        kind: 'message',
        messageId: 'm1',
        role: 'user',
        parts: [
          {
            kind: 'data',
            data: { version: 'v0.9', action: userAction },
            metadata: { mimeType: 'application/json+a2ui' },
          },
        ],
        metadata: { a2uiClientDataModel: { version: 'v0.9', surfaces: { s: { a: 1 } } } },
      }),
    },
    {
      name: 'the first message, with the page’s context',
      messages: [user('hi')],
      turn: { text: 'hi' },
      options: { context: { page: 2 } },
      body: sent({
        kind: 'message',
        messageId: 'm1',
        role: 'user',
        parts: [{ kind: 'text', text: 'hi' }],
        metadata: { context: { page: 2 } },
      }),
    },
    {
      name: 'attachments, by their bytes and by their address',
      messages: [
        user('look', {
          attachments: [
            { kind: 'image', data: 'AA', mimeType: 'image/png', name: 'a.png' },
            { kind: 'file', url: 'https://a.example/a.pdf', mimeType: 'application/pdf' },
          ],
        }),
      ],
      turn: { text: 'look' },
      body: sent({
        kind: 'message',
        messageId: 'm1',
        role: 'user',
        parts: [
          { kind: 'text', text: 'look' },
          { kind: 'file', file: { bytes: 'AA', mimeType: 'image/png', name: 'a.png' } },
          { kind: 'file', file: { uri: 'https://a.example/a.pdf', mimeType: 'application/pdf' } },
        ],
      }),
    },
    {
      name: 'the same context and a new task after the previous one is over',
      messages: [user('hi'), replied('completed'), user('more')],
      turn: { text: 'more' },
      body: sent({
        kind: 'message',
        messageId: 'm3',
        role: 'user',
        contextId: 'C',
        parts: [{ kind: 'text', text: 'more' }],
      }),
    },
    {
      name: 'the same task while it waits',
      messages: [user('hi'), replied('input-required'), user('Rome')],
      turn: { text: 'Rome' },
      body: sent({
        kind: 'message',
        messageId: 'm3',
        role: 'user',
        contextId: 'C',
        taskId: 'T',
        parts: [{ kind: 'text', text: 'Rome' }],
      }),
    },
    ...(['T', 'earlier'] as const).map((taskId) => ({
      name: `the button of a surface of ${taskId === 'T' ? 'the waiting task' : 'an earlier task, which answers nothing of the one that waits'}`,
      messages: [
        user('hi'),
        assistant([{ type: 'ui', ui: { kind: 'a2ui', messages: [{ createSurface: { surfaceId: 's' } }] } }], {
          metadata: { taskId },
        }),
        user('close'),
        replied('input-required'),
        user('Go', { metadata: { data: PRESS } }),
      ],
      turn: { text: 'Go' },
      body: sent({
        kind: 'message',
        messageId: 'm5',
        role: 'user',
        contextId: 'C',
        ...(taskId === 'T' && { taskId }),
        parts: [
          {
            kind: 'data',
            data: { version: 'v0.9', action: userAction },
            metadata: { mimeType: 'application/json+a2ui' },
          },
        ],
      }),
    })),
    {
      name: 'answers as the next message of the task: text, data, a plain "yes"',
      messages: [user('hi'), replied('input-required')],
      turn: {
        answers: [
          answer({ payload: 'Rome' }),
          answer({ payload: { city: 'Rome' }, blockId: 'm2.4' }),
          answer({ decision: 'granted', blockId: 'm2.5' }),
        ],
      },
      body: sent({
        kind: 'message',
        messageId: 'm1.m2.3.m2.4.m2.5',
        role: 'user',
        contextId: 'C',
        taskId: 'T',
        parts: [
          { kind: 'text', text: 'Rome' },
          { kind: 'data', data: { city: 'Rome' } },
          { kind: 'text', text: 'yes' },
        ],
      }),
    },
    {
      name: 'rule 84: a denial with a note is a no, and an answer without a value is no yes',
      messages: [user('hi'), replied('input-required')],
      turn: {
        answers: [
          answer({ decision: 'denied', note: 'Go on without it', blockId: 'm2.4' }),
          answer({ decision: 'answered', blockId: 'm2.5' }),
        ],
      },
      body: sent({
        kind: 'message',
        messageId: 'm1.m2.4.m2.5',
        role: 'user',
        contextId: 'C',
        taskId: 'T',
        parts: [
          { kind: 'text', text: 'no: Go on without it' },
          { kind: 'text', text: '' },
        ],
      }),
    },
    {
      name: 'rule 84: only what the user has granted is a yes',
      messages: [user('hi'), replied('input-required')],
      turn: {
        answers: [answer({ decision: 'denied', blockId: 'm2.4' }), answer({ decision: 'dismissed', blockId: 'm2.5' })],
      },
      body: sent({
        kind: 'message',
        messageId: 'm1.m2.4.m2.5',
        role: 'user',
        contextId: 'C',
        taskId: 'T',
        parts: [
          { kind: 'text', text: 'no' },
          { kind: 'text', text: 'no' },
        ],
      }),
    },
  ]);

  it('uses 1.0 if the page’s header or a response has said so', async () => {
    for (const [headers, version] of [
      [{ 'A2A-Version': '1.0' }, '0.3'],
      [{}, '1.0'],
    ] as const) {
      const { options } = optionsAt('https://a.example/rpc', {}, headers);
      const request = await a2a.request(turnOf([user('hi'), replied('completed', { version }), user('hi')]), options);
      expect(methodOf(request)).to.equal('SendStreamingMessage');
      expect(paramsOf(request)).to.deep.equal({
        message: { messageId: 'm3', role: 'ROLE_USER', contextId: 'C', parts: [{ text: 'hi' }] },
      });
      const names = Object.keys(request.init.headers ?? {}).filter((name) => name.toLowerCase() === 'a2a-version');
      expect(names).to.have.length(1);
    }
  });

  const card = 'https://a.example/.well-known/agent-card.json';

  it('asks an agent that knows A2UI for it', async () => {
    const uri = 'https://a2ui.org/a2a-extension/a2ui/v0.9';
    const { options } = optionsAt(card, {
      [card]: {
        url: '/rpc',
        protocolVersion: '0.3.0',
        capabilities: { extensions: [{ uri: 'https://a.example/x' }, { uri }, { uri: uri.replace('9', '8') }] },
      },
    });
    const request = await a2a.request(turnOf([user('hi')]), options);
    expect(request.init.headers).to.deep.include({ 'x-a2a-extensions': uri });
    const { metadata } = paramsOf(request).message as { metadata: { a2uiClientCapabilities: Record<string, unknown> } };
    expect(Object.keys(metadata.a2uiClientCapabilities)).to.deep.equal(['v0.9']);
  });

  const interfaces = (...list: readonly object[]) => ({ supportedInterfaces: list, capabilities: { streaming: true } });
  const cards = [
    {
      name: 'a card of 1.0, JSON-RPC before the plain binding, with a tenant',
      json: interfaces(
        { url: 'https://a.example/rest', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
        { url: '/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: 't' },
      ),
      url: 'https://a.example/rpc',
      method: 'SendStreamingMessage',
      tenant: 't',
    },
    {
      name: 'a card of both versions',
      json: {
        ...interfaces({ url: 'https://a.example/1', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }),
        url: 'https://a.example/0',
      },
      url: 'https://a.example/1',
      method: 'SendStreamingMessage',
    },
    {
      name: 'a card of 0.3 whose agent does not stream',
      json: { url: 'https://a.example/0', protocolVersion: '0.3.0', capabilities: { streaming: false } },
      url: 'https://a.example/0',
      method: 'message/send',
    },
    {
      name: 'a card of 0.3 with JSON-RPC among the others',
      json: {
        url: 'https://a.example/grpc',
        preferredTransport: 'GRPC',
        additionalInterfaces: [{ url: 'https://a.example/rpc', transport: 'JSONRPC' }],
        capabilities: { streaming: true },
      },
      url: 'https://a.example/rpc',
      method: 'message/stream',
    },
    {
      name: 'only the plain binding',
      json: interfaces({ url: 'https://a.example/rest/', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' }),
      url: 'https://a.example/rest/message:stream',
    },
    {
      name: 'the plain binding of 0.3',
      json: { url: 'https://a.example/rest', preferredTransport: 'HTTP+JSON', capabilities: {} },
      url: 'https://a.example/rest/v1/message:send',
    },
  ];
  for (const { name, json, url, method, tenant } of cards) {
    it(`reads ${name}`, async () => {
      const { options } = optionsAt(card, { [card]: json });
      const request = await a2a.request(turnOf([user('hi')]), options);
      expect(request.url).to.equal(url);
      expect(methodOf(request)).to.equal(method);
      if (tenant) expect(paramsOf(request)).to.include({ tenant });
    });
  }

  for (const [name, json] of [
    ['another origin', { url: 'https://b.example/rpc' }],
    ['nothing but gRPC', { url: 'https://a.example', preferredTransport: 'GRPC' }],
    ['no card', 'Hello'],
  ] as const) {
    it(`refuses ${name}`, async () => {
      const { options } = optionsAt(card, { [card]: json });
      const error: unknown = await Promise.resolve(a2a.request(turnOf([user('hi')]), options)).catch((e: unknown) => e);
      expect(error).to.be.instanceOf(ChatError).with.property('kind', 'protocol');
    });
  }

  it('writes parts of 0.3 for its plain binding like its messages', async () => {
    const { options } = optionsAt('https://a.example/v1/message:stream');
    const file = { kind: 'file' as const, data: 'AA', mimeType: 'text/plain' };
    const { url, init } = await a2a.request(turnOf([user('hi', { attachments: [file] })]), options);
    expect(url).to.equal('https://a.example/v1/message:stream');
    expect(init.body).to.deep.equal({
      message: {
        messageId: 'm1',
        role: 'ROLE_USER',
        content: [{ text: 'hi' }, { file: { fileWithBytes: 'AA', mimeType: 'text/plain' } }],
      },
      configuration: { blocking: true },
    });
  });
});
