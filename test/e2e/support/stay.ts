/** What a reader holds on to while a reply streams, and how to see that they still have it. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { comeAsReader, type Standing } from './reader.ts';
import { leave, type Site } from './site.ts';
import { text, tokens } from './acts.ts';
import type { Said, ToldAgent } from './told-agent.ts';

export interface Stay {
  readonly name: string;
  /** What the agent has said when the reader acts. */
  readonly said: readonly Said[];
  /** What the reader does first, so that what they hold is there. */
  readonly ready?: (page: Page) => Promise<unknown>;
  /** What the reader does. */
  readonly act: (page: Page) => Promise<unknown>;
  /** What has to stay: words in quotes for their text node, or a selector. */
  readonly holds: readonly string[];
  /** Said then, each drawn before the next; without it a sentence goes on. */
  readonly goesOn?: readonly Said[] | undefined;
}

/** Where the reader’s things stand, and what they have selected. */
interface Situation {
  readonly selected: string;
  readonly things: readonly Standing[];
}

const situation = (page: Page): Promise<Situation> =>
  page.evaluate(() => ({ selected: reader.selected(), things: reader.standing() }));

/** So tall that nothing scrolls by itself for what is said here. */
export const PAGES = {
  '/': '<agent-chat mode="fullscreen" endpoint="/agent" protocol="deepchat-events"></agent-chat>',
};

const SENTENCE = tokens(' and **on** with `code`, [a link](https://a.example/x), to its end.');
/** Blocks behind it. */
const BLOCKS = [
  '\n\n## Another part\n\nIts wo',
  'rds.\n\n- one\n- two\n',
  '\n| a | b |\n|---|---|\n| 1 | 2',
  ' |\n\nThe end.',
];

/** What the page may change under a reader. */
const CHANGES = {
  'color-scheme': 'dark',
  density: 'compact',
  locale: 'zh-CN',
  'show-tools': 'open',
};

export interface Scene {
  readonly site: Site;
  readonly agent: ToldAgent;
}

/** A test for each row: nothing that the agent says after, nor a setting of the page, takes from the reader what they hold. */
export function itStays(rows: readonly Stay[], scene: () => Scene): void {
  for (const { name, said, ready, act, holds, goesOn = SENTENCE } of rows) {
    it(name, async () => {
      const { site, agent } = scene();
      const page = await site.visit('/', { viewport: { width: 800, height: 1000 } });
      try {
        await comeAsReader(page);
        await agent.ask(page);
        await agent.say(page, ...said);
        await page.locator('agent-chat-message article').last().waitFor();
        await ready?.(page);
        // What is fetched when it is first needed.
        await page.waitForFunction((things) => things.every((what) => reader.find(what)), holds);
        await page.evaluate((things) => {
          reader.hold(things);
        }, holds);
        await act(page);
        await page.evaluate(() => reader.drawn());
        const before = await situation(page);
        const look = async (when: string): Promise<void> => {
          assert.deepEqual(await situation(page), before, when);
        };
        for (const token of [...goesOn, ...BLOCKS.map(text)]) {
          await agent.say(page, token);
          await look(`after ${JSON.stringify(token)}`);
        }
        await agent.end(page);
        await look('after the end');
        await set(page, CHANGES);
        await look(`with ${JSON.stringify(CHANGES)}`);
      } finally {
        agent.hangUp();
        await leave(page);
      }
    });
  }
}

/** Sets attributes; resolves when they are drawn. A catalogue is fetched before. */
async function set(page: Page, attributes: Readonly<Record<string, string>>): Promise<void> {
  await page.evaluate((words) => {
    for (const [key, word] of Object.entries(words)) document.querySelector('agent-chat')?.setAttribute(key, word);
  }, attributes);
  await page.locator('agent-chat [part="transcript"]:not([aria-label="Conversation"])').waitFor();
  await page.evaluate(() => reader.drawn());
}
