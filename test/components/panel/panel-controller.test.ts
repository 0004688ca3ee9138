import { expect, fixture, html, nextFrame, waitUntil } from '@open-wc/testing';
import { button, find, has, inside, mount, next, type Mounted } from '../support/mount.ts';

const floating = (more: Parameters<typeof mount>[0] = {}): Promise<Mounted> => mount({ mode: 'floating', ...more });

/** The events of a reply that asks for a permission, in the format `deepchat-events`. */
const ASKS = [
  {
    type: 'response',
    data: {
      eventId: 'e1',
      tool_call: 'permission-required',
      tool_call_id: 't1',
      tool_call_name: 'pay',
      tool_call_params: '{"a":1}',
      permission_request: { toolName: 'pay', serverName: 'shop', permissionType: 'write', description: 'Pay' },
    },
  },
  { type: 'end', data: { eventId: 'e1', userStop: false } },
];

describe('a floating widget', () => {
  it('is a launcher until it is opened, then a dialog in the top layer with the focus in the composer', async () => {
    const { chat } = await floating();
    const panel = find(chat, '[part="panel"]');
    expect(panel.matches(':popover-open')).to.equal(false);
    const toggled = next(chat, 'agent-chat-toggle');
    button(chat, 'Open chat').click();
    expect((await toggled).detail.open).to.equal(true);
    await waitUntil(() => panel.matches(':popover-open'));
    expect(chat.matches(':state(open)')).to.equal(true);
    expect(chat.hasAttribute('open')).to.equal(true);
    expect(panel.getAttribute('role')).to.equal('dialog');
    await waitUntil(() => find(chat, '[part="input"]').matches(':focus'));
  });

  it('stays open when it is moved in the document, and when it is inserted again', async () => {
    const { chat } = await floating({ open: true });
    const panel = find(chat, '[part="panel"]');
    expect(panel.matches(':popover-open')).to.equal(true);
    const container = await fixture(html`<section></section>`);
    container.append(chat);
    expect(panel.matches(':popover-open'), 'moved').to.equal(true);
    chat.remove();
    await chat.updateComplete;
    container.append(chat);
    expect(panel.matches(':popover-open'), 'brought back').to.equal(true);
    chat.remove();
    chat.hide();
    container.append(chat);
    expect(panel.matches(':popover-open'), 'closed meanwhile').to.equal(false);
  });

  it('closes with Escape, and the focus returns to the launcher', async () => {
    const { chat } = await floating();
    button(chat, 'Open chat').click();
    const input = find(chat, '[part="input"]');
    await waitUntil(() => input.matches(':focus'));
    input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
    await waitUntil(() => find(chat, '[part="launcher"]').matches(':focus'));
    expect(chat.open).to.equal(false);
  });

  it('Escape stops a running reply first', async () => {
    const { chat, agent } = await floating({ open: true });
    const sent = chat.send('Hello');
    await agent.heard(1);
    const escape = (): void => {
      find(chat, '[part="input"]').dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }),
      );
    };
    escape();
    expect((await sent).status).to.equal('cancelled');
    expect(chat.open).to.equal(true);
    escape();
    expect(chat.open).to.equal(false);
  });

  it('counts messages that arrive while it is closed, until it is opened', async () => {
    const { chat, agent } = await floating();
    const sent = chat.send('Hello');
    await agent.heard(1);
    agent.end('Hello.');
    await sent;
    expect(chat.unread).to.equal(1);
    const badge = await inside(chat, '.badge');
    expect(badge.textContent).to.equal('1');
    expect(find(chat, '[part="launcher"]').getAttribute('aria-label')).to.equal('Open chat, 1 unread message');
    chat.show();
    expect(chat.unread).to.equal(0);
    await waitUntil(() => !has(chat, '.badge'));
  });

  for (const [name, before, after, count] of [
    ['an answer that begins after it was closed', '', 'Hello.', 1],
    ['an answer that goes on after it was closed', 'Hello', ', Ann.', 1],
    ['no answer that was complete before it was closed', 'Hello.', '', 0],
  ] as const) {
    it(`counts ${name}`, async () => {
      const { chat, agent } = await floating({ open: true });
      const sent = chat.send('Hello');
      await agent.heard(1);
      if (before) agent.write(before);
      await waitUntil(() => {
        const { role, blocks = [] } = chat.messages.at(-1) ?? {};
        return role === 'assistant' && (blocks[0]?.content ?? '') === before;
      });
      await chat.updateComplete;
      await nextFrame();
      await nextFrame();
      chat.hide();
      await chat.updateComplete;
      expect(chat.unread).to.equal(0);
      agent.end(after);
      await sent;
      await nextFrame();
      await chat.updateComplete;
      expect(chat.unread).to.equal(count);
      await waitUntil(() => has(chat, '.badge') === count > 0, 'the badge');
      chat.show();
      expect(chat.unread).to.equal(0);
    });
  }

  it('counts a question without a text about a tool call that the user has seen', async () => {
    const { chat, agent } = await floating({ open: true, protocol: 'deepchat-events' });
    void chat.send('Pay');
    await agent.heard(1);
    const call = { tool_call_id: 'c', tool_call_name: 'pay', tool_call_params: '{}' };
    const say = (data: object): void => {
      agent.say({ type: 'response', data: { eventId: 'e', ...call, ...data } });
    };
    say({ tool_call: 'running', tool_call_remote: true });
    await waitUntil(() => chat.messages.at(-1)?.blocks.at(-1)?.type === 'tool_call');
    await nextFrame();
    await nextFrame();
    chat.hide();
    await chat.updateComplete;
    expect(chat.unread).to.equal(0);
    const permission = { toolName: 'pay', serverName: '', permissionType: 'all', description: '' };
    say({ tool_call: 'permission-required', permission_request: permission });
    agent.say({ type: 'end', data: { eventId: 'e', userStop: false } });
    agent.hangUp();
    await waitUntil(() => chat.status === 'awaiting-action');
    expect(chat.unread).to.equal(1);
    chat.stop();
  });

  it('counts a question that comes after it was closed', async () => {
    const { chat, agent } = await floating({ open: true, protocol: 'deepchat-events' });
    void chat.send('Pay');
    await agent.heard(1);
    await waitUntil(() => chat.messages.at(-1)?.role === 'assistant');
    await nextFrame();
    await nextFrame();
    chat.hide();
    agent.say(...ASKS);
    agent.hangUp();
    await waitUntil(() => chat.status === 'awaiting-action');
    expect(chat.unread).to.equal(1);
    expect((await inside(chat, '.badge')).textContent).to.equal('1');
    chat.stop();
  });

  it('has a teaser that can be dismissed', async () => {
    const { chat } = await floating({ teaser: 'Questions? Ask away.' });
    expect(find(chat, '.teaser').textContent).to.contain('Questions?');
    button(chat, 'Dismiss').click();
    await waitUntil(() => !has(chat, '.teaser'));
  });

  it('can be controlled by buttons of the page', async () => {
    const { chat } = await floating();
    const page = await fixture(
      html`<p>
        <button data-agent-chat="toggle"><span>Help</span></button><button data-agent-chat="show"></button
        ><button data-agent-chat="hide"></button>
      </p>`,
    );
    const [toggle, show, hide] = page.querySelectorAll('button');
    toggle?.querySelector('span')?.click();
    expect(chat.open).to.equal(true);
    toggle?.click();
    expect(chat.open).to.equal(false);
    show?.click();
    show?.click();
    expect(chat.open).to.equal(true);
    hide?.click();
    expect(chat.open).to.equal(false);
  });

  it('keeps key events to itself while the user types', async () => {
    const { chat } = await floating({ open: true });
    const received: string[] = [];
    const listen = ({ key }: KeyboardEvent): void => void received.push(key);
    document.addEventListener('keydown', listen);
    find(chat, '[part="input"]').dispatchEvent(
      new KeyboardEvent('keydown', { key: '/', bubbles: true, composed: true }),
    );
    find(chat, '[part="launcher"]').dispatchEvent(
      new KeyboardEvent('keydown', { key: 'k', bubbles: true, composed: true }),
    );
    document.removeEventListener('keydown', listen);
    expect(received).to.deep.equal(['k']);
  });
});

describe('the header', () => {
  it('names the agent, and starts a new conversation', async () => {
    const { chat } = await mount({ heading: 'Orders' });
    expect(find(chat, '[part="heading"]').textContent).to.equal('Orders');
    expect(has(chat, 'button[aria-label="New conversation"]')).to.equal(false);
    chat.messages = [{ role: 'user', text: 'Hello' }];
    (await inside<HTMLButtonElement>(chat, 'button[aria-label="New conversation"]')).click();
    expect(chat.messages).to.deep.equal([]);
    await waitUntil(() => find(chat, '[part="input"]').matches(':focus'));
  });

  it('has a picker for several agents', async () => {
    const { chat, agent } = await mount({
      agents: [
        { id: 'sales', name: 'Sales', endpoint: '/sales', protocol: 'agent-session' },
        { id: 'support', name: 'Support', endpoint: '/support', protocol: 'agent-session' },
      ],
    });
    const picker = find<HTMLSelectElement>(chat, 'select');
    expect(picker.value).to.equal('sales');
    picker.value = 'support';
    picker.dispatchEvent(new Event('change', { bubbles: true }));
    expect(chat.agent).to.equal('support');
    void chat.send('Hello');
    await agent.heard(1);
    expect(new URL(agent.requests[0]?.url ?? '', location.href).pathname).to.equal('/support');
    chat.stop();
  });

  it('is left out with without="header"', async () => {
    const { chat } = await mount({ without: 'header' });
    expect(has(chat, '[part="header"]')).to.equal(false);
  });
});
