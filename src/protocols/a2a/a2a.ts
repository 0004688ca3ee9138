/**
 * A2A, Agent2Agent (`a2a`): the wire versions 0.3 and 1.0 over JSON-RPC or plain HTTP, streamed or not. Source: `a2a.md`.
 */
import { agentFacts, agentTold, call, findAgent, type A2aAgent } from './card.ts';
import { messageOf } from './message.ts';
import { makeReply } from './reply.ts';
import { a2aResult, stateOf, unwrap } from './wire.ts';
import { detectA2a } from '../detect/servers.ts';
import { fit, readJsonFrames } from '../shared/read-frames.ts';
import { toldBefore } from '../shared/told-before.ts';
import type { Adapter, AdapterEvent, RequestOptions, Turn } from '../adapter.ts';

/** Its facts are whom a request goes to: what its decoder keeps for the requests to come. */
export const a2a: Adapter<A2aAgent> = {
  id: 'a2a',
  label: 'A2A',
  kind: 'agent',
  detect: detectA2a,

  async request(turn, options) {
    const agent = await findAgent(turn, options);
    const params = {
      message: messageOf(turn, options, agent),
      ...(agent.version === '0.3' && { configuration: { blocking: true } }),
    };
    return { ...call(agent, agent.streaming ? 'stream' : 'send', params, options.headers), facts: agent };
  },

  cancel(turn, { headers }) {
    const { agent, params } = taskUnderWay(turn);
    return agent && params && call(agent, 'cancel', params, headers);
  },

  // "Broken stream". A finished task can't be subscribed to, so it is asked for first, and what it has become is the reply.
  async resume(turn, options) {
    const { agent, params } = taskUnderWay(turn);
    if (!agent || !params) return undefined;
    const get = { ...call(agent, 'get', params, options.headers), facts: agent };
    if (agent.streaming && (await isRunning(options, get))) {
      // Only 1.0 promises the whole task in front. Artifacts that come whole take the place of what is shown of them.
      const from = agent.version === '1.0' ? 'start' : 'last';
      return { request: { ...call(agent, 'subscribe', params, options.headers), facts: agent }, from };
    }
    return { request: get, from: 'start' };
  },

  async *decode(batches, context) {
    const agent = context.facts;
    const reply = makeReply(context, agent);
    for await (const batch of batches) {
      const events: AdapterEvent[] = [];
      for (const { json, frame } of readJsonFrames(batch, context.report)) {
        const { result, version } = unwrap(json);
        const data = fit(a2aResult, result, frame, context.report);
        if (!data) continue;
        const spoken = version ?? agent?.version ?? '1.0';
        const { url } = context;
        const known = agent ?? (url === undefined ? undefined : ({ url, binding: 'rpc', streaming: true } as const));
        events.push(...reply.take(data, known ? agentFacts({ ...known, version: spoken }) : { version: spoken }));
      }
      yield events;
    }
    yield reply.end();
  },
};

/** The task that the last reply is about, and its agent. */
function taskUnderWay(turn: Turn) {
  const reply = turn.messages.slice(turn.messages.findLastIndex(({ role }) => role === 'user') + 1);
  const id = toldBefore(reply, 'taskId');
  return { agent: agentTold(turn), params: id === undefined ? undefined : { id } };
}

async function isRunning({ ask }: RequestOptions, get: Parameters<RequestOptions['ask']>[0]): Promise<boolean> {
  const { json } = await ask(get);
  const task = a2aResult.safeParse(unwrap(json).result);
  return (
    task.success && task.data.kind === 'task' && /^(?:submitted|working|auth-required)$/.test(stateOf(task.data.status))
  );
}
