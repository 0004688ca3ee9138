/** What a reader does in a page, and pieces of what an agent says. */
import type { Locator, Page } from 'playwright-core';
import type { Said } from './told-agent.ts';

type Act = (page: Page) => Promise<void>;

export const inWidget = (page: Page, selector: string): Locator => page.locator(`agent-chat ${selector}`).first();

/** Selects words, or all from their beginning to the end of others. */
export const select =
  (from: string, to = from): Act =>
  (page) =>
    page.evaluate(
      ([start, end]) => {
        reader.select(start, end);
      },
      [from, to] as const,
    );

export const focus =
  (selector: string): Act =>
  (page) =>
    inWidget(page, selector).focus();

export const press =
  (selector: string): Act =>
  async (page) => {
    await inWidget(page, selector).click();
    // The pointer goes its way.
    await page.mouse.move(0, 0);
  };

export const scroll =
  (selector: string): Act =>
  (page) =>
    inWidget(page, selector).evaluate((element) => {
      element.scrollTo({ left: 40, top: 30, behavior: 'instant' });
    });

export const text = (content: string): Said => ({ content });
export const thought = (reasoning_content: string): Said => ({ reasoning_content });
export const tool = (tool_call: Said['tool_call'] & string, more: Said = {}): Said => ({
  tool_call,
  tool_call_id: 't',
  tool_call_name: 'query_orders',
  ...more,
});
export const cited = (quote?: string): Said => ({
  citation: {
    id: 'a',
    url: 'https://a.example/',
    title: 'The log',
    ...(quote === undefined ? { anchor: 'end' } : { anchor: 'quote', quote }),
  },
});
/** A sentence of which every word is a token of its own. */
export const tokens = (sentence: string): readonly Said[] => (sentence.match(/\s*\S+/g) ?? []).map(text);

/** Code and a table that are still being written, and how they go on. */
export const CODE = '```ts\nconst first = 1;\nconst';
export const CODE_GOES_ON = tokens(' second = 2;\n\nreturn first;\n```');
/** Its first row is whole: before, a table is a dot. */
export const TABLE = '| a | b |\n|---|---|\n| zero | of them |\n| one | two words';
export const TABLE_GOES_ON = tokens(' go | on |\n| three | four |\n| five | six |');
