import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openSite, type Site } from './support/site.ts';
import { STRICT, watch } from './support/strict-csp.ts';

const alone =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Test</title>' +
  '<script type="module" src="/dist/markdown.js"></script><body><agent-chat-markdown></agent-chat-markdown></body></html>';

const text = [
  '# Title',
  'A **word**, <b onclick="x()" style="color:red">there</b>, ![picture](https://pictures.example/a.png).',
  '<p style="color:red">A block of <em>HTML</em>.</p>',
  '```js\nconst a = 1;\n```',
  '| a | b |\n|---|---|\n| 1 | 2 |',
  'The end.',
].join('\n\n');

describe('the Markdown element alone', () => {
  let site: Site;
  before(async () => {
    site = await openSite({ pages: { '/': alone }, headers: { 'content-security-policy': STRICT } });
  });
  after(() => site.close());

  it('streams under a strict CSP without a report, and asks no other host', async () => {
    const page = await site.visit('/');
    const { foreign, violations } = await watch(page);
    await page.evaluate(async (source) => {
      await customElements.whenDefined('agent-chat-markdown');
      const element = document.querySelector('agent-chat-markdown');
      for (const character of source) element?.write(character);
      await element?.end();
    }, text);
    await page.locator('agent-chat-markdown agent-chat-html em', { hasText: 'HTML' }).waitFor();
    await page.waitForFunction(() => CSS.highlights.has('agent-chat-keyword'));
    assert.equal(await page.locator('agent-chat-markdown h1').textContent(), 'Title');
    assert.equal(await page.locator('agent-chat-markdown td').count(), 2);
    assert.deepEqual(await violations(), []);
    assert.deepEqual(foreign, []);
    await page.context().close();
  });

  it('is one file until something in a text needs more', async () => {
    const from = site.requests.length;
    const page = await site.visit('/');
    await page.evaluate(async () => {
      await customElements.whenDefined('agent-chat-markdown');
      const element = document.querySelector('agent-chat-markdown');
      element?.write('# Title\n\nA **word**.');
      await element?.end();
    });
    assert.deepEqual(
      site.requests.slice(from).filter((path) => path.startsWith('/dist/')),
      ['/dist/markdown.js'],
    );
    await page.context().close();
  });

  it('stands beside the widget on one page', async () => {
    const page = await site.visit('/');
    const { violations } = await watch(page);
    await page.evaluate(async () => {
      const widget = '/dist/agent-chat.js';
      await import(widget);
      const chat = document.createElement('agent-chat');
      document.body.append(chat);
      chat.messages = [{ role: 'assistant', text: 'One **two**' }] as unknown as typeof chat.messages;
      const element = document.querySelector('agent-chat-markdown');
      element?.write('Three **four**');
      await element?.end();
    });
    await page.locator('agent-chat strong', { hasText: 'two' }).waitFor();
    await page.locator('agent-chat-markdown strong', { hasText: 'four' }).waitFor();
    assert.deepEqual(await violations(), []);
    await page.context().close();
  });
});
