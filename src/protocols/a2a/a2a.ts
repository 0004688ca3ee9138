/**
 * A2A, Agent2Agent (`a2a`): protocol versions 0.3 and 1.0 over JSON-RPC or plain HTTP, with or without streaming. Source:
 * `docs/protocols/a2a.md`; A2A specification, https://a2a-protocol.org.
 */
import { a2aAgentMetadata, findTaskAgent, buildA2aCall, findA2aAgent, type A2aAgent } from './card.ts';
import { toA2aMessage } from './message.ts';
import { A2aReply } from './reply.ts';
import { a2aResult, a2aTaskState, unwrapResult } from './reply-schema.ts';
import { fit, readJsonFrames } from '../core/read-frames.ts';
import { newestMetadata } from '../shared/last-metadata.ts';
import type { Adapter, AdapterEvent, RequestOptions, Turn } from '../core/adapter.ts';

/** Adapter for A2A. Its provider state is the agent that a request goes to; the decoder stores it for later requests. */
export const adapter: Adapter<A2aAgent> = {
  id: 'a2a',
  label: 'A2A',
  kind: 'agent',

  async request(turn, options) {
    const agent = await findA2aAgent(turn, options);
    const params = {
      message: toA2aMessage(turn, options, agent),
      ...(agent.version === '0.3' && { configuration: { blocking: true } }),
    };
    return {
      ...buildA2aCall(agent, agent.streaming ? 'stream' : 'send', params, options.headers),
      providerState: agent,
    };
  },

  async cancel(turn, options) {
    const task = await findTask(turn, options);
    return task && buildA2aCall(task.agent, 'cancel', task.params, options.headers);
  },

  // Resumes a broken stream. The server refuses to subscribe to a finished task, so the task is fetched first and its
  // current state becomes the reply.
  async resume(turn, options) {
    const task = await findTask(turn, options);
    if (!task) return undefined;
    const { agent, params } = task;
    const getTask = { ...buildA2aCall(agent, 'get', params, options.headers), providerState: agent };
    if (agent.streaming && (await isRunning(options, getTask))) {
      // Only 1.0 guarantees that the complete task comes first. Complete artifacts replace their parts that are already
      // rendered.
      const from = agent.version === '1.0' ? 'start' : 'last';
      return { request: { ...buildA2aCall(agent, 'subscribe', params, options.headers), providerState: agent }, from };
    }
    return { request: getTask, from: 'start' };
  },

  async *decode(batches, context) {
    const requestAgent = context.providerState;
    const reply = new A2aReply(context);
    for await (const batch of batches) {
      const events: AdapterEvent[] = [];
      for (const { json, frame } of readJsonFrames(batch, context.report)) {
        const { result, version } = unwrapResult(json);
        const data = fit(a2aResult, result, frame, context.report);
        if (!data) continue;
        const replyVersion = version ?? requestAgent?.version ?? '1.0';
        const { url } = context;
        const replyAgent =
          requestAgent ?? (url === undefined ? undefined : ({ url, binding: 'rpc', streaming: true } as const));
        events.push(
          ...reply.take(
            data,
            replyAgent ? a2aAgentMetadata({ ...replyAgent, version: replyVersion }) : { version: replyVersion },
          ),
        );
      }
      yield events;
    }
    yield reply.end();
  },
};

/** The task of the last reply, and its agent. */
async function findTask(turn: Turn, options: RequestOptions) {
  const reply = turn.messages.slice(turn.messages.findLastIndex(({ role }) => role === 'user') + 1);
  const id = newestMetadata(reply, 'taskId');
  const agent = id === undefined ? undefined : await findTaskAgent(turn, options);
  return agent && { agent, params: { id } };
}

/**
 * Whether the agent works on the task, also while it waits for a sign-in. Other groups of states are in `reply.ts` and
 * `message.ts`.
 */
async function isRunning({ ask }: RequestOptions, get: Parameters<RequestOptions['ask']>[0]): Promise<boolean> {
  const { json } = await ask(get);
  const task = a2aResult.safeParse(unwrapResult(json).result);
  return (
    task.success &&
    task.data.kind === 'task' &&
    /^(?:submitted|working|auth-required)$/.test(a2aTaskState(task.data.status))
  );
}
