/** The demo, as `npm start` serves it. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { chromium, type Browser, type Page } from 'playwright-core';
import { browserArguments, findTestBrowser } from '../../scripts/find-browser.ts';
import { startSourceServer, type SourceServer } from './support/source-server.ts';

describe('the demo page', () => {
  let server: SourceServer;
  let browser: Browser;
  let address: string;
  before(async () => {
    server = await startSourceServer();
    ({ address } = server);
    browser = await chromium.launch({
      executablePath: findTestBrowser(),
      args: browserArguments,
    });
  });
  after(async () => {
    await browser.close();
    await server.close();
  });

  async function visit(query = ''): Promise<{ page: Page; problems: readonly string[] }> {
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
    page.setDefaultTimeout(60_000);
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(address) && !request.url().startsWith('data:')) problems.push(request.url());
    });
    await page.goto(address + query);
    return { page, problems };
  }

  const attribute = (page: Page, name: string): Promise<string | null> => page.locator('agent-chat').getAttribute(name);

  it('starts and answers the long question, without console output or requests to other hosts', async () => {
    const { page, problems } = await visit('?speed=0');
    await page.getByRole('button', { name: 'Ask for the long answer' }).click();
    await page.getByRole('heading', { name: 'What I suggest' }).waitFor();
    await page.locator('#fact-status', { hasText: 'idle' }).waitFor();
    assert.equal(await page.locator('#fact-protocol').textContent(), 'agent-session');
    assert.deepEqual(problems, []);
    await page.context().close();
  });

  it('every switch works by keyboard, and is stored in the address', async () => {
    const { page, problems } = await visit();
    const focused = (): Promise<string | null> =>
      page.evaluate(() => (document.activeElement instanceof HTMLElement ? document.activeElement.id : null));
    await page.locator('#protocol').focus();
    await page.keyboard.press('ArrowDown');
    assert.equal(await attribute(page, 'protocol'), 'agent-session');
    const order = ['protocol'];
    const press: Readonly<Record<string, string>> = {
      recognise: 'Space',
      scenario: 'ArrowDown',
      fault: 'ArrowDown',
      speed: 'ArrowRight',
      mode: 'ArrowDown',
      radius: 'ArrowRight',
      locale: 'End',
      reasoning: 'End',
      tools: 'End',
      debug: 'Space',
    };
    for (let presses = 0; presses < 20 && order.at(-1) !== 'copy-link'; presses++) {
      await page.keyboard.press('Tab');
      const id = (await focused()) ?? '';
      order.push(id);
      // The radio groups have no ids of their own; an arrow key chooses the next one.
      const key = press[id] ?? (id === '' ? 'ArrowRight' : undefined);
      if (key) await page.keyboard.press(key);
    }
    assert.deepEqual(order.filter(Boolean), [
      'protocol',
      'recognise',
      'scenario',
      'fault',
      'speed',
      'ask',
      'mode',
      'accent',
      'radius',
      'locale',
      'reasoning',
      'tools',
      'persist',
      'debug',
      'replay',
      'copy-link',
    ]);
    const chosen = new URL(page.url()).searchParams;
    assert.deepEqual(Object.fromEntries(chosen), {
      protocol: 'agent-session',
      recognise: 'on',
      scenario: 'answer',
      fault: '401',
      speed: '25',
      theme: 'light',
      mode: 'floating',
      density: 'compact',
      radius: '13',
      locale: 'zh-TW',
      reasoning: 'hidden',
      tools: 'hidden',
      debug: 'on',
    });
    assert.equal(await attribute(page, 'endpoint'), '/agent/agent-session?scenario=answer&speed=25&fault=401');
    assert.equal(await attribute(page, 'protocol'), null, 'it is left to be recognised');
    for (const [name, value] of [
      ['color-scheme', 'light'],
      ['mode', 'floating'],
      ['density', 'compact'],
      ['locale', 'zh-TW'],
      ['show-reasoning', 'hidden'],
      ['show-tools', 'hidden'],
    ] as const) {
      assert.equal(await attribute(page, name), value, name);
    }
    await page.reload();
    await page.locator('agent-chat[mode="floating"][locale="zh-TW"]').waitFor({ state: 'attached' });
    assert.deepEqual(problems, []);
    await page.context().close();
  });

  for (const mode of ['floating', 'sidebar', 'fullscreen']) {
    it(`answers the first question in its ${mode} mode`, async () => {
      const { page, problems } = await visit(`?speed=0&mode=${mode}`);
      const input = page.locator('agent-chat [part="input"]');
      if (mode !== 'fullscreen') await page.locator('agent-chat [part="launcher"]').click();
      await input.fill('The first question');
      await input.press('Enter');
      await page.locator('agent-chat [part~="message-user"]', { hasText: 'The first question' }).waitFor();
      await page.locator('agent-chat [part~="message-assistant"]').waitFor();
      await page.waitForFunction(() => document.querySelector('agent-chat')?.status === 'idle');
      const statuses = await page.evaluate(() => document.querySelector('agent-chat')?.messages.map((m) => m.status));
      assert.deepEqual(statuses, ['complete', 'complete']);
      assert.deepEqual(problems, []);
      await page.context().close();
    });
  }

  it('replays a recording of the inspector', async () => {
    const { page, problems } = await visit('?speed=0&debug=on');
    const chat = page.locator('agent-chat');
    await page.getByRole('button', { name: 'Ask for the long answer' }).click();
    await page.locator('#fact-status', { hasText: 'idle' }).waitFor();
    await chat.getByRole('heading', { name: 'What I suggest' }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      chat.locator('.inspector-bar').getByRole('button', { name: 'Download', exact: true }).click(),
    ]);
    // Durations, times of day and the white space of templates differ: the agent sends none of them.
    const transcript = chat.locator('[part="transcript"]');
    const visibleText = async (): Promise<string> =>
      ((await transcript.textContent()) ?? '')
        .replace(/(?: for)? \b(?:[\d.]+ s|\d+:\d+ [AP]M)\b/g, '')
        .replace(/\s+/g, ' ');
    await transcript.getByText('The rule and the figures are in').waitFor();
    const before = await visibleText();
    await chat.getByRole('button', { name: 'New conversation' }).click();
    // No agent is running: only the file answers.
    await page.route('**/agent/**', (route) => route.abort());
    await page.locator('#recording').setInputFiles(await download.path());
    // It is played at the pace of the recording, which a busy machine has made long.
    await page.locator('#form-note', { hasText: /^Played|no recording/ }).waitFor();
    assert.match((await page.locator('#form-note').textContent()) ?? '', /^Played/);
    await transcript.getByText('The rule and the figures are in').waitFor();
    assert.equal(await visibleText(), before);
    assert.deepEqual(problems, []);
    await page.context().close();
  });

  it('the agents in the page answer: programming, stock, and the one made of a provider', async () => {
    const { page, problems } = await visit('?protocol=in-page');
    const chat = page.locator('agent-chat');
    const transcript = chat.locator('[part="transcript"]');
    const idle = (): Promise<void> => page.locator('#fact-status', { hasText: 'idle' }).waitFor();
    await page.getByRole('button', { name: 'Send some code' }).click();
    await transcript.getByText('2 things to improve').waitFor();
    await transcript.getByText('let total = 0;').waitFor();
    await transcript.getByText('3 rules, 0 problems').waitFor();
    await idle();
    await page.getByRole('button', { name: 'Send a stock query' }).click();
    await transcript.getByText('against 20 days before').waitFor();
    await transcript.locator('agent-chat-chart canvas').waitFor();
    await idle();
    await chat.locator('select').selectOption('scripted-provider-agent');
    await chat.getByRole('textbox').fill('Where is my order?');
    await chat.getByRole('textbox').press('Enter');
    await transcript.getByText('get_order: called').waitFor();
    await transcript.getByText('The tool found: order NW-48213').waitFor();
    await idle();
    assert.deepEqual(problems, []);
    await page.context().close();
  });
});
