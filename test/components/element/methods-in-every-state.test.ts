/** Each method, called in each state, without arguments. `invalid-arguments.test.ts` has the arguments. */
import { expect, waitUntil } from '@open-wc/testing';
import type { AgentChat } from '../../../src/define.ts';
import { ChatError } from '../../../src/errors.ts';
import type { ScriptedAgent } from '../support/agent.ts';
import { mount } from '../support/mount.ts';
import { errorsOf, outcomeOf, describeOutcome } from '../support/wrong-values.ts';

const METHODS = [
  ...['send', 'setDraft', 'stop', 'regenerate', 'edit', 'selectBranch', 'respond', 'resume', 'addMessage'],
  ...['updateMessage', 'removeMessage', 'clear', 'newThread', 'listThreads', 'openThread', 'renameThread'],
  ...['deleteThread', 'forget', 'exportConversation', 'importConversation', 'revokeApproval', 'show', 'hide', 'toggle'],
] as const satisfies readonly (keyof AgentChat)[];

/** Brings a widget into a state. */
const STATES: Readonly<Record<string, (chat: AgentChat, agent: ScriptedAgent) => unknown>> = {
  connecting: (chat) => void chat.send('Hello'),
  streaming: async (chat, agent) => {
    void chat.send('Hello');
    await agent.heard(1);
    agent.write('Half');
    await waitUntil(() => chat.status === 'streaming');
  },
  'awaiting-action': async (chat) => {
    chat.messages = [
      { role: 'user', text: 'Delete it' },
      {
        role: 'assistant',
        status: 'streaming',
        finish: 'tool_use',
        blocks: [
          {
            type: 'action',
            id: 'q',
            status: 'pending',
            timestamp: 1,
            content: 'Which one?',
            action_type: 'question',
            tool_call: { id: 't', name: 'ask', params: '{}' },
          },
        ],
      } as never,
    ];
    await chat.updateComplete;
  },
  'error, after a lost connection': async (chat, agent) => {
    const sent = chat.send('Hello');
    await agent.heard(1);
    agent.drop();
    await sent;
  },
  'with queued messages': async (chat, agent) => {
    void chat.send('Hello');
    await agent.heard(1);
    void chat.send('More');
    void chat.send('Most');
  },
  'removed from the page': async (chat, agent) => {
    void chat.send('Hello');
    await agent.heard(1);
    chat.remove();
  },
  'not updated yet': (chat) => {
    chat.endpoint = '/other';
    chat.persist = 'session';
  },
};

describe('a method', () => {
  for (const [state, enter] of Object.entries(STATES))
    for (const name of METHODS) {
      it(`settles with a ChatError or a result, and the next message is sent: ${name}(), ${state}`, async () => {
        const errors = await errorsOf(async () => {
          const { chat, agent } = await mount({ persist: 'none', storage: { user: `state ${String(++users)}` } });
          await enter(chat, agent);
          const call = async (): Promise<unknown> => await Reflect.apply(chat[name] as () => unknown, chat, []);
          const called = call();
          // What a call has started may wait for the agent.
          if (STARTS.has(name)) {
            called.catch(() => undefined);
            chat.stop();
          }
          const outcome = await outcomeOf(called);
          if (outcome !== undefined) expect(outcome, describeOutcome(outcome)).to.be.instanceOf(ChatError);
          chat.stop();
          chat.clear();
          const next = chat.send('Next');
          // The first message may be sent meanwhile, in another conversation.
          while (!JSON.stringify(agent.requests.at(-1)?.body ?? '').includes('Next'))
            await agent.heard(agent.requests.length + 1);
          agent.end('Done.');
          expect((await next).status).to.equal('complete');
        });
        expect(errors).to.deep.equal([]);
      });
    }
});

/** Methods whose promise waits for a reply. */
const STARTS: ReadonlySet<string> = new Set(['send', 'regenerate', 'edit', 'respond', 'resume']);
let users = 0;
