import { expect } from '@open-wc/testing';
import { toApp } from '../../../src/renderers/mcp-app/read-resource.ts';
import { parseAppMessage } from '../../../src/renderers/mcp-app/host-protocol.ts';

const request = (method: string, params?: unknown, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params });
const error = (code: number) => (message: unknown) =>
  (message as { error?: { code?: unknown } } | undefined)?.error?.code === code;

describe('parseAppMessage()', () => {
  const rows: readonly { name: string; message: unknown; expected: object | undefined }[] = [
    { name: 'the initialization', message: request('ui/initialize', {}), expected: { kind: 'initialize', id: 1 } },
    {
      name: 'the end of the initialization',
      message: { jsonrpc: '2.0', method: 'ui/notifications/initialized' },
      expected: { kind: 'initialized' },
    },
    {
      name: 'a ping',
      message: request('ping', {}, 'a'),
      expected: { kind: 'answer', message: { jsonrpc: '2.0', id: 'a', result: {} } },
    },
    {
      name: 'a request for full screen',
      message: request('ui/request-display-mode', { mode: 'fullscreen' }),
      expected: { kind: 'fullscreen', id: 1 },
    },
    {
      name: 'a request for any other place',
      message: request('ui/request-display-mode', { mode: 'pip' }),
      expected: { kind: 'inline', id: 1 },
    },
    {
      name: 'a tool of the server',
      message: request('tools/call', { name: 'pay', arguments: { sum: 7 }, _meta: {} }),
      expected: { kind: 'tool', id: 1, params: { name: 'pay', arguments: { sum: 7 } } },
    },
    {
      name: 'a resource of the server',
      message: request('resources/read', { uri: 'ui://a' }),
      expected: { kind: 'read', id: 1, params: { uri: 'ui://a' } },
    },
    {
      name: 'context for the model',
      message: request('ui/update-model-context', { structuredContent: { page: 3 } }),
      expected: { kind: 'context', id: 1, params: { structuredContent: { page: 3 } } },
    },
    {
      name: 'words',
      message: request('ui/message', { role: 'user', content: { type: 'text', text: ' Hi ' } }),
      expected: { kind: 'message', id: 1, text: 'Hi' },
    },
    {
      name: 'text in a list',
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
    { name: 'a response', message: { jsonrpc: '2.0', id: 1, result: {} }, expected: undefined },
    { name: 'another protocol', message: { jsonrpc: '1.0', id: 1, method: 'ping' }, expected: undefined },
    { name: 'text only', message: 'ping', expected: undefined },
    { name: 'nothing', message: null, expected: undefined },
    { name: 'an invalid id', message: request('ping', {}, { a: 1 }), expected: undefined },
  ];
  for (const { name, message, expected } of rows) {
    it(name, () => {
      expect(parseAppMessage(message)).to.deep.equal(expected);
    });
  }

  for (const [name, message, code] of [
    ['a tool without a name', request('tools/call', { arguments: {} }), -32_602],
    ['a tool with a list of arguments', request('tools/call', { name: 'a', arguments: [] }), -32_602],
    ['a resource without an address', request('resources/read', {}), -32_602],
    ['context that is only text', request('ui/update-model-context', { content: 'x' }), -32_602],
    ['an inherited name', request('constructor'), -32_601],
    [
      'text without a role',
      request('ui/message', { role: 'assistant', content: { type: 'text', text: 'x' } }),
      -32_602,
    ],
    ['no text', request('ui/message', { role: 'user', content: [] }), -32_602],
    [
      'a text that is too long',
      request('ui/message', { role: 'user', content: { type: 'text', text: 'x'.repeat(5000) } }),
      -32_602,
    ],
    ['a link without address', request('ui/open-link', { href: 'x' }), -32_602],
  ] as const) {
    it(`${name} is rejected`, () => {
      const parsed = parseAppMessage(message);
      expect(parsed?.kind).to.equal('answer');
      expect(parsed && 'message' in parsed && parsed.message).to.satisfy(error(code));
    });
  }
});

describe('toApp()', () => {
  const app = { kind: 'mcp-app', uri: 'ui://shop/cart', mimeType: 'text/html;profile=mcp-app', text: '<p>x</p>' };
  for (const [name, more, known] of [
    ['as in the specification', {}, true],
    ['of older servers', { mimeType: 'text/html' }, true],
    ['of early drafts', { mimeType: 'text/html+mcp' }, true],
    ['by another scheme', { uri: 'https://evil.example' }, false],
    ['of another type', { mimeType: 'text/uri-list' }, false],
    ['of a type with the same beginning', { mimeType: 'text/html-evil' }, false],
    ['without a page', { text: undefined }, false],
    ['of another kind', { kind: 'a2ui' }, false],
  ] as const) {
    it(`${name} is ${known ? 'an MCP app' : 'not an MCP app'}`, () => {
      expect(toApp({ ...app, ...more }) !== undefined).to.equal(known);
    });
  }
});
