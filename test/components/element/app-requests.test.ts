/** Requests of MCP Apps that the widget sends through its agent. The wire: `test/protocols/ag-ui/app-requests.test.ts`. */
import { aTimeout, expect, waitUntil } from '@open-wc/testing';
import type { AgentChat } from '../../../src/define.ts';
import { named, wordsIn } from '../../renderers/support/show.ts';
import { sse } from '../../support/play-body.ts';
import { find, has, inside, mount, next, type Mounted } from '../support/mount.ts';

const URI = 'ui://shop/cart';
const HTML = 'text/html;profile=mcp-app';
const NAMED = { kind: 'mcp-app', uri: URI, server: { id: 'shop', hash: 'f00' }, via: 'agent' };
const page = { contents: [{ uri: URI, mimeType: HTML, text: '<p>Cart</p>' }] };

const run = (...events: readonly object[]): Response =>
  new Response(sse({ type: 'RUN_STARTED', threadId: 'r', runId: 'r' }, ...events), {
    headers: { 'content-type': 'text/event-stream' },
  });
const finished = (result: unknown): Response => run({ type: 'RUN_FINISHED', threadId: 'r', runId: 'r', result });

/** The request that a body of a run passes on. */
const passedOn = ({ body }: { readonly body: unknown }): unknown =>
  (body as { readonly forwardedProps: Record<string, unknown> }).forwardedProps['__proxiedMCPRequest'];

/** A widget with an answer that shows the app, and an agent that answers its requests. */
async function shown(
  settings: Partial<AgentChat> = {},
  { ui = NAMED, answer = () => finished(page) }: { readonly ui?: object; readonly answer?: () => Response } = {},
): Promise<Mounted> {
  const mounted = await mount({ protocol: 'ag-ui', endpoint: '/agui', ...settings });
  mounted.agent.answer = answer;
  mounted.chat.messages = [
    { role: 'user', text: 'Show my cart' },
    { role: 'assistant', blocks: [{ type: 'ui', status: 'success', ui }] },
  ];
  await inside(mounted.chat, '[part~="block-ui"]');
  return mounted;
}

const isOpen = (chat: AgentChat): boolean => has(chat, 'agent-chat-app agent-chat-artifact');
const isRead = (chat: AgentChat): Promise<void> => waitUntil(() => isOpen(chat), 'the page is there');
const hasFailed = (chat: AgentChat): Promise<void> =>
  waitUntil(() => has(chat, 'agent-chat-fetched-app .notice'), 'the failure is shown');
const retry = (chat: AgentChat): void => {
  named(find(chat, 'agent-chat-fetched-app'), 'Try again').click();
};
/** Whatever would be sent has been sent. */
async function settled(chat: AgentChat): Promise<void> {
  for (let count = 0; count < 20; count++) {
    await chat.updateComplete;
    await aTimeout(0);
  }
}

type Named = HTMLElement & { readonly reference: { readonly uri: string } };

/** An app that is open, which the test speaks for. */
async function opened(mounted: Mounted) {
  const { chat } = mounted;
  await isRead(chat);
  const element = find(chat, 'agent-chat-app');
  element.querySelector('button')?.click();
  await waitUntil(() => element.querySelector('iframe') !== null);
  const received: { readonly message: Record<string, unknown> }[] = [];
  const source = {
    postMessage: (sent: { readonly type: string }) => sent.type === 'app' && received.push(sent as never),
  };
  Object.defineProperty(element.querySelector('iframe'), 'contentWindow', { value: source });
  const post = (data: object): void => {
    const event = new MessageEvent('message', { data: { agentChat: 1, ...data }, origin: 'null' });
    Object.defineProperty(event, 'source', { value: source });
    dispatchEvent(event);
  };
  post({ type: 'ready' });
  return {
    element,
    received,
    ask(method: string, params: unknown, id = 1) {
      post({ type: 'app', message: JSON.stringify({ jsonrpc: '2.0', id, method, params }) });
    },
    async allow(label = 'Allow once') {
      await waitUntil(() => element.querySelector('.app-request') !== null);
      await waitUntil(() => element.querySelector('.app-request [aria-disabled]') === null);
      named(element, label).click();
    },
  };
}

describe('an MCP App whose agent passes requests on', () => {
  it('is read through the endpoint of the conversation, with the page’s headers and without its body', async () => {
    const { chat, agent } = await shown({ headers: { authorization: 'Bearer 1' }, body: { tenant: 7 } });
    await isRead(chat);
    expect(find<HTMLElement & { source: string }>(chat, 'agent-chat-artifact').source).to.equal('<p>Cart</p>');
    expect(agent.requests).to.have.length(1);
    const [sent] = agent.requests;
    expect(new URL(sent?.url ?? '').pathname).to.equal('/agui');
    expect(sent?.headers.get('authorization')).to.equal('Bearer 1');
    expect(sent?.body).not.to.have.property('tenant');
    expect(sent && passedOn(sent)).to.deep.equal({
      serverId: 'shop',
      serverHash: 'f00',
      method: 'resources/read',
      params: { uri: URI },
    });
    expect((sent?.body as { threadId: string }).threadId).not.to.equal(chat.threadId);
  });

  it('is read by the page’s `mcp` function if there is one', async () => {
    const { chat, agent } = await shown({ mcp: () => Promise.resolve(page) });
    await isRead(chat);
    await settled(chat);
    expect(agent.requests).to.have.length(0);
  });

  it('calls a tool through the endpoint when the user has allowed it', async () => {
    const mounted = await shown();
    const { chat, agent } = mounted;
    const app = await opened(mounted);
    agent.answer = () => finished({ content: [{ type: 'text', text: 'Paid' }] });
    app.ask('tools/call', { name: 'pay', arguments: { sum: 7 } });
    await waitUntil(() => app.element.querySelector('.app-request') !== null);
    await settled(chat);
    expect(agent.requests).to.have.length(1);
    await app.allow();
    await waitUntil(() => app.received.length > 0);
    expect(app.received.at(-1)?.message['result']).to.deep.equal({ content: [{ type: 'text', text: 'Paid' }] });
    expect(agent.requests[1] && passedOn(agent.requests[1])).to.deep.include({
      method: 'tools/call',
      params: { name: 'pay', arguments: { sum: 7 } },
    });
  });

  it('learns nothing of a failure but that there was one; the page does', async () => {
    const mounted = await shown();
    const app = await opened(mounted);
    mounted.agent.answer = () => run({ type: 'RUN_ERROR', message: 'Database db.internal is down' });
    const reported = next(mounted.chat, 'agent-chat-error');
    app.ask('tools/call', { name: 'pay' });
    await app.allow();
    expect((await reported).detail.message).to.include('db.internal');
    await waitUntil(() => app.received.length > 0);
    expect(app.received.at(-1)?.message['error']).to.deep.equal({ code: -32_000, message: 'The request has failed.' });
  });

  it('sends no call of a tool that the page prevents', async () => {
    const mounted = await shown();
    const { chat, agent } = mounted;
    const app = await opened(mounted);
    const prevented = next(chat, 'agent-chat-action');
    chat.addEventListener('agent-chat-action', (event) => {
      event.preventDefault();
    });
    app.ask('tools/call', { name: 'pay' });
    await app.allow();
    const { action, payload } = (await prevented).detail;
    expect([action, payload]).to.deep.equal(['ui-tool', { uri: URI, server: NAMED.server, tool: { name: 'pay' } }]);
    await waitUntil(() => app.received.length > 0);
    expect(agent.requests).to.have.length(1);
  });

  for (const [name, answer] of [
    ['an error of the run', () => run({ type: 'RUN_ERROR', message: 'Down' })],
    ['an error of the middleware', () => finished({ error: 'Unknown server: shop' })],
    ['a status', () => new Response('', { status: 500 })],
    ['a stream that is cut', () => run()],
  ] as const)
    it(`can be read again after ${name}`, async () => {
      const { chat, agent } = await shown({}, { answer });
      await hasFailed(chat);
      expect(wordsIn(find(chat, 'agent-chat-fetched-app'))).to.include('could not be loaded');
      agent.answer = () => finished(page);
      retry(chat);
      await isRead(chat);
    });

  it('rule 104: is not read before the user has given consent, and asks for it when the user tries again', async () => {
    const { chat, agent } = await shown({ consent: 'Terms' });
    await hasFailed(chat);
    expect(has(chat, 'dialog.consent')).to.equal(false);
    retry(chat);
    const dialog = await inside(chat, 'dialog.consent');
    expect(agent.requests).to.have.length(0);
    [...dialog.querySelectorAll('button')].find(({ textContent }) => textContent === 'Accept')?.click();
    await isRead(chat);
    expect(agent.requests).to.have.length(1);
  });

  it('rule 104: waits for the stored conversations', async () => {
    const read = Promise.withResolvers<undefined>();
    const store = {
      list: () => read.promise.then(() => []),
      load: () => read.promise,
      save: () => undefined,
      rename: () => undefined,
      remove: () => undefined,
    };
    const { chat, agent } = await shown({ persist: 'session', storage: { user: 'apps', store } });
    await settled(chat);
    expect(agent.requests).to.have.length(0);
    read.resolve(undefined);
    await waitUntil(() => agent.requests.length === 1);
  });

  it('rule 104: is not read at another endpoint that the page has set since', async () => {
    const agents = ['a', 'b'].map((id) => ({ id, name: id, endpoint: `https://${id}.example`, protocol: 'ag-ui' }));
    const mounted = await mount({ agents, agent: 'a' });
    mounted.agent.answer = () => finished(page);
    mounted.chat.messages = [
      { role: 'user', text: 'Hi' },
      { role: 'assistant', agentId: 'gone', blocks: [{ type: 'ui', status: 'success', ui: NAMED }] },
    ];
    await hasFailed(mounted.chat);
    expect(mounted.agent.requests).to.have.length(0);
  });

  it('rule 104: of an imported conversation is shown as data', async () => {
    const { chat, agent } = await shown();
    await isRead(chat);
    const file = await chat.exportConversation('json');
    await chat.importConversation(file, 'json');
    await waitUntil(() => has(chat, '.card.json'));
    await settled(chat);
    expect(agent.requests).to.have.length(1);
  });

  it('rule 104: that came with its page has no connection through the agent', async () => {
    const mounted = await shown({}, { ui: { ...NAMED, mimeType: HTML, text: '<p>Mine</p>' } });
    const app = await opened(mounted);
    app.ask('resources/read', { uri: URI });
    await waitUntil(() => app.received.length > 0);
    expect(app.received.at(-1)?.message['error']).to.deep.include({ code: -32_601 });
    expect(mounted.agent.requests).to.have.length(0);
  });

  it('rule 109: reads no more than 120 times in a minute without a press, whatever it asks for', async () => {
    const mounted = await shown();
    const { chat, agent } = mounted;
    const app = await opened(mounted);
    for (let id = 1; id <= 200; id++) app.ask('resources/read', { uri: `ui://shop/${String(id)}` }, id);
    await waitUntil(() => app.received.filter(({ message }) => 'id' in message).length === 200);
    await settled(chat);
    expect(agent.requests).to.have.length(120);
    const refused = app.received.filter(({ message }) => 'error' in message);
    expect(refused).to.have.length(81);
  });

  it('rule 109: that the user always allows calls its tool no more often', async () => {
    const mounted = await shown();
    const { chat, agent } = mounted;
    const app = await opened(mounted);
    agent.answer = () => finished({ content: [] });
    app.ask('tools/call', { name: 'pay', arguments: {} });
    await app.allow('Always allow');
    for (let id = 2; id <= 200; id++) app.ask('tools/call', { name: 'pay', arguments: {} }, id);
    await waitUntil(() => app.received.filter(({ message }) => 'id' in message).length === 200);
    await settled(chat);
    // The first call was pressed.
    expect(agent.requests).to.have.length(121);
  });

  it('rule 109: is read no more often if the agent replaces its address again and again, until the user tries again', async () => {
    const { chat, agent } = await shown();
    for (let index = 0; index < 130; index++) {
      const uri = `ui://shop/${String(index)}`;
      chat.messages = chat.messages.map((message) => ({
        ...message,
        blocks: message.blocks.map((block) => (block.type === 'ui' ? { ...block, ui: { ...NAMED, uri } } : block)),
      }));
      await waitUntil(() => find<Named>(chat, 'agent-chat-fetched-app').reference.uri === uri, '', { interval: 5 });
    }
    await settled(chat);
    // One that was replaced before its request was made counts too.
    const count = agent.requests.length;
    expect(count).to.be.at.most(120);
    await hasFailed(chat);
    retry(chat);
    await waitUntil(() => agent.requests.length === count + 1);
  });

  it('aborts its request when it is removed', async () => {
    let signal: AbortSignal | null | undefined;
    const fetch: AgentChat['fetch'] = (_input, init) => {
      signal = init?.signal;
      return new Promise(() => undefined);
    };
    const { chat } = await shown({ fetch });
    await waitUntil(() => signal !== undefined);
    expect(signal?.aborted).to.equal(false);
    chat.remove();
    expect(signal?.aborted).to.equal(true);
  });

  it('fails with a protocol that passes no requests on', async () => {
    const { chat, agent } = await shown({ protocol: 'agent-session' });
    await hasFailed(chat);
    expect(agent.requests).to.have.length(0);
  });
});
