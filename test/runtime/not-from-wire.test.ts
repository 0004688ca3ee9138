import { expect } from '@open-wc/testing';
import type { LLMAgentEvent } from '../../src/model/agent-events.ts';
import { notFromWire } from '../../src/runtime/not-from-wire.ts';
import { sse } from '../support/play-body.ts';
import { isAsking, makeChat, pending, until } from './support/make-chat.ts';
import { stream } from './support/scripted-server.ts';

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

describe('what a stream may not say in the widget’s or the page’s name', () => {
  it('the question of a permission, and whose words stand in it', async () => {
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

  it('any other event is the same object', () => {
    const said = event({ index: 'kept' });
    expect(notFromWire(said)).to.equal(said);
  });
});
