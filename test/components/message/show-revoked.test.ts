import { expect, waitUntil } from '@open-wc/testing';
import type { AgentChat } from '../../../src/define.ts';
import { inside, mount } from '../support/mount.ts';

const allowed = (id: string, approval: string) =>
  ({
    type: 'action',
    action_type: 'tool_call_permission',
    status: 'granted',
    tool_call: { id, name: 'export_refunds' },
    extra: { decided: 1_736_985_600_000, approval, always: true },
  }) as const;

const offers = (chat: AgentChat): readonly HTMLElement[] =>
  [...chat.renderRoot.querySelectorAll('button')].filter(({ textContent }) => textContent.trim() === 'Ask again');

describe('a permanently allowed tool', () => {
  it('is asked about again everywhere after a revoke, other tools are not', async () => {
    const { chat } = await mount();
    chat.messages = [
      { role: 'assistant', blocks: [allowed('first', 'a'), allowed('other', 'b')] },
      { role: 'user', text: 'And once more' },
      { role: 'assistant', blocks: [allowed('second', 'a')] },
    ];
    await inside(chat, '[part~="block-action"]');
    await waitUntil(() => offers(chat).length === 3);
    offers(chat)[0]?.click();
    await waitUntil(() => offers(chat).length === 1);
    const always = chat.messages.flatMap(({ blocks }) => blocks.map(({ extra }) => extra?.['always']));
    expect(always).to.deep.equal([false, true, undefined, false]);
  });
});
