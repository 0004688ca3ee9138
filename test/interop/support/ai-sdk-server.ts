/** A server made with Vercel's `ai`, and a model whose output the test defines. */
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

/** The fields of a request that the server reads. */
const chatBody = z.object({
  id: z.string(),
  messages: z.array(z.unknown()),
  trigger: z.enum(['submit-message', 'regenerate-message']).optional(),
  messageId: z.string().optional(),
  tools: z.unknown().optional(),
});
export type ChatBody = z.infer<typeof chatBody>;

export interface ChatRequest {
  readonly body: ChatBody;
  readonly response: ServerResponse;
  /** Aborts with the connection. */
  readonly signal: AbortSignal;
}

export interface AiServer {
  readonly endpoint: string;
  /** Sets the handlers: of a `POST`, and of a `GET` for a running stream. */
  serve(post: (request: ChatRequest) => Promise<void>, get?: (path: string, response: ServerResponse) => void): void;
  close(): Promise<void>;
}

export async function aiServer(): Promise<AiServer> {
  let post: (request: ChatRequest) => Promise<void> = () => Promise.reject(new Error('Nothing is served.'));
  let get = (_path: string, response: ServerResponse): void => void response.writeHead(404).end();
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET') {
      get(request.url ?? '', response);
      return;
    }
    const signal = new AbortController();
    response.on('close', () => {
      signal.abort();
    });
    await post({ body: chatBody.parse(await json(request)), response, signal: signal.signal });
  }
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      // After the headers are sent, a reply can only end with its connection.
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

/** Validates the messages of a request, as a server must do before it uses them. */
export const validatedMessages = ({ messages }: ChatBody, tools: ToolSet = {}): Promise<UIMessage[]> =>
  // Only the tool's schema knows the type of its input.
  validateUIMessages<UIMessage>({ messages, tools: tools as CheckedTools });

/** A route as in the SDK's guides: it validates, asks the model, and streams. */
export const chatRoute =
  (model: MockLanguageModelV3, { tools = {}, ...options }: Answering = {}) =>
  async ({ body, response, signal }: ChatRequest): Promise<void> => {
    const messages = await validatedMessages(body, tools);
    const result = streamText({
      model,
      tools,
      messages: await convertToModelMessages(messages, { tools }),
      stopWhen: stepCountIs(5),
      abortSignal: signal,
      // The default handler logs to the console.
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

/** A model that outputs one of these in each step, in order. */
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

/** A model's output that the test writes step by step. */
export function streamingModel() {
  let controller: ReadableStreamDefaultController<ModelPart> | undefined;
  const stream: ModelStream = new ReadableStream<ModelPart>({
    start(streamController) {
      controller = streamController;
    },
  });
  return {
    stream,
    write(...parts: readonly ModelPart[]): void {
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

/** The prompts that the model has received, one per step, as plain JSON. */
export const promptsOf = ({ doStreamCalls }: MockLanguageModelV3): readonly unknown[] =>
  doStreamCalls.map(({ prompt }) => toPlainJson(prompt));

/** Removes `undefined`, which JSON does not have. */
export const toPlainJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

type Metadata = Extract<ModelPart, { type: 'text-start' }>['providerMetadata'];

const chunksOf = (text: string): readonly string[] => [text.slice(0, 3), text.slice(3)].filter(Boolean);

export const textParts = (text: string, id = '0'): readonly ModelPart[] => [
  { type: 'text-start', id },
  ...chunksOf(text).map((delta): ModelPart => ({ type: 'text-delta', id, delta })),
  { type: 'text-end', id },
];

export const reasoningParts = (text: string, providerMetadata?: Metadata): readonly ModelPart[] => [
  { type: 'reasoning-start', id: 'r' },
  ...chunksOf(text).map((delta): ModelPart => ({ type: 'reasoning-delta', id: 'r', delta })),
  { type: 'reasoning-end', id: 'r', ...(providerMetadata && { providerMetadata }) },
];

export const call = (toolCallId: string, toolName: string, input: object): readonly ModelPart[] => {
  const text = JSON.stringify(input);
  return [
    { type: 'tool-input-start', id: toolCallId, toolName },
    ...chunksOf(text).map((delta): ModelPart => ({ type: 'tool-input-delta', id: toolCallId, delta })),
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
