import { expect, waitUntil } from '@open-wc/testing';
import type { AgentChat } from '../../../src/define.ts';
import { button, has, inside, mount } from '../support/mount.ts';

async function mountWithConversation(settings: Partial<AgentChat> = {}) {
  const { chat, agent } = await mount(settings);
  const reply = chat.send('Hello');
  await agent.heard(1);
  agent.end('Hi **there**');
  await reply;
  await inside(chat, 'agent-chat-message .toolbar button');
  return chat;
}

const items = (chat: AgentChat): readonly HTMLElement[] => [
  ...chat.renderRoot.querySelectorAll<HTMLElement>('[role="menuitem"]'),
];
async function open(chat: AgentChat): Promise<readonly string[]> {
  button(chat, 'More').click();
  await inside(chat, '[role="menu"]');
  return items(chat)
    .map(({ textContent }) => textContent.trim())
    .filter((label) => label !== 'Share' && label !== 'Keyboard shortcuts');
}
const choose = (chat: AgentChat, label: string): void => {
  items(chat)
    .find(({ textContent }) => textContent.trim() === label)
    ?.click();
};

/** The given number of files that are saved during an action, by name. */
async function savedBy(count: number, act: () => Promise<unknown>): Promise<Readonly<Record<string, string>>> {
  const saved: Record<string, string> = {};
  const reading: Promise<unknown>[] = [];
  const { createObjectURL } = URL;
  const blobs = new Map<string, Blob>();
  const { click } = HTMLAnchorElement.prototype;
  URL.createObjectURL = (blob: Blob) => {
    const url = `blob:test/${String(blobs.size)}`;
    blobs.set(url, blob);
    return url;
  };
  HTMLAnchorElement.prototype.click = function () {
    const { href, download } = this;
    reading.push(
      blobs
        .get(href)
        ?.text()
        .then((text) => (saved[download] = text)) ?? Promise.resolve(),
    );
  };
  try {
    await act();
    await waitUntil(() => reading.length === count, 'they are saved', { timeout: 10_000 });
    await Promise.all(reading);
  } finally {
    URL.createObjectURL = createObjectURL;
    HTMLAnchorElement.prototype.click = click;
  }
  return saved;
}

describe('the conversation menu', () => {
  afterEach(() => {
    sessionStorage.clear();
  });

  it('shows an error when the conversation can’t be exported', async () => {
    const chat = await mountWithConversation();
    chat.exportConversation = () => Promise.reject(new Error('The chunk is missing.'));
    await open(chat);
    choose(chat, 'Download as JSON');
    expect((await inside(chat, '.toast')).textContent).to.include('A part of the chat could not be loaded.');
  });

  it('shares within the click, and treats a cancelled share as no error', async () => {
    const shared: string[] = [];
    Object.assign(navigator, {
      canShare: () => true,
      share: ({ text = '' }: ShareData) => {
        shared.push(text);
        return Promise.reject(new DOMException('Never mind.', 'AbortError'));
      },
    });
    try {
      const chat = await mountWithConversation();
      await open(chat);
      // The text was exported when the menu opened, so that it is ready for the click.
      chat.exportConversation = () => new Promise(() => undefined);
      choose(chat, 'Share');
      await waitUntil(() => shared.length === 1);
      expect(shared[0]).to.include('Hi **there**');
      expect(has(chat, '.toast')).to.equal(false);
    } finally {
      for (const name of ['canShare', 'share']) Reflect.deleteProperty(navigator, name);
    }
  });

  it('shows an error when a conversation can’t be deleted, or the list can’t be opened', async () => {
    const chat = await mountWithConversation({ persist: 'session', storage: { user: 'menu 3' } });
    Object.assign(Reflect.get(chat, 'conversations') as object, {
      manager: () => Promise.reject(new Error('The chunk is missing.')),
    });
    await open(chat);
    choose(chat, 'Delete conversation');
    const toast = await inside(chat, '.toast');
    expect(toast.textContent).to.include('A part of the chat could not be loaded.');
    toast.remove();
    button(chat, 'Conversations').click();
    expect((await inside(chat, '.toast')).textContent).to.include('A part of the chat could not be loaded.');
    expect(chat.messages).to.have.length(2);
  });

  it('exports a conversation as a file in three formats', async () => {
    const { chat: idle } = await mount();
    expect(await open(idle)).to.deep.equal([]);
    const chat = await mountWithConversation();
    expect(await open(chat)).to.deep.equal([
      'Copy conversation',
      'Download as Markdown',
      'Download as JSON',
      'Download as OpenAI messages',
    ]);
    const saved = await savedBy(3, async () => {
      choose(chat, 'Download as Markdown');
      await open(chat);
      choose(chat, 'Download as JSON');
      await open(chat);
      choose(chat, 'Download as OpenAI messages');
    });
    const named = (ending: RegExp): string =>
      Object.entries(saved).find(([name]) => name.startsWith('conversation-20') && ending.test(name))?.[1] ?? '';
    expect(named(/\d\.md$/)).to.include('### You\n\nHello\n\n### Assistant\n\nHi **there**');
    expect(JSON.parse(named(/\d\.json$/))).to.have.property('messages');
    expect(JSON.parse(named(/\.openai\.json$/))).to.deep.equal([
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Hi **there**' },
    ]);
  });

  it('deletes a stored conversation, and the toast restores it', async () => {
    const chat = await mountWithConversation({ persist: 'session', storage: { user: 'menu' } });
    const { threadId } = chat;
    expect((await open(chat)).at(-1)).to.equal('Delete conversation');
    choose(chat, 'Delete conversation');
    const toast = await inside(chat, '.foot-area [part="toast"]');
    expect([chat.messages.length, (await chat.listThreads()).length]).to.deep.equal([0, 0]);
    toast.querySelector('button')?.click();
    await waitUntil(() => chat.messages.length === 2);
    expect(chat.threadId).to.equal(threadId);
    expect((await chat.listThreads()).map(({ title }) => title)).to.deep.equal(['Hello']);
  });

  it('has only the entries that the page allows', async () => {
    const chat = await mountWithConversation({ persist: 'session', storage: { user: 'menu 2' }, without: 'export' });
    expect(await open(chat)).to.deep.equal(['Delete conversation']);
    button(chat, 'More').click();
    await waitUntil(() => !has(chat, '[role="menu"]'));
    chat.without = 'export delete';
    expect(await open(chat)).to.deep.equal([]);
  });
});
