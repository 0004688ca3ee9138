import { expect } from '@open-wc/testing';
import type { Adapter, Turn } from '../../src/protocols/core/adapter.ts';
import { isAsking, makeChat, pending, until } from './support/make-chat.ts';
import { stream } from './support/scripted-server.ts';
import { END, says, wireAgent } from './support/wire-agent.ts';

/** An agent that records its requests. */
function watched(): { readonly adapter: Adapter; readonly turns: Turn[] } {
  const turns: Turn[] = [];
  const adapter: Adapter = {
    ...wireAgent,
    request(turn, options) {
      turns.push(turn);
      return wireAgent.request(turn, options);
    },
  };
  return { adapter, turns };
}

describe('the turn that an adapter gets', () => {
  it('has the fork of the conversation, and the replaced reply', async () => {
    const { adapter, turns } = watched();
    const { chat } = makeChat([stream(says({ content: 'One' }, END))], { protocol: adapter });
    const first = await chat.send('Hi');
    await chat.regenerate();
    const second = await chat.send('More');
    await chat.edit(chat.messages[2]?.id ?? '', 'Less');
    expect(turns.map(({ fork }) => fork)).to.deep.equal([
      undefined,
      { by: 'regenerate', reply: first },
      undefined,
      { by: 'edit', reply: second },
    ]);
    expect(turns[1]?.messages.map(({ role, blocks }) => [role, blocks.length])).to.deep.equal([
      ['user', 1],
      ['assistant', 0],
    ]);
  });

  it('has the answers, with the results of the page’s tools that were called in parallel', async () => {
    const { adapter, turns } = watched();
    const both = says(
      { tool_call: 'start', tool_call_id: 'a', tool_call_name: 'map', tool_call_params: '{}' },
      { tool_call: 'start', tool_call_id: 'b', tool_call_name: 'rm', tool_call_params: '{}' },
      {
        tool_call: 'permission-required',
        tool_call_id: 'b',
        permission_request: { toolName: 'rm', serverName: '', permissionType: 'write', description: '' },
      },
      { finish: 'tool_use' },
    );
    const map = { name: 'map', description: 'Moves.', parameters: {}, execute: () => 'moved' };
    const { chat } = makeChat([stream(both), stream(says({ content: 'Done' }, END))], {
      protocol: adapter,
      tools: [map, { ...map, name: 'rm', execute: () => 'never' }],
    });
    const sent = chat.send('Go');
    await until(chat, isAsking);
    void chat.respond(pending(chat).id, 'granted');
    await sent;
    const calls = turns[1]?.messages
      .at(-1)
      ?.blocks.flatMap((block) =>
        block.type === 'tool_call' ? [[block.tool_call.name, block.status, block.tool_call.response]] : [],
      );
    expect(turns[1]?.answers.map(({ decision }) => decision)).to.deep.equal(['granted']);
    expect(calls).to.deep.equal([
      ['map', 'success', 'moved'],
      ['rm', 'loading', undefined],
    ]);
  });
});
