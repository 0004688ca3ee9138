/** What every example has to hold: the chat answers, and nothing that the page does around it takes an answer away. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Example } from './example-site.ts';

/** Asks by the composer, as a reader does, and sees the answer. */
export async function getsAnAnswer({ agent }: Example, page: Page): Promise<void> {
  const asked = agent.nextRequest();
  const input = page.locator('agent-chat [part=input]');
  await input.fill('Where is my order?');
  await input.press('Enter');
  await asked;
  await agent.respond(page, { content: 'It left *Harbor* today.' });
  await agent.end(page);
  await shows(page, /Where is my order\?[\s\S]*It left Harbor today\./);
}

/** Waits until the transcript contains a text: the last words of a burst are revealed shortly after the end of the reply. */
export const shows = (page: Page, hasText: RegExp): Promise<void> =>
  page.locator('agent-chat [part=transcript]', { hasText }).waitFor();

/** A mark on the element, which one made anew would not have. */
async function mark(page: Page): Promise<void> {
  await page.evaluate(() => Object.assign(document.querySelector('agent-chat')!, { marked: true }));
}
const isMarked = (page: Page): Promise<boolean> =>
  page.evaluate(() => 'marked' in (document.querySelector('agent-chat') ?? {}));

/** How a reader moves in an example. */
export interface Ways {
  /** The heading of the other page, and the words that lead there; then those of the first one. */
  readonly there: string;
  readonly back: string;
  readonly role?: 'button' | 'link';
  /** The framework makes another element then. */
  readonly anew?: boolean;
}

/** The page renders in the middle of an answer. */
export async function renders({ agent }: Example, page: Page): Promise<void> {
  await mark(page);
  await agent.sendMessage(page);
  await agent.respond(page, { content: 'First words,' });
  for (let times = 0; times < 3; times++) await page.getByRole('button', { name: /Books in the basket/ }).click();
  await page.getByRole('button', { name: 'Books in the basket: 3' }).waitFor();
  await agent.respond(page, { content: ' and last ones.' });
  await agent.end(page);
  await shows(page, /First words, and last ones\./);
  assert.equal(await isMarked(page), true);
}

/** The reader goes to another page in the middle of an answer, which goes on, and comes back to it. */
export async function comesBack({ agent }: Example, page: Page, ways: Ways): Promise<void> {
  await mark(page);
  await agent.sendMessage(page);
  await agent.respond(page, { content: 'First words,' });
  await goTo(page, ways.there, ways.role);
  await agent.respond(page, { content: ' words on another page,' });
  await goTo(page, ways.back, ways.role);
  await agent.respond(page, { content: ' and last ones.' });
  await agent.end(page);
  await shows(page, /First words, words on another page, and last ones\./);
  assert.equal(await isMarked(page), ways.anew !== true);
}

export async function goTo(page: Page, name: string, role: Ways['role'] = 'button'): Promise<void> {
  await page.getByRole(role, { name, exact: true }).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
}
