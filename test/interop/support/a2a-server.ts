/** An A2A agent on loopback, served by the vendor's own SDK; what it does is the test's own. */
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
  'SUBMITTED' | 'WORKING' | 'COMPLETED' | 'FAILED' | 'REJECTED' | 'CANCELED' | 'INPUT_REQUIRED' | 'AUTH_REQUIRED';

/** What an agent can do with a message of the reader. */
interface Work {
  readonly request: SendMessageRequest;
  /** The task that the message goes on with. */
  readonly task: Task | undefined;
  /** Words alone, without a task. */
  say(text: string): void;
  /** Has to come first where anything but words follows. */
  begin(state?: State): void;
  status(state: State, text?: string): void;
  /** `parts` in the wire's own JSON. */
  artifact(artifactId: string, parts: readonly object[], more?: { append?: boolean; lastChunk?: boolean }): void;
}
type Script = (work: Work) => Promise<void> | void;

export interface A2aServer {
  readonly origin: string;
  /** What it does with the next message. */
  play(script: Script): void;
  /** The tasks that it was told to cancel. */
  readonly cancelled: readonly string[];
  /** Destroys all connections. */
  drop(): void;
  close(): Promise<void>;
}

/** @param versions - what the card offers; `0.3` is served by the SDK's own layer for older clients */
export async function a2aServer(
  versions: readonly ('0.3' | '1.0')[],
  bindings: readonly ('JSONRPC' | 'HTTP+JSON')[] = ['JSONRPC', 'HTTP+JSON'],
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
    capabilities: { streaming: true },
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

interface Place {
  readonly taskId: string;
  readonly contextId: string;
}

function workOn({ request, task, taskId, contextId }: RequestContext, bus: ExecutionEventBus): Work {
  const place = { taskId, contextId };
  return {
    request,
    task,
    say(text) {
      bus.publish(AgentEvent.message(Message.fromJSON(wordsOf(place.contextId, text))));
    },
    begin(state = 'SUBMITTED') {
      const status = { state: `TASK_STATE_${state}` };
      const history = request.message ? [Message.toJSON(request.message)] : [];
      const known = task ? (Task.toJSON(task) as object) : { id: taskId, contextId, history };
      bus.publish(AgentEvent.task(Task.fromJSON({ ...known, status })));
    },
    status(state, text) {
      bus.publish(AgentEvent.statusUpdate(statusOf(place, state, text)));
    },
    artifact(artifactId, parts, more = {}) {
      const update = { ...place, artifact: { artifactId, parts }, ...more };
      bus.publish(AgentEvent.artifactUpdate(TaskArtifactUpdateEvent.fromJSON(update)));
    },
  };
}

const wordsOf = (contextId: string, text: string) => ({
  messageId: crypto.randomUUID(),
  contextId,
  role: 'ROLE_AGENT',
  parts: [{ text }],
});

const statusOf = (place: Place, state: State, text?: string): TaskStatusUpdateEvent =>
  TaskStatusUpdateEvent.fromJSON({
    ...place,
    status: {
      state: `TASK_STATE_${state}`,
      ...(text !== undefined && { message: { ...wordsOf(place.contextId, text), taskId: place.taskId } }),
      timestamp: new Date().toISOString(),
    },
  });
