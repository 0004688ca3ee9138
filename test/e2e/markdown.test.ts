import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { releaseContext, openSite, type Site } from './support/site.ts';
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

const formulas = [
  'It is $x^2$ and \\(\\pmb{a} + \\prescript{a}{b}{c}\\).',
  '$$\\begin{aligned} a &= \\frac{b}{c} \\\\ d &= \\cancel{e} \\label{f} \\end{aligned}$$',
  '\\[\n\\sum_{n=1}^\\infty \\color{red} n\n\\]',
  '$\\href{javascript:x()}{y}$ $\\style{color:red}{y}$ $\\includegraphics{https://pictures.example/a.png}$ $\\nosuch$',
].join('\n\n');

describe('the Markdown element alone', () => {
  let site: Site;
  before(async () => {
    site = await openSite({ pages: { '/': alone }, headers: { 'content-security-policy': STRICT } });
  });
  after(() => site.close());

  it('streams under a strict CSP without a report, and sends no request to another host', async () => {
    const page = await site.visit('/');
    const { externalRequests: foreign, violations } = await watch(page);
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
    await releaseContext(page);
  });

  it('is one file until a text needs more', async () => {
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
    await releaseContext(page);
  });

  it('gives the mark of a footnote a height, without moving the lines', async () => {
    const page = await site.visit('/');
    const heights = await page.evaluate(async () => {
      await customElements.whenDefined('agent-chat-markdown');
      const element = document.querySelector('agent-chat-markdown');
      element?.write('A word.\n\nA word[^1].\n\n[^1]: Note');
      await element?.end();
      const root = element?.shadowRoot ?? element;
      return Array.from(root?.querySelectorAll('p, .note-mark') ?? [], (one) => one.getBoundingClientRect().height);
    });
    const [plain = 0, noted = 0, mark = 0] = heights;
    assert.equal(noted, plain);
    assert.ok(mark >= 8, `The mark has a height of ${String(mark)}.`);
    await releaseContext(page);
  });

  it('draws formulas under a strict CSP, with one chunk that comes with the first', async () => {
    const page = await site.visit('/');
    const { externalRequests: foreign, violations } = await watch(page);
    const from = site.requests.length;
    const chunks = (): readonly string[] =>
      site.requests.slice(from).filter((path) => path.startsWith('/dist/chunks/'));
    await page.evaluate(async () => {
      await customElements.whenDefined('agent-chat-markdown');
      const element = document.querySelector('agent-chat-markdown');
      element?.setAttribute('math', 'on');
      element?.write('It costs $5 and $6.');
      await element?.end();
    });
    assert.deepEqual(chunks(), []);
    await page.evaluate(async (source) => {
      const element = document.querySelector('agent-chat-markdown');
      if (element) element.text = '';
      for (const character of source) element?.write(character);
      await element?.end();
    }, formulas);
    await page.locator('agent-chat-markdown math').nth(3).waitFor();
    await page.locator('agent-chat-markdown code', { hasText: 'nosuch' }).waitFor();
    // Styles, names and addresses from the text have no effect.
    assert.equal(await page.locator('agent-chat-markdown math :is([id], [href], [src], [onclick], a)').count(), 0);
    assert.equal(chunks().length, 1);
    assert.deepEqual(await violations(), []);
    assert.deepEqual(foreign, []);
    await releaseContext(page);
  });

  it('shows formulas as code if their chunk is missing', async () => {
    const page = await site.visit('/');
    await page.route('**/dist/chunks/**', (route) => route.abort());
    await page.evaluate(async () => {
      await customElements.whenDefined('agent-chat-markdown');
      const element = document.querySelector('agent-chat-markdown');
      element?.setAttribute('math', 'on');
      if (element) element.text = 'It is $x^2$ and $$y$$';
    });
    await page.locator('agent-chat-markdown code').nth(1).waitFor();
    assert.deepEqual(await page.locator('agent-chat-markdown code').allTextContents(), ['$x^2$', '$$y$$']);
    await releaseContext(page);
  });

  it('works beside the widget on one page', async () => {
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
    await releaseContext(page);
  });
});
