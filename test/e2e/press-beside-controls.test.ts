/** A press beside a control of the widget, and what is typed then. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { openSite, type Site } from './support/site.ts';

describe('a press beside a control', () => {
  let site: Site;
  before(async () => {
    site = await openSite({
      pages: {
        '/': '<style>agent-chat { block-size: 600px }</style><agent-chat heading="Help" persist="none"></agent-chat>',
      },
    });
  });
  after(() => site.close());

  async function open(): Promise<Page> {
    const page = await site.visit('/');
    await page.evaluate(async () => {
      await customElements.whenDefined('agent-chat');
      const chat = document.querySelector('agent-chat')!;
      chat.messages = [{ role: 'assistant', blocks: [{ type: 'content', content: 'An answer to read' }] }];
      await chat.updateComplete;
    });
    // Until the code of messages is loaded, they are plain text.
    await page.locator('agent-chat agent-chat-message p', { hasText: 'An answer to read' }).waitFor();
    return page;
  }

  for (const place of [
    'the heading',
    'an answer',
    'the send button without a text',
    'the area below the composer',
    'the edge of the composer',
  ])
    it(`presses no control with the space bar: ${place}`, async () => {
      const page = await open();
      const target = {
        'the heading': () => page.getByText('Help', { exact: true }),
        'an answer': () => page.getByText('An answer to read'),
        'the send button without a text': () => page.getByRole('button', { name: 'Send', exact: true }),
        'the area below the composer': () => page.locator('agent-chat .foot-area'),
        'the edge of the composer': () => page.locator('agent-chat .composer-bar'),
      }[place]!();
      const box = await target.boundingBox();
      assert.ok(box);
      const isAtEnd = /area|edge/.test(place);
      await page.mouse.click(box.x + box.width / 2, isAtEnd ? box.y + box.height - 2 : box.y + box.height / 2);
      await page.keyboard.type(' no idea');
      assert.equal(await page.getByText('An answer to read').count(), 1);
    });
});
