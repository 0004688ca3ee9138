import { expect, waitUntil } from '@open-wc/testing';
import type { MessageInput } from '../../../src/conversation/normalize-message.ts';
import { goTo, row, settled, top, withMessages } from '../support/long.ts';
import { find, mount } from '../support/mount.ts';

const page = (from: number, count: number): readonly MessageInput[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `m${String(from + index)}`,
    role: index % 2 === 0 ? 'user' : 'assistant',
    text: `Message ${String(from + index)}.\n\nIts second line.`,
  }));

/** A page with this number of stored messages, which returns 20 at a time. */
async function withStore(count: number, fails = 0) {
  const asked: (string | undefined)[] = [];
  let failures = fails;
  const errors: string[] = [];
  addEventListener('agent-chat-error', ({ detail }) => errors.push(detail.message), { once: true });
  const { chat } = await mount({
    loadHistory: (before) => {
      asked.push(before);
      if (failures-- > 0) return Promise.reject(new Error('The store is not there.'));
      const end = before === undefined ? count : Number(before.slice(1));
      const from = Math.max(0, end - 20);
      return Promise.resolve(page(from, end - from) as never);
    },
  });
  const list = find(chat, '[part="transcript"]');
  return { chat, list, asked, errors };
}

describe('loadHistory', () => {
  it('is called for the last messages first, and for older ones when the user is near the top', async () => {
    const { chat, list, asked } = await withStore(100);
    await waitUntil(() => chat.messages.length === 20);
    await settled();
    expect(asked).to.deep.equal([undefined]);
    expect(list.scrollHeight - list.clientHeight - list.scrollTop).to.be.lessThan(2);
    const inset = top(list, find(chat, 'agent-chat-message')) + list.scrollTop;
    for (let known = 40; known <= 100; known += 20) {
      const first = chat.messages[0]?.id ?? '';
      await goTo(list, 0);
      await waitUntil(() => chat.messages.length === known);
      await settled();
      const message = row(list, first);
      expect(message && top(list, message), 'what the reader sees stays').to.be.closeTo(inset, 2);
    }
    expect(asked).to.deep.equal([undefined, 'm80', 'm60', 'm40', 'm20']);
    await goTo(list, 0);
    await waitUntil(() => asked.length === 6);
    await settled();
    await goTo(list, 300);
    await goTo(list, 0);
    expect(asked.at(-1)).to.equal('m0');
    expect(asked).to.have.length(6);
    expect(chat.messages.map(({ id }) => id)).to.deep.equal(page(0, 100).map(({ id }) => id));
    expect(chat.messages[80]?.parentId).to.equal('m79');
  });

  it('rule 109: waits after 20 loads, if each returns messages that show nothing', async () => {
    const { setTimeout: real } = globalThis;
    /** The number of loads at each time that the widget waits for two seconds. */
    const waits: number[] = [];
    let count = 0;
    Object.assign(globalThis, {
      setTimeout: (callback: () => void, delay?: number) => {
        if (delay === 2000) waits.push(count);
        return real(callback, delay);
      },
    });
    try {
      const { chat } = await mount({
        loadHistory: () => {
          count++;
          return Promise.resolve([{ role: 'assistant', id: `m${String(count)}`, blocks: [] }] as never);
        },
      });
      await waitUntil(() => waits.includes(20), undefined, { timeout: 15_000 });
      chat.remove();
    } finally {
      Object.assign(globalThis, { setTimeout: real });
    }
  });

  it('keeps the position of a user who waits at the very top, and is called once for that', async () => {
    const asked: (string | undefined)[] = [];
    const { chat, list } = await withMessages(100);
    let answer: (messages: readonly MessageInput[]) => void = () => undefined;
    chat.loadHistory = (before) => {
      asked.push(before);
      return new Promise((resolve) => {
        answer = resolve;
      });
    };
    await waitUntil(() => {
      list.scrollTop = 0;
      return asked.length > 0;
    });
    await waitUntil(() => list.querySelector('.history') !== null);
    await goTo(list, 300);
    await goTo(list, 0);
    const first = row(list, 'm0');
    if (!first) throw new Error('The first message is not drawn.');
    const at = top(list, first);
    answer(page(0, 20).map((message) => ({ ...message, id: `older-${String(message.id)}` })));
    await waitUntil(() => chat.messages.length === 120);
    await settled();
    expect(top(list, first)).to.be.closeTo(at, 2);
    expect(asked).to.deep.equal(['m0']);
  });

  it('shows an error when it fails, and is called again on a click', async () => {
    const { chat, list, asked, errors } = await withStore(60, 1);
    await waitUntil(() => list.querySelector('.history button') !== null);
    expect(list.textContent).to.contain('Earlier messages could not be loaded.');
    list.querySelector<HTMLElement>('.history button')?.click();
    await waitUntil(() => chat.messages.length === 20);
    expect(asked).to.deep.equal([undefined, undefined]);
    expect(list.querySelector('.history')).to.equal(null);
    expect(errors).to.deep.equal(['The page’s function `loadHistory` failed: The store is not there.']);
  });

  it('is not called after the conversation was cleared', async () => {
    const { chat, asked } = await withStore(60);
    await waitUntil(() => chat.messages.length === 20);
    await settled();
    chat.clear();
    await settled();
    await settled();
    expect(chat.messages).to.have.length(0);
    expect(asked).to.deep.equal([undefined]);
  });

  /** A widget of Alice whose history is on its way. */
  async function loading(settings: object = {}) {
    const asked: string[] = [];
    const alice = Promise.withResolvers<readonly MessageInput[]>();
    const { chat } = await mount({
      storage: { user: 'alice' },
      loadHistory: (before?: string) => {
        asked.push(`alice ${String(before)}`);
        return alice.promise;
      },
      ...settings,
    });
    await waitUntil(() => asked.length === 1);
    return {
      chat,
      asked,
      arrives: async () => {
        alice.resolve(page(0, 2));
        await settled();
        await settled();
      },
    };
  }

  for (const id of [undefined, 'm10'])
    it(`that arrives after another user has signed in is not shown to them, ${id ? 'also before equal ids' : 'in an empty conversation'}`, async () => {
      const messages: readonly MessageInput[] = id === undefined ? [] : [{ id, role: 'user', text: 'Hi' }];
      const { chat, asked, arrives } = await loading(messages.length > 0 ? { messages } : {});
      chat.storage = { user: 'bob' };
      chat.loadHistory = (before) => {
        asked.push(`bob ${String(before)}`);
        return Promise.resolve([]);
      };
      chat.messages = messages;
      await waitUntil(() => asked.length === 2);
      await arrives();
      expect(chat.messages.map((message) => message.id)).to.deep.equal(messages.map((message) => message.id));
      expect(asked).to.deep.equal([`alice ${String(id)}`, `bob ${String(id)}`]);
    });

  it('that arrives after a new conversation was started is not part of it', async () => {
    const { chat, arrives } = await loading();
    await chat.newThread();
    await arrives();
    expect(chat.messages).to.have.length(0);
  });

  it('keeps a loaded history when the page assigns the same messages again', async () => {
    const { chat, list } = await withStore(0);
    await settled();
    const assigned = page(40, 60);
    chat.messages = assigned;
    await settled();
    chat.loadHistory = (before) => Promise.resolve((before === 'm40' ? page(20, 20) : []) as never);
    await goTo(list, 0);
    await waitUntil(() => chat.messages.length === 80);
    chat.messages = structuredClone(assigned);
    expect(chat.messages).to.have.length(80);
  });
});
