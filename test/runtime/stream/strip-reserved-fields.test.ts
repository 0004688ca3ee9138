import { expect } from '@open-wc/testing';
import type { LLMAgentEvent } from '../../../src/model/events/agent-events.ts';
import { stripReservedFields } from '../../../src/runtime/stream/strip-reserved-fields.ts';
import { sse } from '../../support/play-body.ts';
import { isAsking, makeChat, pending, until } from '../support/make-chat.ts';
import { stream } from '../support/scripted-server.ts';

const event = (extra: Record<string, string | boolean>): LLMAgentEvent => ({
  type: 'response',
  data: {
    eventId: 'e',
    tool_call: 'permission-required',
    tool_call_id: 't',
    tool_call_params: '{}',
    permission_request: { toolName: 'wipe', serverName: '', permissionType: 'all', description: '' },
    request: { id: 'r', extra },
  },
});

describe('fields that a stream may not set', () => {
  it('the permission request’s origin and its text', async () => {
    const said = event({ question: 'Show the weather?', byPage: true, always: true, index: 'kept' });
    const { chat } = makeChat([stream(sse(said, { type: 'end', data: { eventId: 'e', userStop: false } }))], {
      protocol: 'deepchat-events',
    });
    void chat.send('Hi');
    await until(chat, isAsking);
    expect(pending(chat).extra).to.include({ requestId: 'r', index: 'kept' });
    expect(pending(chat).extra).not.to.have.any.keys('question', 'byPage', 'always');
    chat.stop();
  });

  it('the user’s changes to a message, and its author', () => {
    const rating = { value: 'up' };
    const metadata = {
      hidden: true,
      answered: true,
      spokenBy: 'page',
      stoppedBy: 'user',
      feedback: rating,
      requestId: 'r',
    };
    const told = stripReservedFields({ type: 'response', data: { eventId: 'e', metadata } });
    expect(told).to.deep.equal({ type: 'response', data: { eventId: 'e', metadata: { requestId: 'r' } } });
  });

  it('rule 90: the agent of the page that a message belongs to, to which answers and ratings go', async () => {
    const said: LLMAgentEvent = {
      type: 'response',
      data: { eventId: 'e', message: { id: 'm', name: 'Bob', agentId: 'other' }, content: 'Hi' },
    };
    const { chat } = makeChat([stream(sse(said, { type: 'end', data: { eventId: 'e', userStop: false } }))], {
      protocol: 'deepchat-events',
    });
    const reply = await chat.send('Hi');
    expect([reply.name, reply.agentId]).to.deep.equal(['Bob', undefined]);
  });

  const EXTRA = 'byPage forAgent question decided decidedBy note answer edited always approval unsent'.split(' ');
  for (const name of EXTRA)
    it(`rule 28: “${name}” of a question`, () => {
      const told = stripReservedFields(event({ [name]: true, index: 'kept' }));
      expect(told).to.have.deep.nested.property('data.request', { id: 'r', extra: { index: 'kept' } });
    });

  const METADATA = 'hidden answered content agentMayContinue stoppedBy spokenBy unreadable blocksBefore'.split(' ');
  for (const name of METADATA)
    it(`rule 28: “${name}” of a message`, () => {
      const metadata = { [name]: true, requestId: 'r' };
      expect(stripReservedFields({ type: 'response', data: { eventId: 'e', metadata } })).to.deep.equal({
        type: 'response',
        data: { eventId: 'e', metadata: { requestId: 'r' } },
      });
    });

  it('any other event is the same object', () => {
    const said = event({ index: 'kept' });
    expect(stripReservedFields(said)).to.equal(said);
  });
});
