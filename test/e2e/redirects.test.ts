/** Redirects of every request that carries something of the page or the user: nothing reaches the other server. */
import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { openSite, type Site } from './support/site.ts';

const CODES = [301, 302, 303, 307, 308];
const STREAM = { 'content-type': 'text/event-stream' };
const sse = (...events: readonly (object | string)[]): string =>
  events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('');

interface Scene {
  readonly name: string;
  /** The endpoint, below the path of the scene. */
  readonly path: string;
  readonly protocol: string;
  /** The request that is redirected. */
  readonly moves: RegExp;
  /** The answers to the other requests. A string is a stream, which stays open with `OPEN`. */
  readonly answers?: readonly (readonly [path: RegExp, answer: string | object])[];
  /** What the page does besides sending a message. */
  readonly act?: 'stop' | 'drop' | 'poll' | 'discover' | 'attach';
}

const DIFY = { conversation_id: 'c', message_id: 'm', task_id: 'k' };

const scenes: readonly Scene[] = [
  { name: 'the turn', path: '/chat', protocol: 'openai-chat', moves: /chat$/ },
  { name: 'the turn, before the protocol is known', path: '/chat', protocol: 'auto', moves: /chat$/ },
  {
    name: 'polling',
    path: '/chat',
    protocol: 'ai-sdk',
    moves: /poll$/,
    answers: [[/chat$/, sse({ type: 'start' }, { type: 'text-start', id: 't' })]],
    act: 'poll',
  },
  { name: 'a manifest', path: '/chat', protocol: 'auto', moves: /agents\.json$/, act: 'discover' },
  { name: 'an agent card', path: '/.well-known/agent-card.json', protocol: 'a2a', moves: /agent-card\.json$/ },
  { name: 'the creation of a session', path: '/apps/app', protocol: 'adk', moves: /sessions$/ },
  {
    name: 'the resumption of a reply',
    path: '/chat',
    protocol: 'ai-sdk',
    moves: /\/stream$/,
    answers: [
      [
        /chat$/,
        `${sse({ type: 'start' }, { type: 'text-start', id: 't' }, { type: 'text-delta', id: 't', delta: 'Hello' })}OPEN`,
      ],
    ],
    act: 'drop',
  },
  {
    name: 'the cancellation of a reply',
    path: '/chat-messages',
    protocol: 'dify',
    moves: /\/stop$/,
    answers: [[/chat-messages$/, `${sse({ event: 'message', answer: 'Hello', ...DIFY })}OPEN`]],
    act: 'stop',
  },
  {
    name: 'the upload of a file',
    path: '/chat-messages',
    protocol: 'dify',
    moves: /\/files\/upload$/,
    act: 'attach',
  },
  {
    name: 'the start of a run whose events have their own stream',
    path: '/sessions/s/stream?agent_id=a',
    protocol: 'agentscope',
    moves: /\/chat\/$/,
    answers: [[/\/stream$/, 'OPEN']],
  },
];

describe('rule 21: a redirect to another server', () => {
  let site: Site;
  let page: Page;
  let other: http.Server;
  const reached: string[] = [];
  const redirected: string[] = [];
  /** The streams that stay open, by the path of their scene. */
  const open = new Map<string, http.ServerResponse>();

  before(async () => {
    other = http.createServer((request, response) => {
      reached.push(`${request.method ?? ''} ${request.url ?? ''}`);
      const headers = {
        'access-control-allow-origin': request.headers.origin ?? '*',
        'access-control-allow-credentials': 'true',
        'access-control-allow-headers': 'authorization, content-type, accept',
        'access-control-allow-methods': '*',
      };
      response.writeHead(200, { ...headers, ...STREAM }).end(sse('[DONE]'));
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const elsewhere = `http://localhost:${String(typeof address === 'object' ? address?.port : '')}`;
    site = await openSite({
      pages: { '/': '' },
      agent(request, response) {
        const { pathname } = new URL(request.url ?? '/', 'http://site');
        const [, code, index, rest = ''] = /^\/(\d+)\/(\d+)(\/.*)$/.exec(pathname) ?? [];
        const scene = scenes[Number(index)];
        if (!scene) return false;
        if (rest === '/drop') {
          open.get(`${code ?? ''}/${index ?? ''}`)?.destroy();
          response.writeHead(204).end();
          return true;
        }
        if (scene.moves.test(rest)) {
          redirected.push(`${code ?? ''} ${scene.name}`);
          response.writeHead(Number(code), { location: `${elsewhere}${pathname}` }).end();
          return true;
        }
        const answer = scene.answers?.find(([path]) => path.test(rest))?.[1];
        if (typeof answer === 'string') {
          response.writeHead(200, STREAM).write(answer.replace('OPEN', '') || ': open\n\n');
          if (answer.endsWith('OPEN')) open.set(`${code ?? ''}/${index ?? ''}`, response);
          else response.end();
        } else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? {}));
        return true;
      },
    });
    page = await site.visit('/');
  });
  after(async () => {
    await site.close();
    other.closeAllConnections();
    other.close();
  });

  for (const [index, { name, path, protocol, act }] of scenes.entries()) {
    it(`${name}: is not followed, whatever its status`, async () => {
      await page.evaluate(
        async ({ CODES: codes, index: scene, path: endpoint, protocol: id, act: action }) => {
          await Promise.all(
            codes.map(async (code) => {
              const base = `/${String(code)}/${String(scene)}`;
              const chat = document.createElement('agent-chat');
              Object.assign(chat, {
                endpoint: base + endpoint,
                protocol: id,
                credentials: 'include',
                headers: { authorization: 'Bearer the-key-of-the-page' },
                retry: 'off',
                limits: { idle: 1500, firstByte: 1500 },
                ...(action === 'poll' && { poll: { source: `${base}/poll`, interval: 50 } }),
              });
              document.body.append(chat);
              await chat.updateComplete;
              if (action === 'discover') {
                await chat.discoverAgents(`${base}/agents.json`).catch(() => undefined);
                return;
              }
              const attachments = [{ kind: 'file', name: 'a.txt', mimeType: 'text/plain', data: 'QQ==' }] as const;
              const sent = chat.send({ text: 'Secret', ...(action === 'attach' && { attachments }) });
              if (action === 'stop' || action === 'drop') {
                while (!JSON.stringify(chat.messages).includes('Hello')) await new Promise(requestAnimationFrame);
                if (action === 'stop') chat.stop();
                else await fetch(`${base}/drop`);
              }
              await sent;
            }),
          );
        },
        { CODES, index, path, protocol, act },
      );
      // The cancellation is not awaited by anything.
      for (const code of CODES)
        while (!redirected.includes(`${String(code)} ${name}`))
          await page.evaluate(() => new Promise(requestAnimationFrame));
      await page.waitForTimeout(200);
      assert.deepEqual(reached, []);
    });
  }
});
