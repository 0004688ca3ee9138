/** The mock endpoint in every protocol: the widget's own decoding gives the scripted message again. */
import { expect } from '@open-wc/testing';
import type { ChatMessage } from '../../../src/model/message.ts';
import { protocols } from '../../../src/protocols/registry.ts';
import { agentOf, mockEndpoint, type Script, type ScriptedProtocol, type ScriptedReply } from '../../../src/testing.ts';
import { makeChat } from '../support/make-chat.ts';

type Ability = 'reasoning' | 'call' | 'result' | 'failure' | 'error';

const clock = { name: 'clock', description: 'The time', parameters: { type: 'object' }, execute: () => '12:00' };

const search = { name: 'search', arguments: { q: 'x' } };
const RESULT: ScriptedReply = [{ tool: { ...search, result: 'found' } }, 'Here.'];
const FAILURE: ScriptedReply = [{ tool: { ...search, error: 'Out of order' } }, 'Sorry.'];

/** What a reply can have besides text. */
const abilities: Readonly<Record<ScriptedProtocol, readonly Ability[]>> = {
  'openai-chat': ['reasoning', 'call', 'error'],
  'openai-responses': ['reasoning', 'call', 'result', 'failure', 'error'],
  anthropic: ['reasoning', 'call', 'result', 'failure', 'error'],
  gemini: ['reasoning', 'call', 'result', 'error'],
  'gemini-interactions': ['reasoning', 'call', 'result', 'failure', 'error'],
  ollama: ['reasoning', 'call', 'error'],
  cohere: ['reasoning', 'call', 'error'],
  'ai-sdk': ['reasoning', 'call', 'result', 'failure', 'error'],
  'ai-sdk-v4': ['reasoning', 'call', 'result', 'error'],
  'assistant-transport': ['reasoning', 'call', 'result', 'failure', 'error'],
  'ag-ui': ['reasoning', 'call', 'result', 'error'],
  langgraph: ['reasoning', 'result', 'failure', 'error'],
  mastra: ['reasoning', 'result', 'failure', 'error'],
  agno: ['reasoning', 'result', 'failure', 'error'],
  n8n: ['error'],
  a2a: ['error'],
  agentscope: ['reasoning', 'call', 'result', 'error'],
  agentcore: ['reasoning', 'result', 'failure', 'error'],
  chatkit: ['error'],
  adk: ['reasoning', 'result', 'failure', 'error'],
  'openai-assistants': ['call', 'error'],
  dify: ['reasoning', 'result', 'error'],
  flowise: ['reasoning', 'result', 'failure', 'error'],
  langflow: ['result', 'failure', 'error'],
  coze: ['reasoning', 'result', 'error'],
  rasa: [],
  eve: ['reasoning', 'result', 'failure', 'error'],
  'deepchat-events': ['reasoning', 'call', 'result', 'failure', 'error'],
  'message-field': ['reasoning', 'call', 'result'],
  'agent-phase': ['reasoning', 'result', 'failure', 'error'],
  'agent-session': ['reasoning', 'result', 'failure', 'error'],
  'agentscope-msg': ['reasoning', 'result', 'failure'],
  text: [],
  json: ['error'],
  'json-stream': ['error'],
};
const all = Object.keys(abilities) as ScriptedProtocol[];

/** The blocks in short, without phases, which only some protocols have. */
const inShort = (messages: readonly ChatMessage[]): readonly string[] =>
  messages.flatMap(({ blocks }) =>
    blocks.flatMap((block) => {
      if (block.type === 'status') return [];
      if (block.type === 'tool_call')
        return [`${block.status}: ${block.tool_call.name ?? ''} → ${block.tool_call.response ?? ''}`];
      return ['content' in block ? `${block.type}: ${block.content}` : block.type];
    }),
  );

function chatWith(script: Script, protocol: ScriptedProtocol, named: string, tools: readonly (typeof clock)[] = []) {
  const agent = agentOf(script, { protocol });
  const { chat, told } = makeChat([], {
    endpoint: `https://a.example/${agent.endpoint}`,
    protocol: named,
    fetch: agent.fetch,
    tools,
  });
  return { agent, chat, told };
}

const can = (ability: Ability): readonly ScriptedProtocol[] =>
  all.filter((protocol) => abilities[protocol].includes(ability));

describe('mockEndpoint', () => {
  it('answers in every built-in protocol that answers a fetch', () => {
    const ids = protocols.list().map(({ id }) => id);
    expect([...all, 'cloudflare-agents'].sort()).to.deep.equal(ids.sort());
  });

  for (const protocol of all) {
    for (const named of [protocol, 'auto']) {
      it(`gives the same message in ${protocol}, read as ${named}, twice`, async () => {
        const { agent, chat, told } = chatWith(['Hello **you**,\n\nall of you.', 'And again.'], protocol, named);
        for (const expected of ['Hello **you**,\n\nall of you.', 'And again.']) {
          const before = chat.messages.length;
          await chat.send('Hi');
          const reply = chat.messages.slice(before + 1);
          expect(inShort(reply)).to.deep.equal([`content: ${expected}`]);
          expect(reply.at(-1)?.status).to.equal('complete');
        }
        expect(told.warnings).to.deep.equal([]);
        expect(agent.requests.length).to.equal(2);
        expect(JSON.stringify(agent.requests[0]?.body)).to.contain('Hi');
      });
    }

    it(`throws for what ${protocol} can’t express`, async () => {
      const steps: Readonly<Record<Ability, ScriptedReply>> = {
        reasoning: [{ reasoning: 'Hm' }],
        call: [{ tool: { name: 'clock' } }],
        result: RESULT,
        failure: FAILURE,
        error: [{ error: 'Overloaded' }],
      };
      for (const [ability, reply] of Object.entries(steps) as [Ability, ScriptedReply][]) {
        const { fetch } = agentOf([reply], { protocol });
        const problem: unknown = await fetch('https://a.example/', { method: 'POST' }).then(
          () => undefined,
          (cause: unknown) => cause,
        );
        expect(problem instanceof TypeError, ability).to.equal(!abilities[protocol].includes(ability));
      }
    });
  }

  it('names the protocols if there are no scripted replies in one', () => {
    expect(() => agentOf(['Hi'], { protocol: 'cloudflare-agents' as ScriptedProtocol })).to.throw(
      /no scripted replies/,
    );
  });

  for (const protocol of can('reasoning')) {
    it(`sends reasoning in ${protocol}`, async () => {
      const { chat } = chatWith([[{ reasoning: 'Let me see.' }, 'Yes.']], protocol, protocol);
      await chat.send('Hi');
      expect(inShort(chat.messages.slice(1))).to.deep.equal(['reasoning_content: Let me see.', 'content: Yes.']);
    });
  }

  for (const protocol of can('call')) {
    it(`leaves a tool without a result to the page in ${protocol}`, async () => {
      const { agent, chat } = chatWith([[{ tool: { name: 'clock' } }], 'It is noon.'], protocol, protocol, [clock]);
      await chat.send('Hi');
      expect(inShort(chat.messages.slice(1))).to.deep.equal(['success: clock → 12:00', 'content: It is noon.']);
      expect(agent.requests.length).to.equal(2);
    });
  }

  for (const protocol of can('result')) {
    it(`runs its own tool in ${protocol}`, async () => {
      const { chat } = chatWith([RESULT], protocol, protocol);
      await chat.send('Hi');
      // The response of a tool is an object there.
      const shown = protocol === 'gemini' ? '{"result":"found"}' : 'found';
      expect(inShort(chat.messages.slice(1))).to.deep.equal([`success: search → ${shown}`, 'content: Here.']);
    });
  }

  for (const protocol of can('failure')) {
    it(`reports the failure of its own tool in ${protocol}`, async () => {
      const { chat } = chatWith([FAILURE], protocol, protocol);
      await chat.send('Hi');
      const [call = '', text] = inShort(chat.messages.slice(1));
      expect(call).to.match(/^error: search → .*Out of order/);
      expect(text).to.equal('content: Sorry.');
    });
  }

  for (const protocol of can('error')) {
    it(`reports an error in ${protocol}`, async () => {
      const { chat } = chatWith([['Half ', { error: 'Overloaded' }]], protocol, protocol);
      await chat.send('Hi').catch(() => undefined);
      const replies = chat.messages.slice(1);
      expect(replies.at(-1)?.status).to.equal('error');
      expect(inShort(replies).at(-1)).to.match(/^error: .*Overloaded/);
    });
  }

  const bodyOf = async (script: Script, protocol: ScriptedProtocol): Promise<string> => {
    const { fetch } = mockEndpoint(script, { protocol });
    return await (await fetch('https://a.example/', { method: 'POST' })).text();
  };

  it('ends a failed task of a2a once', async () => {
    const body = await bodyOf([['Half ', { error: 'Overloaded' }]], 'a2a');
    expect(body.match(/TASK_STATE_(FAILED|COMPLETED)/g)).to.deep.equal(['TASK_STATE_FAILED']);
  });

  it('opens a message of agentcore once for each round of the model', async () => {
    expect((await bodyOf([['One. ', 'Two.']], 'agentcore')).match(/"messageStart"/g)).to.have.length(1);
    expect((await bodyOf([['One. ', ...RESULT]], 'agentcore')).match(/"messageStart"/g)).to.have.length(2);
  });
});
