/**
 * One page for each chat widget, with its own scripts gzipped as servers deliver them, and an agent that answers
 * immediately.
 */
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { serve, type Server } from './serve.ts';

const BENCH = join(import.meta.dirname, '..');

/** The first word of the answer; no page contains it earlier. */
export const FIRST_WORD = 'Certainly';
const ANSWER = `${FIRST_WORD}: your parcel is **on its way** and arrives tomorrow.`;

const OURS = '<script type="module" src="/dist/agent-chat.js"></script>';
/** The name of a contestant, and the body of its page. */
export const PAGES: Readonly<Record<string, string>> = {
  'ours, auto': `${OURS}<agent-chat endpoint="/agent/openai"></agent-chat>`,
  'ours, protocol named': `${OURS}<agent-chat endpoint="/agent/openai" protocol="openai-chat"></agent-chat>`,
  'ours, launcher': '<script src="/dist/embed.js" data-endpoint="/agent/openai" data-protocol="openai-chat"></script>',
  'deep-chat':
    '<script type="module" src="/deep-chat/deepChat.bundle.js"></script><deep-chat style="width: 100%; height: 600px" connect=\'{"url": "/agent/deep-chat", "stream": true}\'></deep-chat>',
};

/** The agent's answer in the format of each client. */
const WIRES: Readonly<Record<string, readonly string[]>> = {
  '/agent/openai': [
    ...ANSWER.split(/(?<= )/).map((content, index) => ({
      id: 'c',
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta: { ...(index === 0 && { role: 'assistant' }), content }, finish_reason: null }],
    })),
    { id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  ]
    .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
    .concat('data: [DONE]\n\n'),
  '/agent/deep-chat': ANSWER.split(/(?<= )/).map((text) => `data: ${JSON.stringify({ text })}\n\n`),
};

export function openFirstAnswerSite(): Promise<Server> {
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url ?? '/', 'http://bench');
    const wire = WIRES[pathname];
    const body = PAGES[decodeURIComponent(pathname.slice(1))];
    if (wire) {
      for await (const _ of request) continue;
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
      response.end(wire.join(''));
    } else if (body !== undefined) {
      response.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'no-store' });
      response.end(
        `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><title>Shop</title><body>${body}</body></html>`,
      );
    } else {
      const file = pathname.startsWith('/deep-chat/')
        ? join(BENCH, 'node_modules/deep-chat/dist', pathname.slice('/deep-chat/'.length))
        : join(BENCH, '..', pathname);
      const headers = { 'content-type': 'text/javascript', 'content-encoding': 'gzip', 'cache-control': 'no-store' };
      const content = gzipSync(await readFile(file), { level: 9 });
      response.writeHead(200, headers).end(content);
    }
  };
  return serve(handle);
}
