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

  it('has every column of a wide table, with its words and numbers in one piece', async () => {
    const page = await site.visit('/');
    await page.setViewportSize({ width: 700, height: 900 });
    const names = Array.from({ length: 18 }, (_, index) => `Measurement${String(index)}`);
    const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
    const tableOf = (rows: number): string =>
      [line(names), line(names.map(() => '---')), ...Array.from({ length: rows }, () => line(names))].join('\n');
    const narrow = '| Name | Note |\n| --- | --- |\n| One | Two |';
    const content = `${tableOf(2)}\n\nMany:\n\n${tableOf(60)}\n\nNarrow:\n\n${narrow}`;
    const rows = Array.from({ length: 30 }, () => names.map(() => 1234567));
    await page.evaluate(
      async (blocks) => {
        await customElements.whenDefined('agent-chat');
        document.querySelector('agent-chat')!.messages = [{ role: 'assistant', blocks }];
      },
      [
        { type: 'content' as const, content },
        { type: 'data' as const, data: { data_type: 'dataframe' as const, data: { columns: names, rows } } },
      ],
    );
    const tables = page.locator('agent-chat :is(.table-scroll:defined, .data-scroll)');
    await tables.nth(3).waitFor();
    await page.locator('agent-chat .data .foot button').click();
    const screenSizes = await tables.evaluateAll((all) =>
      all.map((table) => getComputedStyle(table.querySelector('td')!).fontSize),
    );
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await page.emulateMedia({ media: 'print' });
    const seen = await tables.evaluateAll((all) =>
      all.map((table) => {
        const end = table.getBoundingClientRect().right + 1;
        const range = document.createRange();
        const texts = [...table.querySelectorAll('th, td')].map((cell) => {
          const text = document
            .createTreeWalker(cell, NodeFilter.SHOW_TEXT, (node) =>
              node.nodeValue!.trim() ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP,
            )
            .nextNode();
          range.selectNodeContents(text!);
          return { lines: range.getClientRects().length, right: range.getBoundingClientRect().right };
        });
        return {
          cutOff: texts.filter(({ right }) => right > end).length,
          broken: texts.filter(({ lines }) => lines > 1).length,
          hidden: table.scrollHeight > table.clientHeight + 1,
          size: getComputedStyle(table.querySelector('td')!).fontSize,
        };
      }),
    );
    const isSmaller = seen.map(({ size }, index) => size !== screenSizes[index]);
    assert.deepEqual(isSmaller, [true, true, false, true]);
    const complete = { cutOff: 0, broken: 0, hidden: false };
    assert.deepEqual(
      seen.map(({ size: _, ...rest }) => rest),
      [complete, complete, complete, complete],
    );
    await releaseContext(page);
  });
});
