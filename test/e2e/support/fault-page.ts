/** A page with a widget and a failing agent, and the visible effects for the user and the page. */
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { Limits } from '../../../src/index.ts';
import { faultServer, HALF, type FaultName, type FaultServer } from './fault-server.ts';
import { releaseContext, openSite, sessionStream, type Site } from './site.ts';

interface Told {
  readonly kind: string;
  readonly status?: number;
  readonly retryable: boolean;
}

interface Watched {
  errors: Told[];
}

export interface FaultSite {
  readonly site: Site;
  readonly server: FaultServer;
  /** Requests to other hosts. */
  readonly strange: readonly string[];
  close(): Promise<void>;
}

export async function openFaultSite(): Promise<FaultSite> {
  const strange: string[] = [];
  const elsewhere = await openSite({
    agent: (request, response) => {
      strange.push(request.url ?? '');
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(sessionStream('From elsewhere.'));
      return true;
    },
  });
  const server = faultServer(elsewhere.origin);
  const widget = (endpoint: string, protocol = 'agent-session'): string =>
    `<agent-chat endpoint="${endpoint}" protocol="${protocol}"></agent-chat>`;
  const site = await openSite({
    pages: {
      '/': widget('/agent'),
      '/auto': widget('/agent', 'auto'),
      '/foreign': widget(`${elsewhere.origin}/agent`),
    },
    agent: (request, response) => server.handle(request, response),
    // A browser repeats requests that failed on a reused connection. Here every request is one of the widget's.
    oneRequestASocket: true,
  });
  return {
    site,
    server,
    strange,
    async close() {
      await site.close();
      await elsewhere.close();
    },
  };
}

/** The widget's page, with its errors recorded. */
export async function openPage({ site }: FaultSite, path = '/', limits: Partial<Limits> = {}): Promise<Page> {
  const page = await site.visit(path);
  await page.evaluate(async (given) => {
    await customElements.whenDefined('agent-chat');
    const chat = document.querySelector('agent-chat');
    const watched: Watched = { errors: [] };
    Object.assign(globalThis, watched);
    chat?.addEventListener('agent-chat-error', ({ detail: { kind, status, retryable } }) =>
      watched.errors.push({ kind, retryable, ...(status !== undefined && { status }) }),
    );
    if (chat) chat.limits = given;
  }, limits);
  return page;
}

/** Resolves with the status of the reply. */
export const send = (page: Page): Promise<string | undefined> =>
  page.evaluate(async () => (await document.querySelector('agent-chat')?.send('Hi'))?.status);
/** Sends, and does not wait. */
export const sendOff = (page: Page): Promise<void> =>
  page.evaluate(() => {
    void document.querySelector('agent-chat')?.send('Hi');
  });
export const takeErrors = (page: Page): Promise<readonly Told[]> =>
  page.evaluate(() => (globalThis as unknown as Watched).errors.splice(0));
export const chatOf = (page: Page): Locator => page.locator('agent-chat');
export const transcript = (page: Page): Locator => page.locator('agent-chat [part~="transcript"]');
export const errorBlock = (page: Page): Locator => page.locator('agent-chat [part~="block-error"]');
export const retryButton = (page: Page): Locator => errorBlock(page).getByRole('button', { name: 'Try again' });
export const status = (page: Page): Promise<string | null> => chatOf(page).getAttribute('status');
/** The text of the last answer in the conversation. */
export const lastText = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const blocks = document.querySelector('agent-chat')?.messages.at(-1)?.blocks ?? [];
    return blocks.flatMap((block) => (block.type === 'content' ? [block.content] : [])).join('');
  });

/** The expected effects of a fault. */
export interface FaultCase {
  readonly fault: FaultName;
  readonly path?: string;
  readonly limits?: Partial<Limits>;
  /** The final status of the reply. */
  readonly ends: 'error' | 'interrupted' | 'complete';
  /** The error message for the user, `''` for none. */
  readonly message: string;
  /** The error code for the page. */
  readonly errors: readonly Told[];
  /** Half of the answer arrived before the fault, and stays. */
  readonly keepsText?: boolean;
  /** The number of requests with `retry="safe"` and with `auto`. */
  readonly requests: readonly [safe: number, auto: number];
}

/** Serves a fault with both settings and checks all effects. Then the agent works again, and so does the widget. */
export async function checkFault(at: FaultSite, row: FaultCase): Promise<void> {
  const page = await openPage(at, row.path, row.limits);
  const { server } = at;
  for (const [index, retry] of (['safe', 'auto'] as const).entries()) {
    server.fault = row.fault;
    server.takeCount();
    await page.evaluate((rule) => {
      const chat = document.querySelector('agent-chat');
      chat?.clear();
      if (chat) chat.retry = rule;
    }, retry);
    const reply = send(page);
    if (row.keepsText) await transcript(page).getByText(HALF).first().waitFor();
    server.tellSeen();
    assert.equal(await reply, row.ends, retry);
    assert.equal(server.takeCount(), row.requests[index], `requests under ${retry}`);
    if (row.message) {
      await errorBlock(page).waitFor();
      assert.equal(await errorBlock(page).locator('b').innerText(), row.message);
    } else assert.equal(await errorBlock(page).count(), 0);
    assert.equal((await lastText(page)).includes(HALF), row.keepsText === true);
    assert.deepEqual(await takeErrors(page), row.errors);
    assert.deepEqual([await page.locator('#login').count(), await page.title()], [0, 'Test']);
    await checkRecovery(at, page, row);
  }
  await releaseContext(page);
}

/** The widget survives every fault: its button retries if that helps, and the next message is sent in any case. */
async function checkRecovery({ server }: FaultSite, page: Page, { errors, ends }: FaultCase): Promise<void> {
  server.fault = 'none';
  const retryable = ends !== 'complete' && errors.some((error) => error.retryable);
  if (!retryable) assert.equal(await retryButton(page).count(), 0);
  if (retryable) await retryButton(page).click();
  else await send(page);
  await transcript(page).getByText('All is well.').waitFor();
  await page.waitForFunction(() => document.querySelector('agent-chat')?.status === 'idle');
  if (retryable) assert.equal(await errorBlock(page).count(), 0);
}
