/** Whatever happens while a tool of the page runs: its call ends, its late result starts no round, and the chat works. */
import { aTimeout, expect, waitUntil } from '@open-wc/testing';
import type { ClientTool } from '../../src/agents/tools.ts';
import type { Chat } from '../../src/runtime/chat/chat.ts';
import { conversation, user } from '../support/messages.ts';
import { lines, makeChat } from './support/make-chat.ts';
import { callsOf, completionOf, stream } from './support/scripted-server.ts';

/** A tool whose calls end when the test says so. */
function slowTool() {
  const calls: { readonly signal: AbortSignal; end(value: unknown): void }[] = [];
  const tool: ClientTool = {
    name: 'step',
    description: '',
    parameters: {},
    execute: (_args, { signal }) =>
      new Promise((end) => {
        calls.push({ signal, end });
      }),
  };
  return { tool, calls };
}

type Act = readonly [act: (chat: Chat) => unknown, lines: readonly string[], requests: number];
const DONE = 'assistant complete: Done.';

const ACTS: Readonly<Record<string, Act>> = {
  'it is stopped': [
    (chat) => {
      chat.stop();
    },
    ['user complete: Hi', 'assistant cancelled: tool_call'],
    1,
  ],
  'it is stopped, and a message is sent': [
    (chat) => {
      chat.stop();
      return chat.send('More');
    },
    ['user complete: Hi', 'assistant cancelled: tool_call', 'user complete: More', DONE],
    2,
  ],
  'its reply is requested again': [(chat) => chat.regenerate(), ['user complete: Hi', DONE], 2],
  'its question is edited': [
    (chat) => chat.edit(chat.messages[0]?.id ?? '', 'Other'),
    ['user complete: Other', DONE],
    2,
  ],
  'it is cleared': [
    (chat) => {
      chat.clear();
    },
    [],
    1,
  ],
  'messages are assigned': [(chat) => (chat.messages = conversation(user('Assigned'))), ['user complete: Assigned'], 1],
  'its reply is removed': [
    (chat) => {
      chat.removeMessage(chat.messages[1]?.id ?? '');
    },
    ['user complete: Hi'],
    1,
  ],
};

describe('while a tool runs', () => {
  for (const [name, [act, expected, requests]] of Object.entries(ACTS)) {
    it(`${name}: the tool is aborted, and its late result goes nowhere`, async () => {
      const { tool, calls } = slowTool();
      const script = [
        stream(callsOf(['c', 'step', '{}'])),
        stream(completionOf('Done.')),
        stream(completionOf('End.')),
      ];
      const { chat, server } = makeChat(script, { protocol: 'openai-chat', tools: [tool] });
      const sent = chat.send('Hi');
      await waitUntil(() => calls.length === 1);
      await act(chat);
      await sent;
      expect(calls[0]?.signal.aborted).to.equal(true);
      calls[0]?.end('late');
      await aTimeout(0);
      expect(lines(chat)).to.deep.equal(expected);
      expect(server.bodies.length).to.equal(requests);
      expect(JSON.stringify([server.bodies, chat.messages])).not.to.contain('late');
      const next = await chat.send('Next');
      expect(next.status).to.equal('complete');
      expect(calls.length).to.equal(1);
    });
  }

  it('a message waits in the queue, and is sent after the answer', async () => {
    const { tool, calls } = slowTool();
    const script = [stream(callsOf(['c', 'step', '{}'])), stream(completionOf('Done.')), stream(completionOf('End.'))];
    const { chat, server } = makeChat(script, { protocol: 'openai-chat', tools: [tool] });
    const sent = chat.send('Hi');
    await waitUntil(() => calls.length === 1);
    const queued = chat.send('More');
    await aTimeout(0);
    expect([server.bodies.length, calls[0]?.signal.aborted]).to.deep.equal([1, false]);
    calls[0]?.end('on time');
    await Promise.all([sent, queued]);
    expect(lines(chat)).to.deep.equal([
      'user complete: Hi',
      'assistant complete: tool_call | Done.',
      'user complete: More',
      'assistant complete: End.',
    ]);
    expect(JSON.stringify(server.bodies[1])).to.contain('on time');
  });
});
