/**
 * A CopilotKit runtime written after its source, because the package has 282 MB: the same routes and the same runner,
 * with the vendor's own schemas and compaction. Source: `@copilotkit/runtime` 1.75, `v2/runtime/core/fetch-router`,
 * `endpoints/single-route-helpers` and `runner/in-memory`, read 2026-11-25; compared with the running package 2026-11-29.
 */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { compactEvents } from '@ag-ui/client';
import { EventType, type BaseEvent, type RunAgentInput } from '@ag-ui/core';
import { EventSchemas, RunAgentInputSchema } from '@ag-ui/core/schemas';

/** The events of a run. A promise delays those after it. */
type Script = readonly (object | Promise<unknown>)[];

export interface CopilotKitServer {
  readonly base: string;
  /** The paths or methods of the requests, in order. */
  readonly requests: readonly string[];
  readonly inputs: readonly RunAgentInput[];
  /** Sets the runs of the next requests. With `single`, all agents share one route. */
  play(runs: readonly Script[], options?: { readonly single?: boolean }): void;
  /** Breaks the connections. The run continues, as in the runtime. */
  cut(): void;
  close(): Promise<void>;
}

interface Thread {
  readonly past: BaseEvent[][];
  current: { readonly events: BaseEvent[]; readonly stopped: AbortController } | undefined;
  readonly clients: Set<ServerResponse>;
  /** The ids of the messages of its runs. */
  readonly known: Set<string>;
}

const ENDS: ReadonlySet<string> = new Set([EventType.RUN_ERROR, EventType.RUN_FINISHED]);

export async function copilotKitServer(): Promise<CopilotKitServer> {
  let waiting: Script[] = [];
  let requests: string[] = [];
  let inputs: RunAgentInput[] = [];
  let single = false;
  const threads = new Map<string, Thread>();
  const open = new Set<ServerResponse>();

  const threadOf = (id: string): Thread => {
    const thread = threads.get(id) ?? {
      past: [],
      current: undefined,
      clients: new Set<ServerResponse>(),
      known: new Set<string>(),
    };
    threads.set(id, thread);
    return thread;
  };
  const startStream = (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
  };
  const write = (response: ServerResponse, event: BaseEvent): void => {
    response.write(`data: ${JSON.stringify(event)}\n\n`);
  };

  const run = async (body: unknown, response: ServerResponse): Promise<void> => {
    const input = RunAgentInputSchema.parse(body) as RunAgentInput;
    const thread = threadOf(input.threadId);
    if (thread.current) throw new Error('Thread already running');
    inputs.push(input);
    const current = { events: [] as BaseEvent[], stopped: new AbortController() };
    thread.current = current;
    thread.clients.add(response);
    startStream(response);
    const ids = { threadId: input.threadId, runId: input.runId };
    const send = (event: object): void => {
      const checked = EventSchemas.parse(event) as BaseEvent;
      current.events.push(checked);
      for (const client of thread.clients) write(client, checked);
    };
    const aborted = once(current.stopped.signal, 'abort');
    // The input of the run is sent too, without the messages of the earlier runs.
    const isNew = ({ id }: { readonly id: string }): boolean => !thread.known.has(id);
    send({ type: 'RUN_STARTED', ...ids, input: { ...input, messages: input.messages.filter(isNew) } });
    for (const { id } of input.messages) thread.known.add(id);
    for (const event of waiting.shift() ?? []) {
      if (event instanceof Promise) await Promise.race([event, aborted]);
      else if (!current.stopped.signal.aborted) send({ ...event, ...('outcome' in event && ids) });
    }
    if (!current.events.some(({ type }) => ENDS.has(type))) send({ type: 'RUN_FINISHED', ...ids });
    thread.past.push(compactEvents(current.events));
    thread.current = undefined;
    for (const client of thread.clients) client.end();
    thread.clients.clear();
  };
  const connect = (body: unknown, response: ServerResponse): void => {
    const thread = threadOf((RunAgentInputSchema.parse(body) as RunAgentInput).threadId);
    startStream(response);
    for (const event of compactEvents(thread.past.flat())) write(response, event);
    for (const event of thread.current?.events ?? []) write(response, event);
    if (thread.current) thread.clients.add(response);
    else response.end();
  };
  const stop = (threadId: string, response: ServerResponse): void => {
    const stopped = threads.get(threadId)?.current?.stopped;
    stopped?.abort();
    send(response, 200, { stopped: stopped !== undefined });
  };
  const info = { version: '1.75.0', mode: 'sse', agents: { default: { name: 'default' }, sales: { name: 'sales' } } };

  const answerSingle = async (body: unknown, response: ServerResponse): Promise<void> => {
    const {
      method,
      params = {},
      body: inner,
    } = body as {
      readonly method: string;
      readonly params?: Readonly<Record<string, string>>;
      readonly body?: unknown;
    };
    requests.push(method);
    if (method === 'info') send(response, 200, info);
    else if (method === 'agent/run') await run(inner, response);
    else if (method === 'agent/connect') connect(inner, response);
    else if (method === 'agent/stop') stop(params['threadId'] ?? '', response);
    else send(response, 400, { error: 'invalid_request' });
  };
  const answer = async (path: string, body: unknown, response: ServerResponse): Promise<void> => {
    const [, action, thread = ''] =
      /^\/api\/copilotkit\/agent\/[^/]+\/(run|connect|stop)(?:\/([^/]+))?$/.exec(path) ?? [];
    if (single) {
      if (path === '/api/copilotkit' && body !== undefined) await answerSingle(body, response);
      else send(response, 404, { error: 'not_found' });
      return;
    }
    requests.push(path.replace('/api/copilotkit', ''));
    if (path === '/api/copilotkit/info') send(response, 200, info);
    else if (action === 'run') await run(body, response);
    else if (action === 'connect') connect(body, response);
    else if (action === 'stop') stop(decodeURIComponent(thread), response);
    else send(response, 404, { error: 'not_found' });
  };

  const server = createServer((request, response) => {
    open.add(response);
    response.on('close', () => {
      open.delete(response);
      for (const { clients } of threads.values()) clients.delete(response);
    });
    const body: Promise<unknown> = request.method === 'POST' ? json(request) : Promise.resolve(undefined);
    body
      .then((read) => answer(request.url ?? '', read, response))
      .catch((error: unknown) => {
        if (!response.headersSent) send(response, 500, { error: 'Failed to run agent', message: String(error) });
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    base: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/api/copilotkit`,
    get requests() {
      return requests;
    },
    get inputs() {
      return inputs;
    },
    play(runs, options = {}) {
      waiting = [...runs];
      single = options.single === true;
      requests = [];
      inputs = [];
      threads.clear();
    },
    cut() {
      for (const response of open) response.destroy();
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
