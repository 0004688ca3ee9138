/** An agent that the test controls, and helpers that read a page with a widget. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import type { Page } from 'playwright-core';
import type { Handler } from './site.ts';

/** A request that never comes must not delay the tests. */
const REQUEST_TIMEOUT_MS = 15_000;

/** An agent with AI SDK streams, which can be resumed, and session events, which can't. */
export class ControlledAgent {
  /** The requests, as `METHOD path`. */
  readonly requests: string[] = [];
  readonly bodies: string[] = [];
  #replies: ServerResponse[] = [];
  #sent = '';
  #waiting: (() => void)[] = [];
  /** Whether an interrupted reply can be resumed. */
  running = false;

  readonly handler: Handler = async (request, response) => {
    const path = String(request.url);
    if (!path.startsWith('/agent')) return false;
    let body = '';
    for await (const chunk of request) body += String(chunk);
    this.requests.push(`${String(request.method)} ${path}`);
    if (request.method === 'GET' && !this.running) response.writeHead(204).end();
    else {
      if (request.method === 'POST') {
        this.bodies.push(body);
        this.#sent = '';
      }
      response.writeHead(200, { 'content-type': 'text/event-stream', 'x-vercel-ai-ui-message-stream': 'v1' });
      response.write(this.#sent);
      this.#replies.push(response);
    }
    for (const resume of this.#waiting.splice(0)) resume();
    return true;
  };

  async requestCount(count: number): Promise<void> {
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    while (this.requests.length < count && !signal.aborted)
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
        signal.addEventListener('abort', () => {
          resolve();
        });
      });
    assert.ok(this.requests.length >= count, `asked ${String(this.requests.length)} times, wanted ${String(count)}`);
  }

  write(text: string): void {
    this.#sent += text;
    for (const reply of this.#replies) reply.write(text);
  }

  end(): void {
    for (const reply of this.#replies.splice(0)) reply.end();
  }

  /** Sends a question, answers it with session events, and waits until the answer is complete. */
  async answer(page: Page, question: string, words: string): Promise<void> {
    const count = this.requests.length;
    await send(page, question);
    await this.requestCount(count + 1);
    this.write(session(words) + SESSION_END);
    this.end();
    await page.waitForFunction(
      (text) => JSON.stringify(document.querySelector('agent-chat')?.messages ?? []).includes(text),
      words,
    );
    await page.waitForFunction(() => document.querySelector('agent-chat')?.status === 'idle');
  }
}

/** A widget whose agent sends session events, and that reports a failure at once. */
export const sessionWidget = (attributes: string): string =>
  `<agent-chat endpoint="/agent" protocol="agent-session" retry="off" ${attributes}></agent-chat>`;

export const session = (...texts: readonly string[]): string =>
  texts.map((content) => `data: ${JSON.stringify({ type: 'content', data: { content } })}\n\n`).join('');
export const SESSION_END = `data: ${JSON.stringify({ type: 'session_end', data: { status: 'completed' } })}\n\n`;

export const parts = (...list: readonly object[]): string =>
  list.map((part) => `data: ${JSON.stringify(part)}\n\n`).join('');
export const delta = (text: string): object => ({ type: 'text-delta', id: 't', delta: text });
export const START = parts({ type: 'start', messageId: 'm' }, { type: 'text-start', id: 't' });
export const FINISH = `${parts({ type: 'text-end', id: 't' }, { type: 'finish' })}data: [DONE]\n\n`;

export const send = (page: Page, text: string): Promise<void> =>
  page.evaluate((texts) => void document.querySelector('agent-chat')?.send(texts), text);
/** Everything in the storage of the page's origin. */
export const stored = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const open = indexedDB.open('agent-chat');
    await new Promise((resolve) => (open.onsuccess = resolve));
    const records = await Promise.all(
      [...open.result.objectStoreNames].map(
        (name) =>
          new Promise<unknown>((resolve) => {
            const all = open.result.transaction(name).objectStore(name).getAll();
            all.onsuccess = () => {
              resolve(all.result);
            };
          }),
      ),
    );
    open.result.close();
    return JSON.stringify([records, Object.entries(sessionStorage), Object.entries(localStorage)]);
  });

/** Resolves when the page has stored a text. @throws if that takes longer than 10 s */
export async function stores(page: Page, text: string): Promise<void> {
  const end = Date.now() + 10_000;
  while (!(await stored(page)).includes(text)) {
    assert.ok(Date.now() < end, `"${text}" is not stored.`);
    await page.waitForTimeout(50);
  }
}

const lines = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    (document.querySelector('agent-chat')?.messages ?? []).map(
      ({ role, status, blocks }) =>
        `${role} ${status}: ${blocks.map((block) => ('content' in block ? block.content : block.type)).join('|')}`,
    ),
  );
export const waitForTexts = async (page: Page, expected: readonly string[]): Promise<void> => {
  await page
    .waitForFunction(
      (expectedTexts) =>
        JSON.stringify(
          (document.querySelector('agent-chat')?.messages ?? []).map(
            ({ role, status, blocks }) =>
              `${role} ${status}: ${blocks.map((block) => ('content' in block ? block.content : block.type)).join('|')}`,
          ),
        ) === expectedTexts,
      JSON.stringify(expected),
      { timeout: 8000 },
    )
    .catch(() => undefined);
  assert.deepEqual(await lines(page), expected);
};
