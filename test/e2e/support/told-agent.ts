/** An agent over HTTP that replies when and what a test tells it to. */
import type { ServerResponse } from 'node:http';
import type { Page } from 'playwright-core';
import type { LLMAgentEventData } from '../../../src/index.ts';
import type { Handler } from './site.ts';

export type Said = Omit<Partial<LLMAgentEventData>, 'eventId'>;

export interface ToldAgent {
  readonly handler: Handler;
  /** Resolves with the next request to the agent. */
  heard(): Promise<void>;
  /** Sends a message; resolves when the agent has received it. */
  ask(page: Page): Promise<void>;
  /** Sends responses in the running reply; resolves when the page has rendered them. */
  say(page: Page, ...data: readonly Said[]): Promise<void>;
  /** Ends the reply; resolves when the page has rendered that. */
  end(page: Page): Promise<void>;
  hangUp(): void;
}

export function toldAgent(): ToldAgent {
  let reply: ServerResponse | undefined;
  let onHeard: () => void = () => undefined;
  const write = (events: readonly object[]): void => {
    reply?.write(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
  };
  const heard = (): Promise<void> => new Promise((resolve) => (onHeard = resolve));
  return {
    heard,
    async handler(request, response) {
      if (request.url !== '/agent') return false;
      for await (const _ of request); // the request is read to its end
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      reply = response;
      onHeard();
      return true;
    },
    async ask(page) {
      const asked = heard();
      await page.evaluate(() => void document.querySelector('agent-chat')?.send('Go on'));
      await asked;
    },
    async say(page, ...data) {
      const before = await page.evaluate(() => reader.heard);
      write(data.map((item) => ({ type: 'response', data: { eventId: 'e', ...item } })));
      await page.waitForFunction((count) => reader.heard >= count, before + data.length);
      await page.evaluate(() => reader.drawn());
    },
    async end(page) {
      write([{ type: 'end', data: { eventId: 'e', userStop: false } }]);
      reply?.end();
      await page.waitForFunction(() =>
        ['idle', 'awaiting-action'].includes(document.querySelector('agent-chat')?.status ?? ''),
      );
      await page.evaluate(() => reader.drawn());
    },
    hangUp() {
      reply?.end();
    },
  };
}
