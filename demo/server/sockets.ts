/** The agents that answer over a WebSocket. Source: `docs/protocols/cloudflare-agents.md`. */
import { randomUUID } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocketServer, type WebSocket } from 'ws';
import { scriptFor } from './scenarios.ts';
import { speedOf } from './speed.ts';
import { cloudflareAgents } from './protocols/cloudflare-agents.ts';
import { isRecord, readTurn, textOf, type Json } from './turn.ts';
import type { Wire } from './wire.ts';

const PATH = /^\/agent\/cloudflare-agents\/agents\/([\w-]+)\/([^/?]+)/;

/** The messages of a reply. They are stored, so that a client can read them again. */
interface Reply {
  readonly messages: string[];
  readonly stopped: AbortController;
  isOver: boolean;
  readonly listeners: Set<WebSocket>;
}
/** Only the newest replies are stored. */
const MOST = 100;
const replies = new Map<string, Reply>();

/** Accepts the sockets of the agents, and leaves all others to the server's other listeners. */
export function acceptAgentSockets(server: Pick<EventEmitter, 'on'>): void {
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const address = urlOf(request.url);
    const [, agent, name] = PATH.exec(address?.pathname ?? '') ?? [];
    if (!address || agent === undefined) return;
    sockets.handleUpgrade(request, socket, head, (client) => {
      client.send(JSON.stringify({ type: 'cf_agent_identity', agent, name }));
      client.on('message', (data: Buffer) => {
        read(client, data.toString(), address.searchParams);
      });
    });
  });
}

/** Undefined if the target of the request is malformed. */
function urlOf(target = '/'): URL | undefined {
  try {
    return new URL(target.replace(/^\/+/, '/'), 'http://localhost');
  } catch {
    return undefined;
  }
}

function read(client: WebSocket, data: string, query: URLSearchParams): void {
  const message = parse(data);
  const id = textOf(message['id']);
  switch (message['type']) {
    case 'cf_agent_use_chat_request': {
      const { init } = message;
      const body = parse(isRecord(init) ? textOf(init['body']) : '');
      void answer(id, { ...body, tools: body['clientTools'] }, { client, query });
      return;
    }
    case 'cf_agent_chat_request_cancel':
      replies.get(id)?.stopped.abort();
      return;
    case 'cf_agent_stream_resume_ack': {
      const reply = replies.get(id);
      if (!reply) {
        client.send(JSON.stringify({ type: 'cf_agent_stream_resume_none', reason: 'idle' }));
        return;
      }
      for (const line of reply.messages) client.send(line);
      if (!reply.isOver) reply.listeners.add(client);
    }
  }
}

/** Answers a request, also when its client has left meanwhile. */
async function answer(
  id: string,
  body: Json,
  { client, query }: { readonly client: WebSocket; readonly query: URLSearchParams },
): Promise<void> {
  const turn = readTurn(body, { answer: cloudflareAgents.answerOf?.(body, '') });
  const reply: Reply = { messages: [], stopped: new AbortController(), isOver: false, listeners: new Set([client]) };
  replies.set(id, reply);
  for (const oldest of replies.keys()) if (replies.size > MOST) replies.delete(oldest);
  const send = (fields: object): void => {
    const line = JSON.stringify({ type: 'cf_agent_use_chat_response', id, done: false, ...fields });
    reply.messages.push(line);
    for (const listener of reply.listeners) listener.send(line);
  };
  if (!turn) {
    send({ body: 'There is no message of the user in "messages".', error: true, done: true });
    return;
  }
  const speed = speedOf(query.get('speed'));
  const { signal } = reply.stopped;
  const pause = (milliseconds: number): Promise<unknown> =>
    milliseconds > 0 ? wait(milliseconds, undefined, { signal }).catch(() => undefined) : Promise.resolve();
  const wire: Wire = {
    get closed() {
      return signal.aborted;
    },
    async send(frame) {
      const chunk = textOf(frame)
        .replace(/^data: /, '')
        .trim();
      if (signal.aborted) return false;
      if (chunk !== '[DONE]') send({ body: chunk });
      await pause(speed);
      return !signal.aborted;
    },
    wait: async (paces) => {
      await pause(paces * speed);
    },
    end() {
      send({ body: '', done: true });
      reply.isOver = true;
      return Promise.resolve();
    },
  };
  await cloudflareAgents.answer({
    ...scriptFor(query.get('scenario'), turn),
    turn,
    wire,
    speed,
    query,
    sources: new Map(),
    conversation: randomUUID(),
    id: (call) => `${call}_${String(turn.count)}`,
  });
}

function parse(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
