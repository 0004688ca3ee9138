import { expect } from '@open-wc/testing';
import type { AgentMessage } from '../../../src/model/agent-message.ts';
import type { BaseAgent } from '../../../src/model/agent.ts';
import { agentOf, say } from '../../agents/support/agent.ts';
import { chunksOf } from '../../support/cuts.ts';
import { isAsking, makeChat, pending, until } from '../support/make-chat.ts';

const make = (permissions: readonly string[] = ['files.read', 'network']) => {
  const heard: AgentMessage[] = [];
  const agent: BaseAgent = agentOf('coder', {
    capabilities: [
      { type: 'reasoning', description: '' },
      { type: 'code_generation', description: 'Writes code', required_permissions: permissions },
    ],
    answer: (message) => {
      heard.push(message);
      return chunksOf([say('Done.')]);
    },
  });
  return { ...makeChat([], { agents: [agent] }), heard };
};

/** Source: `docs/protocols/deepchat-events.md`: `required_permissions`. */
describe('the permissions of an agent of the page', () => {
  it('are requested before its first use: nothing reaches it before', async () => {
    const { chat, heard } = make();
    const sent = chat.send('Go');
    await until(chat, isAsking);
    expect(heard).to.deep.equal([]);
    const { tool_call: asked, extra } = pending(chat);
    expect([asked?.name, asked?.params]).to.deep.equal(['The coder', '{"code_generation":"files.read, network"}']);
    expect(extra).to.include({ byPage: true, forAgent: true });
    void chat.respond(pending(chat).id, 'granted');
    await sent;
    const shown = chat.messages.slice(1).flatMap(({ blocks }) => blocks);
    expect(shown.map(({ type, status }) => [type, status])).to.deep.equal([
      ['action', 'granted'],
      ['content', 'success'],
    ]);
    expect(heard.map(({ content }) => content.text)).to.deep.equal(['Go']);
  });

  it('denied, it gets nothing, and the reply is over', async () => {
    const { chat, heard } = make();
    const sent = chat.send('Go');
    await until(chat, isAsking);
    void chat.respond(pending(chat).id, 'denied');
    expect(await sent).to.include({ status: 'complete' });
    expect(heard).to.deep.equal([]);
  });

  it('allowed with "Always", they are not requested again, until they are revoked', async () => {
    const { chat, heard } = make();
    const sent = chat.send('Go');
    await until(chat, isAsking);
    void chat.respond(pending(chat).id, 'granted', { remember: 'always' });
    await sent;
    await chat.send('Again');
    expect(heard).to.have.length(2);
    chat.approvals.clear();
    void chat.send('Once more');
    await until(chat, isAsking);
    expect(heard).to.have.length(2);
    chat.stop();
  });

  it('are not requested if it needs none', async () => {
    const { chat, heard } = make([]);
    await chat.send('Go');
    expect(heard).to.have.length(1);
    expect(chat.messages.at(-1)?.blocks.map(({ type }) => type)).to.deep.equal(['content']);
  });

  it('are requested before it gets the answer of a restored conversation, whatever was granted there', async () => {
    const { chat, heard } = make();
    const asked = {
      type: 'action',
      action_type: 'tool_call_permission',
      tool_call: { id: 'permissions e1 coder', name: 'The coder', params: '{"code_generation":"files.read, network"}' },
      extra: { byPage: true, forAgent: true },
    } as const;
    chat.messages = [
      { role: 'user', text: 'Go' },
      {
        role: 'assistant',
        status: 'streaming',
        blocks: [
          { ...asked, status: 'granted' },
          { type: 'action', action_type: 'question', status: 'pending', content: 'Do you like cats?' },
        ],
      },
    ];
    await chat.respond(pending(chat).id, 'answered', { payload: 'Yes' });
    await until(chat, () => isAsking(chat) || heard.length > 0);
    expect(heard).to.deep.equal([]);
    expect(pending(chat).extra).to.include({ forAgent: true });
    await chat.respond(pending(chat).id, 'granted');
    await until(chat, () => chat.status === 'idle');
    expect(heard.map(({ content }) => content.text)).to.deep.equal(['Yes']);
  });

  it('are requested at the end of a restored reply, where the user is', async () => {
    const { chat, heard } = make();
    const sent = chat.send('Go');
    await until(chat, isAsking);
    void chat.respond(pending(chat).id, 'granted');
    await sent;
    const restored = make();
    const question = { type: 'action', action_type: 'confirmation', status: 'pending', content: 'Run it?' } as const;
    restored.chat.messages = [...chat.messages, { role: 'assistant', status: 'streaming', blocks: [question] }];
    await restored.chat.respond(pending(restored.chat).id, 'granted');
    await until(restored.chat, isAsking);
    expect(restored.chat.messages.map(({ blocks }) => blocks.map(({ status }) => status))).to.deep.equal([
      ['success'],
      ['granted'],
      ['success'],
      ['granted', 'pending'],
    ]);
    await restored.chat.respond(pending(restored.chat).id, 'granted');
    await until(restored.chat, ({ status }) => status === 'idle');
    expect([heard.length, restored.heard.map(({ content }) => content.text)]).to.deep.equal([1, ['granted']]);
  });

  it('are not granted by a restored request that shows less, and permanently only for what it shows', async () => {
    const { chat, heard } = make();
    chat.messages = [
      { role: 'user', text: 'Go' },
      {
        role: 'assistant',
        status: 'streaming',
        blocks: [
          {
            type: 'action',
            action_type: 'tool_call_permission',
            status: 'pending',
            tool_call: {
              id: 'permissions e1 coder',
              name: 'The coder',
              params: '{"reasoning":"nothing"}',
              server_name: 'files.read, network',
            },
            extra: { byPage: true, forAgent: true },
          },
        ],
      },
    ];
    await chat.respond(pending(chat).id, 'granted', { remember: 'always' });
    expect(chat.approvals.list.map(({ server }) => server)).to.deep.equal(['nothing']);
    await until(chat, () => isAsking(chat) || chat.status === 'idle');
    chat.stop();
    void chat.send('Again');
    await until(chat, () => isAsking(chat) || heard.length > 0);
    expect(heard).to.deep.equal([]);
    chat.stop();
  });

  it('are not those of another agent with the same name, whose id ends alike', async () => {
    const { chat, heard } = make();
    chat.messages = [
      { role: 'user', text: 'Go' },
      {
        role: 'assistant',
        status: 'streaming',
        blocks: [
          {
            type: 'action',
            action_type: 'tool_call_permission',
            status: 'pending',
            tool_call: {
              id: 'permissions e1 other coder',
              name: 'The coder',
              params: '{"code_generation":"files.read, network"}',
            },
            extra: { byPage: true, forAgent: true },
          },
        ],
      },
    ];
    await chat.respond(pending(chat).id, 'granted');
    await until(chat, () => isAsking(chat) || heard.length > 0);
    expect(heard).to.deep.equal([]);
    chat.stop();
  });

  it('show all capabilities of one type', async () => {
    const capability = { type: 'tool_call', description: '' } as const;
    const agent = agentOf('coder', {
      capabilities: [
        { ...capability, required_permissions: ['files.write'] },
        { ...capability, required_permissions: ['clock'] },
      ],
      answer: () => chunksOf([say('Done.')]),
    });
    const { chat } = makeChat([], { agents: [agent] });
    void chat.send('Go');
    await until(chat, isAsking);
    expect(pending(chat).tool_call?.params).to.equal('{"tool_call":"files.write, clock"}');
    chat.stop();
  });
});
