/** A server made with Vercel's `ai`, and a model that says what the test wants it to say. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import {
  convertToModelMessages,
  stepCountIs,
  streamText,
  validateUIMessages,
  type ToolSet,
  type UIMessage,
  type UIMessageStreamOptions,
} from 'ai';
import { convertArrayToReadableStream, MockLanguageModelV3 } from 'ai/test';
import { z } from 'zod';

type ModelStream = Awaited<ReturnType<MockLanguageModelV3['doStream']>>['stream'];
export type ModelPart = ModelStream extends ReadableStream<infer Part> ? Part : never;

/** What a server of the SDK reads of a request. */
const chatBody = z.object({
  id: z.string(),
  messages: z.array(z.unknown()),
  trigger: z.enum(['submit-message', 'regenerate-message']).optional(),
  messageId: z.string().optional(),
  tools: z.unknown().optional(),
});
export type ChatBody = z.infer<typeof chatBody>;

export interface Asked {
  readonly body: ChatBody;
  readonly response: ServerResponse;
  /** Ends with the connection. */
  readonly gone: AbortSignal;
}

export interface AiServer {
  readonly endpoint: string;
  /** What answers a `POST` from now on, and a `GET` of a stream that runs. */
  serve(post: (asked: Asked) => Promise<void>, get?: (path: string, response: ServerResponse) => void): void;
  close(): Promise<void>;
}

export async function aiServer(): Promise<AiServer> {
  let post: (asked: Asked) => Promise<void> = () => Promise.reject(new Error('Nothing is served.'));
  let get = (_path: string, response: ServerResponse): void => void response.writeHead(404).end();
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET') {
      get(request.url ?? '', response);
      return;
    }
    const gone = new AbortController();
    response.on('close', () => {
      gone.abort();
    });
    await post({ body: chatBody.parse(await json(request)), response, gone: gone.signal });
  }
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      // A reply that has begun ends with its connection.
      if (!response.headersSent) response.writeHead(400, { 'content-type': 'text/plain' }).end(String(error));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/api/chat`,
    serve(nextPost, nextGet = (_path, response) => void response.writeHead(404).end()) {
      post = nextPost;
      get = nextGet;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Answering extends Pick<UIMessageStreamOptions<UIMessage>, 'onError' | 'onFinish' | 'messageMetadata'> {
  readonly tools?: ToolSet;
}

type CheckedTools = NonNullable<Parameters<typeof validateUIMessages<UIMessage>>[0]['tools']>;

/** The messages of a request, as a server has to check them before it uses them. */
export const checked = ({ messages }: ChatBody, tools: ToolSet = {}): Promise<UIMessage[]> =>
  // What a tool takes is known to its schema alone.
  validateUIMessages<UIMessage>({ messages, tools: tools as CheckedTools });

/** A route as the SDK's guides have it: checks, asks the model, streams. */
export const chatRoute =
  (model: MockLanguageModelV3, { tools = {}, ...options }: Answering = {}) =>
  async ({ body, response, gone }: Asked): Promise<void> => {
    const messages = await checked(body, tools);
    const result = streamText({
      model,
      tools,
      messages: await convertToModelMessages(messages, { tools }),
      stopWhen: stepCountIs(5),
      abortSignal: gone,
      // It tells the console otherwise.
      onError: () => undefined,
    });
    let count = messages.length;
    await result.pipeUIMessageStreamToResponse(response, {
      originalMessages: messages,
      generateMessageId: () => `reply-${String(++count)}`,
      sendSources: true,
      ...options,
    });
  };

/** A model that says one of these in each step, in their order. */
export function modelOf(...steps: readonly (readonly ModelPart[] | ModelStream)[]): MockLanguageModelV3 {
  const waiting = steps.values();
  return new MockLanguageModelV3({
    doStream: () => {
      const { value: step = done('error') } = waiting.next();
      return Promise.resolve({
        stream: step instanceof ReadableStream ? step : convertArrayToReadableStream([...step]),
      });
    },
  });
}

/** What a model says, as the test goes on. */
export function growing() {
  let controller: ReadableStreamDefaultController<ModelPart> | undefined;
  const stream: ModelStream = new ReadableStream<ModelPart>({
    start(given) {
      controller = given;
    },
  });
  return {
    stream,
    say(...parts: readonly ModelPart[]): void {
      for (const part of parts) controller?.enqueue(part);
    },
    end(): void {
      controller?.close();
    },
    fail(error: unknown): void {
      controller?.error(error);
    },
  };
}

/** What the model has been asked, step by step, in plain JSON. */
export const promptsOf = ({ doStreamCalls }: MockLanguageModelV3): readonly unknown[] =>
  doStreamCalls.map(({ prompt }) => plain(prompt));

/** As JSON has it, which knows no `undefined`. */
export const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

type Metadata = Extract<ModelPart, { type: 'text-start' }>['providerMetadata'];

const pieces = (text: string): readonly string[] => [text.slice(0, 3), text.slice(3)].filter(Boolean);

export const words = (text: string, id = '0'): readonly ModelPart[] => [
  { type: 'text-start', id },
  ...pieces(text).map((delta): ModelPart => ({ type: 'text-delta', id, delta })),
  { type: 'text-end', id },
];

export const thoughts = (text: string, providerMetadata?: Metadata): readonly ModelPart[] => [
  { type: 'reasoning-start', id: 'r' },
  ...pieces(text).map((delta): ModelPart => ({ type: 'reasoning-delta', id: 'r', delta })),
  { type: 'reasoning-end', id: 'r', ...(providerMetadata && { providerMetadata }) },
];

export const call = (toolCallId: string, toolName: string, input: object): readonly ModelPart[] => {
  const text = JSON.stringify(input);
  return [
    { type: 'tool-input-start', id: toolCallId, toolName },
    ...pieces(text).map((delta): ModelPart => ({ type: 'tool-input-delta', id: toolCallId, delta })),
    { type: 'tool-input-end', id: toolCallId },
    { type: 'tool-call', toolCallId, toolName, input: text },
  ];
};

type Reason = Extract<ModelPart, { type: 'finish' }>['finishReason']['unified'];

export const done = (unified: Reason = 'stop'): readonly ModelPart[] => [
  {
    type: 'finish',
    finishReason: { unified, raw: undefined },
    usage: {
      inputTokens: { total: 3, noCache: 3, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: 4, text: 4, reasoning: undefined },
    },
  },
];
