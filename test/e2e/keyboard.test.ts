import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { releaseContext, openSite, sessionStream, type Site } from './support/site.ts';

/** The name or text of the focused element, in any nested shadow root. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    return element?.getAttribute('aria-label') ?? element?.textContent.trim() ?? '';
  });

const focusReaches = (page: Page, name: string): Promise<unknown> =>
  page.waitForFunction((expected) => {
    const inside = document.querySelector('agent-chat')?.shadowRoot?.activeElement;
    return (inside?.getAttribute('aria-label') ?? inside?.textContent.trim()) === expected;
  }, name);

/** Presses Tab until a control has the focus. @returns the elements that had it on the way */
async function tabTo(page: Page, name: string, key = 'Tab'): Promise<readonly string[]> {
  const seen: string[] = [];
  for (let presses = 0; presses < 30; presses++) {
    await page.keyboard.press(key);
    const now = await focused(page);
    if (now === name) return seen;
    seen.push(now);
  }
  throw new Error(`Tab does not reach "${name}", but ${seen.join(', ')}.`);
}

const PERMISSION = [
  { type: 'response', data: { eventId: 'e', content: 'I need your permission.' } },
  {
    type: 'response',
    data: {
      eventId: 'e',
      tool_call: 'permission-required',
      tool_call_id: 't1',
      tool_call_name: 'send_email',
      tool_call_params: '{"to":"finance@northwind.example"}',
      permission_request: {
        toolName: 'send_email',
        serverName: 'mail',
        permissionType: 'write',
        description: 'To send the note.',
      },
    },
  },
  { type: 'end', data: { eventId: 'e' } },
]
  .map((event) => `data: ${JSON.stringify(event)}\n\n`)
  .join('');

/** A paused run of Agno, whose arguments can be changed. */
const PAUSED = `data: ${JSON.stringify({
  event: 'RunPaused',
  run_id: 'r',
  session_id: 's',
  agent_id: 'a',
  tools: [{ tool_call_id: 'c', tool_name: 'send_email', tool_args: { to: 'Ann' }, requires_confirmation: true }],
})}\n\n`;

describe('by keyboard only', () => {
  let site: Site;
  let open: ServerResponse[] = [];
  before(async () => {
    site = await openSite({
      pages: {
        '/': '<a href="#">Before</a><agent-chat endpoint="/agent" protocol="agent-session"></agent-chat><a href="#">After</a>',
        '/floating': '<a href="#">Page</a><agent-chat endpoint="/agent" mode="floating" heading="Harbor"></agent-chat>',
        '/permission': '<agent-chat endpoint="/permission-agent" protocol="deepchat-events"></agent-chat>',
        '/editable': '<agent-chat endpoint="/agents/a/runs" protocol="agno"></agent-chat>',
      },
      agent: async (request, response) => {
        let body = '';
        for await (const chunk of request) body += String(chunk);
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        if (request.url?.startsWith('/permission-agent')) response.end(PERMISSION);
        else if (request.url?.startsWith('/agents/a')) response.end(PAUSED);
        else if (body.includes('slowly')) {
          open.push(response);
          // Everything except its end.
          response.write(sessionStream('It takes its time.').split('\n\n').slice(0, 2).join('\n\n') + '\n\n');
        } else response.end(sessionStream('Here it **is**.'));
        return true;
      },
    });
  });
  after(async () => {
    for (const response of open) response.end();
    open = [];
    await site.close();
  });

  it('writes, sends, stops and recalls the sent message', async () => {
    const page = await site.visit('/');
    await tabTo(page, 'Message');
    await page.keyboard.type('Tell me slowly');
    await page.keyboard.press('Enter');
    await page.getByText('It takes its time.').waitFor();
    assert.equal(await focused(page), 'Message', 'sending leaves the focus where it was');
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.querySelector('agent-chat')?.status === 'idle');
    assert.equal(await page.evaluate(() => document.querySelector('agent-chat')?.messages.at(-1)?.status), 'cancelled');
    await page.keyboard.press('ArrowUp');
    assert.equal(await page.getByRole('textbox').inputValue(), 'Tell me slowly');
    await releaseContext(page);
  });

  it('reaches every control of an answer in reading order, and leaves the widget again', async () => {
    const page = await site.visit('/');
    await tabTo(page, 'Message');
    await page.keyboard.type('Hi');
    await page.keyboard.press('Enter');
    await page.locator('agent-chat strong').waitFor();
    await page.locator('[part=toolbar]').last().waitFor();
    const passed = await tabTo(page, 'Before', 'Shift+Tab');
    assert.deepEqual(
      [...passed].reverse().filter((name) => ['Copy', 'Edit', 'Try again', 'Regenerate'].includes(name)),
      ['Copy', 'Edit', 'Copy', 'Regenerate'],
    );
    await tabTo(page, 'After');
    await releaseContext(page);
  });

  it('stops by its button, asks again and moves between the answers without losing the focus position', async () => {
    const page = await site.visit('/');
    await tabTo(page, 'Message');
    await page.keyboard.type('Tell me slowly');
    await tabTo(page, 'Send');
    await page.keyboard.press('Enter');
    await focusReaches(page, 'Message');
    await page.getByText('It takes its time.').waitFor();
    await tabTo(page, 'Stop');
    await page.keyboard.press('Enter');
    await focusReaches(page, 'Message');
    await tabTo(page, 'Regenerate', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await focusReaches(page, 'Conversation');
    await page.keyboard.press('Escape');
    await page.getByText('2/2').waitFor();
    await tabTo(page, 'Previous version');
    await page.keyboard.press('Enter');
    await page.getByText('1/2').waitFor();
    await focusReaches(page, 'Next version');
    await releaseContext(page);
  });

  it('opens the panel, moves the focus to the composer, and restores it when the panel closes', async () => {
    const page = await site.visit('/floating');
    await tabTo(page, 'Open chat');
    await page.keyboard.press('Enter');
    await focusReaches(page, 'Message');
    await page.keyboard.press('Escape');
    await focusReaches(page, 'Open chat');
    await releaseContext(page);
  });

  it('rule 73: opens the editor of the arguments, which an Enter that is held down does not send', async () => {
    const page = await site.visit('/editable');
    await tabTo(page, 'Message');
    await page.keyboard.type('Mail it');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Change arguments' }).waitFor();
    await tabTo(page, 'Change arguments', 'Shift+Tab');
    await page.keyboard.down('Enter');
    const field = page.locator('agent-chat .ask-fields input');
    await field.waitFor();
    await page.waitForFunction(
      () => document.querySelector('agent-chat')?.shadowRoot?.activeElement?.localName === 'input',
    );
    // The key repeats.
    await page.keyboard.down('Enter');
    await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    assert.equal(await page.getByText(/send.email allowed/i).count(), 0);
    await field.fill('Bea');
    await page.keyboard.press('Enter');
    await page
      .getByText(/send.email allowed/i)
      .first()
      .waitFor();
    await releaseContext(page);
  });

  it('answers a permission without losing the focus position', async () => {
    const page = await site.visit('/permission');
    await tabTo(page, 'Message');
    await page.keyboard.type('Mail it');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Deny', exact: true }).waitFor();
    assert.equal(await focused(page), 'Message', 'a question does not take the focus');
    await tabTo(page, 'Deny', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page
      .getByText(/send.email denied/i)
      .first()
      .waitFor();
    // The button is gone: the focus stays in the answer.
    await focusReaches(page, 'Conversation');
    await releaseContext(page);
  });
});
