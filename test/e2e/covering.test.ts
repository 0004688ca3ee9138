/** Glyphs are painted outside of the boxes of their lines: only a picture shows what they cover. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { MessageInput } from 'agent-chat-element';
import { leave, openSite, type Site } from './support/site.ts';

const STACKED = 'a\u0323\u0301'.padEnd(400, '\u0316\u0300').concat(' ').repeat(20);

const parts: Readonly<Record<string, Omit<MessageInput, 'role'>>> = {
  'plain text': { blocks: [{ type: 'content', format: 'text', content: STACKED }] },
  'a plan': { blocks: [{ type: 'plan', plan: [{ title: STACKED, state: 'done' }] }] },
  progress: { blocks: [{ type: 'progress', progress: { current: 1, total: 2, message: STACKED } }] },
  'an error': { blocks: [{ type: 'error', status: 'error', content: STACKED }] },
  code: { blocks: [{ type: 'code', code: { language: 'js', filename: STACKED, content: '1', error: STACKED } }] },
  'a question': {
    blocks: [{ type: 'action', action_type: 'confirmation', status: 'pending', content: STACKED }],
  },
  suggestions: { blocks: [], suggestions: [{ label: STACKED, prompt: STACKED }] },
};

describe('stacked marks in a part of an answer', () => {
  let site: Site;
  before(async () => {
    site = await openSite({
      pages: { '/': '<agent-chat persist="none" style="block-size: 900px; inline-size: 600px"></agent-chat>' },
    });
  });
  after(() => site.close());

  for (const [name, { blocks = [], ...more }] of Object.entries(parts)) {
    it(`rule 78: ${name}: do not cover the permission before it`, async () => {
      const page = await site.visit('/', { viewport: { width: 640, height: 920 } });
      const show = (rest: Omit<MessageInput, 'role'>): Promise<void> =>
        page.evaluate((added) => {
          const chat = document.querySelector('agent-chat');
          if (!chat) return;
          chat.clear();
          const permission = {
            type: 'action',
            action_type: 'tool_call_permission',
            status: 'pending',
            tool_call: { name: 'pay', params: '{"to":"the landlord","amount":900}' },
          } as const;
          chat.messages = [
            { role: 'user', text: 'Pay the rent, please.' },
            { role: 'assistant', ...added, blocks: [permission, ...(added.blocks ?? [])] },
          ];
        }, rest);
      const card = page.locator('agent-chat agent-chat-permission .ask');
      await show({ blocks, ...more });
      await card.waitFor();
      await page.waitForTimeout(500);
      const covered = await card.screenshot({ animations: 'disabled' });
      await page.evaluate(() => {
        const article = document.querySelector('agent-chat')?.shadowRoot?.querySelector('article:not(.user)');
        for (const part of article?.children ?? [])
          if (part instanceof HTMLElement && !part.matches('agent-chat-permission'))
            part.style.setProperty('visibility', 'hidden');
      });
      const alone = await card.screenshot({ animations: 'disabled' });
      assert.equal(covered.equals(alone), true, 'The card looks different with the part after it.');
      await leave(page);
    });
  }
});
