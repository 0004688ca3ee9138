/** axe-core over the main scenes, small and large, light and dark. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { problemsOf } from './support/axe.ts';
import type { MessageInput } from '../../src/conversation/fill-message.ts';
import { answering, openSite, sessionStream, type Site } from './support/site.ts';
import { asking, everyBlock } from '../../demo/scenes/blocks.ts';
import { conversation } from '../../demo/scenes/conversations.ts';
import { letters } from '../../demo/scenes/work.ts';

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
  /** The page it is on. */
  readonly path: '/' | '/floating';
  /** Brings it about. */
  readonly act: (page: Page) => Promise<unknown>;
}

const show = async (
  page: Page,
  messages: readonly MessageInput[],
  settings: Readonly<Record<string, unknown>> = {},
) => {
  await page.evaluate(
    async ([given, set]) => {
      await customElements.whenDefined('agent-chat');
      const chat = document.querySelector('agent-chat');
      Object.assign(chat ?? {}, set, { messages: given });
    },
    [messages, settings] as const,
  );
};

const lastDrawn = async (page: Page): Promise<void> => {
  await page.locator('agent-chat-chart canvas').waitFor();
  await page.locator('agent-chat-html strong').first().waitFor();
  await page.locator('agent-chat-artifact button').first().waitFor();
  await page.locator('agent-chat-surface').getByRole('button', { name: 'Book the table' }).waitFor();
};

const scenes: readonly Scene[] = [
  {
    name: 'empty, with starters',
    path: '/',
    act: async (page) => {
      await show(page, [], { suggestions: ['Where is my order?', { label: 'Refund', prompt: 'I want a refund' }] });
      await page.getByRole('button', { name: 'Refund' }).waitFor();
    },
  },
  {
    name: 'every block',
    path: '/',
    act: async (page) => {
      await show(page, everyBlock);
      await lastDrawn(page);
    },
  },
  {
    name: 'every block opened',
    path: '/',
    act: async (page) => {
      await show(page, everyBlock, { showTools: 'open', showReasoning: 'open' });
      await lastDrawn(page);
      await page.locator('agent-chat-artifact button').first().click();
      await page.getByRole('button', { name: 'Show as table' }).click();
      await page.locator('agent-chat [part="artifact"] h1').waitFor();
      await page.evaluate(() => {
        for (const details of document.querySelector('agent-chat')?.shadowRoot?.querySelectorAll('details') ?? [])
          details.open = true;
      });
    },
  },
  {
    name: 'an artifact at large',
    path: '/',
    act: async (page) => {
      await show(page, letters, { mode: 'fullscreen' });
      await page.locator('agent-chat-artifact button').first().click();
      const enlarge = page.getByRole('button', { name: 'Open at large' });
      // Where there is room it is beside the conversation at once.
      if ((page.viewportSize()?.width ?? 0) < 900) await enlarge.click();
      await page.getByRole('region', { name: 'Letter to 1,062 customers' }).locator('h1').waitFor();
    },
  },
  {
    name: 'the sources of an answer',
    path: '/',
    act: async (page) => {
      await show(page, conversation, { mode: 'fullscreen' });
      await page.locator('agent-chat button.citation').first().click();
      await page.locator('.all-sources [aria-current]').waitFor();
    },
  },
  {
    name: 'all that asks the reader',
    path: '/',
    act: async (page) => {
      await show(page, asking);
      await page.getByRole('button', { name: 'Allow once' }).waitFor();
    },
  },
  {
    name: 'arguments that are changed, and a form with what is missing in it',
    path: '/',
    act: async (page) => {
      await show(page, asking);
      await page.getByRole('button', { name: 'Change arguments' }).click();
      await page.getByRole('button', { name: 'Next', exact: true }).click();
      await page.getByText('An answer is needed.').first().waitFor();
    },
  },
  {
    name: 'an answer that failed',
    path: '/',
    act: async (page) => {
      await page.evaluate(() => void document.querySelector('agent-chat')?.send('fail'));
      await page
        .getByRole('button', { name: 'Details' })
        .or(page.getByText('The agent has a problem'))
        .first()
        .waitFor();
    },
  },
  {
    name: 'the launcher with its teaser',
    path: '/floating',
    act: (page) => page.getByRole('button', { name: 'Open chat' }).waitFor(),
  },
  {
    name: 'floating, open',
    path: '/floating',
    act: async (page) => {
      await page.getByRole('button', { name: 'Open chat' }).click();
      await page.locator('agent-chat [part="input"]').waitFor();
      await show(page, everyBlock.slice(0, 2));
      await page.locator('agent-chat h1').waitFor();
    },
  },
  {
    name: 'the menu of the header',
    path: '/floating',
    act: async (page) => {
      await page.getByRole('button', { name: 'Open chat' }).click();
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menu').waitFor();
    },
  },
  {
    name: 'the keyboard shortcuts',
    path: '/',
    act: async (page) => {
      await page.locator('agent-chat [part~="transcript"]').press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    },
  },
  {
    name: 'the question before a link',
    path: '/',
    act: async (page) => {
      await show(page, [{ role: 'assistant', text: 'See [the log](https://ops.example/log).' }], { linkHosts: 'self' });
      await page.getByRole('link', { name: 'the log' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'the stream inspector',
    path: '/',
    act: async (page) => {
      await page.evaluate(async () => {
        await customElements.whenDefined('agent-chat');
        const chat = document.querySelector('agent-chat');
        chat?.toggleAttribute('debug', true);
        await chat?.send('Hi');
      });
      await page.locator('agent-chat [data-list="frames"] .row').last().click();
      await page.locator('agent-chat .detail code').waitFor();
    },
  },
  {
    name: 'thumbs with a reason, of one of several agents',
    path: '/',
    act: async (page) => {
      await show(page, everyBlock.slice(0, 2), { feedback: 'comment', agents: AGENTS });
      await page.getByRole('button', { name: 'Bad answer' }).first().click();
      await page.getByText('Not correct').click();
    },
  },
  {
    name: 'the menu of a message',
    path: '/',
    act: async (page) => {
      await show(page, everyBlock.slice(0, 2));
      await page.getByRole('button', { name: 'More actions' }).last().click();
      await page.getByRole('menuitem', { name: 'Delete' }).waitFor();
    },
  },
  {
    name: 'the way back from a delete',
    path: '/',
    act: async (page) => {
      await show(page, everyBlock.slice(0, 2));
      await page.getByRole('button', { name: 'More actions' }).last().click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await page.getByRole('button', { name: 'Undo' }).waitFor();
    },
  },
  {
    name: 'what is accepted before the first message',
    path: '/',
    act: async (page) => {
      await show(page, [], { consent: 'It goes to **Acme**. See the [notice](https://acme.example/privacy).' });
      await page.locator('agent-chat [part="input"]').fill('Hello');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('dialog', { name: 'Before you send' }).waitFor();
    },
  },
  {
    name: 'editing what was sent',
    path: '/',
    act: async (page) => {
      await show(page, everyBlock.slice(0, 1));
      await page.locator('agent-chat [part="bubble"]').hover();
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.locator('agent-chat .editor').waitFor();
    },
  },
];

describe('accessibility', () => {
  let site: Site;
  before(async () => {
    const answer = answering(sessionStream('Hello **there**.'));
    site = await openSite({
      pages: {
        '/': '<main><h1>A page</h1><agent-chat endpoint="/agent" protocol="agent-session"></agent-chat></main>',
        '/floating':
          '<main><h1>A page</h1><p>Words.</p></main><agent-chat mode="floating" teaser="Any questions?" endpoint="/agent" protocol="agent-session"></agent-chat>',
      },
      agent: async (request, response) => {
        let body = '';
        if (request.url?.startsWith('/agent')) {
          request.on('data', (piece: Buffer) => (body += piece.toString()));
          await new Promise((resolve) => request.on('end', resolve));
          if (body.includes('fail')) {
            response
              .writeHead(500, { 'content-type': 'application/json' })
              .end('{"error":{"message":"Out of memory"}}');
            return true;
          }
        }
        return answer(request, response);
      },
    });
  });
  after(() => site.close());

  for (const { name, path, act } of scenes) {
    it(name, async () => {
      const found: string[] = [];
      for (const viewport of SIZES) {
        const page = await site.visit(path, { viewport, reducedMotion: 'reduce' });
        await act(page);
        for (const scheme of SCHEMES) {
          await page.evaluate((value) => {
            // The page is of the scheme too: it is what the widget stands on.
            document.documentElement.style.colorScheme = value;
            document.querySelector('agent-chat')?.setAttribute('color-scheme', value);
          }, scheme);
          const problems = await problemsOf(page);
          found.push(...problems.map((problem) => `${String(viewport.width)} ${scheme}: ${problem}`));
        }
        await page.context().close();
      }
      assert.deepEqual(found, []);
    });
  }
});
