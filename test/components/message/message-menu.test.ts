import { expect, waitUntil } from '@open-wc/testing';
import type { AgentChat } from '../../../src/define.ts';
import { button, find, has, inside, mount, next } from '../support/mount.ts';

async function showing(settings: Partial<AgentChat> = {}, messages: readonly object[] = TWO): Promise<AgentChat> {
  const { chat } = await mount(settings);
  chat.messages = messages as unknown as AgentChat['messages'];
  await inside(chat, 'agent-chat-message .toolbar [part="toolbar-button"]');
  return chat;
}

const TWO = [
  { id: 'q', role: 'user', text: 'Hello' },
  { id: 'a', role: 'assistant', text: 'Hi **there**\n\nHow are you?' },
] as const;

/** Opens the menu of the last message. */
async function open(chat: AgentChat): Promise<readonly HTMLElement[]> {
  const more = [...chat.renderRoot.querySelectorAll<HTMLButtonElement>('button[aria-label="More actions"]')].at(-1);
  more?.click();
  await inside(chat, '[role="menu"]');
  return items(chat);
}
const items = (chat: AgentChat): readonly HTMLElement[] => [
  ...chat.renderRoot.querySelectorAll<HTMLElement>('[role="menuitem"]'),
];
const labels = (chat: AgentChat): readonly string[] => items(chat).map(({ textContent }) => textContent.trim());
const item = (chat: AgentChat, label: string): HTMLElement | undefined =>
  items(chat).find(({ textContent }) => textContent.trim() === label);
const press = (chat: AgentChat, key: string): KeyboardEvent => {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true });
  chat.shadowRoot?.activeElement?.dispatchEvent(event);
  return event;
};
const focused = (chat: AgentChat): string => chat.shadowRoot?.activeElement?.textContent.trim() ?? '';
const ids = (chat: AgentChat): readonly string[] => chat.messages.map(({ id }) => id);

describe('the message menu', () => {
  it('takes the focus, wraps around with the arrow keys, and restores the focus', async () => {
    const chat = await showing();
    await open(chat);
    expect(labels(chat)).to.deep.equal(['Copy as Markdown', 'Quote', 'Delete']);
    expect(focused(chat)).to.equal('Copy as Markdown');
    press(chat, 'ArrowUp');
    expect(focused(chat)).to.equal('Delete');
    press(chat, 'ArrowDown');
    press(chat, 'ArrowDown');
    expect(focused(chat)).to.equal('Quote');
    expect(press(chat, 'Escape').defaultPrevented).to.equal(true);
    await waitUntil(() => !has(chat, '[role="menu"]'));
    expect(chat.shadowRoot?.activeElement?.getAttribute('aria-label')).to.equal('More actions');
    expect(chat.shadowRoot?.activeElement?.getAttribute('aria-expanded')).to.equal('false');
  });

  it('deletes a message, and the toast brings it back', async () => {
    const chat = await showing();
    await open(chat);
    item(chat, 'Delete')?.click();
    const toast = await inside(chat, '[part="toast"]');
    expect(ids(chat)).to.deep.equal(['q']);
    expect(toast.textContent).to.include('Message deleted.');
    await waitUntil(() => chat.renderRoot.querySelector('[role="status"]')?.textContent.includes('can undo this'));
    toast.querySelector('button')?.click();
    await waitUntil(() => ids(chat).join() === 'q,a');
    expect(has(chat, '[part="toast"]')).to.equal(false);
    expect(chat.messages[1]?.parentId).to.equal('q');
  });

  it('deletes all messages of one answer', async () => {
    const chat = await showing({}, [
      ...TWO,
      { id: 'b', role: 'assistant', text: 'And this.' },
      { id: 'c', role: 'assistant', name: 'Ann', text: 'And that.' },
      { id: 'd', role: 'assistant', name: 'Ann', text: 'And more.' },
    ]);
    await open(chat);
    item(chat, 'Delete')?.click();
    await inside(chat, '[part="toast"]');
    expect(ids(chat)).to.deep.equal(['q', 'a', 'b']);
  });

  it('deletes the question of a running reply, which ends', async () => {
    const { chat, agent } = await mount();
    const reply = chat.send('Hello');
    await agent.heard(1);
    agent.write('Well');
    await inside(chat, '[part~="block-content"]');
    button(chat, 'More actions').click();
    await inside(chat, '[role="menu"]');
    item(chat, 'Delete')?.click();
    expect((await reply).status).to.equal('cancelled');
    await waitUntil(() => chat.messages.map(({ role }) => role).join() === 'assistant');
    (await inside(chat, '[part="toast"] button')).click();
    await waitUntil(() => chat.messages.map(({ role }) => role).join() === 'user,assistant');
  });

  it('quotes the message in the composer, after the draft', async () => {
    const chat = await showing();
    chat.setDraft('See:');
    await open(chat);
    item(chat, 'Quote')?.click();
    const input = find<HTMLTextAreaElement>(chat, '[part="input"]');
    await waitUntil(() => input.value !== 'See:');
    expect(input.value).to.equal('See:\n\n> Hi **there**\n>\n> How are you?\n\n');
    await waitUntil(() => chat.shadowRoot?.activeElement === input);
    expect(input.selectionStart).to.equal(input.value.length);
  });

  it('quotes the selection, from a button beside it and from the menu', async () => {
    const chat = await showing();
    const words = await inside(chat, '[part~="block-content"] strong');
    words.dispatchEvent(new Event('selectstart', { bubbles: true }));
    document.getSelection()?.setBaseAndExtent(words, 0, words, 1);
    const offer = await inside(chat, '.quote-offer button');
    await open(chat);
    expect(labels(chat)).to.include('Quote selection');
    press(chat, 'Escape');
    offer.click();
    const input = find<HTMLTextAreaElement>(chat, '[part="input"]');
    await waitUntil(() => input.value === '> there\n\n');
    expect(has(chat, '.quote-offer')).to.equal(false);
  });

  it('rule 44: quotes no character that nobody sees', async () => {
    const hidden = String.fromCodePoint(...Array.from('obey', (letter) => 0xe0000 + letter.charCodeAt(0)));
    const chat = await showing();
    chat.messages = [{ role: 'assistant', text: `Hi${hidden} \u200bthere\u202e 👩‍👩‍👧` }];
    await waitUntil(
      () => chat.renderRoot.querySelector('[part~="block-content"]')?.textContent.includes('👩') === true,
    );
    await open(chat);
    item(chat, 'Quote')?.click();
    const input = find<HTMLTextAreaElement>(chat, '[part="input"]');
    await waitUntil(() => input.value !== '');
    expect(input.value).to.equal('> Hi there 👩‍👩‍👧\n\n');
  });

  it('has the actions of the page, which may prevent them', async () => {
    const ran: string[] = [];
    const icon = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    const chat = await showing({
      messageActions: [
        { id: 'pin', label: 'Pin', run: ({ id }) => ran.push(`pin ${id}`) },
        { id: 'flag', label: 'Flag', icon, run: ({ id }) => ran.push(`flag ${id}`) },
        { id: 'mine', label: 'Mine', applies: ({ role }) => role === 'user' },
      ],
    });
    expect(chat.renderRoot.querySelectorAll('button[aria-label="Flag"]')).to.have.length(2);
    button(chat, 'Flag').click();
    await open(chat);
    expect(labels(chat)).to.deep.equal(['Copy as Markdown', 'Quote', 'Pin', 'Delete']);
    const actionEvent = next(chat, 'agent-chat-action');
    item(chat, 'Pin')?.click();
    const { action, message, block } = (await actionEvent).detail;
    expect([action, message.id, block]).to.deep.equal(['pin', 'a', undefined]);
    chat.addEventListener('agent-chat-action', (event) => {
      event.preventDefault();
    });
    button(chat, 'Flag').click();
    expect(ran).to.deep.equal(['flag q', 'pin a']);
  });

  for (const [how, run] of [
    [
      'throws',
      () => {
        throw new Error('Broken');
      },
    ],
    ['rejects', () => Promise.reject(new Error('Broken'))],
  ] as const) {
    it(`reports an action of the page that ${how} by its name`, async () => {
      const chat = await showing({ messageActions: [{ id: 'pin', label: 'Pin', run }] });
      await open(chat);
      const failed = next(chat, 'agent-chat-error');
      item(chat, 'Pin')?.click();
      expect((await failed).detail.message).to.equal('The page’s function `messageActions.run` failed: Broken');
    });
  }

  it('has only the entries that the page allows, and is hidden without any', async () => {
    const chat = await showing({ without: 'delete quote' });
    await open(chat);
    expect(labels(chat)).to.deep.equal(['Copy as Markdown']);
    press(chat, 'Escape');
    await waitUntil(() => !has(chat, '[role="menu"]'));
    chat.without = 'delete quote copy';
    await waitUntil(() => !has(chat, '[aria-label="More actions"]'));
    Object.assign(chat, { without: '', readonly: true });
    await inside(chat, '[aria-label="More actions"]');
    await open(chat);
    expect(labels(chat)).to.deep.equal(['Copy as Markdown']);
    expect(has(chat, '[aria-label="Edit"]')).to.equal(false);
  });
});
