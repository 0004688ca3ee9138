/** An A2A agent on loopback, served by the vendor's own SDK. The test defines its behaviour. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  AGENT_CARD_PATH,
  AgentCard,
  Message,
  Task,
  TaskArtifactUpdateEvent,
  TaskStatusUpdateEvent,
  type SendMessageRequest,
} from '@a2a-js/sdk';
import {
  AgentEvent,
  DefaultRequestHandler,
  InMemoryTaskStore,
  type AgentExecutor,
  type ExecutionEventBus,
  type RequestContext,
} from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';

type State =
  | 'SUBMITTED'
  | 'WORKING'
  | 'COMPLETED'
  | 'FAILED'
  | 'REJECTED'
  | 'CANCELED'
  | 'INPUT_REQUIRED'
  | 'AUTH_REQUIRED';

/** The possible responses of an agent to a user's message. */
interface Work {
  readonly request: SendMessageRequest;
  /** The task that the message continues. */
  readonly task: Task | undefined;
  /** Sends only text, without a task. */
  sendText(text: string): void;
  /** Must come first unless only text follows. */
  startTask(state?: State): void;
  status(state: State, text?: string): void;
  /** `parts` in the JSON of the protocol. */
  artifact(artifactId: string, parts: readonly object[], more?: { append?: boolean; lastChunk?: boolean }): void;
}
type Script = (work: Work) => Promise<void> | void;

export interface A2aServer {
  readonly origin: string;
  /** Sets the behaviour for the next message. */
  play(script: Script): void;
  /** The tasks that a client has cancelled. */
  readonly cancelled: readonly string[];
  /** Destroys all connections. */
  drop(): void;
  close(): Promise<void>;
}

/**
 * @param versions - the versions in the card; the SDK's compatibility layer serves `0.3` to older clients
 * @param extensions - the URIs of the extensions in the card
 */
export async function a2aServer(
  versions: readonly ('0.3' | '1.0')[],
  bindings: readonly ('JSONRPC' | 'HTTP+JSON')[] = ['JSONRPC', 'HTTP+JSON'],
  extensions: readonly string[] = [],
): Promise<A2aServer> {
  let script: Script = () => undefined;
  const cancelled: string[] = [];
  const contexts = new Map<string, string>();
  const executor: AgentExecutor = {
    async execute(context, bus) {
      contexts.set(context.taskId, context.contextId);
      await script(workOn(context, bus));
    },
    cancelTask(taskId, bus) {
      cancelled.push(taskId);
      const contextId = contexts.get(taskId) ?? '';
      bus.publish(AgentEvent.statusUpdate(statusOf({ taskId, contextId }, 'CANCELED')));
      return Promise.resolve();
    },
  };

  const app = express();
  // A page of another origin may be the client.
  app.use((request, response, next) => {
    response.header({ 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' });
    if (request.method === 'OPTIONS') response.end();
    else next();
  });
  const server = createServer(app);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const paths = { JSONRPC: '/a2a', 'HTTP+JSON': '/rest' };
  const card = AgentCard.fromJSON({
    name: 'Agent',
    version: '1',
    supportedInterfaces: versions.flatMap((protocolVersion) =>
      bindings.map((protocolBinding) => ({ url: origin + paths[protocolBinding], protocolBinding, protocolVersion })),
    ),
    capabilities: { streaming: true, extensions: extensions.map((uri) => ({ uri })) },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
  });
  const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor);
  const legacyCompat = { enabled: versions.includes('0.3') };
  const serving = { requestHandler, userBuilder: UserBuilder.noAuthentication, legacyCompat };
  app.use(`/${AGENT_CARD_PATH}`, agentCardHandler({ agentCardProvider: requestHandler, legacyCompat }));
  app.use(paths.JSONRPC, jsonRpcHandler(serving));
  app.use(paths['HTTP+JSON'], restHandler(serving));

  return {
    origin,
    play(next) {
      script = next;
    },
    cancelled,
    drop() {
      server.closeAllConnections();
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

interface TaskIds {
  readonly taskId: string;
  readonly contextId: string;
}

function workOn({ request, task, taskId, contextId }: RequestContext, bus: ExecutionEventBus): Work {
  const ids = { taskId, contextId };
  return {
    request,
    task,
    sendText(text) {
      bus.publish(AgentEvent.message(Message.fromJSON(textMessage(ids.contextId, text))));
    },
    startTask(state = 'SUBMITTED') {
      const status = { state: `TASK_STATE_${state}` };
      const history = request.message ? [Message.toJSON(request.message)] : [];
      const taskJson = task ? (Task.toJSON(task) as object) : { id: taskId, contextId, history };
      bus.publish(AgentEvent.task(Task.fromJSON({ ...taskJson, status })));
    },
    status(state, text) {
      bus.publish(AgentEvent.statusUpdate(statusOf(ids, state, text)));
    },
    artifact(artifactId, parts, more = {}) {
      const update = { ...ids, artifact: { artifactId, parts }, ...more };
      bus.publish(AgentEvent.artifactUpdate(TaskArtifactUpdateEvent.fromJSON(update)));
    },
  };
}

const textMessage = (contextId: string, text: string) => ({
  messageId: crypto.randomUUID(),
  contextId,
  role: 'ROLE_AGENT',
  parts: [{ text }],
});

const statusOf = (ids: TaskIds, state: State, text?: string): TaskStatusUpdateEvent =>
  TaskStatusUpdateEvent.fromJSON({
    ...ids,
    status: {
      state: `TASK_STATE_${state}`,
      ...(text !== undefined && { message: { ...textMessage(ids.contextId, text), taskId: ids.taskId } }),
      timestamp: new Date().toISOString(),
    },
  });
