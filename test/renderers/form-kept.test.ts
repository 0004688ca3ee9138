import { expect, waitUntil } from '@open-wc/testing';
import { find, has, inside, mount } from '../components/support/mount.ts';
import type { ConversationStore, StoredThread } from '../../src/storage/stores/conversation-store.ts';

const asked: StoredThread = {
  version: 1,
  id: 'asked-thread',
  title: 'Trip',
  updated: 1,
  leaf: 'reply',
  messages: [
    { id: 'hi', role: 'user', status: 'complete', timestamp: 1, blocks: [] },
    {
      id: 'reply',
      role: 'assistant',
      status: 'streaming',
      finish: 'tool_use',
      timestamp: 1,
      parentId: 'hi',
      blocks: [
        {
          id: 'question',
          type: 'action',
          action_type: 'question',
          status: 'pending',
          timestamp: 1,
          content: 'Where to?',
          extra: { schema: JSON.stringify({ properties: { town: { type: 'string' }, day: { type: 'string' } } }) },
        },
      ],
    },
  ],
};

const store: ConversationStore = {
  list: () => [asked],
  load: (id) => (id === asked.id ? asked : undefined),
  save: () => undefined,
  rename: () => undefined,
  remove: () => undefined,
};

describe('an unsent form answer', () => {
  afterEach(() => {
    sessionStorage.clear();
  });

  it('is restored with its conversation, without the keys in it', async () => {
    const settings = { persist: 'session', storage: { store }, threadId: asked.id } as const;
    const { chat: before } = await mount(settings);
    const town = await inside<HTMLInputElement>(before, '.ask input');
    town.value = 'Kiel, sk-abcdefghijklmnop';
    town.dispatchEvent(new InputEvent('input', { bubbles: true }));
    await waitUntil(() => JSON.stringify(sessionStorage).includes('Kiel'));
    expect(JSON.stringify(sessionStorage)).not.to.contain('sk-abcdefghijklmnop');
    before.remove();

    const { chat } = await mount(settings);
    await inside(chat, '.ask input');
    expect(find<HTMLInputElement>(chat, '.ask input').value).to.equal('Kiel, ***');
    find<HTMLButtonElement>(chat, '.ask button.ghost').click();
    await waitUntil(() => !has(chat, '.ask'));
    expect(JSON.stringify(sessionStorage)).not.to.contain('Kiel');
  });
});
