import { expect } from '@open-wc/testing';
import { toApp } from '../../src/renderers/mcp-app-data.ts';
import { hear } from '../../src/renderers/mcp-app-messages.ts';

const request = (method: string, params?: unknown, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params });
const error = (code: number) => (message: unknown) =>
  (message as { error?: { code?: unknown } } | undefined)?.error?.code === code;

describe('a message of an MCP App', () => {
  const rows: readonly { name: string; message: unknown; expected: object | undefined }[] = [
    { name: 'the greeting', message: request('ui/initialize', {}), expected: { kind: 'initialize', id: 1 } },
    {
      name: 'the end of the greeting',
      message: { jsonrpc: '2.0', method: 'ui/notifications/initialized' },
      expected: { kind: 'initialized' },
    },
    {
      name: 'a ping',
      message: request('ping', {}, 'a'),
      expected: { kind: 'answer', message: { jsonrpc: '2.0', id: 'a', result: {} } },
    },
    {
      name: 'a wish for the full screen',
      message: request('ui/request-display-mode', { mode: 'fullscreen' }),
      expected: { kind: 'answer', message: { jsonrpc: '2.0', id: 1, result: { mode: 'inline' } } },
    },
    {
      name: 'words',
      message: request('ui/message', { role: 'user', content: { type: 'text', text: ' Hi ' } }),
      expected: { kind: 'message', id: 1, text: 'Hi' },
    },
    {
      name: 'words in a list',
      message: request('ui/message', {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      }),
      expected: { kind: 'message', id: 1, text: 'a\nb' },
    },
    {
      name: 'a link',
      message: request('ui/open-link', { url: 'https://a.example' }),
      expected: { kind: 'link', id: 1, url: 'https://a.example' },
    },
    {
      name: 'its size, which is measured',
      message: { jsonrpc: '2.0', method: 'ui/notifications/size-changed', params: { height: 1e9 } },
      expected: undefined,
    },
    { name: 'an answer', message: { jsonrpc: '2.0', id: 1, result: {} }, expected: undefined },
    { name: 'another protocol', message: { jsonrpc: '1.0', id: 1, method: 'ping' }, expected: undefined },
    { name: 'words alone', message: 'ping', expected: undefined },
    { name: 'nothing', message: null, expected: undefined },
    { name: 'an id that is none', message: request('ping', {}, { a: 1 }), expected: undefined },
  ];
  for (const { name, message, expected } of rows) {
    it(name, () => {
      expect(hear(message)).to.deep.equal(expected);
    });
  }

  for (const [name, message, code] of [
    ['a tool of the server', request('tools/call', { name: 'delete_all', arguments: {} }), -32_601],
    ['a resource of the server', request('resources/read', { uri: 'file:///etc/passwd' }), -32_601],
    ['facts for the model', request('ui/update-model-context', { content: [] }), -32_601],
    ['an inherited name', request('constructor'), -32_601],
    ['words of nobody', request('ui/message', { role: 'assistant', content: { type: 'text', text: 'x' } }), -32_602],
    ['no words', request('ui/message', { role: 'user', content: [] }), -32_602],
    [
      'endless words',
      request('ui/message', { role: 'user', content: { type: 'text', text: 'x'.repeat(5000) } }),
      -32_602,
    ],
    ['a link without address', request('ui/open-link', { href: 'x' }), -32_602],
  ] as const) {
    it(`${name} is refused`, () => {
      const heard = hear(message);
      expect(heard?.kind).to.equal('answer');
      expect(heard && 'message' in heard && heard.message).to.satisfy(error(code));
    });
  }
});

describe('an MCP App in a block', () => {
  const app = { kind: 'mcp-app', uri: 'ui://shop/cart', mimeType: 'text/html;profile=mcp-app', text: '<p>x</p>' };
  for (const [name, more, known] of [
    ['as it is', {}, true],
    ['of the servers before', { mimeType: 'text/html' }, true],
    ['by another scheme', { uri: 'https://evil.example' }, false],
    ['of another type', { mimeType: 'text/uri-list' }, false],
    ['of a type that only begins so', { mimeType: 'text/html-evil' }, false],
    ['without a page', { text: undefined }, false],
    ['of another kind', { kind: 'a2ui' }, false],
  ] as const) {
    it(`${name} is ${known ? 'one' : 'none'}`, () => {
      expect(toApp({ ...app, ...more }) !== undefined).to.equal(known);
    });
  }
});
