/** A user's state while a reply streams, and checks that it is preserved. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { installUserState, type ElementState } from './user-state.ts';
import { releaseContext, type Site } from './site.ts';
import { text, tokens } from './acts.ts';
import type { ResponseData, ScriptedAgent } from './scripted-agent.ts';

export interface StateCase {
  readonly name: string;
  /** The agent's text when the user acts. */
  readonly responses: readonly ResponseData[];
  /** The user's first actions, which create the state. */
  readonly ready?: (page: Page) => Promise<unknown>;
  /** The user's action. */
  readonly interact: (page: Page) => Promise<unknown>;
  /** The state to preserve: quoted text for its text node, or a selector. */
  readonly preserved: readonly string[];
  /** The following text, each part rendered before the next; without it a sentence continues. */
  readonly continuation?: readonly ResponseData[] | undefined;
}

/** The user's state, and their selection. */
interface Situation {
  readonly selected: string;
  readonly elements: readonly ElementState[];
}

const situation = (page: Page): Promise<Situation> =>
  page.evaluate(() => ({ selected: userState.selected(), elements: userState.elementStates() }));

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
  readonly agent: ScriptedAgent;
}

/** A test for each case: neither later text nor a setting of the page changes the user's state. */
export function itStays(rows: readonly StateCase[], scene: () => Scene): void {
  for (const { name, responses, ready, interact, preserved, continuation = SENTENCE } of rows) {
    it(name, async () => {
      const { site, agent } = scene();
      const page = await site.visit('/', { viewport: { width: 800, height: 1000 } });
      try {
        await installUserState(page);
        await agent.sendMessage(page);
        await agent.respond(page, ...responses);
        await page.locator('agent-chat-message article').last().waitFor();
        await ready?.(page);
        // Modules that are fetched when they are first needed.
        await page.waitForFunction((elements) => elements.every((target) => userState.find(target)), preserved);
        await page.evaluate((elements) => {
          userState.remember(elements);
        }, preserved);
        await interact(page);
        await page.evaluate(() => userState.rendered());
        const before = await situation(page);
        const check = async (when: string): Promise<void> => {
          assert.deepEqual(await situation(page), before, when);
        };
        for (const token of [...continuation, ...BLOCKS.map(text)]) {
          await agent.respond(page, token);
          await check(`after ${JSON.stringify(token)}`);
        }
        await agent.end(page);
        await check('after the end');
        await set(page, CHANGES);
        await check(`with ${JSON.stringify(CHANGES)}`);
      } finally {
        agent.hangUp();
        await releaseContext(page);
      }
    });
  }
}

/** Sets attributes; resolves when they are rendered. A catalogue is fetched before. */
async function set(page: Page, attributes: Readonly<Record<string, string>>): Promise<void> {
  await page.evaluate((attributes) => {
    for (const [key, value] of Object.entries(attributes))
      document.querySelector('agent-chat')?.setAttribute(key, value);
  }, attributes);
  await page.locator('agent-chat [part="transcript"]:not([aria-label="Conversation"])').waitFor();
  await page.evaluate(() => userState.rendered());
}
