/**
 * A real WebSocket server: the first message carries the request, `transformRequest` sets address and sub-protocols.
 */
import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { WebSocketServer } from 'ws';
import { openSite, type Site } from './support/site.ts';

interface Heard {
  readonly path: string | undefined;
  readonly subProtocol: string;
  readonly body: unknown;
}

const frame = (event: object): string => JSON.stringify(event);
const chunk = (delta: object, finish_reason: string | null = null): string =>
  frame({ object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] });

describe('a WebSocket endpoint', () => {
  const heard: Heard[] = [];
  const server = http.createServer();
  const sockets = new WebSocketServer({ server, handleProtocols: (offered) => [...offered][0] ?? false });
  let closed = 0;
  let site: Site;
  let page: Page;

  before(async () => {
    sockets.on('connection', (socket, request) => {
      socket.on('close', () => closed++);
      socket.on('message', (data: Buffer) => {
        heard.push({ path: request.url, subProtocol: socket.protocol, body: JSON.parse(data.toString()) as unknown });
        if (request.url?.startsWith('/never')) return;
        for (const message of [chunk({ content: 'By ' }), chunk({ content: 'socket.' }), chunk({}, 'stop')]) {
          socket.send(message);
        }
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    site = await openSite({ pages: { '/': `<agent-chat endpoint="ws://127.0.0.1:${port}/chat"></agent-chat>` } });
    page = await site.visit('/');
    await page.waitForFunction(() => customElements.get('agent-chat'));
  });
  after(async () => {
    await site.close();
    for (const client of sockets.clients) client.terminate();
    sockets.close();
    await new Promise((resolve) => server.close(resolve));
  });

  it('gets the request as its first message, and its messages are detected', async () => {
    const answer = await page.evaluate(async () => {
      const chat = document.querySelector('agent-chat');
      const { status, blocks } = (await chat?.send('Hello')) ?? {};
      return { status, blocks: blocks?.map((block) => (block.type === 'content' ? block.content : block.type)) };
    });
    assert.deepEqual(answer, { status: 'complete', blocks: ['By socket.'] });
    const [first] = heard;
    assert.equal(first?.path, '/chat');
    assert.equal((first.body as { message?: string }).message, 'Hello');
  });

  it('takes address and sub-protocols from transformRequest, and a next turn with its history', async () => {
    await page.evaluate(async () => {
      const chat = document.querySelector('agent-chat');
      if (!chat) return;
      chat.transformRequest = (request) => ({
        ...request,
        url: `${request.url}?token=t1`,
        subProtocols: ['agent.v2', 'agent.v1'],
      });
      await chat.send('Again');
    });
    const last = heard.at(-1);
    assert.deepEqual([last?.path, last?.subProtocol], ['/chat?token=t1', 'agent.v2']);
    const { messages } = last?.body as { messages: { role: string; content: string }[] };
    assert.deepEqual(
      messages.map(({ role, content }) => `${role}: ${content}`),
      ['user: Hello', 'assistant: By socket.', 'user: Again'],
    );
  });

  it('is closed when the user stops', async () => {
    const before = closed;
    await page.evaluate(() => {
      const chat = document.querySelector('agent-chat');
      if (!chat) return;
      chat.transformRequest = (request) => ({ ...request, url: request.url.replace('/chat', '/never') });
      void chat.send('Wait');
    });
    // The server has the message, and sends nothing.
    await page.waitForFunction(() => document.querySelector('agent-chat')?.messages.at(-2)?.status === 'complete');
    const status = await page.evaluate(() => {
      const chat = document.querySelector('agent-chat');
      chat?.stop();
      return chat?.messages.at(-1)?.status;
    });
    assert.equal(status, 'cancelled');
    while (closed === before) await new Promise((resolve) => setImmediate(resolve));
  });
});
