import { expect } from '@open-wc/testing';
import type { ProtocolMapping } from '../../src/protocols/mapping/map-protocol.ts';
import { sse } from '../support/play-body.ts';
import { isAsking, makeChat, pending, until } from './support/make-chat.ts';
import { stream } from './support/scripted-server.ts';

const protocol: ProtocolMapping = {
  id: 'acme',
  request: {
    path: '{kept.session}',
    body: { prompt: '{text}', decisions: '{answers}' },
    answer: { ask: '{id}', allow: '{approved}', why: '{note}' },
  },
  events: [
    { when: { session: null }, keep: { session: 'session' } },
    { each: 'asks', approval: { id: 'id', name: 'tool', arguments: 'input', description: 'why' } },
    { each: 'results', result: { id: 'id', content: 'output' } },
    { text: 'word' },
    { when: { done: true }, finish: 'complete' },
    { when: { paused: true }, finish: 'tool_use' },
  ],
};
const asking = stream(
  sse(
    { session: 's1' },
    {
      asks: [
        { id: 'q1', tool: 'erase', input: { path: '/a' }, why: 'Erase a?' },
        { id: 'q2', tool: 'erase', input: { path: '/b' }, why: 'Erase b?' },
      ],
    },
    { paused: true },
  ),
);

describe('approvals of a protocol that is described as data', () => {
  it('rule 85: show the tool and the arguments of the call that they are about', async () => {
    const rules: ProtocolMapping = {
      ...protocol,
      events: [
        { each: 'calls', tool: { id: 'id', name: 'tool', arguments: 'input' } },
        { each: 'results', result: { id: 'id', content: 'output' } },
        { each: 'asks', approval: { id: 'id', call: 'call' } },
        { when: { paused: true }, finish: 'tool_use' },
      ],
    };
    const frames = sse(
      { calls: [{ id: 'c', tool: 'read', input: { path: '/' } }] },
      { results: [{ id: 'c', output: 'Read.' }] },
      { calls: [{ id: 'c', tool: 'erase', input: '{"path":' }] },
      { calls: [{ id: 'c', input: '"/home"}' }] },
      { asks: [{ id: 'q', call: 'c' }] },
      { paused: true },
    );
    const { chat } = makeChat([stream(frames)], { protocol: rules });
    void chat.send('Clean up');
    await until(chat, isAsking);
    const { name, params } = pending(chat).tool_call ?? {};
    expect([name, params]).to.deep.equal(['erase', '{"path":"/home"}']);
  });

  it('are sent together with the next request, and the reply continues', async () => {
    const { chat, server } = makeChat(
      [asking, stream(sse({ results: [{ id: 'q1', output: 'Erased.' }] }, { word: 'Done.' }, { done: true }))],
      { protocol },
    );
    const sent = chat.send('Clean up');
    await until(chat, isAsking);
    void chat.respond(pending(chat).id, 'granted');
    await until(chat, isAsking);
    expect(server.bodies.length).to.equal(1);
    void chat.respond(pending(chat).id, 'denied');
    await sent;
    expect(server.bodies).to.deep.equal([
      { prompt: 'Clean up' },
      {
        prompt: '',
        decisions: [
          { ask: 'q1', allow: true },
          { ask: 'q2', allow: false },
        ],
      },
    ]);
    expect(server.asked.map(({ url }) => new URL(url).pathname)).to.deep.equal(['/agent', '/agent/s1']);
    const blocks = chat.messages.at(-1)?.blocks ?? [];
    expect(
      blocks.map((block) => (block.type === 'tool_call' ? block.tool_call.response : block.content)),
    ).to.include.members(['Erased.', 'Done.']);
    expect(chat.status).to.equal('idle');
  });
});
