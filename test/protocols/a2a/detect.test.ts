import { expect } from '@open-wc/testing';
import { detectors } from '../../../src/protocols/detectors.ts';
import { protocols } from '../../../src/protocols/registry.ts';
import { guessByUrl } from '../../../src/runtime/stream/detect-protocol.ts';
import { findProtocol } from '../../support/find-protocol.ts';
import { sse } from '../../support/play-body.ts';
import { version03, rpc, agentMessage, stream, task } from './streams.ts';

describe('a2a, detection', () => {
  const entries = protocols.list().filter(({ id }) => Object.hasOwn(detectors, id));
  const rows = [
    { name: '1.0', body: stream(task('SUBMITTED')) },
    { name: '0.3', body: stream(version03('message', agentMessage('m', 'x'))) },
    { name: 'plain HTTP', body: sse({ statusUpdate: { taskId: 'T', contextId: 'C', status: {} } }) },
    {
      name: 'a JSON-RPC parse error',
      body: JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Invalid' } }),
    },
    { name: 'a tool result of MCP', body: sse(rpc({ content: [], tools: [] })), found: /^unsupported-stream/ },
    { name: 'a message of another protocol', body: sse({ message: { content: 'x' } }), found: /^(?!a2a)/ },
  ];
  for (const { name, body, found = /^a2a$/ } of rows) {
    it(name, async () => {
      expect(await findProtocol(body, entries)).to.match(found);
    });
  }

  it('by the address of a card or a method', () => {
    const guess = (url: string): string | undefined => guessByUrl(new URL(url), entries)?.id;
    expect(guess('https://a.example/.well-known/agent-card.json')).to.equal('a2a');
    expect(guess('https://a.example/x/.well-known/agent.json')).to.equal('a2a');
    expect(guess('https://a.example/a2a/message:stream')).to.equal('a2a');
    expect(guess('https://a.example/agent.json')).to.equal(undefined);
  });
});
