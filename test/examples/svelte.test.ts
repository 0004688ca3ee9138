/** Svelte: the widget is made anew when the reader comes back to its page. */
import { after, before, describe, it } from 'node:test';
import { openExample, type Example } from './support/example-site.ts';
import { comesBack, getsAnAnswer, renders } from './support/visitor.ts';

describe('the example for Svelte', () => {
  let example: Example;
  before(async () => {
    example = await openExample('svelte/dist');
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
    await comesBack(example, page, { there: 'About', back: 'Help', anew: true });
    await example.leave(page);
  });
});
