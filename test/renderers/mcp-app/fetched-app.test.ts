import { expect, waitUntil } from '@open-wc/testing';
import type { AgentChat } from '../../../src/define.ts';
import { has } from '../../components/support/mount.ts';
import { named, showBlock, update, wordsIn } from '../support/show.ts';

const URI = 'ui://shop/cart';
const HTML = 'text/html;profile=mcp-app';
const NAMED = { kind: 'mcp-app', uri: URI, server: { id: 'shop', hash: 'f00' } };
const contents = (text: string, more: object = {}): object => ({
  contents: [{ uri: URI, mimeType: HTML, text, ...more }],
});

const show = (mcp: AgentChat['mcp'], ui: object = NAMED) =>
  showBlock({ type: 'ui', ui }, { settings: { mcp }, selector: 'agent-chat-fetched-app' });

/** The source of the page that can be opened. */
const sourceOf = async (element: Element): Promise<unknown> => {
  await waitUntil(() => element.querySelector('agent-chat-artifact') !== null, 'the page is there');
  return (element.querySelector('agent-chat-artifact') as unknown as { readonly source: string }).source;
};

describe('an MCP App that the agent only names', () => {
  it('is read from its server by the page', async () => {
    const requests: unknown[] = [];
    const { element } = await show((request) => {
      requests.push(request);
      return Promise.resolve(contents('<p>Cart</p>'));
    });
    expect(await sourceOf(element)).to.equal('<p>Cart</p>');
    expect(requests).to.deep.equal([
      { method: 'resources/read', params: { uri: URI }, uri: URI, server: { id: 'shop', hash: 'f00' } },
    ]);
    expect(wordsIn(element)).to.include('cart');
  });

  it('may come as bytes', async () => {
    const { element } = await show(() =>
      Promise.resolve(
        contents('', { text: undefined, blob: btoa(String.fromCharCode(...new TextEncoder().encode('<p>Zoë</p>'))) }),
      ),
    );
    expect(await sourceOf(element)).to.equal('<p>Zoë</p>');
  });

  it('is not read again when the arguments or the result of its tool arrive', async () => {
    let count = 0;
    const { chat, element } = await show(() => {
      count++;
      return Promise.resolve(contents('<p>Cart</p>'));
    });
    await sourceOf(element);
    update(chat, [{ ...chat.messages[0]?.blocks[0], type: 'ui', ui: { ...NAMED, result: { content: [] } } }]);
    await chat.updateComplete;
    expect(await sourceOf(element)).to.equal('<p>Cart</p>');
    expect(count).to.equal(1);
  });

  it('is read again when the agent names another server, which has none of the permissions', async () => {
    const servers: unknown[] = [];
    const { chat, element } = await show(({ server }) => {
      servers.push(server?.id);
      return Promise.resolve(contents(`<p>${String(server?.id)}</p>`));
    });
    expect(await sourceOf(element)).to.equal('<p>shop</p>');
    const first = element.querySelector('agent-chat-app');
    update(chat, [{ ...chat.messages[0]?.blocks[0], type: 'ui', ui: { ...NAMED, server: { id: 'bank' } } }]);
    await waitUntil(() => servers.length === 2);
    await chat.updateComplete;
    expect(await sourceOf(element)).to.equal('<p>bank</p>');
    expect(element.querySelector('agent-chat-app') === first).to.equal(false);
    expect(servers).to.deep.equal(['shop', 'bank']);
  });

  for (const [name, answer] of [
    ['a refusal', () => Promise.reject(new Error('No.'))],
    [
      'an error that is thrown',
      () => {
        throw new Error('No.');
      },
    ],
    ['no answer', () => Promise.resolve(undefined)],
    [
      'the page of another URI',
      () => Promise.resolve({ contents: [{ uri: 'ui://other', mimeType: HTML, text: '<p>' }] }),
    ],
    ['another type', () => Promise.resolve(contents('<p>', { mimeType: 'image/svg+xml' }))],
    ['bytes that are none', () => Promise.resolve(contents('', { text: undefined, blob: '*' }))],
  ] as const)
    it(`can be tried again after ${name}`, async () => {
      let isFirst = true;
      const { element } = await show(() => {
        if (!isFirst) return Promise.resolve(contents('<p>Cart</p>'));
        isFirst = false;
        return answer();
      });
      await waitUntil(() => wordsIn(element).includes('could not be loaded'));
      named(element, 'Try again').click();
      expect(await sourceOf(element)).to.equal('<p>Cart</p>');
    });

  it('is shown as data if the page has no connection to servers', async () => {
    const { chat } = await showBlock({ type: 'ui', ui: NAMED });
    expect(has(chat, 'agent-chat-fetched-app')).to.equal(false);
    expect(has(chat, '.card.json')).to.equal(true);
  });
});
