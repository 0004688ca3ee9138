import { expect } from '@open-wc/testing';
import type { AgentMessage } from '../../src/model/agent-message.ts';
import type { BaseAgent } from '../../src/model/agent.ts';
import { agentOf, say } from '../agents/support/agent.ts';
import { chunksOf } from '../support/cuts.ts';
import { isAsking, makeChat, pending, until } from './support/make-chat.ts';

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

/** Source: DeepChat strong-typed events, section 8: `required_permissions`. */
describe('what an agent of the page needs', () => {
  it('is asked before its first use: nothing reaches it before', async () => {
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

  it('denied, it hears nothing, and the reply is over', async () => {
    const { chat, heard } = make();
    const sent = chat.send('Go');
    await until(chat, isAsking);
    void chat.respond(pending(chat).id, 'denied');
    expect(await sent).to.include({ status: 'complete' });
    expect(heard).to.deep.equal([]);
  });

  it('allowed for good, it is not asked again, until it is taken back', async () => {
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

  it('is nothing where it needs nothing', async () => {
    const { chat, heard } = make([]);
    await chat.send('Go');
    expect(heard).to.have.length(1);
    expect(chat.messages.at(-1)?.blocks.map(({ type }) => type)).to.deep.equal(['content']);
  });
});
