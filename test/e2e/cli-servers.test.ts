/**
 * The command and typical servers: every agent of the demo, servers that are made with the vendors' own packages.
 * The page shows the reply; the printed snippet, on a page of another origin, gives the same reply
 * as soon as the server sends the advised headers.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { addressOf, PROTOCOLS } from '../../demo/choices.ts';
import { handleAgentRequest } from '../../demo/server/handle.ts';
import { acceptAgentSockets } from '../../demo/server/sockets.ts';
import { a2aServer } from '../interop/support/a2a-server.ts';
import { agUiServer, textMessage } from '../interop/support/ag-ui-server.ts';
import { aiServer, chatRoute, done, modelOf, textParts } from '../interop/support/ai-sdk-server.ts';
import { copilotKitServer } from '../interop/support/copilotkit-server.ts';
import { langgraphServer } from '../interop/support/langgraph-server.ts';
import { advisedHeaders, advisedProxy } from './support/advised-proxy.ts';
import { runCommand, serve, start, type AgentServer } from './support/command.ts';
import { openSite, type Site } from './support/site.ts';

/**
 * These servers send no CORS headers; on a busy machine their replies are late. LangGraph's server refuses a request
 * with a list of validation issues and no text.
 */
const EXPECTED = /^(?:cors-|slow$)/;
const EXPECTED_OF_LANGGRAPH = /^(?:cors-|slow$|error-form$)/;

/** Servers whose lines of JSON have the content type of server-sent events, as in the products. */
const SENT_AS_EVENTS: ReadonlySet<string> = new Set(['agent-phase', 'langflow']);

/** With the last of the advised headers. */
const ABOUT_OTHER_ORIGINS =
  /^(?:✓ Pages of another origin|! Pages of another origin[^]*^ +Access-Control-Allow-Headers: .*\n)/m;

const SAID = 'Hello there, in words.';

interface Started {
  readonly address: string;
  close(): Promise<void> | void;
}

interface Vendor {
  start(): Promise<Started>;
  readonly flags?: readonly string[];
}

/** Each answers every message with `SAID`. */
const vendors: Readonly<Record<string, Vendor>> = {
  'AG-UI’s own encoder': {
    async start() {
      const server = await agUiServer();
      server.play(textMessage('m', SAID));
      return { address: server.url, close: () => server.close() };
    },
  },
  'Vercel’s AI SDK': {
    async start() {
      const server = await aiServer();
      server.serve((request) => chatRoute(modelOf([...textParts(SAID), ...done()]))(request));
      return { address: server.endpoint, close: () => server.close() };
    },
  },
  ...Object.fromEntries(
    (['1.0', '0.3'] as const).map((version): [string, Vendor] => [
      `A2A’s SDK, version ${version}`,
      {
        async start() {
          const server = await a2aServer([version]);
          server.play((work) => {
            work.sendText(SAID);
          });
          return { address: server.origin, close: () => server.close() };
        },
      },
    ]),
  ),
  ...Object.fromEntries(
    [false, true].map((single): [string, Vendor] => [
      `CopilotKit’s runtime, ${single ? 'a single route' : 'several routes'}`,
      {
        async start() {
          const server = await copilotKitServer();
          server.play(
            Array.from({ length: 9 }, () => textMessage('m', SAID)),
            { single },
          );
          return { address: server.base, close: () => server.close() };
        },
        flags: ['--protocol', 'ag-ui', '--agent', 'default'],
      },
    ]),
  ),
  'LangGraph’s own server': {
    async start() {
      const server = await langgraphServer();
      return { address: `${server.origin}?assistant_id=echo`, close: () => server.close() };
    },
    flags: ['--protocol', 'langgraph'],
  },
};

describe('the command, with the servers of the demo and of the vendors', { concurrency: 2 }, () => {
  const pages: Record<string, string> = {};
  let demo: AgentServer;
  let site: Site;

  before(async () => {
    demo = await serve((request, response) => void handleAgentRequest(request, response));
    acceptAgentSockets(demo.server);
    site = await openSite({ pages });
  });
  after(() => Promise.all([demo.close(), site.close()]));

  /** Sends a message in the page at this address; the reply's text. */
  const replyTo = async (address: string): Promise<string> => {
    const page = await site.open();
    await page.goto(address);
    const reply = await replyIn(page);
    await page.close();
    return reply;
  };

  let count = 0;
  /** Asks in the command's page, then in a page that contains the printed snippet alone. */
  async function checkServer(url: string, flags: readonly string[] = []): Promise<string> {
    const command = start([url, '--no-open', ...flags]);
    try {
      const [, address = ''] = await command.until(/^Open (\S+)/m);
      const reply = await replyTo(address);
      assert.match(reply, /^complete: \S/, command.output());
      await command.until(/^✓ The protocol is /m);
      if (!url.startsWith('ws')) await command.until(ABOUT_OTHER_ORIGINS);
      const [, script = '', tag = ''] = await command.until(
        /^. To paste, HTML:.*\n\s+(<script .*<\/script>)\n\s+(<agent-chat .*<\/agent-chat>)$/m,
      );
      const headers = advisedHeaders(command.output(), site.origin);
      const isOpen = Object.keys(headers).length === 0;
      const target = new URL(url).origin;
      const proxy = isOpen ? undefined : await advisedProxy(target, headers);
      const path = `/pasted-${String(count++)}`;
      pages[path] =
        '<!doctype html>' +
        script.replace(/https:\/\/cdn\.example\/[^/]+/, site.origin) +
        tag.replaceAll(target, proxy?.origin ?? target);
      assert.equal(await replyTo(site.origin + path), reply, `${command.output()}\n${pages[path]}`);
      await proxy?.close();
      return reply;
    } finally {
      await command.stop();
    }
  }

  for (const protocol of PROTOCOLS) {
    it(`the demo’s ${protocol}`, async () => {
      const origin = protocol === 'cloudflare-agents' ? demo.origin.replace('http', 'ws') : demo.origin;
      const address = `${origin}${addressOf(protocol)}?speed=0&scenario=hello`;
      await checkServer(address);
      const expected = SENT_AS_EVENTS.has(protocol) ? ['content-type'] : [];
      // A busy machine is slow, and reads the events of a server together. `cli.test.ts` tests that complaint.
      const complaints = (await complaintsOf(address))
        .map(({ id }) => id)
        .filter((id) => !/^(?:slow|buffered)$/.test(id));
      assert.deepEqual(complaints, expected);
    });
  }

  for (const [name, { start: begin, flags }] of Object.entries(vendors)) {
    it(name, async () => {
      const { address, close } = await begin();
      try {
        const reply = await checkServer(address, flags);
        if (!name.startsWith('LangGraph')) assert.equal(reply, `complete: ${SAID}`);
        const expected = name.startsWith('LangGraph') ? EXPECTED_OF_LANGGRAPH : EXPECTED;
        const wrong = (await complaintsOf(address, flags)).filter(({ id }) => !expected.test(id));
        assert.deepEqual(wrong, [], 'the doctor has nothing to complain about but CORS');
      } finally {
        await close();
      }
    });
  }
});

/** The findings of the check command. */
async function complaintsOf(address: string, flags: readonly string[] = []) {
  const { output } = await runCommand(['check', address, '--json', ...flags]);
  const { findings } = JSON.parse(output) as { readonly findings: readonly { id: string; level: string }[] };
  return findings.filter(({ level }) => level !== 'ok');
}

async function replyIn(page: Page): Promise<string> {
  await page.waitForFunction(() => customElements.get('agent-chat') !== undefined);
  await page.waitForFunction(() => document.querySelector('agent-chat')?.endpoint);
  return page.evaluate(async () => {
    const { status, blocks = [] } = (await document.querySelector('agent-chat')?.send('Hi')) ?? {};
    return `${status ?? ''}: ${blocks.map((block) => (block.type === 'content' ? block.content : '')).join('')}`;
  });
}
