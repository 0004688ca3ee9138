import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { openSite, sessionStream, type Site } from './support/site.ts';

const STREAM = { 'content-type': 'text/event-stream' };
const event = (sequence: number, type: string, data: object): string =>
  `data: ${JSON.stringify({ type, data, metadata: { timestamp: 1_736_985_600, sequence } })}\n\n`;
const half = event(1, 'content', { content: 'Half an answer' });
const html =
  '<!doctype html><html><body><h1 id="login">Sign in</h1><script>document.title = "Taken"</script></body></html>';

type Fault = (response: ServerResponse) => void;

const status =
  (code: number, body = '', headers: Record<string, string> = {}): Fault =>
  (response) => {
    response.writeHead(code, headers).end(body);
  };
/** What happens once half an answer is on screen. */
let goOn: () => void = () => undefined;
const halfThen =
  (rest: (response: ServerResponse) => void): Fault =>
  (response) => {
    response.writeHead(200, STREAM).write(half);
    goOn = () => {
      rest(response);
    };
  };

interface Row {
  readonly name: string;
  readonly fault: Fault;
  /** What the reader is told. */
  readonly says: string;
  /** What the page is told. */
  readonly kind: string;
  readonly retry: boolean;
  /** Half an answer came before it. */
  readonly kept?: boolean;
}

const rows: readonly Row[] = [
  {
    name: 'a web page instead of a stream',
    fault: status(200, html, { 'content-type': 'text/html' }),
    says: 'A web page came instead of an answer. It may be a sign-in page or a wrong address.',
    kind: 'unsupported-stream',
    retry: false,
  },
  {
    name: 'a web page with a bad status',
    fault: status(502, html, { 'content-type': 'text/html' }),
    says: 'The agent has a problem of its own (502).',
    kind: 'http',
    retry: true,
  },
  {
    name: '401',
    fault: status(401),
    says: 'You are not signed in, or the sign-in has expired.',
    kind: 'auth',
    retry: false,
  },
  { name: '403', fault: status(403), says: 'You are not allowed to use this agent.', kind: 'auth', retry: false },
  { name: '404', fault: status(404), says: 'There is no agent at this address.', kind: 'http', retry: false },
  {
    name: '429 with a Retry-After past a minute',
    fault: status(429, '', { 'retry-after': '3600' }),
    says: 'Too many requests. Please wait a little.',
    kind: 'rate-limit',
    retry: true,
  },
  {
    name: '500',
    fault: status(500, '{"error":{"message":"The queue is full."}}'),
    says: 'The agent has a problem of its own (500).',
    kind: 'http',
    retry: true,
  },
  {
    name: 'an empty body',
    fault: status(200, '', STREAM),
    says: 'The agent answered with nothing.',
    kind: 'protocol',
    retry: true,
  },
  {
    name: 'a connection that is lost after some words',
    fault: halfThen((response) => response.destroy()),
    says: 'The connection to the agent was lost.',
    kind: 'network',
    retry: true,
    kept: true,
  },
  {
    name: 'a stream that is cut',
    fault: halfThen((response) => response.end()),
    says: 'The answer was cut off',
    kind: 'network',
    retry: true,
    kept: true,
  },
  {
    name: 'a stream that stalls',
    fault: halfThen(() => undefined),
    says: 'The agent fell silent for 1 second.',
    kind: 'timeout',
    retry: true,
    kept: true,
  },
];

interface Watched {
  errors: string[];
}

describe('faults', () => {
  let site: Site;
  let elsewhere: Site;
  let fault: Fault | undefined;
  const strange: string[] = [];

  before(async () => {
    elsewhere = await openSite({
      agent: (_request, response) => {
        strange.push('asked');
        response.writeHead(200, STREAM).end(sessionStream('From elsewhere.'));
        return true;
      },
    });
    site = await openSite({
      pages: {
        '/': '<agent-chat endpoint="/agent" protocol="agent-session"></agent-chat>',
        '/foreign': `<agent-chat endpoint="${elsewhere.origin}/agent" protocol="agent-session"></agent-chat>`,
      },
      agent: async (request, response) => {
        if (request.url !== '/agent') return false;
        for await (const _ of request); // the request is read to its end
        if (fault) fault(response);
        else response.writeHead(200, STREAM).end(sessionStream('All is well.'));
        return true;
      },
    });
  });
  after(async () => {
    await site.close();
    await elsewhere.close();
  });

  async function open(path = '/'): Promise<Page> {
    const page = await site.visit(path);
    await page.evaluate(async () => {
      await customElements.whenDefined('agent-chat');
      const chat = document.querySelector('agent-chat');
      const watched: Watched = { errors: [] };
      Object.assign(globalThis, watched);
      chat?.addEventListener('agent-chat-error', ({ detail }) => watched.errors.push(detail.kind));
      if (chat) chat.limits = { idle: 1000 };
    });
    return page;
  }
  /** The status of the reply. */
  const send = (page: Page): Promise<string | undefined> =>
    page.evaluate(async () => (await document.querySelector('agent-chat')?.send('Hi'))?.status);
  const errors = (page: Page): Promise<readonly string[]> =>
    page.evaluate(() => (globalThis as unknown as Watched).errors);
  const transcript = (page: Page): Locator => page.locator('agent-chat [part~="transcript"]');
  const errorBlock = (page: Page): Locator => page.locator('agent-chat [part~="block-error"]');
  const retryButton = (page: Page): Locator => errorBlock(page).getByRole('button', { name: 'Try again' });

  async function checkRetry(page: Page, retry: boolean): Promise<void> {
    if (retry) await retryButton(page).click();
    else {
      assert.equal(await retryButton(page).count(), 0);
      await send(page);
    }
    await transcript(page).getByText('All is well.').waitFor();
    if (retry) assert.equal(await errorBlock(page).count(), 0);
  }

  for (const { name, fault: given, says, kind, retry, kept = false } of rows) {
    it(`${name}: ${says}`, async () => {
      const page = await open();
      fault = given;
      const reply = send(page);
      if (kept) {
        await transcript(page).getByText('Half an answer').waitFor();
        goOn();
      }
      assert.equal(await reply, kept ? 'interrupted' : 'error');
      await errorBlock(page).waitFor();
      assert.equal(await errorBlock(page).locator('b').innerText(), says);
      assert.equal(await transcript(page).getByText('Half an answer').count(), kept ? 1 : 0);
      assert.deepEqual(await errors(page), [kind]);
      assert.equal(await page.locator('#login').count(), 0);
      assert.equal((await transcript(page).innerText()).includes('<h1'), false);
      assert.equal(await page.title(), 'Test');
      fault = undefined;
      await checkRetry(page, retry);
      await page.context().close();
    });
  }

  it('each of them is told in words of its own', () => {
    const kinds = rows.filter(({ name }) => !name.startsWith('a web page with')).map(({ says }) => says);
    assert.equal(new Set(kinds).size, kinds.length);
  });

  it('what the server itself says of an error is shown, as text', async () => {
    const page = await open();
    fault = status(500, '{"error":{"message":"The <b>queue</b> is full.","code":"busy"}}');
    await send(page);
    await errorBlock(page).getByText('The <b>queue</b> is full.').waitFor();
    fault = undefined;
    await page.context().close();
  });

  it('a 429 with Retry-After counts down, and the reader may not want to wait', async () => {
    const page = await open();
    fault = status(429, '', { 'retry-after': '30' });
    void page.evaluate(() => {
      void document.querySelector('agent-chat')?.send('Hi');
    });
    const chat = page.locator('agent-chat');
    await chat.getByText('Too many requests. Please wait a little.').waitFor();
    assert.equal(await chat.getAttribute('status'), 'reconnecting');
    assert.match(await chat.locator('agent-chat-elapsed').innerText(), /\b(?:30|29|28)\b/);
    fault = undefined;
    await chat.getByRole('button', { name: 'Try now' }).click();
    await transcript(page).getByText('All is well.').waitFor();
    assert.deepEqual(await errors(page), []);
    await page.context().close();
  });

  it('malformed frames give one warning, and the answer goes on around them', async () => {
    const page = await open();
    fault = (response) => {
      const broken = 'data: {"type": "content", "da\n\n';
      const rest = event(2, 'content', { content: ' and the rest.' });
      const end = event(3, 'session_end', { status: 'completed' });
      response.writeHead(200, STREAM).end(half + broken + rest + broken + end);
    };
    assert.equal(await send(page), 'complete');
    await transcript(page).getByText('Half an answer and the rest.').waitFor();
    assert.equal(await transcript(page).getByText('Part of the answer could not be read.').count(), 1);
    assert.equal(await errorBlock(page).count(), 0);
    assert.deepEqual(await errors(page), ['protocol']);
    fault = undefined;
    await page.context().close();
  });

  it('a redirect to another host is not followed', async () => {
    const page = await open();
    fault = status(307, '', { location: `${elsewhere.origin}/agent` });
    assert.equal(await send(page), 'error');
    await errorBlock(page).getByText('The endpoint moved to another address.').waitFor();
    assert.deepEqual([await errors(page), strange], [['http'], []]);
    fault = undefined;
    await checkRetry(page, false);
    await page.context().close();
  });

  it('a host that does not allow this page is named', async () => {
    const page = await open('/foreign');
    assert.equal(await send(page), 'error');
    const host = new URL(elsewhere.origin).host;
    await errorBlock(page).getByText(`${host} can’t be reached, or does not allow this page to use it.`).waitFor();
    assert.deepEqual(await errors(page), ['network']);
    assert.equal(await retryButton(page).count(), 1);
    await page.context().close();
  });

  it('without a network it says so, and works when there is one again', async () => {
    const page = await open();
    await send(page); // what a conversation needs is loaded with the first message
    await page.context().setOffline(true);
    assert.equal(await send(page), 'error');
    await errorBlock(page)
      .getByText('You are offline. The message is kept; try again when you are connected.')
      .waitFor();
    assert.deepEqual(await errors(page), ['network']);
    await page.context().setOffline(false);
    await retryButton(page).click();
    await transcript(page).getByText('All is well.').nth(1).waitFor();
    assert.equal(await errorBlock(page).count(), 0);
    await page.context().close();
  });
});
