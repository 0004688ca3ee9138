/** A server made with `@tanstack/ai` as its guides have it, and a model that says what the test wants it to say. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import {
  chat,
  chatParamsFromRequest,
  memoryStream,
  resumeHttpResponse,
  resumeServerSentEventsResponse,
  toHttpResponse,
  toServerSentEventsResponse,
  type AnyTextAdapter,
  type AnyTool,
} from '@tanstack/ai';

type ModelEvent = ReturnType<AnyTextAdapter['chatStream']> extends AsyncIterable<infer Item> ? Item : never;

/** The events of a step of the model. A promise delays those after it. */
export type Step = readonly (object | Promise<unknown>)[];

interface Options {
  readonly tools?: readonly AnyTool[];
  readonly framing?: 'sse' | 'ndjson';
}

export interface TanStackServer {
  readonly endpoint: string;
  /** The messages that the model was asked with, step by step. */
  readonly asked: readonly unknown[];
  /** The methods of the requests. */
  readonly methods: readonly string[];
  play(steps: readonly Step[], options?: Options): void;
  /** Breaks the connections. The run continues. */
  cut(): void;
  close(): Promise<void>;
}

export async function tanStackServer(): Promise<TanStackServer> {
  let waiting: Step[] = [];
  let asked: unknown[] = [];
  let methods: string[] = [];
  let options: Options = {};
  const open = new Set<ServerResponse>();

  const answer = async (request: Request): Promise<Response> => {
    const { framing, tools = [] } = options;
    const adapter = memoryStream(request);
    if (request.method === 'GET') {
      return framing === 'ndjson' ? resumeHttpResponse({ adapter }) : resumeServerSentEventsResponse({ adapter });
    }
    const { messages, threadId, runId, parentRunId, resume, tools: offered } = await chatParamsFromRequest(request);
    const events = chat({
      adapter: scripted((given) => {
        asked.push(given);
        return waiting.shift() ?? [];
      }),
      messages,
      threadId,
      runId,
      ...(parentRunId && { parentRunId }),
      ...(resume && { resume }),
      tools: [...tools, ...offered],
    });
    // Each event is written at once: by default they are collected.
    const delivery = { durability: { adapter, batch: 1 } };
    return framing === 'ndjson' ? toHttpResponse(events, delivery) : toServerSentEventsResponse(events, delivery);
  };

  const server = createServer((request, response) => {
    methods.push(request.method ?? '');
    open.add(response);
    response.on('close', () => open.delete(response));
    void toRequest(request)
      .then(answer)
      .then((answered) => pipe(answered, response))
      .catch((error: unknown) => {
        if (!response.headersSent) response.writeHead(500).end(String(error));
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/api/chat`,
    get asked() {
      return asked;
    },
    get methods() {
      return methods;
    },
    play(steps, next = {}) {
      waiting = [...steps];
      options = next;
      asked = [];
      methods = [];
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

async function toRequest(request: IncomingMessage): Promise<Request> {
  const url = `http://127.0.0.1${request.url ?? '/'}`;
  if (request.method !== 'POST') return new Request(url);
  return new Request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: await buffer(request),
  });
}

async function pipe(answered: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  for await (const part of answered.body ?? []) {
    if (response.destroyed) return;
    response.write(part);
  }
  response.end();
}

/** A model of TanStack AI that says what the script has for its next step. */
function scripted(next: (messages: unknown) => Step): AnyTextAdapter {
  return {
    kind: 'text',
    name: 'scripted',
    model: 'scripted',
    async *chatStream({ messages, runId = 'run', threadId = 'thread' }: Parameters<AnyTextAdapter['chatStream']>[0]) {
      for (const event of next(messages)) {
        if (event instanceof Promise) await event;
        else yield { timestamp: 0, runId, threadId, ...event } as ModelEvent;
      }
    },
    structuredOutput: () => Promise.reject(new Error('Not scripted.')),
  } as unknown as AnyTextAdapter;
}

const began = { type: 'RUN_STARTED' };

export const says = (text: string, messageId = 'm'): Step => [...begins(text, messageId), ...ends(messageId)];

export const begins = (text: string, messageId = 'm'): Step => [
  began,
  { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: text },
];
export const ends = (messageId = 'm'): Step => [
  { type: 'TEXT_MESSAGE_END', messageId },
  { type: 'RUN_FINISHED', finishReason: 'stop' },
];

export const calls = (id: string, name: string, input: object): Step => [
  began,
  { type: 'TOOL_CALL_START', toolCallId: id, toolCallName: name, index: 0 },
  { type: 'TOOL_CALL_ARGS', toolCallId: id, delta: JSON.stringify(input) },
  { type: 'TOOL_CALL_END', toolCallId: id },
  { type: 'RUN_FINISHED', finishReason: 'tool_calls' },
];
