/** A server as the guide of TanStack AI writes it, with a model that plays scripted answers. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  chat,
  chatParamsFromRequest,
  memoryStream,
  mergeAgentTools,
  resumeServerSentEventsResponse,
  toHttpResponse,
  toolDefinition,
  toServerSentEventsResponse,
  type AnyTextAdapter,
  type StreamChunk,
} from '@tanstack/ai';

/** What the model does with one request: events of AG-UI without the start and the end of the run. */
export type Answer = readonly (Readonly<Record<string, unknown>> | Promise<unknown>)[];

export interface TanStackServer {
  readonly url: string;
  /** Sets the answers of the model's next requests, in order. */
  play(...answers: readonly Answer[]): void;
  /** What the model got with each request: role and content of each message. */
  readonly histories: readonly (readonly (readonly [string, unknown])[])[];
  /** Requests that were aborted. */
  readonly aborted: number;
  /** Ends the open connections in the middle of their bodies. */
  cut(): void;
  close(): Promise<void>;
}

export const text = (...deltas: readonly string[]): Answer => [
  { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
  ...deltas.map((delta) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta })),
  { type: 'TEXT_MESSAGE_END', messageId: 'm' },
];
export const call = (toolCallId: string, toolCallName: string, args: object): Answer => [
  { type: 'TOOL_CALL_START', toolCallId, toolCallName, toolName: toolCallName },
  { type: 'TOOL_CALL_ARGS', toolCallId, delta: JSON.stringify(args) },
  { type: 'TOOL_CALL_END', toolCallId },
];

const city = { type: 'object', properties: { city: { type: 'string' } } } as const;
const serverTools = [
  toolDefinition({ name: 'weather', description: 'The weather in a city', inputSchema: city }).server((input) => ({
    city: (input as { city: string }).city,
    degrees: 21,
  })),
  toolDefinition({ name: 'fail', description: 'Fails' }).server(() => {
    throw new Error('The stock can’t be read.');
  }),
  toolDefinition({
    name: 'book',
    description: 'Books a trip',
    inputSchema: city,
    needsApproval: true,
  }).server((input) => `booked ${(input as { city: string }).city}`),
];

export async function tanStackServer(form: 'sse' | 'ndjson', durable = false): Promise<TanStackServer> {
  let answers: Answer[] = [];
  const histories: (readonly (readonly [string, unknown])[])[] = [];
  let aborted = 0;

  async function* play(messages: readonly { role: string; content: unknown }[]): AsyncGenerator<StreamChunk> {
    histories.push(messages.map(({ role, content }) => [role, content]));
    const answer = answers.shift() ?? text('Nothing is left to say.');
    const ids = { runId: 'model', threadId: 'model', timestamp: Date.now() };
    yield { type: 'RUN_STARTED', ...ids } as StreamChunk;
    let calls = false;
    for (const event of answer) {
      if (event instanceof Promise) {
        await event;
        continue;
      }
      calls ||= event['type'] === 'TOOL_CALL_START';
      yield { ...event, timestamp: Date.now() } as unknown as StreamChunk;
    }
    yield { type: 'RUN_FINISHED', ...ids, finishReason: calls ? 'tool_calls' : 'stop' } as unknown as StreamChunk;
  }

  const adapter = {
    kind: 'text',
    name: 'scripted',
    model: 'scripted',
    chatStream: ({ messages }: { messages: readonly { role: string; content: unknown }[] }) => play(messages),
    structuredOutput: () => Promise.reject(new Error('This model has none.')),
  } as unknown as AnyTextAdapter;

  async function answer(request: Request): Promise<Response> {
    if (request.method === 'GET') return resumeServerSentEventsResponse({ adapter: memoryStream(request) });
    const params = await chatParamsFromRequest(request);
    const abortController = new AbortController();
    request.signal.addEventListener('abort', () => {
      aborted++;
      abortController.abort();
    });
    const { threadId, runId, parentRunId, resume } = params;
    const stream = chat({
      adapter,
      messages: params.messages,
      tools: mergeAgentTools(serverTools, params.tools),
      threadId,
      runId,
      ...(parentRunId !== undefined && { parentRunId }),
      ...(resume && { resume }),
      // A durable run goes on without its connection.
      ...(!durable && { abortController }),
    });
    if (form === 'ndjson') return toHttpResponse(stream, { abortController });
    return durable
      ? toServerSentEventsResponse(stream, { durability: { adapter: memoryStream(request), batch: 1 } })
      : toServerSentEventsResponse(stream, { abortController });
  }

  const server = createServer((request, response) => {
    const gone = new AbortController();
    response.on('close', () => {
      if (!response.writableFinished) gone.abort();
    });
    void readRequest(request, gone.signal)
      .then(answer)
      .then(
        (answered) => {
          response.writeHead(answered.status, Object.fromEntries(answered.headers));
          if (!answered.body) return response.end();
          const body = Readable.fromWeb(answered.body as Parameters<typeof Readable.fromWeb>[0]);
          return body.on('error', () => response.destroy()).pipe(response);
        },
        (error: unknown) => response.writeHead(400).end(String(error)),
      );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/api/agent`,
    play(...next) {
      answers = [...next];
      histories.length = 0;
    },
    histories,
    get aborted() {
      return aborted;
    },
    cut() {
      server.closeAllConnections();
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function readRequest(request: IncomingMessage, signal: AbortSignal): Promise<Request> {
  const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const { method = 'GET' } = request;
  const body = method === 'GET' ? null : new Uint8Array(await buffer(request));
  return new Request(`http://127.0.0.1${request.url ?? ''}`, { method, headers, body, signal });
}
