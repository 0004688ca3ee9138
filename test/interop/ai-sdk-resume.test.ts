/** Resumes a broken AI SDK stream from the server's copy, as the vendor's guide to resumable streams describes. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ServerResponse } from 'node:http';
import { convertToModelMessages, streamText, tool, UI_MESSAGE_STREAM_HEADERS, type ToolSet } from 'ai';
import { z } from 'zod';
import { inShort, realChat, shows, until } from './support/real-chat.ts';
import {
  aiServer,
  call,
  validatedMessages,
  done,
  streamingModel,
  modelOf,
  type AiServer,
  type ChatRequest,
} from './support/ai-sdk-server.ts';

/** A tool of the page. */
const tools: ToolSet = { where: tool({ inputSchema: z.object({}) }) };

/** Stores the last stream, and replays it for later requests. */
function resumableRoute(model: ReturnType<typeof modelOf>) {
  const stored: string[] = [];
  const listeners = new Set<ServerResponse>();
  let over = false;
  let cut = (): void => undefined;
  async function store(stream: ReadableStream<string>): Promise<void> {
    stored.length = 0;
    over = false;
    for await (const chunk of stream) {
      stored.push(chunk);
      for (const listener of listeners) listener.write(chunk);
    }
    over = true;
    for (const listener of listeners) listener.end();
  }
  return {
    async post({ body, response }: ChatRequest): Promise<void> {
      cut = () => response.socket?.destroy();
      const messages = await convertToModelMessages(await validatedMessages(body));
      await streamText({ model, messages, tools }).pipeUIMessageStreamToResponse(response, {
        consumeSseStream: ({ stream }) => void store(stream),
      });
    },
    get(_path: string, response: ServerResponse): void {
      if (over) {
        response.writeHead(204).end();
        return;
      }
      response.writeHead(200, UI_MESSAGE_STREAM_HEADERS);
      for (const chunk of stored) response.write(chunk);
      listeners.add(response);
    },
    /** Only the connection of the first request ends. */
    cut: () => {
      cut();
    },
  };
}

const once = { type: 'text-delta', id: '0', delta: 'Once ' } as const;
const rest = [
  { type: 'text-delta', id: '0', delta: 'upon a time.' },
  { type: 'text-end', id: '0' },
] as const;

describe('a broken stream of the AI SDK', () => {
  let server: AiServer;
  before(async () => {
    server = await aiServer();
  });
  after(() => server.close());

  const chatWith = () => realChat({ endpoint: server.endpoint, protocol: 'ai-sdk', threadId: 'c 1' });
  const GET = { method: 'GET', path: '/api/chat/c%201/stream', body: undefined };

  it('continues automatically, without duplicated text', async () => {
    const model = streamingModel();
    const route = resumableRoute(modelOf(model.stream));
    server.serve(route.post, route.get);
    const { chat, errors, sent } = chatWith();
    const sending = chat.send('Tell');
    model.write({ type: 'text-start', id: '0' }, once);
    await shows(chat, 'Once ');
    route.cut();
    await until(chat, () => chat.status === 'reconnecting');
    chat.store.state.wait?.now();
    await until(chat, () => sent.length === 2 && chat.status === 'streaming');
    model.write(...rest, ...done());
    model.end();
    const reply = await sending;
    assert.deepEqual(inShort(reply), ['Once upon a time.']);
    assert.equal(reply.status, 'complete');
    assert.deepEqual(errors, []);
    assert.deepEqual(sent.slice(1), [GET]);
  });

  it('continues in a page that was reloaded', async () => {
    const model = streamingModel();
    const route = resumableRoute(modelOf(model.stream));
    server.serve(route.post, route.get);
    const before = chatWith().chat;
    void before.send('Tell');
    model.write({ type: 'text-start', id: '0' }, once);
    await shows(before, 'Once ');
    before.interrupt();
    const { chat, sent } = chatWith();
    chat.messages = before.messages;
    const resuming = chat.resume();
    await until(chat, () => chat.status === 'streaming');
    model.write(...rest, ...done());
    model.end();
    const reply = await resuming;
    assert.deepEqual(inShort(reply), ['Once upon a time.']);
    assert.equal(reply.status, 'complete');
    assert.equal(chat.messages.length, 2);
    assert.deepEqual(sent, [GET]);
  });

  it('keeps what came before the result of a page tool in a page that was reloaded', async () => {
    const model = streamingModel();
    const route = resumableRoute(modelOf([...call('a', 'where', {}), ...done('tool-calls')], model.stream));
    server.serve(route.post, route.get);
    const where = { name: 'where', description: '', parameters: { type: 'object' }, execute: () => ({ at: 'home' }) };
    const settings = { endpoint: server.endpoint, protocol: 'ai-sdk', threadId: 'c 1', tools: [where] };
    const before = realChat(settings).chat;
    void before.send('Where?');
    model.write({ type: 'text-start', id: '0' }, once);
    await shows(before, 'Once ');
    before.interrupt();
    const { chat, errors } = realChat(settings);
    chat.messages = before.messages;
    const resuming = chat.resume();
    await until(chat, () => chat.status === 'streaming');
    model.write(...rest, ...done());
    model.end();
    assert.deepEqual(inShort(await resuming), ['success: where({}) → {"at":"home"}', 'Once upon a time.']);
    assert.deepEqual([chat.messages.length, errors], [2, []]);
  });

  it('stays unchanged if the run no longer exists', async () => {
    server.serve(
      () => Promise.reject(new Error('No turn is sent.')),
      (_path, response) => void response.writeHead(204).end(),
    );
    const { chat, errors, sent } = chatWith();
    chat.messages = [
      { role: 'user', text: 'Tell' },
      { role: 'assistant', text: 'Once', status: 'interrupted' },
    ];
    const before = chat.messages;
    const reply = await chat.resume();
    assert.equal(reply, before[1]);
    assert.deepEqual(chat.messages, before);
    assert.deepEqual(errors, []);
    assert.deepEqual(sent, [GET]);
  });
});
