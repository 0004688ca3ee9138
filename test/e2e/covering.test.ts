/** Glyphs are painted outside of the boxes of their lines: only a picture shows what they cover. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { MessageInput } from 'agent-chat-element';
import { scenes } from '../../demo/scenes/scenes.ts';
import { showScene } from '../../demo/scenes/show-scene.ts';
import { releaseContext, openSite, type Site } from './support/site.ts';

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
      await releaseContext(page);
    });
  }
});

describe('the focus ring of a control in a part that is clipped', () => {
  let site: Site;
  before(async () => {
    site = await openSite({ pages: { '/': '<agent-chat style="block-size: 100dvh"></agent-chat>' } });
  });
  after(() => site.close());

  for (const scene of scenes.filter(({ name }) => name === 'every-block-open' || name === 'asking')) {
    it(`is complete: ${scene.title}`, async () => {
      const page = await site.open({ reducedMotion: 'reduce' });
      await page.addInitScript('globalThis.__name = (named) => named;');
      await page.goto(site.origin);
      await page.evaluate(showScene, scene);
      await page.locator('agent-chat [part~="block"] button').first().waitFor();
      const cut = await page.evaluate(() => {
        const parts = [
          ...(document.querySelector('agent-chat')?.shadowRoot?.querySelectorAll('.message [part~="block"]') ?? []),
        ];
        return parts
          .filter((part) => getComputedStyle(part).overflowY === 'clip')
          .flatMap((part) =>
            [
              ...part.querySelectorAll<HTMLElement>('button, a[href], input, select, textarea, summary, [tabindex]'),
            ].flatMap((control) => {
              if (!control.checkVisibility()) return [];
              control.focus({ focusVisible: true });
              const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(control);
              if (outlineStyle === 'none') return [];
              const [box, around] = [control.getBoundingClientRect(), part.getBoundingClientRect()];
              const ring = parseFloat(outlineWidth) + parseFloat(outlineOffset);
              const isComplete = box.top - ring >= around.top - 0.5 && box.bottom + ring <= around.bottom + 0.5;
              return isComplete ? [] : `${part.getAttribute('part') ?? ''}: ${control.localName}.${control.className}`;
            }),
          );
      });
      assert.deepEqual(cut, []);
      await releaseContext(page);
    });
  }
});
