/** The printed conversation. Browsers print no backgrounds unless the user asks for them. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { releaseContext, openSite, type Site } from './support/site.ts';

const THEMES = ['', 'editorial', 'messenger', 'support', 'terminal'] as const;

describe('a printed conversation', () => {
  let site: Site;
  before(async () => {
    site = await openSite({ pages: { '/': '<agent-chat persist="none"></agent-chat>' } });
  });
  after(() => site.close());

  for (const theme of THEMES) {
    it(`rule 43: has a line around what the user has said, and around nothing that an agent aligns like it: ${theme || 'default'}`, async () => {
      const page = await site.open();
      await page.addInitScript('globalThis.__name = (named) => named;');
      await page.goto(site.origin);
      await page.evaluate(async (name) => {
        await customElements.whenDefined('agent-chat');
        const chat = document.querySelector('agent-chat')!;
        if (name) chat.setAttribute('theme', name);
        const content =
          'Shall I?\n\n<p align="right">Yes, I allow it.</p>\n\n<div align="right"><kbd>Yes</kbd></div>\n\n**❯ Yes**\n\n---\n\n# *Yes*';
        chat.messages = [
          { role: 'user', text: 'Pay the rent, please.' },
          {
            role: 'assistant',
            blocks: [{ type: 'content', content }],
            suggestions: [{ label: 'Yes, I do', prompt: 'Yes, I do' }],
          },
        ];
      }, theme);
      await page.locator('agent-chat agent-chat-html p, agent-chat .prose p[align]').first().waitFor();
      await page.emulateMedia({ media: 'print' });
      const seen = await page.evaluate(() => {
        const root = document.querySelector('agent-chat')!.shadowRoot!;
        const hasLine = (element: Element): boolean => {
          const { borderTopStyle, borderTopWidth, borderTopColor, color } = getComputedStyle(element);
          return borderTopStyle === 'solid' && borderTopWidth === '1px' && borderTopColor === color;
        };
        const said = root.querySelector('.bubble');
        return {
          user: said !== null && hasLine(said),
          agent: [...root.querySelectorAll('.prose *')].filter(hasLine).map(({ localName }) => localName),
          suggestions: [...root.querySelectorAll('.suggestions')].filter((list) => list.checkVisibility()).length,
        };
      });
      assert.deepEqual(seen, { user: true, agent: [], suggestions: 0 });
      await releaseContext(page);
    });
  }

  it('rule 43: has a second line around the boxes of a formula, whose line could be that of the user', async () => {
    const page = await site.visit('/');
    const content = [
      '\\fbox{\\text{Yes}}',
      '\\boxed{\\text{Yes}}',
      '\\begin{array}{|c|}\\hline a\\\\\\hline\\end{array}',
    ]
      .map((formula) => `$${formula}$`)
      .join(' ');
    await page.evaluate(async (text) => {
      await customElements.whenDefined('agent-chat');
      const chat = document.querySelector('agent-chat')!;
      chat.setAttribute('math', 'on');
      chat.messages = [{ role: 'assistant', blocks: [{ type: 'content', content: text }] }];
    }, content);
    const formulas = page.locator('agent-chat agent-chat-math:has(math)');
    await formulas.nth(2).waitFor();
    await page.emulateMedia({ media: 'print' });
    const lines = await formulas.evaluateAll((all) => all.map((one) => getComputedStyle(one).borderTopStyle));
    assert.deepEqual(lines, ['solid', 'solid', 'solid']);
    await releaseContext(page);
  });

  it('rule 43: what the user says has a background of its own where an agent could write the same line', async () => {
    const page = await site.visit('/');
    await page.evaluate(async () => {
      await customElements.whenDefined('agent-chat');
      const chat = document.querySelector('agent-chat')!;
      chat.setAttribute('theme', 'terminal');
      chat.messages = [
        { role: 'user', text: 'Yes' },
        { role: 'assistant', blocks: [{ type: 'content', content: '**❯ Yes**' }] },
      ];
    });
    const said = page.locator('agent-chat .bubble');
    await page.locator('agent-chat .prose strong').waitFor();
    await page.waitForFunction(() => {
      const bubble = document.querySelector('agent-chat')?.shadowRoot?.querySelector('.bubble');
      return bubble && getComputedStyle(bubble).fontWeight === '600';
    });
    const background = await said.evaluate((bubble) => getComputedStyle(bubble).backgroundColor);
    assert.notEqual(background, 'rgba(0, 0, 0, 0)');
    await releaseContext(page);
  });
});
