import { expect } from '@open-wc/testing';
import { isRememberable } from '../../src/model/is-rememberable.ts';
import { isAsking, makeChat, pending, until } from './support/make-chat.ts';
import { callsOf, completionOf, stream } from './support/scripted-server.ts';

const host = navigator as { modelContext?: unknown };
const before = Object.getOwnPropertyDescriptor(host, 'modelContext');
const asks = stream(callsOf(['c1', 'cart', '{"item":"tea"}']));
const done = stream(completionOf('Done.'));

/** A page that has registered tools with a polyfill. */
function register(...names: readonly string[]): unknown[] {
  const calls: unknown[] = [];
  Object.defineProperty(host, 'modelContext', {
    configurable: true,
    value: {
      listTools: () => names.map((name) => ({ name, description: `${name}.`, inputSchema: { type: 'object' } })),
      callTool: (call: unknown) => {
        calls.push(call);
        return { content: [{ type: 'text', text: 'added' }] };
      },
    },
  });
  return calls;
}

describe('tools that the page registered with the browser', () => {
  afterEach(() => {
    if (before) Object.defineProperty(host, 'modelContext', before);
    else Reflect.deleteProperty(host, 'modelContext');
  });

  it('are offered if the page allows them, and run after the user’s approval', async () => {
    const calls = register('cart', 'pay');
    const { chat, server } = makeChat([asks, done], { protocol: 'openai-chat', pageTools: 'cart' });
    const sent = chat.send('Hi');
    await until(chat, isAsking);
    expect(calls).to.deep.equal([]);
    void chat.respond(pending(chat).id, 'granted');
    await sent;
    expect(calls).to.deep.equal([{ name: 'cart', arguments: { item: 'tea' } }]);
    const { tools } = server.bodies[0] as { tools: { function: { name: string } }[] };
    expect(tools.map((tool) => tool.function.name)).to.deep.equal(['cart']);
    expect(JSON.stringify(server.bodies[1])).to.contain('"content":"added"');
  });

  it('are read again for each request of a turn', async () => {
    register('cart');
    const { chat, server } = makeChat([asks, done], { protocol: 'openai-chat', pageTools: '*' });
    const sent = chat.send('Hi');
    await until(chat, isAsking);
    register('cart', 'pay');
    void chat.respond(pending(chat).id, 'granted');
    await sent;
    const offered = server.bodies.map((body) =>
      (body as { tools: { function: { name: string } }[] }).tools.map((tool) => tool.function.name),
    );
    expect(offered).to.deep.equal([['cart'], ['cart', 'pay']]);
  });

  it('ask for each call, also if a tool of the property `tools` with that name is allowed permanently', async () => {
    const calls = register('cart');
    const own = { name: 'cart', description: 'Ours.', parameters: {}, needsApproval: true, execute: () => 'ours' };
    const { chat, set } = makeChat([asks, done, asks, done], { protocol: 'openai-chat', tools: [own] });
    const sent = chat.send('Hi');
    await until(chat, isAsking);
    void chat.respond(pending(chat).id, 'granted', { remember: 'always' });
    await sent;
    expect(chat.approvals.list).to.have.length(1);
    set({ tools: [], pageTools: '*' });
    const again = chat.send('Hi');
    await until(chat, isAsking);
    expect(calls).to.deep.equal([]);
    expect(isRememberable(pending(chat))).to.equal(false);
    void chat.respond(pending(chat).id, 'granted', { remember: 'always' });
    await again;
    expect([calls.length, chat.approvals.list.length]).to.deep.equal([1, 1]);
  });

  it('do not run with an answer about a tool of the property `tools` with that name', async () => {
    const calls = register('cart');
    const own = { name: 'cart', description: 'Ours.', parameters: {}, needsApproval: true, execute: () => 'ours' };
    const { chat, set } = makeChat([asks, done], { protocol: 'openai-chat', pageTools: '*', tools: [own] });
    const sent = chat.send('Hi');
    await until(chat, isAsking);
    set({ tools: [] });
    void chat.respond(pending(chat).id, 'granted');
    await sent;
    expect(calls).to.deep.equal([]);
  });

  it('rule 46: do not run if the tool has another description than the one that was shown', async () => {
    const own = { name: 'cart', description: 'Shows it.', parameters: {}, needsApproval: true };
    const ran: string[] = [];
    const { chat, set, server } = makeChat([asks, done], {
      protocol: 'openai-chat',
      tools: [{ ...own, execute: () => ran.push('shows') }],
    });
    const sent = chat.send('Hi');
    await until(chat, isAsking);
    set({ tools: [{ ...own, description: 'Pays.', execute: () => ran.push('pays') }] });
    void chat.respond(pending(chat).id, 'granted');
    await sent;
    expect([ran, server.bodies.length]).to.deep.equal([[], 2]);
  });

  it('are not offered by default', async () => {
    register('cart');
    const { chat, server } = makeChat([done], { protocol: 'openai-chat' });
    await chat.send('Hi');
    expect(server.bodies[0]).not.to.have.property('tools');
  });

  it('have lower precedence than the page’s own with that name', async () => {
    const calls = register('cart');
    const own = { name: 'cart', description: 'Ours.', parameters: {}, execute: () => 'ours' };
    const { chat, server } = makeChat([asks, done], { protocol: 'openai-chat', pageTools: '*', tools: [own] });
    await chat.send('Hi');
    expect(calls).to.deep.equal([]);
    expect(JSON.stringify(server.bodies[1])).to.contain('"content":"ours"');
  });
});
