import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { releaseContext, openSite, type Site } from './support/site.ts';

/**
 * A document with a field, which it focuses when the page says so: what a test evaluates in a frame would count as a
 * press of the user.
 */
const CONTENT = `<!doctype html><input id="inside"><script>
  addEventListener('keydown', ({ key }) => top.postMessage('heard ' + key, '*'));
  addEventListener('message', ({ data }) => {
    if (data !== 'take') return;
    window.focus();
    inside.focus();
  });
  top.postMessage('shown', '*');
</script>`;

interface Opened {
  readonly page: Page;
  readonly composer: Locator;
  readonly inside: FrameLocator;
  take(): Promise<void>;
  /** The messages of the document. */
  heard(): Promise<readonly string[]>;
}

/** Resolves when the window has lost the focus. */
async function taken({ page, take }: Opened): Promise<void> {
  await page.evaluate(() => {
    document.title = '';
    addEventListener(
      'blur',
      () => {
        document.title = 'blurred';
      },
      { once: true },
    );
  });
  await take();
  await page.waitForFunction(() => document.title === 'blurred');
}

describe('rule 75: the focus, while an artifact is open', () => {
  let site: Site;
  before(async () => {
    site = await openSite({ pages: { '/': '<input id="own"><agent-chat endpoint="/agent"></agent-chat>' } });
  });
  after(() => site.close());

  async function open(): Promise<Opened> {
    const page = await site.visit('/');
    await page.evaluate(async (html) => {
      await customElements.whenDefined('agent-chat');
      const heard: unknown[] = [];
      Object.assign(globalThis, { heard });
      addEventListener('message', ({ data }) => {
        if (typeof data === 'string') heard.push(data);
      });
      const artifact = { identifier: 'a', title: 'Page', type: 'text/html' as const };
      document.querySelector('agent-chat')!.messages = [
        { role: 'assistant', blocks: [{ type: 'content', content: html, artifact }] },
      ];
    }, CONTENT);
    await page.locator('agent-chat-artifact button').first().click();
    const heard = () => page.evaluate<readonly string[]>('heard');
    await page.waitForFunction(() => (globalThis as { heard?: unknown[] }).heard?.includes('shown'));
    return {
      page,
      composer: page.locator('agent-chat textarea'),
      inside: page.frameLocator('agent-chat-artifact iframe').frameLocator('iframe'),
      take: () =>
        page.evaluate(() => {
          const frame = document.querySelector('agent-chat')!.shadowRoot!.querySelector('iframe');
          frame?.contentWindow?.frames[0]?.postMessage('take', '*');
        }),
      heard,
    };
  }

  for (const [name, find] of [
    ['the composer', ({ composer }: Opened) => composer],
    ['a field of the page', ({ page }: Opened) => page.locator('#own')],
  ] as const) {
    it(`cannot be taken from ${name}: it comes back, and the third attempt closes the preview`, async () => {
      const opened = await open();
      const { page, heard } = opened;
      const field = find(opened);
      await field.click();
      const isBack = async (): Promise<void> => {
        await page.waitForFunction(
          (element) => (element.getRootNode() as Document | ShadowRoot).activeElement === element,
          await field.elementHandle(),
        );
      };
      for (const typed of ['a', 'ab']) {
        await taken(opened);
        await isBack();
        await page.keyboard.type(typed.at(-1)!);
        assert.equal(await field.inputValue(), typed);
      }
      await taken(opened);
      await page.getByText('it took the keyboard while you were typing').waitFor();
      await isBack();
      await page.keyboard.type('c');
      assert.equal(await field.inputValue(), 'abc');
      assert.equal(await page.locator('agent-chat-artifact iframe').count(), 0);
      assert.deepEqual(await heard(), ['shown']);
      await releaseContext(page);
    });
  }

  it('cannot be taken some time after the Tab key, which had moved it to another field', async () => {
    const opened = await open();
    const { page, heard } = opened;
    const field = page.locator('#own');
    await page.evaluate(() => document.querySelector<HTMLElement>('#own')?.focus());
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'own');
    await page.waitForTimeout(1000);
    await taken(opened);
    await page.waitForFunction(() => document.activeElement?.id === 'own');
    await page.keyboard.type('a');
    assert.equal(await field.inputValue(), 'a');
    assert.deepEqual(await heard(), ['shown']);
    await releaseContext(page);
  });

  it('moves into the frame when the user presses there, and can be moved within it', async () => {
    const { page, composer, inside, take } = await open();
    await composer.click();
    await inside.locator('#inside').click();
    for (let time = 0; time < 4; time++) await take();
    await page.keyboard.type('x');
    assert.equal(await inside.locator('#inside').inputValue(), 'x');
    await releaseContext(page);
  });

  it('moves into the frame by the keyboard', async () => {
    const { page, heard } = await open();
    await page.evaluate(() => {
      const frame = document.querySelector('agent-chat')!.shadowRoot!.querySelector('iframe')!;
      addEventListener('keydown', (event) => {
        if (event.key !== 'Tab') return;
        event.preventDefault();
        frame.focus();
        frame.contentWindow?.frames[0]?.postMessage('take', '*');
      });
    });
    await page.locator('#own').click();
    await page.keyboard.press('Tab');
    await page.waitForFunction(() => document.activeElement?.localName === 'agent-chat');
    do await page.keyboard.type('x');
    while (!(await heard()).includes('heard x'));
    assert.equal(await page.locator('#own').inputValue(), '');
    await releaseContext(page);
  });
});
