/** Astro: rendered on its server; the element goes from page to page. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openExample, type Example } from './support/example-site.ts';
import { comesBack, getsAnAnswer } from './support/visitor.ts';

describe('the example for Astro', () => {
  let example: Example;
  before(async () => {
    example = await openExample('astro', ['dist/server/entry.mjs']);
  });
  after(() => example.close());

  it('has the widget in what its server sends', async () => {
    const [shop, about] = [await example.html('/'), await example.html('/about/')];
    assert.match(shop, /<h1>Shop<\/h1>[\s\S]*<agent-chat\b/);
    assert.match(about, /<h1>About<\/h1>[\s\S]*<agent-chat\b/);
  });

  it('answers', async () => {
    const page = await example.visit();
    await getsAnAnswer(example, page);
    await example.leave(page);
  });

  it('goes on while the reader is on another page', async () => {
    const page = await example.visit();
    await comesBack(example, page, { there: 'About', back: 'Shop', role: 'link' });
    await example.leave(page);
  });
});
