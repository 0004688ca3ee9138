/** A user's actions in a page, and parts of an agent's reply. */
import type { Locator, Page } from 'playwright-core';
import type { ResponseData } from './scripted-agent.ts';

type Act = (page: Page) => Promise<void>;

export const inWidget = (page: Page, selector: string): Locator => page.locator(`agent-chat ${selector}`).first();

/** Selects text, or everything from its beginning to the end of another text. */
export const select =
  (from: string, to = from): Act =>
  (page) =>
    page.evaluate(
      ([start, end]) => {
        userState.select(start, end);
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
    // The pointer moves in steps.
    await page.mouse.move(0, 0);
  };

export const scroll =
  (selector: string): Act =>
  (page) =>
    inWidget(page, selector).evaluate((element) => {
      element.scrollTo({ left: 40, top: 30, behavior: 'instant' });
    });

export const text = (content: string): ResponseData => ({ content });
export const reasoning = (reasoning_content: string): ResponseData => ({ reasoning_content });
export const tool = (tool_call: ResponseData['tool_call'] & string, more: ResponseData = {}): ResponseData => ({
  tool_call,
  tool_call_id: 't',
  tool_call_name: 'query_orders',
  ...more,
});
export const cited = (quote?: string): ResponseData => ({
  citation: {
    id: 'a',
    url: 'https://a.example/',
    title: 'The log',
    ...(quote === undefined ? { anchor: 'end' } : { anchor: 'quote', quote }),
  },
});
/** A sentence in which every word is a token. */
export const tokens = (sentence: string): readonly ResponseData[] => (sentence.match(/\s*\S+/g) ?? []).map(text);

/** Code and a table that are still streaming, and their continuation. */
export const CODE = '```ts\nconst first = 1;\nconst';
export const CODE_GOES_ON = tokens(' second = 2;\n\nreturn first;\n```');
/** Its first row is complete: before that, a table is a placeholder. */
export const TABLE = '| a | b |\n|---|---|\n| zero | of them |\n| one | two words';
export const TABLE_GOES_ON = tokens(' go | on |\n| three | four |\n| five | six |');
