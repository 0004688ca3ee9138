/** An agent over HTTP whose replies the test controls. */
import type { ServerResponse } from 'node:http';
import type { Page } from 'playwright-core';
import type { LLMAgentEventData } from '../../../src/index.ts';
import type { Handler } from './site.ts';

export type ResponseData = Omit<Partial<LLMAgentEventData>, 'eventId'>;

export interface ScriptedAgent {
  readonly handler: Handler;
  /** Resolves with the next request to the agent. */
  nextRequest(): Promise<void>;
  /** Sends a message; resolves when the agent has received it. */
  sendMessage(page: Page): Promise<void>;
  /** Sends responses in the running reply; resolves when the page has rendered them. */
  respond(page: Page, ...data: readonly ResponseData[]): Promise<void>;
  /** Ends the reply; resolves when the page has rendered that. */
  end(page: Page): Promise<void>;
  hangUp(): void;
}

export function scriptedAgent(): ScriptedAgent {
  let reply: ServerResponse | undefined;
  let onRequest: () => void = () => undefined;
  const write = (events: readonly object[]): void => {
    reply?.write(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
  };
  const nextRequest = (): Promise<void> => new Promise((resolve) => (onRequest = resolve));
  return {
    nextRequest,
    async handler(request, response) {
      if (request.url !== '/agent') return false;
      for await (const _ of request); // the request is read to its end
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      reply = response;
      onRequest();
      return true;
    },
    async sendMessage(page) {
      const request = nextRequest();
      await page.evaluate(() => void document.querySelector('agent-chat')?.send('Go on'));
      await request;
    },
    async respond(page, ...data) {
      const before = await page.evaluate(() => userState.receivedEvents);
      write(data.map((item) => ({ type: 'response', data: { eventId: 'e', ...item } })));
      await page.waitForFunction((count) => userState.receivedEvents >= count, before + data.length);
      await page.evaluate(() => userState.rendered());
    },
    async end(page) {
      write([{ type: 'end', data: { eventId: 'e', userStop: false } }]);
      reply?.end();
      await page.waitForFunction(() =>
        ['idle', 'awaiting-action'].includes(document.querySelector('agent-chat')?.status ?? ''),
      );
      await page.evaluate(() => userState.rendered());
    },
    hangUp() {
      reply?.end();
    },
  };
}
