/** What the user writes in the composer while the agent asks something. */
import { expect, nextFrame, waitUntil } from '@open-wc/testing';
import type { AgentChat } from '../../../src/define.ts';
import { replaying } from '../../runtime/support/wire-agent.ts';
import { RendererRegistry } from '../../../src/renderers/core/registry.ts';
import { defineRenderer } from '../../../src/renderers/core/renderer.ts';
import { find, has, inside, mount, type } from '../support/mount.ts';

const QUESTION = {
  id: 'q',
  type: 'action',
  status: 'pending',
  action_type: 'question',
  content: 'Transfer 900 EUR?',
  extra: { requestId: 'q1' },
};
const text = (id: string) => ({ id, type: 'content', status: 'success', content: 'A line of text.\n\n'.repeat(60) });

async function asked(blocks: readonly object[], settings: Partial<AgentChat> = {}) {
  const mounted = await mount({ protocol: replaying, ...settings });
  const { chat } = mounted;
  chat.style.blockSize = '600px';
  chat.messages = [
    { id: 'u', role: 'user', text: 'Hello' },
    { id: 'a', role: 'assistant', status: 'streaming', finish: 'tool_use', blocks },
  ];
  await waitUntil(() => chat.status === 'awaiting-action');
  await inside(chat, 'agent-chat-message article');
  for (let frame = 0; frame < 5; frame++) await nextFrame();
  return mounted;
}

async function writeAndSend(chat: AgentChat): Promise<void> {
  const input = type(chat, 'Yes');
  await chat.updateComplete;
  input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
}

const queued = (chat: AgentChat): boolean => chat.messages.at(-1)?.status === 'queued';

describe('rule 101: a text in the composer', () => {
  for (const [name, blocks] of [
    ['alone', [QUESTION]],
    ['after a long text', [text('before'), QUESTION]],
    ['before a short text', [QUESTION, { ...text('after'), content: 'Please answer.' }]],
  ] as const)
    it(`answers the question in view: ${name}`, async () => {
      const { chat, agent } = await asked(blocks);
      await inside(chat, '.ask');
      await writeAndSend(chat);
      await agent.heard(1);
      expect(JSON.stringify(agent.requests[0]?.body)).to.contain('Yes');
      expect(queued(chat)).to.equal(false);
    });

  it('answers no question above the view: it waits', async () => {
    const { chat, agent } = await asked([QUESTION, text('after')]);
    await inside(chat, '.ask');
    await writeAndSend(chat);
    await waitUntil(() => queued(chat));
    expect(agent.requests).to.deep.equal([]);
  });

  it('answers no question below the view, to which the user has not scrolled', async () => {
    const { chat, agent } = await asked([text('before'), QUESTION]);
    await inside(chat, '.ask');
    const list = find(chat, '[part="transcript"]');
    list.dispatchEvent(new WheelEvent('wheel', { deltaY: -5000, bubbles: true }));
    list.scrollTop = 0;
    for (let frame = 0; frame < 5; frame++) await nextFrame();
    await writeAndSend(chat);
    await waitUntil(() => queued(chat));
    expect(agent.requests).to.deep.equal([]);
  });

  it('answers no question that is not in the document', async () => {
    const many = Array.from({ length: 501 }, (_, index) => ({ ...text(String(index)), content: 'Text' }));
    const { chat, agent } = await asked([QUESTION, ...many]);
    expect(has(chat, '.ask')).to.equal(false);
    await writeAndSend(chat);
    await waitUntil(() => queued(chat));
    expect(agent.requests).to.deep.equal([]);
  });

  it('answers a question in view that the page renders itself', async () => {
    const renderers = new RendererRegistry();
    renderers.register(
      defineRenderer({ type: 'action', getProps: ({ content }) => content, component: (content) => `Own: ${content}` }),
    );
    const { chat, agent } = await asked([QUESTION], { renderers });
    await waitUntil(() => chat.renderRoot.textContent.includes('Own: Transfer'));
    await writeAndSend(chat);
    await agent.heard(1);
    expect(queued(chat)).to.equal(false);
  });
});
