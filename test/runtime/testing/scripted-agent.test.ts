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
  it('answers one reply after the other, and repeats the last one', async () => {
    const { agent, chat } = chatWith(['Hello **you**,\n\nall.', 'And again.']);
    for (const expected of ['Hello **you**,\n\nall.', 'And again.', 'And again.']) {
      await chat.send('Hi');
      const reply = chat.messages.at(-1);
      expect(reply && [reply.status, ...inShort(reply)]).to.deep.equal(['complete', `content: ${expected}`]);
    }
    expect(agent.requests.length).to.equal(3);
  });

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

  it('records the body of each request: JSON, text, fields of a form, or none', async () => {
    const agent = mockEndpoint(['Hi']);
    const form = new FormData();
    form.set('name', 'Ann');
    const url = 'https://a.example/';
    await agent.fetch(url, { method: 'POST', body: '{"a":1}' });
    await agent.fetch(url, { method: 'POST', body: new Blob(['plain']) });
    await agent.fetch(url, { method: 'POST', body: form });
    await agent.fetch(url, { method: 'POST', body: '' });
    await agent.fetch(url);
    await agent.fetch(new Request(url, { method: 'POST', body: '[2]' }));
    await agent.fetch(new Request(url));
    expect(agent.requests.map(({ body }) => body)).to.deep.equal([
      { a: 1 },
      'plain',
      { name: 'Ann' },
      undefined,
      undefined,
      [2],
      undefined,
    ]);
  });

  it('ends a reply of ChatKit at its error', async () => {
    const { fetch } = mockEndpoint([['Hi', { error: 'Full.' }]], { protocol: 'chatkit' });
    const body = await (await fetch('https://a.example/')).text();
    expect(body).to.contain('"message":"Full."').and.not.to.contain('end_of_turn');
  });

  it('reports what a protocol can’t express', async () => {
    const problemOf = async (reply: Script[number]): Promise<string> => {
      const { fetch } = mockEndpoint([reply], { protocol: 'text' });
      return fetch('https://a.example/').then(() => 'none', String);
    };
    expect(await problemOf([{ reasoning: 'Hm' }])).to.contain('A reply in "text" can\'t have reasoning.');
    expect(await problemOf([{ event: { data: { data_type: 'custom', data: [1] } } }])).to.contain(
      'A reply in "text" can\'t have an agent event.',
    );
    expect(() => mockEndpoint([])).to.throw('The script has no reply.');
  });
});
