/**
 * axe-core over states that no scene of the gallery shows, small and large, light and dark. `looks.test.ts` has the
 * scenes.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { problemsOf } from './support/axe.ts';
import type { MessageInput } from '../../src/conversation/normalize-message.ts';
import { releaseContext, openSite, type Site } from './support/site.ts';
import { asking, everyBlock } from '../../demo/scenes/blocks.ts';

const SIZES = [
  { width: 360, height: 800 },
  { width: 1280, height: 900 },
] as const;
const SCHEMES = ['light', 'dark'] as const;

const AGENTS = [
  { id: 'a', name: 'Analyst', endpoint: '/agent' },
  { id: 'b', name: 'Writer', endpoint: '/agent' },
];

interface Scene {
  readonly name: string;
  readonly messages: readonly MessageInput[];
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Brings the widget into this state. */
  readonly interact: (page: Page) => Promise<unknown>;
}

const scenes: readonly Scene[] = [
  {
    name: 'changed arguments, and a form with missing values',
    messages: asking,
    interact: async (page) => {
      await page.getByRole('button', { name: 'Change arguments' }).click();
      await page.getByRole('button', { name: 'Next', exact: true }).click();
      await page.getByText('This field is required.').first().waitFor();
    },
  },
  {
    name: 'feedback with a reason, of one of several agents',
    messages: everyBlock.slice(0, 2),
    settings: { feedback: 'comment', agents: AGENTS },
    interact: async (page) => {
      await page.getByRole('button', { name: 'Bad answer' }).first().click();
      await page.getByText('Incorrect').click();
    },
  },
  {
    name: 'undo after a delete',
    messages: everyBlock.slice(0, 2),
    interact: async (page) => {
      await page.getByRole('button', { name: 'More actions' }).last().click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await page.getByRole('button', { name: 'Undo' }).waitFor();
    },
  },
];

describe('accessibility', () => {
  let site: Site;
  before(async () => {
    site = await openSite({
      pages: {
        '/': '<main><h1>A page</h1><agent-chat endpoint="/agent" protocol="agent-session"></agent-chat></main>',
      },
    });
  });
  after(() => site.close());

  for (const { name, messages: shows, settings, interact } of scenes) {
    it(name, async () => {
      const violations: string[] = [];
      for (const viewport of SIZES) {
        const page = await site.visit('/', { viewport, reducedMotion: 'reduce' });
        await page.evaluate(
          async ([messages, set]) => {
            await customElements.whenDefined('agent-chat');
            Object.assign(document.querySelector('agent-chat') ?? {}, set, { messages });
          },
          [shows, settings] as const,
        );
        await interact(page);
        for (const scheme of SCHEMES) {
          await page.evaluate((value) => {
            // The page has the scheme too: it is the background of the widget.
            document.documentElement.style.colorScheme = value;
            document.querySelector('agent-chat')?.setAttribute('color-scheme', value);
          }, scheme);
          const problems = await problemsOf(page);
          violations.push(...problems.map((problem) => `${String(viewport.width)} ${scheme}: ${problem}`));
        }
        await releaseContext(page);
      }
      assert.deepEqual(violations, []);
    });
  }
});
