import { expect } from '@open-wc/testing';
import { ChatError } from '../../src/errors.ts';
import type { Adapter } from '../../src/protocols/core/adapter.ts';
import { defineProtocol } from '../../src/protocols/define-protocol.ts';
import { ProtocolRegistry } from '../../src/protocols/registry.ts';
import { text } from '../support/bare.ts';
import { ndjson, playBody } from '../support/play-body.ts';

const acme: Adapter = {
  id: 'acme',
  request: ({ text: words }, { url }) => ({ url, init: { method: 'POST', body: { prompt: words } } }),
  async *decode(batches) {
    for await (const frames of batches) {
      yield frames.map(({ data }) => ({ type: 'text', content: (JSON.parse(data) as { say: string }).say }));
    }
    yield [{ type: 'stop', stop_reason: 'complete' }];
  },
};

describe('defineProtocol', () => {
  it('returns the adapter', () => {
    expect(defineProtocol(acme)).to.equal(acme);
  });

  it('makes a working protocol', async () => {
    const { seen } = await playBody(defineProtocol(acme), ndjson({ say: 'Hel' }, { say: 'lo' }));
    expect(seen).to.deep.equal([{ status: 'complete', finish: 'complete', blocks: [text('Hello')] }]);
  });

  const broken: readonly { readonly name: string; readonly given: object; readonly says: RegExp }[] = [
    { name: 'no id', given: { ...acme, id: '' }, says: /an "id"/ },
    { name: 'an id with spaces', given: { ...acme, id: 'a b' }, says: /an "id"/ },
    { name: 'an id that is not a string', given: { ...acme, id: 7 }, says: /an "id"/ },
    { name: 'no request', given: { ...acme, request: undefined }, says: /"request"/ },
    { name: 'no decode', given: { ...acme, decode: undefined }, says: /"decode"/ },
    { name: 'nothing', given: {}, says: /"id".*"request".*"decode"/ },
  ];
  for (const { name, given, says } of broken) {
    it(`reports what is missing: ${name}`, () => {
      expect(() => defineProtocol(given as Adapter))
        .to.throw(ChatError, says)
        .with.property('kind', 'protocol');
    });
  }
});

describe('ProtocolRegistry', () => {
  const builtIn = [
    'openai-chat',
    'agent-session',
    'agent-phase',
    'deepchat-events',
    'message-field',
    'agentscope-msg',
    'text',
    'json',
  ];

  it('has the built-in protocols, and each loads the adapter with its id', async () => {
    const registry = new ProtocolRegistry();
    const ids = registry.list().map(({ id }) => id);
    expect(ids).to.include.members(builtIn);
    for (const id of builtIn) expect((await registry.get(id)!.load()).id).to.equal(id);
  });

  it('adds a protocol and removes it', async () => {
    const registry = new ProtocolRegistry();
    const undo = registry.register(acme);
    expect(await registry.get('acme')?.load()).to.equal(acme);
    undo();
    expect(registry.get('acme')).to.equal(undefined);
  });

  it('replaces a built-in protocol, and restores it', async () => {
    const registry = new ProtocolRegistry();
    const own = { ...acme, id: 'text', label: 'Mine' };
    const undo = registry.register(own);
    expect(await registry.get('text')?.load()).to.equal(own);
    undo();
    expect((await registry.get('text')!.load()).label).to.equal('Plain text');
  });

  it('removes nothing that was replaced since', async () => {
    const registry = new ProtocolRegistry();
    const undo = registry.register(acme);
    const other = { ...acme };
    registry.register(other);
    undo();
    expect(await registry.get('acme')?.load()).to.equal(other);
  });

  it('removes in any order', async () => {
    const registry = new ProtocolRegistry();
    const first = registry.register({ ...acme, id: 'text' });
    const second = registry.register({ ...acme, id: 'text' });
    first();
    second();
    expect((await registry.get('text')!.load()).label).to.equal('Plain text');
  });

  it('removes one', () => {
    const registry = new ProtocolRegistry();
    registry.unregister('text');
    expect(registry.get('text')).to.equal(undefined);
    expect(registry.list().map(({ id }) => id)).not.to.include('text');
  });
});
