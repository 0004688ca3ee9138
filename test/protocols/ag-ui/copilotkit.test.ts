import { expect } from '@open-wc/testing';
import { adapter as agUi } from '../../../src/protocols/ag-ui/ag-ui.ts';
import { ChatError } from '../../../src/errors.ts';
import { assistant, conversation, user } from '../../support/messages.ts';
import { emptyTurn, requestOptions } from '../../support/play-body.ts';
import { testCancel, testSent } from '../../support/sent-tests.ts';

const url = 'https://a.example/api/copilotkit';
const options = { url };
const turn = { text: 'hi' };
const messages = [user('hi')];
const input = (id = 'm1', more: object = {}) => ({
  threadId: 'thread',
  runId: id,
  state: {},
  messages: [{ id, role: 'user', content: 'hi' }],
  tools: [],
  context: [],
  forwardedProps: {},
  ...more,
});
const agents = { agents: { sales: {}, default: {} }, mode: 'sse' };
const info = { url: `${url}/info`, method: 'GET' };
const infoInOne = { url, method: 'POST', body: { method: 'info' } };
const run = (agent: string) => ({ url: `${url}/agent/${agent}/run`, method: 'POST', body: input() });
const assistantReply = (single: boolean) =>
  assistant('Hello', { metadata: { copilotKit: { agent: 'sales', single } } });
const later = (...rest: readonly string[]) =>
  rest.map((id, index) => ({ id, role: index === 1 ? 'assistant' : 'user', content: index === 1 ? 'Hello' : 'hi' }));

describe('ag-ui, CopilotKit’s runtime', () => {
  testSent(agUi, [
    { name: 'its own default agent', messages, turn, options, answers: [agents], sent: [info, run('default')] },
    {
      name: 'the agent that the page names',
      messages,
      turn,
      options: { url: `${url}/`, model: 'sales' },
      answers: [agents],
      sent: [info, run('sales')],
    },
    {
      name: 'the only agent',
      messages,
      turn,
      options,
      answers: [{ agents: { 'a/b': {} } }],
      sent: [info, run('a%2Fb')],
    },
    {
      name: 'a single route, with the page’s own fields in the run',
      messages,
      turn,
      options: { url, body: { forwardedProps: { x: 1 } } },
      answers: [undefined, agents],
      sent: [
        info,
        infoInOne,
        {
          url,
          method: 'POST',
          body: {
            method: 'agent/run',
            params: { agentId: 'default' },
            body: input('m1', { forwardedProps: { x: 1 } }),
          },
        },
      ],
    },
    {
      name: 'the next turn needs no preparatory request',
      messages: [user('hi'), assistantReply(false), user('hi')],
      turn,
      options,
      sent: [
        {
          url: `${url}/agent/sales/run`,
          method: 'POST',
          body: input('m3', { messages: later('m1', 'm2', 'm3') }),
        },
      ],
    },
    {
      name: 'another server of AG-UI at such an address',
      messages,
      turn,
      options,
      answers: [{ ok: true }, { ok: true }],
      sent: [info, infoInOne, { url, method: 'POST', body: input() }],
    },
  ]);

  testCancel(agUi, [
    {
      name: 'at the address of an agent',
      messages: [user('hi'), assistantReply(false)],
      options,
      sent: { url: `${url}/agent/sales/stop/thread`, method: 'POST', body: {} },
    },
    {
      name: 'through a single route',
      messages: [user('hi'), assistantReply(true)],
      options,
      sent: { url, method: 'POST', body: { method: 'agent/stop', params: { agentId: 'sales', threadId: 'thread' } } },
    },
    { name: 'nothing without an earlier request', messages, options, sent: undefined },
    {
      name: 'by the address of a run',
      messages,
      options: { url: `${url}/agent/x/run` },
      sent: { url: `${url}/agent/x/stop/thread`, method: 'POST', body: {} },
    },
  ]);

  const resumed = async (address: string, copilotKit: object) => {
    const last = assistant('Hel', { metadata: { copilotKit } });
    const turn = { ...emptyTurn, messages: conversation(user('hi'), last) };
    const again = await agUi.resume?.(turn, { ...requestOptions, url: address });
    const { body } = again?.request.init ?? {};
    const sent: unknown = body instanceof Blob ? JSON.parse(await body.text()) : body;
    return (
      again && { from: again.from, url: again.request.url, body: sent, providerState: again.request.providerState }
    );
  };
  const empty = { threadId: 'thread', runId: 'r', state: {}, messages: [], tools: [], context: [], forwardedProps: {} };

  it('resumes at the address of an agent', async () => {
    expect(await resumed(url, { agent: 'sales', single: false, runId: 'r' })).to.deep.equal({
      from: 'start',
      url: `${url}/agent/sales/connect`,
      body: empty,
      providerState: { copilotKit: { agent: 'sales', single: false }, replayedRun: 'r' },
    });
    expect(await resumed(`${url}/agent/x/run?k=1`, { runId: 'r' })).to.deep.equal({
      from: 'start',
      url: `${url}/agent/x/connect?k=1`,
      body: empty,
      providerState: { replayedRun: 'r' },
    });
  });

  it('resumes through a single route', async () => {
    const { url: address, body } = (await resumed(url, { agent: 'sales', single: true, runId: 'r' })) ?? {};
    expect([address, body]).to.deep.equal([
      url,
      { method: 'agent/connect', params: { agentId: 'sales' }, body: empty },
    ]);
  });

  it('does not resume a run that has not begun', async () => {
    expect(await resumed(url, { agent: 'sales', single: true })).to.equal(undefined);
  });

  const problems: readonly (readonly [string, unknown, string | undefined, RegExp])[] = [
    ['an agent that is not there', agents, 'pizza', /does not have the agent "pizza".*sales, default/],
    ['a runtime without agents', { agents: {} }, undefined, /does not have an agent.*none/],
    ['a runtime of the platform', { agents: {}, mode: 'intelligence' }, undefined, /socket of its platform/],
  ];
  for (const [name, json, model, said] of problems) {
    it(`reports: ${name}`, async () => {
      const ask = () => Promise.resolve({ headers: new Headers(), json });
      const asked = { ...requestOptions, url, model, ask };
      const error: unknown = await Promise.resolve(
        agUi.request({ ...emptyTurn, messages: conversation(user('hi')) }, asked),
      ).catch((cause: unknown) => cause);
      expect(error).to.be.instanceOf(ChatError);
      expect((error as ChatError).message).to.match(said);
    });
  }

  it('a missing login is not another kind of runtime', async () => {
    const ask = () => Promise.reject(new ChatError('auth', 'No.', { reason: 'auth', status: 401 }));
    const error: unknown = await Promise.resolve(
      agUi.request({ ...emptyTurn, messages: conversation(user('hi')) }, { ...requestOptions, url, ask }),
    ).catch((cause: unknown) => cause);
    expect((error as ChatError).status).to.equal(401);
  });
});
