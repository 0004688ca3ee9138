/** One page and the folder of the build. */
import { after, before, describe, it } from 'node:test';
import { openExample, type Example } from './support/example-site.ts';
import { getsAnAnswer, shows } from './support/visitor.ts';

describe('the example without a framework', () => {
  let example: Example;
  before(async () => {
    example = await openExample('plain');
  });
  after(() => example.close());

  it('answers', async () => {
    const page = await example.visit();
    await getsAnAnswer(example, page);
    await example.leave(page);
  });

  it('sends what a button of the page asks, and goes on when the page moves the widget', async () => {
    const { agent } = example;
    const page = await example.visit();
    const asked = agent.nextRequest();
    await page.getByRole('button', { name: 'Where is my order?' }).click();
    await asked;
    await agent.respond(page, { content: 'First words,' });
    await page.evaluate(() => {
      const chat = document.querySelector('agent-chat')!;
      chat.heading = 'Moved';
      document.body.append(chat);
    });
    await agent.respond(page, { content: ' and last ones.' });
    await agent.end(page);
    await shows(page, /Where is my order\?[\s\S]*First words, and last ones\./);
    await example.leave(page);
  });
});
