/** React: the widget stands beside the pages. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openExample, type Example } from './support/example-site.ts';
import { comesBack, getsAnAnswer, renders } from './support/visitor.ts';

describe('the example for React', () => {
  let example: Example;
  before(async () => {
    example = await openExample('react/dist');
  });
  after(() => example.close());

  it('answers', async () => {
    const page = await example.visit();
    await getsAnAnswer(example, page);
    await example.leave(page);
  });

  it('goes on while the page renders', async () => {
    const page = await example.visit();
    await renders(example, page);
    await example.leave(page);
  });

  it('goes on while the reader is on another page', async () => {
    const page = await example.visit();
    await comesBack(example, page, { there: 'About', back: 'Shop' });
    await example.leave(page);
  });

  it('shows data of the agent by a component of the page, which keeps its state', async () => {
    const page = await example.visit();
    await example.agent.sendMessage(page);
    await example.agent.respond(page, { data: { data_type: 'custom', data: { order: 7 } } });
    await page.getByRole('button', { name: '{"order":7} ♡' }).click();
    await example.agent.respond(page, { content: 'More words.' });
    await page.getByRole('button', { name: /Books in the basket/ }).click();
    await example.agent.end(page);
    assert.equal(await page.getByRole('button', { name: '{"order":7} ♥' }).count(), 1);
    await example.leave(page);
  });
});
