/** A launcher on each page of a site. */
import { after, before, describe, it } from 'node:test';
import { installUserState } from '../e2e/support/user-state.ts';
import { openExample, type Example } from './support/example-site.ts';
import { getsAnAnswer, goTo, shows } from './support/visitor.ts';

describe('the example with the launcher', () => {
  let example: Example;
  before(async () => {
    example = await openExample('embed');
  });
  after(() => example.close());

  it('answers, and has the conversation on the next page and on the way back', async () => {
    const page = await example.open();
    await page.locator('[part=launcher]').click();
    await page.locator('[part=input]').waitFor();
    await installUserState(page);
    await getsAnAnswer(example, page);
    for (const name of ['About us', 'Shop']) {
      await goTo(page, name, 'link');
      await shows(page, /Where is my order\?[\s\S]*It left Harbor today\./);
    }
    await example.leave(page);
  });
});
