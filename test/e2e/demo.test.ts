/** The demo's scenarios in the built widget, on the strictest page, answered by the demo's own agent server. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import {
  PROTOCOLS,
  SCENARIOS,
  WITH_TOOLS,
  addressOf,
  scenarioNames,
  type ProtocolName,
  type ScenarioName,
} from '../../demo/choices.ts';
import { handleAgentRequest } from '../../demo/server/handle.ts';
import { acceptAgentSockets } from '../../demo/server/sockets.ts';
import { openSite, type Site } from './support/site.ts';
import { STRICT, watch, type Watch } from './support/strict-csp.ts';

type Show = (page: Page) => Promise<unknown>;

const says =
  (...texts: readonly string[]): Show =>
  (page) =>
    Promise.all(texts.map((text) => page.locator('agent-chat [part="transcript"]').getByText(text).first().waitFor()));
const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
const has = (page: Page, selector: string): Promise<void> => page.locator(`agent-chat ${selector}`).first().waitFor();

/** The user's actions in each scenario, and the expected result. */
const shows: Readonly<Record<ScenarioName, Show>> = {
  async answer(page) {
    await says('Refunds rose because of one product', 'Trail 40 backpack', 'What I suggest')(page);
    await has(page, 'agent-chat-chart canvas');
    await has(page, '[part~="block-data"] img');
  },
  async citations(page) {
    await says('the pallet was set aside')(page);
    const marks = page.locator('agent-chat [part="citation"]');
    assert.equal(await marks.count(), 3);
    const heights = await marks.evaluateAll((all) => all.map((mark) => mark.getBoundingClientRect().height));
    assert.ok(
      heights.every((height) => height < 24),
      `a mark is no higher than its line: ${heights.join(', ')}`,
    );
  },
  async permission(page) {
    await press(page, 'Allow once');
    await says('is on its way and arrives by 9 April')(page);
  },
  'rate-limit': says('rate limit of Northpay', 'PO-3320'),
  async 'tool-limit'(page) {
    await press(page, 'Continue');
    await says('All 1,020 invoices are checked')(page);
  },
  agents: says('Planner', 'Ledger', 'Quill', 'Dear Alder Hut team'),
  'failing-tool': says('1 failed', 'I could not post to'),
  async error(page) {
    await says('January to April are exported', 'It is usually back within a minute')(page);
    await page.getByRole('button', { name: 'Try again' }).waitFor();
  },
  async refused(page) {
    await says('What is open in May', 'closable', 'The ledger refuses to close May 2026')(page);
    assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0);
  },
  async suggestions(page) {
    await says('Once used, it goes to the outlet')(page);
    await page.getByRole('button', { name: 'What counts as clean?' }).waitFor();
  },
  async surface(page) {
    const form = page.locator('agent-chat-surface');
    const send = form.getByRole('button', { name: 'Request the table' });
    await send.waitFor();
    await send.click();
    await page.getByText('A name is needed.').waitFor();
    await form.getByLabel('Name for the booking').fill('Mara Lind');
    await form.getByLabel('At the window').check();
    await send.click();
    await says('Mara Lind', 'At the window', 'I have asked Harbor Grill')(page);
  },
  async 'page-tools'(page) {
    await press(page, 'Allow once');
    await says('Done: the accent is')(page);
    assert.equal(await page.evaluate(() => document.documentElement.dataset['accent']), '#2f6b4f');
  },
  async formulas(page) {
    await says('It is least where its slope is zero', 'At $90 an order and $5 a tent')(page);
    await page.locator('agent-chat math').nth(8).waitFor();
    assert.equal(await page.locator('agent-chat math mtext', { hasText: 'tent' }).count(), 0, 'money is no formula');
  },
  chinese: says('原因是一款背包', '美利奴打底衫'),
  hello: says('My answers are written down beforehand', 'Reconcile this week’s payouts.'),
};

/** Answers a question in the composer: what is written before it is asked is no answer. */
const say =
  (text: string): Show =>
  async (page) => {
    await has(page, '[part~="block-action"]');
    await page.locator('agent-chat').getByRole('textbox').last().fill(text);
    await page.keyboard.press('Enter');
  };
const allow: Show = (page) => press(page, 'Allow once');
const deny: Show = (page) => press(page, 'Deny');

/** The two answers to each scenario that asks: granted, and denied. */
const asking = {
  'deepchat-events': [allow, deny],
  'openai-responses': [allow, deny],
  'ai-sdk': [allow, deny],
  'ag-ui': [allow, deny],
  langgraph: [allow, deny],
  agentscope: [allow, deny],
  mastra: [allow, deny],
  agno: [allow, deny],
  adk: [allow, deny],
  eve: [allow, deny],
  'cloudflare-agents': [allow, deny],
  a2a: [say('Yes, please'), say('No')],
  flowise: [(page) => press(page, 'Proceed'), (page) => press(page, 'Reject')],
} satisfies Partial<Record<ProtocolName, readonly [Show, Show]>>;

interface Settings {
  readonly endpoint: string;
  readonly protocol?: string;
}

const adapterOf = (protocol: ProtocolName): string => (protocol === 'deepchat-core' ? 'deepchat-events' : protocol);

/** The page's own code: it creates a widget with two tools, one of which needs approval. */
const PAGE_SCRIPT = `
  const parameters = { type: 'object', properties: { colour: { type: 'string' } } };
  const tools = [
    { name: 'get_appearance', description: 'Reads the accent', parameters, execute: () => ({ accent: 'blue' }) },
    {
      name: 'set_accent',
      description: 'Changes the accent',
      parameters,
      needsApproval: true,
      execute: ({ colour }) => ({ accent: (document.documentElement.dataset.accent = colour) }),
    },
  ];
  document.addEventListener('ask', ({ detail: { words, ...settings } }) => {
    delete document.documentElement.dataset.accent;
    const chat = Object.assign(document.createElement('agent-chat'), settings, { tools, math: 'on' });
    document.body.replaceChildren(chat);
    chat.send(words);
  });
`;

describe('the demo’s agents, on a page with a strict CSP and Trusted Types', () => {
  let site: Site;
  let page: Page;
  let watched: Watch;
  const problems: string[] = [];
  before(async () => {
    site = await openSite({
      pages: { '/': '<script type="module" src="/page.js"></script>' },
      server: acceptAgentSockets,
      headers: { 'content-security-policy': STRICT },
      async agent(request, response) {
        if (request.url !== '/page.js') return handleAgentRequest(request, response);
        response.writeHead(200, { 'content-type': 'text/javascript' }).end(PAGE_SCRIPT);
        return true;
      },
    });
    page = await site.visit('/');
    watched = await watch(page);
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
    });
  });
  after(() => site.close());

  /** Sends to a new widget, and returns the detected protocol. */
  async function sendToNewWidget(text: string, settings: Settings, show: Show): Promise<string | undefined> {
    await page.evaluate((detail) => document.dispatchEvent(new CustomEvent('ask', { detail })), {
      words: text,
      ...settings,
    });
    return see(show);
  }

  /** Sends another message in the same conversation. */
  async function sendAgain(words: string, show: Show): Promise<string | undefined> {
    await page.evaluate((text) => void document.querySelector('agent-chat')?.send(text), words);
    return see(show);
  }

  async function see(show: Show): Promise<string | undefined> {
    await show(page);
    await page.waitForFunction(() => {
      const status = document.querySelector('agent-chat')?.status;
      return status === 'idle' || status === 'error';
    });
    assert.equal(await page.locator('agent-chat').getByText('[cite:').count(), 0, 'no mark is shown');
    assert.deepEqual(await watched.violations(), []);
    assert.deepEqual(watched.externalRequests, []);
    assert.deepEqual(problems, []);
    return page.evaluate(() => document.querySelector('agent-chat')?.detectedProtocol);
  }

  const accent = (): Promise<string | undefined> => page.evaluate(() => document.documentElement.dataset['accent']);

  /** The address from which the protocol is detected: a session and a socket are recognised by their own addresses. */
  const detectable = (protocol: ProtocolName, query: string, path = `/agent/${protocol}`): string =>
    protocol === 'eve'
      ? addressOf(protocol) + query
      : protocol === 'cloudflare-agents'
        ? site.origin.replace('http', 'ws') + addressOf(protocol) + query
        : path + query;

  for (const scenario of scenarioNames) {
    const { best, ask: text } = SCENARIOS[scenario];
    it(`${scenario}, on ${best}`, async () => {
      await sendToNewWidget(text, { endpoint: `${addressOf(best)}?scenario=${scenario}&speed=0` }, shows[scenario]);
    });
  }

  for (const protocol of PROTOCOLS) {
    it(`the long answer on ${protocol} is detected`, async () => {
      const endpoint = detectable(protocol, `?scenario=answer&speed=0`);
      const show = says('Refunds rose because of one product', 'What I suggest');
      assert.equal(await sendToNewWidget(SCENARIOS.answer.ask, { endpoint }, show), adapterOf(protocol));
    });
    it(`the next turn on ${protocol} has the adapter’s own request form`, async () => {
      const endpoint = detectable(protocol, '?speed=0', addressOf(protocol));
      await sendToNewWidget(SCENARIOS.hello.ask, { endpoint }, says('no model is behind them'));
      const detected = await sendAgain(SCENARIOS.suggestions.ask, says('Once used, it goes to the outlet'));
      assert.equal(detected, adapterOf(protocol));
    });
  }

  for (const protocol of Object.keys(asking) as (keyof typeof asking)[]) {
    const settings = { endpoint: `${addressOf(protocol)}?speed=0`, protocol };
    const [yes, no] = asking[protocol];
    it(`${protocol} asks for a permission, and accepts a grant`, async () => {
      await sendToNewWidget(SCENARIOS.permission.ask, settings, async () => {
        await yes(page);
        await says('is on its way and arrives by 9 April')(page);
      });
    });
    it(`${protocol} asks for a permission, and accepts a denial`, async () => {
      await sendToNewWidget(SCENARIOS.permission.ask, settings, async () => {
        await no(page);
        await says('nothing was refunded')(page);
      });
    });
  }

  for (const protocol of ['ag-ui', 'agentscope'] as const) {
    it(`${protocol} shows a form, and accepts its answer`, async () => {
      await sendToNewWidget(SCENARIOS.surface.ask, { endpoint: `${addressOf(protocol)}?speed=0` }, shows.surface);
    });
  }

  for (const protocol of WITH_TOOLS) {
    // The protocol is set, because the first request has the tools then.
    const settings = { endpoint: `${addressOf(protocol)}?speed=0`, protocol: adapterOf(protocol) };
    // One protocol has no field for results: its agent never gets them.
    const hears = (text: string): Show => says(protocol === 'deepchat-core' ? 'The page has answered' : text);
    it(`${protocol} lets the page run its tools`, async () => {
      await sendToNewWidget(SCENARIOS['page-tools'].ask, settings, async () => {
        await allow(page);
        await hears('Done: the accent is')(page);
      });
      assert.equal(await accent(), '#2f6b4f');
    });
    it(`${protocol} is informed that a tool was denied`, async () => {
      await sendToNewWidget(SCENARIOS['page-tools'].ask, settings, async () => {
        await deny(page);
        await hears('the accent stays as it was')(page);
      });
      assert.equal(await accent(), undefined);
    });
  }
});
