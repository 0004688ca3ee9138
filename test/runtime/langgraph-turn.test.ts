import { expect } from '@open-wc/testing';
import { events, metadata, piece } from '../protocols/langgraph/streams.ts';
import { isAsking, makeChat, pending, until } from './support/make-chat.ts';
import { stream } from './support/scripted-server.ts';

const atBreakpoint = stream(events(metadata, ['updates', { __interrupt__: [] }]));
const goesOn = stream(events(metadata, piece('a', 'Done.')));

describe('an interrupt of a LangGraph graph', () => {
  const start = () => {
    const { chat, server } = makeChat([atBreakpoint, goesOn], {
      protocol: 'langgraph',
      endpoint: 'https://agent.example/threads/t/runs/stream',
    });
    return { chat, server, sent: chat.send('Hi') };
  };

  it('a "yes" resumes the run without a new message', async () => {
    const { chat, server, sent } = start();
    await until(chat, isAsking);
    void chat.respond(pending(chat).id, 'granted');
    const { blocks } = await sent;
    expect(blocks.at(-1)).to.include({ type: 'content', content: 'Done.' });
    expect(server.bodies[1]).to.include({ input: null });
  });

  it('a "no" ends the turn, and nothing is sent', async () => {
    const { chat, server, sent } = start();
    await until(chat, isAsking);
    void chat.respond(pending(chat).id, 'denied');
    expect((await sent).status).to.equal('complete');
    expect(server.bodies).to.have.length(1);
  });
});
