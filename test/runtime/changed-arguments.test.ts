/** The user changes the arguments of a call: in every protocol the agent learns which arguments were used. */
import { expect } from '@open-wc/testing';
import type { ClientTool } from '../../src/agents/tools.ts';
import * as agUi from '../protocols/ag-ui/streams.ts';
import * as agentscope from '../protocols/agentscope/streams.ts';
import * as aiSdk from '../protocols/ai-sdk/streams.ts';
import * as anthropic from '../protocols/anthropic/streams.ts';
import * as cohere from '../protocols/cohere/streams.ts';
import * as coze from '../protocols/coze/streams.ts';
import * as gemini from '../protocols/gemini/streams.ts';
import * as langgraph from '../protocols/langgraph/streams.ts';
import * as ollama from '../protocols/ollama/streams.ts';
import * as openAiAssistants from '../protocols/openai-assistants/streams.ts';
import * as openAiResponses from '../protocols/openai-responses/streams.ts';
import { ndjson, sse } from '../support/play-body.ts';
import { isAsking, makeChat, pending, until } from './support/make-chat.ts';
import { callsOf, status, stream, type Asked } from './support/scripted-server.ts';

const OSLO = '{"city":"Oslo"}';

interface Row {
  readonly protocol: string;
  /** A reply that calls the page's tool `f` for Oslo. */
  readonly calls: string;
  readonly endpoint?: string;
  /** Its server stores the call, and receives the change with the result. */
  readonly stores?: true;
}

const functionCall = {
  type: 'function_call',
  id: 'fc',
  call_id: 'c1',
  name: 'f',
  arguments: OSLO,
  status: 'completed',
};
const customCall = { type: 'custom_tool_call', id: 'ct', call_id: 'c1', name: 'f', input: OSLO, status: 'completed' };

const rows: readonly Row[] = [
  { protocol: 'openai-chat', calls: callsOf(['c1', 'f', OSLO]) },
  {
    protocol: 'openai-responses',
    calls: openAiResponses.events(
      openAiResponses.begin(),
      openAiResponses.added(0, { ...functionCall, arguments: '' }),
      openAiResponses.done(0, functionCall),
      openAiResponses.completed({ output: [functionCall] }),
    ),
  },
  {
    protocol: 'openai-responses',
    calls: openAiResponses.events(
      openAiResponses.begin(),
      openAiResponses.added(0, { ...customCall, input: '' }),
      openAiResponses.done(0, customCall),
      openAiResponses.completed({ output: [customCall] }),
    ),
  },
  { protocol: 'anthropic', calls: anthropic.stream([...anthropic.toolUseBlock(0, 'c1', OSLO)], 'tool_use') },
  { protocol: 'gemini', calls: gemini.stream(gemini.call({ name: 'f', args: { city: 'Oslo' } }), gemini.stop()) },
  { protocol: 'ollama', calls: ndjson(ollama.call('f', { city: 'Oslo' }), ollama.done()) },
  {
    protocol: 'cohere',
    calls: cohere.stream(cohere.callStart(0, 'c1', OSLO), cohere.callEnd(0), cohere.end('TOOL_CALL')),
  },
  {
    protocol: 'ai-sdk',
    calls: aiSdk.stream(
      { type: 'start' },
      aiSdk.startStep,
      aiSdk.toolInput('c1', 'f', { city: 'Oslo' }),
      aiSdk.finishStep,
      aiSdk.finish('tool-calls'),
    ),
  },
  {
    protocol: 'ai-sdk-v4',
    calls: `9:${JSON.stringify({ toolCallId: 'c1', toolName: 'f', args: { city: 'Oslo' } })}\ne:{"finishReason":"tool-calls","isContinued":false}\nd:{"finishReason":"tool-calls"}\n`,
  },
  { protocol: 'ag-ui', calls: agUi.run(...agUi.callTool('c1', 'f', OSLO)) },
  {
    protocol: 'langgraph',
    endpoint: '/threads/t1/runs/stream',
    calls: langgraph.run(
      langgraph.values(
        langgraph.human,
        langgraph.ai('a', '', { tool_calls: [{ id: 'c1', name: 'f', args: { city: 'Oslo' } }] }),
      ),
    ),
    stores: true,
  },
  {
    protocol: 'assistant-transport',
    calls: sse(
      { type: 'part-start', part: { type: 'tool-call', toolCallId: 'c1', toolName: 'f' }, path: [] },
      { type: 'text-delta', textDelta: OSLO, path: [0] },
      { type: 'tool-call-args-text-finish', path: [0] },
      { type: 'part-finish', path: [0] },
      { type: 'message-finish', finishReason: 'tool-calls', path: [] },
      '[DONE]',
    ),
    stores: true,
  },
  { protocol: 'coze', calls: coze.stream(coze.waits(coze.call('c1', 'f', OSLO))) + coze.done, stores: true },
  {
    protocol: 'openai-assistants',
    endpoint: '/v1/threads/thread_1/runs',
    calls:
      openAiAssistants.stream(
        openAiAssistants.waits({ id: 'c1', type: 'function', function: { name: 'f', arguments: OSLO } }),
      ) + openAiAssistants.done,
    stores: true,
  },
  {
    protocol: 'agentscope',
    calls: sse(
      agentscope.start(),
      ...agentscope.call('c1', 'f', OSLO),
      agentscope.event('REQUIRE_EXTERNAL_EXECUTION', { tool_calls: [agentscope.block('c1', 'f', OSLO)] }),
    ),
    stores: true,
  },
];

const tool = (execute: ClientTool['execute']): ClientTool => ({
  name: 'f',
  description: 'The weather.',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
  needsApproval: true,
  execute,
});

/** The bodies as text. A body that the page's fields must not be merged into is a Blob. */
const textOf = async (asked: readonly Asked[]): Promise<string> =>
  (await Promise.all(asked.map(({ init }) => new Response(init.body ?? '').text()))).join('\n');

describe('arguments that the user changes', () => {
  for (const { protocol, calls, endpoint = '/agent', stores = false } of rows) {
    for (const result of ['warm', new Error('no such city')]) {
      it(`${protocol}: ${typeof result === 'string' ? 'a result' : 'a failure'} is sent back with them`, async () => {
        const ran: unknown[] = [];
        const f = tool((args) => {
          ran.push(args);
          if (typeof result !== 'string') throw result;
          return result;
        });
        const { chat, server } = makeChat([stream(calls), status(400)], { protocol, endpoint, tools: [f] });
        const sent = chat.send('Hi');
        await until(chat, isAsking);
        const before = server.asked.length;
        void chat.respond(pending(chat).id, 'granted', { arguments: { city: 'Rome' } });
        await sent;
        expect(ran).to.deep.equal([{ city: 'Rome' }]);
        const told = (await textOf(server.asked.slice(before))).replaceAll('\\', '');
        expect(told)
          .to.contain('{"city":"Rome"}')
          .and.to.contain(typeof result === 'string' ? 'warm' : 'no such city');
        expect(told).not.to.contain('Oslo');
        if (stores) expect(told).to.contain('The user changed the arguments of this call to {"city":"Rome"}. Result: ');
      });
    }
  }

  for (const { protocol, calls, endpoint = '/agent' } of rows) {
    it(`${protocol}: a call that was allowed unchanged is sent back as it came`, async () => {
      const { chat, server } = makeChat([stream(calls), status(400)], {
        protocol,
        endpoint,
        tools: [tool(() => 'warm')],
      });
      const sent = chat.send('Hi');
      await until(chat, isAsking);
      const before = server.asked.length;
      void chat.respond(pending(chat).id, 'granted', {});
      await sent;
      expect(await textOf(server.asked.slice(before)))
        .to.contain('warm')
        .and.not.to.contain('changed');
    });
  }
});

describe('arguments that the user changes, with a page that redacts', () => {
  for (const { protocol, calls, endpoint = '/agent' } of rows) {
    it(`${protocol}: run as the user approved them, and are sent redacted`, async () => {
      const ran: unknown[] = [];
      const f = tool((args) => {
        ran.push(args);
        return 'warm';
      });
      const redact = (text: string): string => text.replaceAll('Ann', 'A.').replace(/^\d{12,}$/, '[card]');
      const { chat, server } = makeChat([stream(calls), status(400)], { protocol, endpoint, tools: [f], redact });
      const sent = chat.send('Hi');
      await until(chat, isAsking);
      const before = server.asked.length;
      void chat.respond(pending(chat).id, 'granted', { arguments: { city: 'Ann', card: 4111111111111111 } });
      await sent;
      expect(ran).to.deep.equal([{ city: 'Ann', card: 4111111111111111 }]);
      expect((await textOf(server.asked.slice(before))).replaceAll('\\', ''))
        .to.contain('{"city":"A.","card":"[card]"}')
        .and.not.to.match(/Ann|4111/);
    });
  }
});

describe('arguments that a page gives with a permission', () => {
  const shown = { path: '/a' };
  const permission = {
    tool_call: 'permission-required',
    tool_call_id: 'c',
    tool_call_name: 'f',
    tool_call_params: JSON.stringify(shown),
    permission_request: { toolName: 'f', serverName: '', permissionType: 'all', description: '' },
    request: { id: 'q', extra: { editable: true } },
  };
  for (const { protocol, endpoint = '/agent', body } of [
    {
      protocol: 'deepchat-events',
      body: sse({ type: 'response', data: { eventId: 'e', ...permission } }, { type: 'end', data: { eventId: 'e' } }),
    },
    {
      protocol: 'mastra',
      endpoint: '/api/agents/a/stream',
      body: sse({
        type: 'tool-call-approval',
        runId: 'r',
        payload: { toolCallId: 'c', toolName: 'f', args: shown },
      }),
    },
    {
      protocol: 'openai-responses',
      body: openAiResponses.events(
        openAiResponses.begin(),
        openAiResponses.completed({
          output: [
            { type: 'mcp_approval_request', id: 'q', name: 'f', server_label: 's', arguments: JSON.stringify(shown) },
          ],
        }),
      ),
    },
  ]) {
    it(`${protocol}: are refused, since the agent would run the original ones`, async () => {
      const { chat, server } = makeChat([stream(body), stream('')], { protocol, endpoint });
      const reply = chat.send('Hi');
      await until(chat, isAsking);
      const { id, extra } = pending(chat);
      expect(extra?.['editable']).not.to.equal(true);
      await chat.respond(id, 'granted', { arguments: { path: '/b' } });
      expect([pending(chat).id, server.asked.length]).to.deep.equal([id, 1]);
      void chat.respond(id, 'denied');
      await reply;
      expect(await textOf(server.asked)).not.to.contain('/b');
    });
  }
});

describe('rule 89: changed arguments that are no object', () => {
  const tool = { tool_call_id: 'c', tool_name: 'f', tool_args: { city: 'Oslo' }, requires_confirmation: true };
  const review = (args: unknown): string => {
    const value = {
      action_requests: [{ name: 'f', args }],
      review_configs: [{ action_name: 'f', allowed_decisions: ['approve', 'edit', 'reject'] }],
    };
    const update = JSON.stringify({ __interrupt__: [{ id: 'i', value }] });
    return `event: metadata\ndata: {"run_id":"r"}\n\nevent: updates\ndata: ${update}\n\n`;
  };
  const langGraph = { protocol: 'langgraph', endpoint: '/threads/t1/runs/stream' };

  for (const { protocol, endpoint, body } of [
    {
      protocol: 'agno',
      endpoint: '/agents/a/runs',
      body: sse({ event: 'RunPaused', run_id: 'r', session_id: 's', agent_id: 'a', tools: [tool] }),
    },
    { ...langGraph, body: review({ city: 'Oslo' }) },
  ]) {
    for (const changed of [['Rome'], 'Rome', '["Rome"]', null, 5]) {
      it(`${protocol}: ${JSON.stringify(changed)} is refused, and the question stays open`, async () => {
        const { chat, server } = makeChat([stream(body), stream('')], { protocol, endpoint });
        void chat.send('Hi');
        await until(chat, isAsking);
        const { id } = pending(chat);
        await chat.respond(id, 'granted', { arguments: changed });
        expect([pending(chat).id, server.asked.length]).to.deep.equal([id, 1]);
        chat.stop();
      });
    }

    it(`${protocol}: an object as JSON text is sent`, async () => {
      const { chat, server } = makeChat([stream(body), stream('')], { protocol, endpoint });
      const reply = chat.send('Hi');
      await until(chat, isAsking);
      void chat.respond(pending(chat).id, 'granted', { arguments: '{"city":"Rome"}' });
      await reply;
      const sent = server.asked[1]?.init.body;
      const text = sent instanceof FormData ? (sent.get('tools') as string) : await textOf(server.asked.slice(1));
      expect(text).to.contain('{"city":"Rome"}');
    });
  }

  for (const args of ['rm -rf /tmp/x', ['a'], 5]) {
    it(`langgraph: arguments that are no object have no editor: ${JSON.stringify(args)}`, async () => {
      const { chat } = makeChat([stream(review(args))], langGraph);
      void chat.send('Hi');
      await until(chat, isAsking);
      expect(pending(chat).extra?.['editable']).not.to.equal(true);
      chat.stop();
    });
  }
});

describe('rule 80: arguments of a page function that parsing changes', () => {
  for (const [params, runs] of [
    ['{"n":12345678901234567890}', false],
    ['{"n":1e400}', false],
    ['{"a":1,"a":2}', false],
    ['{"a":{"b":1,"b":2}}', false],
    ['{"a":1,"a":2,"b":"\\u003a"}', false],
    ['{"n":900719925474099.31e3}', false],
    ['{"n":1.50,"m":-1e3,"f":0.1,"text":"12345678901234567890","c":"\\u003a"}', true],
  ] as const) {
    it(`${params} ${runs ? 'are asked about' : 'end with an error that names the problem'}`, async () => {
      const ran: unknown[] = [];
      const f = tool((args) => ran.push(args));
      const calls = callsOf(['c1', 'f', params]);
      const { chat, server } = makeChat([stream(calls), status(400)], { protocol: 'openai-chat', tools: [f] });
      const sent = chat.send('Hi');
      await Promise.race([sent, until(chat, isAsking)]);
      expect(isAsking(chat)).to.equal(runs);
      if (runs) void chat.respond(pending(chat).id, 'granted');
      await sent;
      expect(ran).to.have.length(runs ? 1 : 0);
      if (!runs) expect(JSON.stringify(server.bodies[1])).to.contain('equal names, or a number');
    });
  }

  it('run where no approval is needed', async () => {
    const ran: unknown[] = [];
    const f = { ...tool((args) => ran.push(args)), needsApproval: false };
    const calls = callsOf(['c1', 'f', '{"a":1,"a":2}']);
    const { chat } = makeChat([stream(calls), status(400)], { protocol: 'openai-chat', tools: [f] });
    await chat.send('Hi');
    expect(ran).to.deep.equal([{ a: 2 }]);
  });
});
