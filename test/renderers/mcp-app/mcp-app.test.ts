import { expect, waitUntil } from '@open-wc/testing';
import type { AgentChat } from '../../../src/define.ts';
import { has, next } from '../../components/support/mount.ts';
import { HOSTILE, named, showBlock, update, wordsIn } from '../support/show.ts';

const APP = { kind: 'mcp-app', uri: 'ui://shop/cart', mimeType: 'text/html;profile=mcp-app', text: '<p>Cart</p>' };

interface Opened {
  readonly chat: AgentChat;
  readonly element: HTMLElement;
  /** Posts a message as the app in the frame. */
  say(message: unknown): void;
  /** Posts a message as the page around the app. */
  post(data: object): void;
  /** The messages that the app has received. */
  readonly received: unknown[];
}

/** Opens an app as the user does. Its real page is tested end to end. Here the test posts its messages. */
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
  const received: unknown[] = [];
  const source = {
    postMessage: (sent: { readonly type: string }) => {
      if (sent.type === 'app') received.push(sent);
    },
  } as unknown as Window;
  Object.defineProperty(frame, 'contentWindow', { value: source });
  const post = (data: object): void => {
    const event = new MessageEvent('message', { data: { agentChat: 1, ...data }, origin: 'null' });
    Object.defineProperty(event, 'source', { value: source });
    dispatchEvent(event);
  };
  // A frame that does not report that it is ready is closed after a while.
  post({ type: 'ready' });
  const say = (message: unknown): void => {
    post({ type: 'app', message: JSON.stringify(message) });
  };
  return { chat, element, say, post, received };
}

/** A message to the app. */
interface Sent {
  readonly message: {
    readonly method?: string;
    readonly params?: Readonly<Record<string, unknown>>;
    readonly result?: { readonly hostContext: Readonly<Record<string, unknown>> };
  };
}

const request = (method: string, params?: unknown, id = 1) => ({ jsonrpc: '2.0', id, method, params });
const message = (text: string, id = 1) => request('ui/message', { role: 'user', content: { type: 'text', text } }, id);
const app = (received: unknown) => ({ agentChat: 1, type: 'app', message: received });
const refused = (id: number, words: string) => app({ jsonrpc: '2.0', id, error: { code: -32_000, message: words } });
const isFull = (element: Element): boolean => element.querySelector('dialog:modal') !== null;
const permissionRequest = ({ element }: Opened) => element.querySelector('.app-request');

/** Waits until the user can answer the app's request. */
const answerable = async (opened: Opened): Promise<void> => {
  await waitUntil(() => permissionRequest(opened) !== null);
  await waitUntil(() => permissionRequest(opened)?.querySelector('[aria-disabled]') === null);
};

describe('an MCP App', () => {
  it('is a row with its server’s name, and opens in the artifact frame', async () => {
    const { element } = await open();
    expect(element.querySelector('button b')?.textContent).to.equal('cart');
    expect(wordsIn(element.querySelector('button .meta') ?? element)).to.equal('App from Assistant');
    const frame = element.querySelector('iframe');
    expect(frame?.getAttribute('sandbox')).to.equal('allow-scripts');
    expect(frame?.hasAttribute('allow')).to.equal(false);
  });

  for (const [uri, name] of [
    ['ui://seat-map/mcp-app.html', 'seat-map'],
    ['ui://shop/cart/index.html?v=2', 'v=2'],
    ['ui://shop/Main.HTML#/', 'shop'],
    ['ui://shop/cart.html', 'cart.html'],
    ['ui://app.html', 'app.html'],
  ])
    it(`is called ${name}, if its URI is ${uri}`, async () => {
      const { element } = await open({ uri });
      expect(element.querySelector('button b')?.textContent).to.equal(name);
    });

  it('with artifacts="source" never creates a frame', async () => {
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

  it('is initialized, and gets its tool’s arguments and result', async () => {
    const { say, received } = await open({ arguments: { id: 7 }, result: { content: [] } });
    say(request('ui/initialize', {}));
    expect(received).to.have.length(1);
    expect(received[0]).to.have.nested.property('message.result.protocolVersion', '2026-01-26');
    say({ jsonrpc: '2.0', method: 'ui/notifications/initialized' });
    expect(received.slice(1)).to.deep.equal([
      app({ jsonrpc: '2.0', method: 'ui/notifications/tool-input', params: { arguments: { id: 7 } } }),
      app({ jsonrpc: '2.0', method: 'ui/notifications/tool-result', params: { content: [] } }),
    ]);
  });

  it('sends a message for the user only after they allow it', async () => {
    const opened = await open();
    const { chat, element, say, received } = opened;
    const sent: string[] = [];
    chat.addEventListener('agent-chat-send', (event) => {
      event.preventDefault();
      sent.push(event.detail.message.blocks[0]?.content ?? '');
    });
    say(message(`Pay now ${HOSTILE}`));
    await waitUntil(() => permissionRequest(opened) !== null);
    expect(wordsIn(permissionRequest(opened) ?? element)).to.contain(`Pay now ${HOSTILE}`);
    expect([sent, received]).to.deep.equal([[], []]);
    await answerable(opened);
    const acted = next(chat, 'agent-chat-action');
    named(element, 'Send').click();
    expect((await acted).detail.payload).to.deep.equal({ uri: APP.uri, text: `Pay now ${HOSTILE}` });
    await waitUntil(() => sent.length > 0);
    expect(sent).to.deep.equal([`Pay now ${HOSTILE}`]);
    expect(received).to.deep.equal([app({ jsonrpc: '2.0', id: 1, result: {} })]);
    await waitUntil(() => permissionRequest(opened) === null);
  });

  it('rule 73: cannot move its request under a pointer that is being pressed', async () => {
    const opened = await open();
    const { chat, element, say, received } = opened;
    const acted: string[] = [];
    chat.addEventListener('agent-chat-action', ({ detail }) => acted.push(detail.action));
    chat.addEventListener('agent-chat-link', ({ detail }) => acted.push(detail.url));
    say(message('Pay now'));
    await waitUntil(() => permissionRequest(opened) !== null);
    const send = named(element, 'Send');
    expect(send.getAttribute('aria-disabled')).to.equal('true');
    send.click();
    expect([acted, received]).to.deep.equal([[], []]);
    await answerable(opened);
    named(element, 'Don’t allow').click();
    await waitUntil(() => permissionRequest(opened) === null);
    say(request('ui/open-link', { url: 'https://evil.example/x' }, 2));
    await waitUntil(() => permissionRequest(opened) !== null);
    expect(element.querySelector<HTMLElement>('.app-request a')?.getAttribute('aria-disabled')).to.equal('true');
    element.querySelector<HTMLElement>('.app-request a')?.click();
    expect(acted).to.deep.equal([]);
  });

  it('gets an error when the user declines', async () => {
    const opened = await open();
    opened.say(message('Pay now'));
    await answerable(opened);
    named(opened.element, 'Don’t allow').click();
    expect(opened.received).to.deep.equal([refused(1, 'The user has declined the request.')]);
  });

  it('rejects a second request while the user is being asked', async () => {
    const opened = await open();
    opened.say(message('one', 1));
    opened.say(message('two', 2));
    expect(opened.received).to.deep.equal([refused(2, 'Another request is waiting for the user.')]);
    await waitUntil(() => permissionRequest(opened) !== null);
    expect(wordsIn(permissionRequest(opened) ?? opened.element)).to.contain('one');
  });

  it('opens a link only with the widget’s confirmation', async () => {
    const opened = await open({}, { linkHosts: 'self' });
    const { chat, element, say } = opened;
    say(request('ui/open-link', { url: 'https://evil.example/x' }));
    await answerable(opened);
    const link = element.querySelector<HTMLAnchorElement>('.app-request a');
    expect([link?.href, link?.rel]).to.deep.equal(['https://evil.example/x', 'noopener noreferrer nofollow']);
    const received = next(chat, 'agent-chat-link');
    link?.click();
    expect((await received).detail.url).to.equal('https://evil.example/x');
    await waitUntil(() => has(chat, 'dialog[open]'));
    await waitUntil(() => permissionRequest(opened) === null);
  });

  for (const [url, shown] of [
    ['https://bank.example%2Flogin@evil.test/x', 'https://bank.example%2Flogin@evil.test/x (evil.test)'],
    ['https://evil.test/x?to=1', 'https://evil.test/x?to=1'],
  ] as const) {
    it(`names the real host where the address seems to name another one, in ${url}`, async () => {
      const opened = await open();
      opened.say(request('ui/open-link', { url }));
      await answerable(opened);
      expect(wordsIn(opened.element.querySelector('.app-request .because')!)).to.equal(shown);
    });
  }

  for (const url of ['javascript:hit()', 'data:text/html,x', '/relative', 'file:///etc/passwd']) {
    it(`does not open ${url}`, async () => {
      const { element, say, received } = await open();
      say(request('ui/open-link', { url }));
      expect(received).to.deep.equal([refused(1, 'This address can’t be opened.')]);
      expect(element.querySelector('.app-request')).to.equal(null);
    });
  }

  it('can call no tool and read no resource without a connection of the page', async () => {
    const { say, received } = await open();
    say(request('tools/call', { name: 'pay' }));
    say(request('resources/read', { uri: 'ui://a' }, 2));
    expect(received).to.have.length(2);
    expect(received[0]).to.have.nested.property('message.error.code', -32_601);
    expect(received[1]).to.have.nested.property('message.error.code', -32_601);
  });

  it('calls a tool through the page once the user allows it', async () => {
    const asked: unknown[] = [];
    const mcp = (call: unknown) => {
      asked.push(call);
      return Promise.resolve({ content: [{ type: 'text', text: 'paid' }] });
    };
    const opened = await open({}, { mcp });
    opened.say(request('tools/call', { name: 'pay', arguments: { sum: 7 } }));
    await waitUntil(() => permissionRequest(opened) !== null);
    expect(wordsIn(permissionRequest(opened) ?? opened.element)).to.contain('cart wants to use the tool pay');
    expect([asked, opened.received]).to.deep.equal([[], []]);
    await answerable(opened);
    named(opened.element, 'Allow once').click();
    await waitUntil(() => opened.received.length > 0);
    expect(asked).to.deep.equal([
      { method: 'tools/call', params: { name: 'pay', arguments: { sum: 7 } }, uri: APP.uri },
    ]);
    const result = { content: [{ type: 'text', text: 'paid' }] };
    expect(opened.received).to.deep.equal([app({ jsonrpc: '2.0', id: 1, result })]);
    opened.say(request('tools/call', { name: 'pay' }, 2));
    await answerable(opened);
    named(opened.element, 'Always allow').click();
    await waitUntil(() => opened.received.length > 1);
    opened.say(request('tools/call', { name: 'pay' }, 3));
    await waitUntil(() => opened.received.length > 2);
    expect(permissionRequest(opened)).to.equal(null);
    opened.say(request('tools/call', { name: 'delete' }, 4));
    await answerable(opened);
    named(opened.element, 'Don’t allow').click();
    expect(asked).to.have.length(3);
    expect(opened.received.at(-1)).to.deep.equal(refused(4, 'The user has declined the request.'));
  });

  it('asks about a tool with the number of characters that the mask for keys hides', async () => {
    const opened = await open({}, { mcp: () => Promise.resolve({}) });
    opened.say(request('tools/call', { name: 'pay', arguments: { to: 'sk-account-of-the-attacker' } }));
    await waitUntil(() => permissionRequest(opened) !== null);
    expect(wordsIn(permissionRequest(opened) ?? opened.element)).to.contain('Characters not shown: 26');
  });

  it('rule 78: shows invisible characters in the arguments of a tool that it asks for', async () => {
    const opened = await open({}, { mcp: () => Promise.resolve({}) });
    opened.say(request('tools/call', { name: 'pay', arguments: { to: 'a\u200bb\u202e' } }));
    await waitUntil(() => permissionRequest(opened) !== null);
    expect(wordsIn(permissionRequest(opened) ?? opened.element)).to.contain('a\\u200bb\\u202e');
  });

  it('rule 78: shows invisible characters in the name of a tool that it asks for', async () => {
    const opened = await open({}, { mcp: () => Promise.resolve({}) });
    opened.say(request('tools/call', { name: 'pay\u2063', arguments: {} }));
    await waitUntil(() => permissionRequest(opened) !== null);
    expect(wordsIn(permissionRequest(opened) ?? opened.element)).to.contain('pay\\u2063');
  });

  it('rule 81: passes on no arguments that it does not show, such as inherited ones', async () => {
    const passed: unknown[] = [];
    const opened = await open(
      {},
      {
        mcp: ({ params }) => {
          passed.push((params['arguments'] as Record<string, unknown>)['all']);
          return Promise.resolve({});
        },
      },
    );
    opened.say(request('tools/call', { name: 'pay', arguments: JSON.parse('{"__proto__":{"all":true}}') as object }));
    await waitUntil(() => permissionRequest(opened) !== null);
    await answerable(opened);
    named(opened.element, 'Allow once').click();
    await waitUntil(() => passed.length > 0);
    expect(passed).to.deep.equal([undefined]);
  });

  it('rule 78: shows invisible characters of a message that it wants to send', async () => {
    const opened = await open();
    opened.say(request('ui/message', { role: 'user', content: { type: 'text', text: 'Thanks\u{e0064}\u200b' } }));
    await waitUntil(() => permissionRequest(opened) !== null);
    expect(wordsIn(permissionRequest(opened) ?? opened.element)).to.contain('Thanks\\u{e0064}\\u200b');
  });

  const far = (text: string) => request('ui/message', { role: 'user', content: { type: 'text', text } });
  const long: readonly (readonly [name: string, message: object, shown: readonly string[]])[] = [
    ['line breaks in a message', far(`Pay Mallory${'\n'.repeat(400)}Sunny?`), ['Pay Mallory', '⋮', 'Sunny?']],
    ['spaced line breaks', far(`Pay Mallory${' \n\u00a0\u2028'.repeat(400)}Sunny?`), ['Pay Mallory', '⋮', 'Sunny?']],
    ['lines of a message', far(`Pay Mallory${'\n.'.repeat(400)}\nSunny?`), ['Pay Mallory', '⋮', 'Sunny?']],
    ['a long message', far(`Pay Mallory ${'word '.repeat(700)} Sunny?`), ['Pay Mallory', '⋮', 'Sunny?']],
    [
      'a long address',
      request('ui/open-link', { url: `https://a.test/${'x'.repeat(1990)}#end` }),
      ['https://a.test/', '⋮', '#end', '(a.test)'],
    ],
    [
      'the name of a tool',
      request('tools/call', { name: `pay${'\n'.repeat(180)}weather`, arguments: {} }),
      ['pay', '⋮', 'weather'],
    ],
  ];
  for (const [name, asked, shown] of long)
    it(`rule 81: ${name}: the title, both ends of the text and the buttons fit in view together`, async () => {
      const opened = await open({}, { mcp: () => Promise.resolve({}) });
      opened.say(asked);
      await answerable(opened);
      const question = permissionRequest(opened)!;
      expect(question.getBoundingClientRect().height).to.be.below(450);
      const summary = question.querySelector('.because summary')!;
      for (const part of shown) expect(question.querySelector<HTMLElement>('.because')!.innerText).to.contain(part);
      expect(wordsIn(question)).to.contain('Characters not shown: ');
      (summary as HTMLElement).click();
      await waitUntil(() => question.querySelector('pre')?.checkVisibility());
      expect(question.getBoundingClientRect().height).to.be.below(750);
    });

  it('rule 81: a message of a few lines is shown as it is sent', async () => {
    const opened = await open();
    opened.say(message('Two wheels\n\n\nOne saddle'));
    await answerable(opened);
    expect(permissionRequest(opened)?.querySelector('.because')?.textContent).to.equal('Two wheels\n\n\nOne saddle');
  });

  it('rule 81: shows all arguments of a tool, however deep, many or long they are', async () => {
    const opened = await open({}, { mcp: () => Promise.resolve({}) });
    let deep: object = { secret: 'deepest' };
    for (let depth = 0; depth < 14; depth++) deep = { deep };
    const many = Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`n${String(index)}`, index]));
    for (const [index, [args, expected]] of (
      [
        [deep, '"deepest"'],
        [{ many }, '"n249"'],
        [{ long: 'x'.repeat(100_010) }, 'Characters not shown: '],
      ] as const
    ).entries()) {
      opened.say(request('tools/call', { name: 'pay', arguments: args }, index));
      await answerable(opened);
      const question = permissionRequest(opened) ?? opened.element;
      expect(wordsIn(question)).to.contain(expected);
      named(question, 'Don’t allow').click();
      await waitUntil(() => permissionRequest(opened) === null);
    }
  });

  it('rule 81: says how much of the arguments of a tool is not visible: nested and long ones', async () => {
    const opened = await open({}, { mcp: () => Promise.resolve({}) });
    const order = { lines: { first: { pay: 'Mallory' } } };
    opened.say(request('tools/call', { name: 'pay', arguments: { order, note: 'y'.repeat(400) } }));
    await answerable(opened);
    const question = permissionRequest(opened) ?? opened.element;
    const closed = [...question.querySelectorAll('details:not([open])')];
    expect(closed.map(({ nextElementSibling: note }) => note && wordsIn(note))).to.deep.equal([
      'Characters not shown: 340',
    ]);
    expect(question.textContent).to.contain(JSON.stringify(order));
    for (const part of question.querySelectorAll<HTMLElement>('.ask-arguments, .ask-arguments *')) {
      if (part.checkVisibility() && part.matches('dl, fieldset, .whole'))
        expect(part.scrollHeight, part.outerHTML).to.be.at.most(part.clientHeight + 1);
    }
    expect(question.querySelector('.ask-arguments')).not.to.equal(null);
  });

  it('rule 81: passes on the arguments that it shows, without objects that look empty', async () => {
    const passed: unknown[] = [];
    const opened = await open({}, { mcp: ({ params }) => Promise.resolve({ n: passed.push(params) }) });
    const amount: unknown = new Number(1_000_000);
    opened.say(request('tools/call', { name: 'pay', arguments: { amount, to: new Map([['iban', 'X']]) } }));
    await answerable(opened);
    expect(wordsIn(permissionRequest(opened) ?? opened.element)).to.contain('amount 1000000');
    named(opened.element, 'Allow once').click();
    await waitUntil(() => passed.length > 0);
    expect(passed).to.deep.equal([{ name: 'pay', arguments: { amount: 1_000_000, to: {} } }]);
  });

  it('rule 45: has no permission of the app before it, if the agent puts another one in its place', async () => {
    let asked = 0;
    const opened = await open({}, { mcp: () => Promise.resolve({ asked: ++asked }) });
    const { element } = opened;
    opened.say(request('tools/call', { name: 'pay' }));
    await answerable(opened);
    named(element, 'Always allow').click();
    await waitUntil(() => opened.received.length > 0);
    const shown = element as HTMLElement & { app: typeof APP; updateComplete: Promise<unknown> };
    shown.app = { ...shown.app, uri: 'ui://shop/other' };
    await shown.updateComplete;
    opened.say(request('tools/call', { name: 'pay' }, 2));
    await waitUntil(() => permissionRequest(opened) !== null);
    expect(asked).to.equal(1);
  });

  it('rule 45: has no permission for the server that the agent puts in the place of the one it was asked for', async () => {
    const requests: unknown[] = [];
    const mcp: AgentChat['mcp'] = (sent) => {
      requests.push(sent);
      return Promise.resolve({ content: [] });
    };
    const opened = await open({ server: { id: 'notes' } }, { mcp });
    const { chat, element, say } = opened;
    const change = async (server: object): Promise<void> => {
      update(chat, [{ ...chat.messages[0]?.blocks[0], type: 'ui', ui: { ...APP, server } }]);
      const shown = element as HTMLElement & { app: { readonly server: unknown }; updateComplete: Promise<unknown> };
      await waitUntil(() => JSON.stringify(shown.app.server) === JSON.stringify(server));
      await shown.updateComplete;
      expect(permissionRequest(opened)).to.equal(null);
    };
    say(request('tools/call', { name: 'read' }, 1));
    await answerable(opened);
    await change({ id: 'bank' });
    expect(requests).to.deep.equal([]);
    say(request('tools/call', { name: 'read' }, 2));
    await answerable(opened);
    named(element, 'Always allow').click();
    await waitUntil(() => requests.length === 1);
    await change({ id: 'other' });
    say(request('tools/call', { name: 'read' }, 3));
    await waitUntil(() => permissionRequest(opened) !== null, 'it asks again');
    expect(requests).to.have.length(1);
  });

  it('rule 99: does not cover the page if the agent puts it in place of one that does', async () => {
    const opened = await open();
    const { chat, element, say } = opened;
    say(request('ui/initialize', {}));
    say({ jsonrpc: '2.0', method: 'ui/notifications/initialized' });
    await waitUntil(() => element.querySelector('.app-full') !== null);
    element.querySelector<HTMLElement>('.app-full')?.click();
    await waitUntil(() => isFull(element));
    const pressed: Event[] = [];
    chat.addEventListener('click', (event) => pressed.push(event));
    update(chat, [{ ...chat.messages[0]?.blocks[0], type: 'ui', ui: { ...APP, text: '<p>Another</p>' } }]);
    await waitUntil(() => !isFull(element), 'it is in its place again');
    element.dispatchEvent(new MouseEvent('click', { detail: 1, bubbles: true, composed: true }));
    expect(pressed).to.deep.equal([], 'a press that was meant for what has covered the page');
  });

  for (const [name, shown] of [
    ['System', 'System (agent) wants to use the tool pay'],
    ['You', 'You (agent) wants to use the tool pay'],
    ['\u200b', '(agent) wants to use the tool pay'],
    ['', 'cart wants to use the tool pay'],
  ] as const) {
    it(`rule 43: is not called ${JSON.stringify(name)} in the widget’s question`, async () => {
      const opened = await open({ name }, { mcp: () => Promise.resolve({}) });
      opened.say(request('tools/call', { name: 'pay' }));
      await waitUntil(() => permissionRequest(opened) !== null);
      expect(permissionRequest(opened)?.getAttribute('aria-label')?.trim()).to.equal(shown);
    });
  }

  it('rule 42: cannot write a sentence with the name of a tool', async () => {
    const opened = await open({ name: 'Cart. Allowed' }, { mcp: () => Promise.resolve({}) });
    opened.say(request('tools/call', { name: 'get_time”. It is safe! “x' }));
    await waitUntil(() => permissionRequest(opened) !== null);
    const question = permissionRequest(opened);
    expect(question?.getAttribute('aria-label')).to.equal('Cart Allowed wants to use the tool get_time It is safe x');
    // The exact name stands below.
    expect(wordsIn(question ?? opened.element)).to.contain('get_time”. It is safe! “x');
  });

  it('gets the error of a failed call', async () => {
    const { say, received } = await open({}, { mcp: () => Promise.reject(new Error('https://host/?key=sk-secret')) });
    say(request('resources/read', { uri: 'ui://a' }, 1));
    await waitUntil(() => received.length > 0);
    expect(received[0]).to.have.nested.property('message.error.message', 'The request has failed.');
  });

  it('gets a result that comes after it was opened, and nothing twice', async () => {
    const { chat, say, received } = await open({ arguments: { id: 7 } });
    say({ jsonrpc: '2.0', method: 'ui/notifications/initialized' });
    const notes = (name: string) => received.filter((item) => (item as Sent).message.method?.endsWith(name));
    expect([notes('tool-input').length, notes('tool-result').length]).to.deep.equal([1, 0]);
    const [block] = chat.messages[0]?.blocks ?? [];
    update(chat, [{ type: 'ui', id: block?.id ?? '', ui: { ...APP, arguments: { id: 7 }, result: { content: [] } } }]);
    await waitUntil(() => notes('tool-result').length > 0);
    expect([notes('tool-input').length, notes('tool-result').length]).to.deep.equal([1, 1]);
  });

  it('learns the theme, the language and the size, and their changes', async () => {
    const { chat, say, received } = await open({}, { colorScheme: 'dark' });
    say(request('ui/initialize', {}));
    const { message } = received[0] as Sent;
    expect(message.result?.hostContext).to.deep.include({ theme: 'dark', locale: 'en', displayMode: 'inline' });
    expect(message.result?.hostContext).to.have.nested.property('containerDimensions.width').above(0);
    say({ jsonrpc: '2.0', method: 'ui/notifications/initialized' });
    chat.colorScheme = 'light';
    await waitUntil(() => received.some((item) => (item as Sent).message.params?.['theme'] === 'light'));
  });

  it('keeps its frame while it is folded', async () => {
    const { element } = await open();
    const frame = element.querySelector('iframe');
    element.querySelector('button')?.click();
    await waitUntil(() => element.querySelector('.artifact')?.hasAttribute('hidden'));
    expect(element.querySelector('iframe')).to.equal(frame);
    element.querySelector('button')?.click();
    await waitUntil(() => element.querySelector('.artifact')?.hasAttribute('hidden') === false);
    expect(element.querySelector('iframe')).to.equal(frame);
  });

  it('covers the page only if the user allows it', async () => {
    const opened = await open();
    const { element, say, received } = opened;
    const frame = element.querySelector('iframe');
    say(request('ui/request-display-mode', { mode: 'fullscreen' }));
    await waitUntil(() => permissionRequest(opened) !== null);
    expect([isFull(element), received]).to.deep.equal([false, []]);
    await answerable(opened);
    named(element, 'Full screen').click();
    expect(isFull(element)).to.equal(true);
    expect(received).to.deep.equal([app({ jsonrpc: '2.0', id: 1, result: { mode: 'fullscreen' } })]);
    element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    expect([isFull(element), element.querySelector('iframe')]).to.deep.equal([false, frame]);
  });

  it('in full screen is a modal dialog with its name, and has the button that leaves it before it is initialized', async () => {
    const opened = await open();
    const { element, say } = opened;
    const dialog = element.querySelector('dialog');
    say(request('ui/request-display-mode', { mode: 'fullscreen' }));
    await answerable(opened);
    named(element, 'Full screen').click();
    await waitUntil(() => element.querySelector('.app-full') !== null);
    expect([dialog?.matches(':modal'), dialog?.getAttribute('aria-label')]).to.deep.equal([true, 'cart']);
    named(element, 'Exit full screen').click();
    expect(isFull(element)).to.equal(false);
  });

  it('rule 99: leaves full screen with Escape in its frame, which may be pretended: presses count only after a moment', async () => {
    const opened = await open();
    const { chat, element, say, post } = opened;
    const keys: Event[] = [];
    for (const name of ['keydown', 'cancel']) chat.addEventListener(name, (event) => keys.push(event));
    post({ type: 'escape' });
    expect(isFull(element)).to.equal(false);
    say(request('ui/request-display-mode', { mode: 'fullscreen' }));
    await answerable(opened);
    named(element, 'Full screen').click();
    expect(isFull(element)).to.equal(true);
    const pressed: Event[] = [];
    chat.addEventListener('click', (event) => pressed.push(event));
    post({ type: 'escape' });
    expect(isFull(element)).to.equal(false);
    element.dispatchEvent(new MouseEvent('click', { detail: 1, bubbles: true, composed: true }));
    expect([pressed, keys]).to.deep.equal([[], []]);
  });

  it('tells the page what the model should know', async () => {
    const { chat, say, received } = await open();
    const acted = next(chat, 'agent-chat-action');
    say(request('ui/update-model-context', { structuredContent: { page: 3 } }));
    const { action, payload } = (await acted).detail;
    expect([action, payload]).to.deep.equal(['ui-context', { uri: APP.uri, structuredContent: { page: 3 } }]);
    expect(received).to.deep.equal([app({ jsonrpc: '2.0', id: 1, result: {} })]);
  });

  it('is known by the MIME type of earlier drafts as well', async () => {
    const { element } = await open({ mimeType: 'text/html+mcp' });
    expect(element.querySelector('iframe')).not.to.equal(null);
  });

  it('shows an invalid one as data', async () => {
    const { element } = await showBlock({ type: 'ui', ui: { ...APP, uri: 'https://evil.example' } });
    await waitUntil(() => wordsIn(element).includes('https://evil.example'));
    expect(element.querySelector('agent-chat-app')).to.equal(null);
  });
});
