import { expect } from '@open-wc/testing';
import type { ChatMessage } from '../../../src/model/message.ts';
import { agentOf, mockEndpoint, type Script, type ScriptedProtocol } from '../../../src/testing.ts';
import { makeChat, type Made } from '../support/make-chat.ts';

const clock = { name: 'clock', description: 'The time', parameters: { type: 'object' }, execute: () => '12:00' };

/** A chat with the scripted agent. */
function chatWith(script: Script, protocol?: ScriptedProtocol, tools = [clock]) {
  const agent = agentOf(script, { ...(protocol && { protocol }) });
  const { chat, told }: Made = makeChat([], {
    endpoint: 'https://a.example/agent',
    protocol: agent.protocol,
    fetch: agent.fetch,
    tools,
  });
  return { agent, chat, told };
}

const inShort = ({ blocks }: ChatMessage): readonly string[] =>
  blocks.map((block) => {
    if (block.type === 'tool_call')
      return `${block.status}: ${block.tool_call.name ?? ''} → ${block.tool_call.response ?? ''}`;
    return 'content' in block ? `${block.type}: ${block.content}` : block.type;
  });

describe('agentOf', () => {
  const all: readonly ScriptedProtocol[] = ['deepchat-events', 'openai-chat', 'ai-sdk', 'text'];
  for (const protocol of all) {
    it(`answers in ${protocol}, one reply after the other, and repeats the last one`, async () => {
      const { agent, chat } = chatWith(['Hello **you**,\n\nall.', 'And again.'], protocol);
      for (const expected of ['Hello **you**,\n\nall.', 'And again.', 'And again.']) {
        await chat.send('Hi');
        const reply = chat.messages.at(-1);
        expect(reply && [reply.status, ...inShort(reply)]).to.deep.equal(['complete', `content: ${expected}`]);
      }
      expect(agent.requests.length).to.equal(3);
      expect(JSON.stringify(agent.requests[0]?.body)).to.contain('Hi');
    });

    it(`is detected in ${protocol}`, async () => {
      const { fetch } = mockEndpoint(['Hello to all of you.'], { protocol });
      const { chat } = makeChat([], { endpoint: 'https://a.example/agent', protocol: 'auto', fetch });
      await chat.send('Hi');
      expect(chat.messages.at(-1)?.status).to.equal('complete');
    });
  }

  for (const protocol of ['deepchat-events', 'openai-chat', 'ai-sdk'] as const) {
    it(`sends reasoning in ${protocol}`, async () => {
      const { chat } = chatWith([[{ reasoning: 'Let me see.' }, 'Yes.']], protocol);
      await chat.send('Hi');
      expect(chat.messages.slice(1).flatMap(inShort)).to.deep.equal([
        'reasoning_content: Let me see.',
        'content: Yes.',
      ]);
    });

    it(`leaves a tool without a result to the page in ${protocol}`, async () => {
      const { agent, chat } = chatWith([[{ tool: { name: 'clock' } }], 'It is noon.'], protocol);
      await chat.send('Hi');
      expect(chat.messages.slice(1).flatMap(inShort)).to.deep.equal(['success: clock → 12:00', 'content: It is noon.']);
      expect(agent.requests.length).to.equal(2);
    });

    it(`reports an error in ${protocol}`, async () => {
      const { chat } = chatWith([['Half', { error: 'Overloaded' }]], protocol);
      await chat.send('Hi');
      const reply = chat.messages.at(-1);
      expect(reply?.status).to.equal('error');
      expect(reply && inShort(reply)).to.deep.equal(['content: Half', 'error: Overloaded']);
    });
  }

  for (const protocol of ['deepchat-events', 'ai-sdk'] as const) {
    it(`runs its own tool in ${protocol}`, async () => {
      const { chat } = chatWith(
        [[{ tool: { name: 'search', arguments: { q: 'x' }, result: 'found' } }, 'Here.']],
        protocol,
        [],
      );
      await chat.send('Hi');
      expect(chat.messages.slice(1).flatMap(inShort)).to.deep.equal(['success: search → found', 'content: Here.']);
    });
  }

  it('sends any event of an agent', async () => {
    const { chat } = chatWith([[{ event: { data: { data_type: 'custom', data: [1] } } }]]);
    await chat.send('Hi');
    expect(chat.messages.at(-1)?.blocks.map(({ type }) => type)).to.deep.equal(['data']);
  });

  it('answers depending on the request, and refuses', async () => {
    const { chat, told } = chatWith([({ method }) => `You sent ${method}.`, { status: 401, body: { error: 'No' } }]);
    await chat.send('Hi');
    expect(chat.messages.slice(1).flatMap(inShort)).to.deep.equal(['content: You sent POST.']);
    await chat.send('Again');
    expect(told.errors.map(({ kind }) => kind)).to.deep.equal(['auth']);
  });

  it('reports what a protocol can’t express', async () => {
    const { fetch } = mockEndpoint([[{ reasoning: 'Hm' }]], { protocol: 'text' });
    let problem: unknown;
    await fetch('https://a.example/').catch((cause: unknown) => (problem = cause));
    expect(String(problem)).to.contain('A reply in "text" can\'t have anything but text.');
    expect(() => mockEndpoint([])).to.throw('The script has no reply.');
  });
});
