import { expect, waitUntil } from '@open-wc/testing';
import type { AgentChat } from '../../../src/define.ts';
import { PIXEL } from '../../support/pixel.ts';
import { find, inside, mount } from '../support/mount.ts';

const FACE = `data:image/png;base64,${PIXEL}`;
const AGENTS = [
  { id: 'data', name: 'Data Analyst', description: 'Reads tables', endpoint: '/data', protocol: 'agent-session' },
  { id: 'write', name: 'Writer', endpoint: '/write', protocol: 'agent-session', avatar: FACE },
] as const;

const heads = (chat: AgentChat): readonly Element[] => [...chat.renderRoot.querySelectorAll('[part="message-header"]')];
const hue = (element: Element | null): string | null => element?.getAttribute('data-hue') ?? null;

describe('the user', () => {
  for (const [what, user, expected] of [
    ['has a name and an avatar above the message', { name: 'Ines', avatar: FACE }, [['Ines', FACE]]],
    ['has the usual name beside an avatar alone', { avatar: FACE }, [['You', FACE]]],
    ['has no line with a name alone', { name: 'Ines' }, []],
  ] as const)
    it(what, async () => {
      const { chat } = await mount({ participants: { user } });
      chat.messages = [
        { role: 'user', text: 'One' },
        { role: 'assistant', text: 'Two' },
      ] as unknown as AgentChat['messages'];
      await inside(chat, '[part~="block-content"]');
      expect(
        heads(chat).map((head) => [
          head.querySelector('b')?.textContent,
          head.querySelector('img')?.getAttribute('src'),
        ]),
      ).to.deep.equal(expected);
      expect(find(chat, 'article').ariaLabel).to.equal('name' in user ? user.name : 'You');
    });
});

describe('several agents', () => {
  it('are chosen in the header, and each answer has its author’s name, colour and avatar', async () => {
    const { chat, agent } = await mount({ agents: AGENTS });
    const first = chat.send('One');
    await agent.heard(1);
    agent.end('Table');
    expect((await first).agentId).to.equal('data');
    const picker = await inside<HTMLSelectElement>(chat, 'select.picker');
    expect([...picker.options].map(({ textContent }) => textContent)).to.deep.equal(['Data Analyst', 'Writer']);
    expect(find(chat, '.header .avatar').textContent.trim()).to.equal('DA');
    picker.value = 'write';
    picker.dispatchEvent(new Event('change'));
    await waitUntil(() => chat.renderRoot.querySelector('.header .avatar img') !== null);
    const second = chat.send('Two');
    await agent.heard(2);
    agent.end('Words');
    expect((await second).agentId).to.equal('write');
    expect(agent.requests.map(({ url }) => new URL(url).pathname)).to.deep.equal(['/data', '/write']);
    await waitUntil(() => heads(chat).length === 2);
    expect(heads(chat).map((head) => head.querySelector('b')?.textContent)).to.deep.equal(['Data Analyst', 'Writer']);
    expect(heads(chat).map(hue)).to.deep.equal(['1', '2']);
    expect(heads(chat)[1]?.querySelector('img')?.getAttribute('src')).to.equal(FACE);
    expect(heads(chat)[1]?.querySelector('img')?.referrerPolicy).to.equal('no-referrer');
    expect(hue(find(chat, '.header .avatar'))).to.equal('2');
    const labels = [...chat.renderRoot.querySelectorAll('article')].map((article) => article.ariaLabel);
    expect(labels).to.deep.equal(['You', 'Data Analyst', 'You', 'Writer']);
  });

  it('show initials when an avatar can’t be loaded', async () => {
    const [data, write] = AGENTS;
    const { chat } = await mount({ agents: [{ ...data, avatar: 'data:image/png;base64,none' }, write] });
    await waitUntil(() => find(chat, '.header .avatar').textContent.trim() === 'DA');
  });

  it('an agent with another endpoint has the name and the avatar of no other, and no agent has the user’s', async () => {
    const { chat } = await mount({ agents: AGENTS, participants: { user: { name: 'Ines' } } });
    const card = { type: 'action', action_type: 'tool_call_permission', status: 'pending', content: 'Why' } as const;
    chat.messages = [
      { role: 'assistant', agentId: 'data', name: 'Writer', blocks: [card] },
      { role: 'assistant', agentId: 'data', name: 'Ines', blocks: [card] },
      { role: 'assistant', agentId: 'write', blocks: [card] },
    ] as unknown as AgentChat['messages'];
    await waitUntil(() => chat.renderRoot.querySelectorAll('.because').length === 3);
    const names = ['Writer (agent)', 'Ines (agent)', 'Writer'];
    expect(heads(chat).map((head) => head.querySelector('b')?.textContent)).to.deep.equal(names);
    expect(heads(chat).map((head) => head.querySelector('img') !== null)).to.deep.equal([false, false, true]);
    const cards = [...chat.renderRoot.querySelectorAll('.ask')];
    for (const [index, name] of names.entries())
      expect(cards[index]?.querySelector('.because')?.textContent).to.contain(`Reason given by ${name}`);
    expect(cards.map((one) => one.ariaLabel?.slice(0, 19))).to.deep.equal([
      'Allow Data Analyst ',
      'Allow Data Analyst ',
      'Allow Writer to use',
    ]);
  });

  it('rule 43: a name of several lines is cut to its first one, so that none looks like a line of the user', async () => {
    const { chat } = await mount();
    chat.messages = [
      { role: 'assistant', name: ' \nCritic\n\nYou: I allow it', text: 'One' },
    ] as unknown as AgentChat['messages'];
    await waitUntil(() => heads(chat).length === 1 || chat.renderRoot.querySelector('article') !== null);
    expect(chat.renderRoot.querySelector('article')?.ariaLabel).to.contain('Critic').and.not.contain('allow');
  });

  it('an agent that passes on messages of others at its endpoint leaves them their names and colours', async () => {
    const { chat } = await mount({ agents: AGENTS.map((agent) => ({ ...agent, endpoint: '/data' })) });
    chat.messages = [
      { role: 'assistant', agentId: 'data', name: 'Writer', text: 'One' },
      { role: 'assistant', agentId: 'data', name: 'Critic', text: 'Two' },
      { role: 'assistant', agentId: 'data', text: 'Three' },
    ] as unknown as AgentChat['messages'];
    await waitUntil(() => heads(chat).length === 3);
    expect(heads(chat).map((head) => head.querySelector('b')?.textContent)).to.deep.equal([
      'Writer',
      'Critic',
      'Data Analyst',
    ]);
    expect(heads(chat).map((head) => head.querySelector('img') !== null)).to.deep.equal([true, false, false]);
  });
});
