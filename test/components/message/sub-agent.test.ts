/** Blocks with a parent are shown in it: a sub-agent in the call that started it. */
import { expect, waitUntil } from '@open-wc/testing';
import type { MessageInput } from '../../../src/conversation/normalize-message.ts';
import { groupBlocks } from '../../../src/components/message/group-blocks.ts';
import type { AssistantMessageBlock } from '../../../src/model/blocks.ts';
import { find, has, inside, mount, wordsOf, type Mounted } from '../support/mount.ts';

const block = (id: string, type: 'content' | 'tool_call' | 'action', parentId?: string): AssistantMessageBlock =>
  ({ id, type, status: 'success', timestamp: 0, content: id, ...(parentId && { parentId }) }) as AssistantMessageBlock;

describe('groups of blocks', () => {
  const shapes = (blocks: readonly AssistantMessageBlock[]): readonly string[] =>
    groupBlocks(blocks, () => false).map((group) => {
      const own = 'work' in group ? group.work.map(({ id }) => id).join('+') : group.block.id;
      return group.within.length > 0 ? `${own}(${group.within.map(({ id }) => id).join(' ')})` : own;
    });

  const rows: readonly {
    readonly name: string;
    readonly blocks: readonly AssistantMessageBlock[];
    readonly groups: readonly string[];
  }[] = [
    {
      name: 'adjacent work is one group with its children, at any depth',
      blocks: [
        block('a', 'tool_call'),
        block('b', 'tool_call'),
        block('c', 'tool_call', 'a'),
        block('d', 'content', 'c'),
        block('e', 'content'),
      ],
      groups: ['a+b(c d)', 'e'],
    },
    {
      name: 'a child between two blocks of work does not split their group',
      blocks: [block('a', 'tool_call'), block('b', 'content', 'a'), block('c', 'tool_call')],
      groups: ['a+c(b)'],
    },
    {
      name: 'a pending question is not nested',
      blocks: [block('a', 'tool_call'), block('b', 'action', 'a')],
      groups: ['a', 'b'],
    },
    {
      name: 'a block with a missing, later or circular parent stands alone',
      blocks: [block('a', 'content', 'z'), block('b', 'content', 'c'), block('c', 'content', 'c')],
      groups: ['a', 'b', 'c'],
    },
  ];
  for (const { name, blocks, groups } of rows) {
    it(name, () => {
      expect(shapes(blocks)).to.deep.equal(groups);
    });
  }
});

const CALL = {
  id: 'call',
  type: 'tool_call',
  status: 'success',
  tool_call: { id: '1', name: 'task' },
  extra: { agent: 'Scout\u202E' },
} as const;
const DONE = {
  role: 'assistant',
  blocks: [
    CALL,
    { id: 'look', type: 'tool_call', parentId: 'call', tool_call: { id: '2', name: 'look_up' } },
    { id: 'said', type: 'content', parentId: 'call', content: 'There are **three**.' },
    { type: 'content', content: 'Three of them.' },
  ],
} as const satisfies MessageInput;

async function showing(message: MessageInput, settings: object = {}): Promise<Mounted['chat']> {
  const { chat } = await mount(settings);
  chat.messages = [message];
  await inside(chat, '[part~="block-content"]');
  return chat;
}

describe('a sub-agent', () => {
  it('is shown in the call that started it, collapsed when it is done', async () => {
    const chat = await showing(DONE);
    const nested = await inside<HTMLDetailsElement>(chat, '.step details.nested');
    expect(nested.open).to.equal(false);
    expect(nested.querySelector('summary')?.textContent.replace(/\s+/g, ' ').trim()).to.equal('Scout1 tool');
    expect(nested.querySelector('.nested-body strong')?.textContent).to.equal('three');
    expect(nested.querySelectorAll('.step')).to.have.length(1);
    expect(chat.renderRoot.querySelectorAll('.message > [part~="block-content"]')).to.have.length(1);
  });

  for (const name of ['Ines', 'Writer'])
    it(`rule 43: is marked as an agent if it has the name of the user or of another agent: ${name}`, async () => {
      const chat = await showing(
        { role: 'assistant', agentId: 'data', blocks: [{ ...CALL, extra: { agent: name } }, ...DONE.blocks.slice(1)] },
        {
          participants: { user: { name: 'Ines' } },
          agents: [
            { id: 'data', name: 'Data Analyst', endpoint: '/data', protocol: 'deepchat-events' },
            { id: 'write', name: 'Writer', endpoint: '/write', protocol: 'deepchat-events' },
          ],
        },
      );
      const nested = await inside(chat, '.step details.nested');
      expect(nested.querySelector('summary b')?.textContent).to.equal(`${name} (agent)`);
    });

  it('is expanded while it is working, and stays collapsed when the user has collapsed it', async () => {
    const { chat, agent } = await mount({ protocol: 'deepchat-events' });
    const tell = (data: object): void => {
      agent.say({ type: 'response', data: { eventId: 'e', ...data } });
    };
    void chat.send('Hello');
    await agent.heard(1);
    tell({ tool_call: 'start', tool_call_id: '1', tool_call_name: 'task', tool_call_remote: true });
    tell({ parent: { tool_call_id: '1', name: 'Scout' }, content: 'Looking' });
    tell({ content: 'Meanwhile.' });
    const nested = await inside<HTMLDetailsElement>(chat, 'details.nested');
    await waitUntil(() => wordsOf(chat).includes('Meanwhile.') && nested.open);
    tell({ parent: { tool_call_id: '1' }, content: ' around' });
    await waitUntil(() => nested.textContent.includes('Looking around'));
    nested.querySelector('summary')?.click();
    await waitUntil(() => !nested.open);
    tell({ parent: { tool_call_id: '1' }, content: ' still' });
    await waitUntil(() => nested.textContent.includes('around still'));
    expect(nested.open).to.equal(false);
    tell({ tool_call: 'end', tool_call_id: '1', tool_call_response: 'ok' });
    agent.say({ type: 'end', data: { eventId: 'e', userStop: false } });
    agent.hangUp();
    await waitUntil(() => chat.status === 'idle');
    expect(nested.isConnected).to.equal(true);
  });

  it('rule 95: of a sub-agent, and so on, is shown up to a depth, with what is deeper in it', async () => {
    const chain = Array.from({ length: 60 }, (_, index) => ({
      id: String(index),
      type: 'tool_call' as const,
      tool_call: { id: String(index), name: `tool_${String(index)}` },
      ...(index > 0 && { parentId: String(index - 1) }),
    }));
    const chat = await showing({ role: 'assistant', blocks: [...chain, { type: 'content', content: 'Done.' }] });
    await waitUntil(() => wordsOf(chat).includes('Tool 59'));
    expect(chat.renderRoot.querySelectorAll('agent-chat-nested')).to.have.length(16);
    expect(chat.renderRoot.querySelectorAll('.step')).to.have.length(60);
  });

  it('that has failed is never hidden', async () => {
    const failed: MessageInput = {
      ...DONE,
      blocks: [
        CALL,
        {
          id: 'look',
          type: 'tool_call',
          parentId: 'call',
          status: 'error',
          tool_call: { id: '2' },
          error: { message: 'No such table' },
        },
        { type: 'content', content: 'Hm.' },
      ],
    };
    const chat = await showing(failed, { showTools: 'hidden' });
    await inside(chat, 'details.nested');
    expect(wordsOf(chat)).to.contain('No such table');
  });

  it('its text is left out of the copied answer', async () => {
    const chat = await showing(DONE);
    const copy = await inside<HTMLElement & { value?: string }>(chat, '.toolbar agent-chat-copy');
    expect(copy.value).to.equal('Three of them.');
  });

  it('a step that belongs to a plan is shown below it', async () => {
    const chat = await showing({
      role: 'assistant',
      blocks: [
        { id: 'plan', type: 'plan', plan: [{ title: 'All', state: 'active' }] },
        { type: 'plan', parentId: 'plan', plan: [{ title: 'A part', state: 'done' }] },
        { type: 'content', content: 'So.' },
      ],
    });
    await waitUntil(() => has(chat, '.nested .plan'));
    expect(find(chat, '.nested .plan').textContent.trim()).to.equal('A part');
  });
});
