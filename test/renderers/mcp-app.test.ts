import { expect, waitUntil } from '@open-wc/testing';
import type { AgentChat } from '../../src/define.ts';
import { has, next } from '../components/support/mount.ts';
import { HOSTILE, named, showBlock, wordsIn } from './support/show.ts';

const APP = { kind: 'mcp-app', uri: 'ui://shop/cart', mimeType: 'text/html;profile=mcp-app', text: '<p>Cart</p>' };

interface Opened {
  readonly chat: AgentChat;
  readonly element: HTMLElement;
  /** Says something as the app in the frame does. */
  say(message: unknown): void;
  /** What the app has been told. */
  readonly told: unknown[];
}

/** An app that the reader has opened. Its page is for the end-to-end tests: here the test speaks for it. */
async function open(more: object = {}, settings: Partial<AgentChat> = {}): Promise<Opened> {
  const { chat, element } = await showBlock(
    { type: 'ui', ui: { ...APP, ...more } },
    { settings, selector: 'agent-chat-app' },
  );
  await waitUntil(() => element.querySelector('button') !== null);
  expect(has(chat, 'iframe')).to.equal(false);
  element.querySelector('button')?.click();
  await waitUntil(() => element.querySelector('iframe') !== null);
  const frame = element.querySelector('iframe');
  const told: unknown[] = [];
  const source = { postMessage: (message: unknown) => told.push(message) } as unknown as Window;
  Object.defineProperty(frame, 'contentWindow', { value: source });
  const say = (message: unknown): void => {
    const event = new MessageEvent('message', { data: { agentChat: 1, type: 'app', message }, origin: 'null' });
    Object.defineProperty(event, 'source', { value: source });
    dispatchEvent(event);
  };
  return { chat, element, say, told };
}

const request = (method: string, params?: unknown, id = 1) => ({ jsonrpc: '2.0', id, method, params });
const message = (text: string, id = 1) => request('ui/message', { role: 'user', content: { type: 'text', text } }, id);
const app = (told: unknown) => ({ agentChat: 1, type: 'app', message: told });
const refused = (id: number, words: string) => app({ jsonrpc: '2.0', id, error: { code: -32_000, message: words } });
const wish = ({ element }: Opened) => element.querySelector('.app-wish');

describe('an MCP App', () => {
  it('is a row that says whose it is, and opens in the frame of artifacts', async () => {
    const { element } = await open();
    expect(element.querySelector('button b')?.textContent).to.equal('cart');
    expect(wordsIn(element.querySelector('button .meta') ?? element)).to.equal('App from Assistant');
    const frame = element.querySelector('iframe');
    expect(frame?.getAttribute('sandbox')).to.equal('allow-scripts');
    expect(frame?.hasAttribute('allow')).to.equal(false);
  });

  it('artifacts="source" never makes a frame', async () => {
    const { element } = await showBlock(
      { type: 'ui', ui: APP },
      { settings: { artifacts: 'source' }, selector: 'agent-chat-app' },
    );
    await waitUntil(() => element.querySelector('button') !== null);
    element.querySelector('button')?.click();
    await waitUntil(() => element.querySelector('code') !== null);
    expect(element.querySelector('code')?.textContent).to.equal(APP.text);
    expect(element.querySelector('iframe')).to.equal(null);
  });

  it('is greeted, and told what its tool was called with and gave', async () => {
    const { say, told } = await open({ arguments: { id: 7 }, result: { content: [] } });
    say(request('ui/initialize', {}));
    expect(told).to.have.length(1);
    expect(told[0]).to.have.nested.property('message.result.protocolVersion', '2026-01-26');
    say({ jsonrpc: '2.0', method: 'ui/notifications/initialized' });
    expect(told.slice(1)).to.deep.equal([
      app({ jsonrpc: '2.0', method: 'ui/notifications/tool-input', params: { arguments: { id: 7 } } }),
      app({ jsonrpc: '2.0', method: 'ui/notifications/tool-result', params: { content: [] } }),
    ]);
  });

  it('says nothing in the reader’s name that they have not pressed for', async () => {
    const opened = await open();
    const { chat, element, say, told } = opened;
    const sent: string[] = [];
    chat.addEventListener('agent-chat-send', (event) => {
      event.preventDefault();
      sent.push(event.detail.message.blocks[0]?.content ?? '');
    });
    say(message(`Pay now ${HOSTILE}`));
    await waitUntil(() => wish(opened) !== null);
    expect(wordsIn(wish(opened) ?? element)).to.contain(`Pay now ${HOSTILE}`);
    expect([sent, told]).to.deep.equal([[], []]);
    const acted = next(chat, 'agent-chat-action');
    named(element, 'Send').click();
    expect((await acted).detail.payload).to.deep.equal({ uri: APP.uri, text: `Pay now ${HOSTILE}` });
    await waitUntil(() => sent.length > 0);
    expect(sent).to.deep.equal([`Pay now ${HOSTILE}`]);
    expect(told).to.deep.equal([app({ jsonrpc: '2.0', id: 1, result: {} })]);
    await waitUntil(() => wish(opened) === null);
  });

  it('is told when the reader does not want it', async () => {
    const opened = await open();
    opened.say(message('Pay now'));
    await waitUntil(() => wish(opened) !== null);
    named(opened.element, 'Don’t').click();
    expect(opened.told).to.deep.equal([refused(1, 'The reader does not want it.')]);
  });

  it('asks one thing at a time', async () => {
    const opened = await open();
    opened.say(message('one', 1));
    opened.say(message('two', 2));
    expect(opened.told).to.deep.equal([refused(2, 'The reader is being asked already.')]);
    await waitUntil(() => wish(opened) !== null);
    expect(wordsIn(wish(opened) ?? opened.element)).to.contain('one');
  });

  it('opens a link only as the widget does', async () => {
    const opened = await open({}, { linkHosts: 'self' });
    const { chat, element, say } = opened;
    say(request('ui/open-link', { url: 'https://evil.example/x' }));
    await waitUntil(() => wish(opened) !== null);
    const link = element.querySelector<HTMLAnchorElement>('.app-wish a');
    expect([link?.href, link?.rel]).to.deep.equal(['https://evil.example/x', 'noopener noreferrer nofollow']);
    const told = next(chat, 'agent-chat-link');
    link?.click();
    expect((await told).detail.url).to.equal('https://evil.example/x');
    await waitUntil(() => has(chat, 'dialog[open]'));
    await waitUntil(() => wish(opened) === null);
  });

  for (const url of ['javascript:hit()', 'data:text/html,x', '/relative', 'file:///etc/passwd']) {
    it(`does not open ${url}`, async () => {
      const { element, say, told } = await open();
      say(request('ui/open-link', { url }));
      expect(told).to.deep.equal([refused(1, 'This address can’t be opened.')]);
      expect(element.querySelector('.app-wish')).to.equal(null);
    });
  }

  it('calls no tool', async () => {
    const { say, told } = await open();
    say(request('tools/call', { name: 'pay' }));
    expect(told).to.have.length(1);
    expect(told[0]).to.have.nested.property('message.error.code', -32_601);
  });

  it('one that is none is the data that came', async () => {
    const { element } = await showBlock({ type: 'ui', ui: { ...APP, uri: 'https://evil.example' } });
    await waitUntil(() => wordsIn(element).includes('https://evil.example'));
    expect(element.querySelector('agent-chat-app')).to.equal(null);
  });
});
