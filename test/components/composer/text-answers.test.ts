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

describe('rule 101: a text that was begun before the question was in view', () => {
  const DAY = 86_400_000;
  const conversation = (question: object, time?: number): never =>
    [
      { id: 'u', role: 'user', ...(time ? { timestamp: time, status: 'complete', blocks: [] } : { text: 'Hello' }) },
      {
        id: 'a',
        role: 'assistant',
        status: 'streaming',
        finish: 'tool_use',
        ...(time && { timestamp: time }),
        blocks: [{ ...question, ...(time && { timestamp: time }) }],
      },
    ] as never;
  const press = async (chat: AgentChat): Promise<void> => {
    await chat.updateComplete;
    find(chat, '[part="input"]').dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }),
    );
  };
  const frames = async (): Promise<void> => {
    for (let frame = 0; frame < 5; frame++) await nextFrame();
  };
  const waits = async (chat: AgentChat): Promise<void> => {
    await frames();
    await press(chat);
    await waitUntil(() => queued(chat));
  };
  const start = async () => {
    const mounted = await mount({ protocol: replaying });
    mounted.chat.style.blockSize = '600px';
    return mounted;
  };

  for (const [name, show] of [
    ['assigned', (chat, messages) => (chat.messages = messages)],
    ['imported', (chat, messages) => chat.importConversation(messages, 'json')],
  ] as readonly (readonly [string, (chat: AgentChat, messages: never) => unknown])[])
    for (const [time, timestamp] of [
      ['without a time', undefined],
      ['of yesterday', Date.now() - DAY],
      ['of tomorrow', Date.now() + DAY],
    ] as const) {
      // An exported conversation has times.
      if (name === 'imported' && timestamp === undefined) continue;
      it(`answers none that is ${name}, ${time}`, async () => {
        const { chat, agent } = await start();
        type(chat, 'Yes, tell me a joke');
        await show(chat, conversation(QUESTION, timestamp));
        await inside(chat, '.ask');
        await waits(chat);
        expect(agent.requests).to.deep.equal([]);
      });

      it(`and one that is begun later answers it if it is ${name}, ${time}`, async () => {
        const { chat, agent } = await start();
        await show(chat, conversation(QUESTION, timestamp));
        await inside(chat, '.ask');
        await frames();
        type(chat, 'Yes');
        await press(chat);
        await agent.heard(1);
        expect(queued(chat)).to.equal(false);
      });
    }

  it('answers no other question that takes its place under the same id', async () => {
    const { chat, agent } = await asked([QUESTION]);
    await inside(chat, '.ask');
    type(chat, 'Yes');
    chat.messages = conversation({ ...QUESTION, content: 'Transfer 950 EUR?' });
    await waitUntil(() => find(chat, '.ask').textContent.includes('950'));
    await waits(chat);
    expect(agent.requests).to.deep.equal([]);
  });

  it('answers the question if the page assigns the same messages again while the user writes', async () => {
    const { chat, agent } = await asked([QUESTION]);
    await inside(chat, '.ask');
    type(chat, 'Yes');
    chat.messages = conversation(QUESTION, Date.now());
    await frames();
    await press(chat);
    await agent.heard(1);
    expect(queued(chat)).to.equal(false);
  });

  it('answers none to which the user scrolls only afterwards', async () => {
    const { chat, agent } = await asked([QUESTION, text('after')]);
    await inside(chat, '.ask');
    type(chat, 'Yes');
    const list = find(chat, '[part="transcript"]');
    list.dispatchEvent(new WheelEvent('wheel', { deltaY: -5000, bubbles: true }));
    list.scrollTop = 0;
    await waits(chat);
    expect(agent.requests).to.deep.equal([]);
  });

  it('answers one that was in view before, and is again when the text is sent', async () => {
    const { chat, agent } = await asked([QUESTION, text('after')]);
    await inside(chat, '.ask');
    const list = find(chat, '[part="transcript"]');
    list.dispatchEvent(new WheelEvent('wheel', { deltaY: -5000, bubbles: true }));
    list.scrollTop = 0;
    await frames();
    list.scrollTop = list.scrollHeight;
    await frames();
    type(chat, 'Yes');
    list.dispatchEvent(new WheelEvent('wheel', { deltaY: -5000, bubbles: true }));
    list.scrollTop = 0;
    await frames();
    await press(chat);
    await agent.heard(1);
    expect(queued(chat)).to.equal(false);
  });

  it('answers none if it waited in the queue and is edited now', async () => {
    const { chat, agent } = await asked([QUESTION, { ...QUESTION, id: 'r', extra: { requestId: 'r1' } }]);
    await inside(chat, '.ask');
    await writeAndSend(chat);
    await waitUntil(() => queued(chat));
    void chat.respond('r', 'dismissed');
    await frames();
    find(chat, '.queue button').click();
    await waitUntil(() => !queued(chat));
    await waits(chat);
    expect(agent.requests).to.deep.equal([]);
  });
});
