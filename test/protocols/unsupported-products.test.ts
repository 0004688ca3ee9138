import { expect } from '@open-wc/testing';
import { detectUnsupportedProduct } from '../../src/protocols/unsupported-products.ts';
import { protocols } from '../../src/protocols/registry.ts';
import { findProtocol } from '../support/find-protocol.ts';
import { sse } from '../support/play-body.ts';
import { readRecording, recordings, type Protocol } from '../support/recordings.ts';

const rows: readonly (readonly [name: string, body: string, said: string])[] = [
  ['an engine.io handshake', '0{"sid":"lv_VI97HAXpY6yYWAAAB","upgrades":["websocket"]}', 'Chainlit'],
  ['an old CopilotKit event', sse({ type: 'TextMessageStart', messageId: 'm' }), 'CopilotKit'],
  [
    'an MCP server that introduces itself',
    sse({ jsonrpc: '2.0', id: 1, result: { serverInfo: {}, capabilities: {} } }),
    'MCP',
  ],
  ['an MCP notification', sse({ jsonrpc: '2.0', method: 'notifications/message', params: {} }), 'MCP'],
];

describe('an unsupported product', () => {
  for (const [name, body, said] of rows) {
    it(`is named: ${name}`, async () => {
      const found = await findProtocol(body, protocols.list());
      expect(found).to.contain('unsupported-stream').and.contain(said);
    });
  }

  it('is detected by its headers', () => {
    const signs = (name: string, value: string) => ({
      url: new URL('https://a.example/'),
      headers: new Headers({ [name]: value }),
      framing: 'sse' as const,
      frames: [],
      ended: false,
    });
    expect(detectUnsupportedProduct(signs('mcp-session-id', 's'))).to.contain('MCP');
    expect(detectUnsupportedProduct(signs('content-type', 'multipart/mixed; boundary="-"'))).to.contain('CopilotKit');
    expect(detectUnsupportedProduct(signs('content-type', 'application/vnd.amazon.eventstream'))).to.contain('Bedrock');
    expect(detectUnsupportedProduct(signs('content-type', 'text/event-stream'))).to.equal(undefined);
  });

  it('is never a supported one', async () => {
    for (const protocol of Object.keys(recordings) as Protocol[]) {
      for (const name of recordings[protocol]) {
        const { body } = await readRecording(protocol, name);
        const found = await findProtocol(new TextDecoder().decode(body), protocols.list());
        expect(found, `${protocol}/${name}`).not.to.match(/The endpoint is/);
      }
    }
  });
});
