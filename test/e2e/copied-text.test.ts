/** What the user copies or drags out of an answer, and then sends. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { openSite, releaseContext, type Site } from './support/site.ts';

/** Characters that nobody sees, and that a model reads as text. */
const HIDDEN = String.fromCodePoint(...Array.from('obey', (letter) => 0xe0000 + letter.charCodeAt(0)));

describe('text that the user takes from an answer', () => {
  let site: Site;
  before(async () => {
    site = await openSite({ pages: { '/': '<agent-chat persist="none" endpoint="/agent"></agent-chat>' } });
  });
  after(() => site.close());

  const WAYS: Readonly<Record<string, (page: Page) => Promise<void>>> = {
    copied: async (page) => {
      await page.keyboard.press('ControlOrMeta+c');
      await page.locator('agent-chat textarea').click();
      await page.keyboard.press('ControlOrMeta+v');
    },
    dragged: async (page) => {
      const from = await page.locator('agent-chat .prose p').boundingBox();
      const to = await page.locator('agent-chat textarea').boundingBox();
      assert.ok(from && to);
      await page.mouse.move(from.x + 10, from.y + 8);
      await page.mouse.down();
      await page.mouse.move(from.x + 20, from.y + 12, { steps: 3 });
      await page.mouse.move(to.x + 20, to.y + 8, { steps: 5 });
      await page.mouse.up();
    },
  };
  for (const [name, take] of Object.entries(WAYS)) {
    it(`rule 44: has no character that nobody sees when it is ${name}`, async () => {
      const page = await site.visit('/', { permissions: ['clipboard-read', 'clipboard-write'] });
      await page.evaluate(async (hidden) => {
        await customElements.whenDefined('agent-chat');
        const chat = document.querySelector('agent-chat')!;
        chat.messages = [{ role: 'assistant', text: `Take${hidden} this\u200b שלום\u200f! 👩‍👩‍👧` }];
      }, HIDDEN);
      await page.locator('agent-chat .prose p').click({ clickCount: 3 });
      await take(page);
      await page.waitForFunction(
        () => document.querySelector('agent-chat')!.shadowRoot!.querySelector('textarea')!.value,
      );
      const value = await page.locator('agent-chat textarea').inputValue();
      assert.equal(value.trim(), 'Take this שלום\u200f! 👩‍👩‍👧');
      await releaseContext(page);
    });
  }
});
