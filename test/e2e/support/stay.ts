/** A user's state while a reply streams, and checks that it is preserved. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { comeAsReader, type Standing } from './reader.ts';
import { leave, type Site } from './site.ts';
import { text, tokens } from './acts.ts';
import type { Said, ToldAgent } from './told-agent.ts';

export interface Stay {
  readonly name: string;
  /** The agent's text when the user acts. */
  readonly said: readonly Said[];
  /** The user's first actions, which create the state. */
  readonly ready?: (page: Page) => Promise<unknown>;
  /** The user's action. */
  readonly act: (page: Page) => Promise<unknown>;
  /** The state to preserve: quoted text for its text node, or a selector. */
  readonly holds: readonly string[];
  /** The following text, each part rendered before the next; without it a sentence continues. */
  readonly goesOn?: readonly Said[] | undefined;
}

/** The user's state, and their selection. */
interface Situation {
  readonly selected: string;
  readonly things: readonly Standing[];
}

const situation = (page: Page): Promise<Situation> =>
  page.evaluate(() => ({ selected: reader.selected(), things: reader.standing() }));

/** So tall that nothing scrolls automatically in these tests. */
export const PAGES = {
  '/': '<agent-chat mode="fullscreen" endpoint="/agent" protocol="deepchat-events"></agent-chat>',
};

const SENTENCE = tokens(' and **on** with `code`, [a link](https://a.example/x), to its end.');
/** The blocks after it. */
const BLOCKS = [
  '\n\n## Another part\n\nIts wo',
  'rds.\n\n- one\n- two\n',
  '\n| a | b |\n|---|---|\n| 1 | 2',
  ' |\n\nThe end.',
];

/** Settings that the page may change meanwhile. */
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

/** A test for each case: neither later text nor a setting of the page changes the user's state. */
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
        // Modules that are fetched when they are first needed.
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

/** Sets attributes; resolves when they are rendered. A catalogue is fetched before. */
async function set(page: Page, attributes: Readonly<Record<string, string>>): Promise<void> {
  await page.evaluate((words) => {
    for (const [key, word] of Object.entries(words)) document.querySelector('agent-chat')?.setAttribute(key, word);
  }, attributes);
  await page.locator('agent-chat [part="transcript"]:not([aria-label="Conversation"])').waitFor();
  await page.evaluate(() => reader.drawn());
}
