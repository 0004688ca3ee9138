/** The demo's scenarios in the built widget, on a page of the strictest kind, answered by the demo's own agent server. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { PROTOCOLS, SCENARIOS, scenarioNames, type ScenarioName } from '../../demo/choices.ts';
import { handleAgentRequest } from '../../demo/server/handle.ts';
import { openSite, type Site } from './support/site.ts';
import { STRICT, watch, type Watch } from './support/strict-csp.ts';

type Show = (page: Page) => Promise<unknown>;

const says =
  (...texts: readonly string[]): Show =>
  (page) =>
    Promise.all(texts.map((text) => page.locator('agent-chat [part="transcript"]').getByText(text).first().waitFor()));
const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
const has = (page: Page, selector: string): Promise<void> => page.locator(`agent-chat ${selector}`).first().waitFor();

/** What a reader sees of each, and does. */
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
  'rate-limit': says('Northpay asked to wait', 'PO-3320'),
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
    assert.equal(await send.isDisabled(), true, 'a name is needed first');
    await form.getByLabel('Name for the booking').fill('Mara Lind');
    await form.getByLabel('At the window').check();
    await send.click();
    await says('name: Mara Lind', 'seat: ["window"]', 'I have asked Harbor Grill')(page);
  },
  async 'page-tools'(page) {
    await press(page, 'Allow once');
    await says('Done: the accent is')(page);
    assert.equal(await page.evaluate(() => document.documentElement.dataset['accent']), '#2f6b4f');
  },
  chinese: says('原因是一款背包', '美利奴打底衫'),
  hello: says('My answers are written down beforehand', 'Reconcile this week’s payouts.'),
};

/** What the page itself does: it makes a widget that has two tools, one of them to be asked for. */
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
  document.addEventListener('ask', ({ detail: [endpoint, words] }) => {
    const chat = Object.assign(document.createElement('agent-chat'), { endpoint, tools });
    document.body.replaceChildren(chat);
    chat.send(words);
  });
`;

describe('the demo’s agents, on a page with a strict CSP and Trusted Types', () => {
  let site: Site;
  let page: Page;
  let watched: Watch;
  const complaints: string[] = [];
  before(async () => {
    site = await openSite({
      pages: { '/': '<script type="module" src="/page.js"></script>' },
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
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
  });
  after(() => site.close());

  /** Asks a new widget, and gives the protocol that it has found. */
  async function ask(scenario: ScenarioName, endpoint: string, show: Show): Promise<string | undefined> {
    await page.evaluate(
      (detail) => document.dispatchEvent(new CustomEvent('ask', { detail })),
      [endpoint, SCENARIOS[scenario].ask],
    );
    await show(page);
    await page.waitForFunction(() => {
      const status = document.querySelector('agent-chat')?.status;
      return status === 'idle' || status === 'error';
    });
    assert.equal(await page.locator('agent-chat').getByText('[cite:').count(), 0, 'no mark is shown');
    assert.deepEqual(await watched.violations(), []);
    assert.deepEqual(watched.foreign, []);
    assert.deepEqual(complaints, []);
    return page.evaluate(() => document.querySelector('agent-chat')?.detectedProtocol);
  }

  const addressOf = (protocol: string, scenario: ScenarioName): string => {
    // Clients of OpenAI make this of their base; it tells the protocol, so that the first request has the page's tools.
    const path = protocol === 'openai-chat' ? 'openai-chat/v1/chat/completions' : protocol;
    return `/agent/${path}?scenario=${scenario}&speed=0`;
  };

  for (const scenario of scenarioNames) {
    const { best } = SCENARIOS[scenario];
    it(`${scenario}, on ${best}`, async () => {
      await ask(scenario, addressOf(best, scenario), shows[scenario]);
    });
  }

  for (const protocol of PROTOCOLS) {
    it(`the long answer on ${protocol}, recognised`, async () => {
      const endpoint = `/agent/${protocol}?scenario=answer&speed=0`;
      const detected = await ask('answer', endpoint, says('Refunds rose because of one product', 'What I suggest'));
      assert.equal(detected, protocol === 'deepchat-core' ? 'deepchat-events' : protocol);
    });
  }
});
