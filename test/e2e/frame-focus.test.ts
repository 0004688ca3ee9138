import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Frame, Locator, Page } from 'playwright-core';
import { leave, openSite, type Site } from './support/site.ts';

/** A document with a field, which it focuses when the test says so: that is no press of the user. */
const CONTENT = `<!doctype html><input id="inside"><script>
  const heard = [];
  addEventListener('keydown', ({ key }) => heard.push(key));
  self.take = () => { window.focus(); inside.focus(); };
</script>`;

interface Opened {
  readonly page: Page;
  readonly composer: Locator;
  /** The frame of the artifact's document. */
  readonly inside: Frame;
  take(): Promise<void>;
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
      const artifact = { identifier: 'a', title: 'Page', type: 'text/html' as const };
      document.querySelector('agent-chat')!.messages = [
        { role: 'assistant', blocks: [{ type: 'content', content: html, artifact }] },
      ];
    }, CONTENT);
    await page.locator('agent-chat-artifact button').first().click();
    await page.frameLocator('agent-chat-artifact iframe').frameLocator('iframe').locator('#inside').waitFor();
    const inside = page.frames().find((frame) => frame.url() === 'about:srcdoc');
    assert.ok(inside);
    const take = () => inside.evaluate('take()') as Promise<void>;
    return { page, composer: page.locator('agent-chat textarea'), inside, take };
  }

  for (const [name, find] of [
    ['the composer', ({ composer }: Opened) => composer],
    ['a field of the page', ({ page }: Opened) => page.locator('#own')],
  ] as const) {
    it(`cannot be taken from ${name}: it comes back, and the third attempt closes the preview`, async () => {
      const opened = await open();
      const { page, inside, take } = opened;
      const field = find(opened);
      await field.click();
      const hasFocus = () =>
        field.evaluate(
          (element) =>
            (element.getRootNode() as Document | ShadowRoot).activeElement === element && document.hasFocus(),
        );
      let typed = '';
      for (const key of ['a', 'b']) {
        await take();
        while (!(await hasFocus())) await page.waitForTimeout(20);
        await page.keyboard.type(key);
        typed += key;
        assert.equal(await field.inputValue(), typed);
      }
      assert.deepEqual(await inside.evaluate('heard'), []);
      await take().catch(() => undefined);
      await page.getByText('it took the keyboard while you were typing').waitFor();
      while (!(await hasFocus())) await page.waitForTimeout(20);
      await page.keyboard.type('c');
      assert.equal(await field.inputValue(), `${typed}c`);
      assert.equal(await page.locator('agent-chat-artifact iframe').count(), 0);
      await leave(page);
    });
  }

  it('moves into the frame when the user presses there, and can be moved within it', async () => {
    const { page, composer, inside, take } = await open();
    await composer.click();
    await inside.locator('#inside').click();
    for (let time = 0; time < 4; time++) await take();
    await page.keyboard.type('x');
    assert.equal(await inside.locator('#inside').inputValue(), 'x');
    await leave(page);
  });

  it('moves into the frame by the keyboard', async () => {
    const { page, inside } = await open();
    await page.evaluate(() => {
      const frame = document.querySelector('agent-chat')!.shadowRoot!.querySelector('iframe')!;
      addEventListener('keydown', (event) => {
        if (event.key !== 'Tab') return;
        event.preventDefault();
        frame.focus();
      });
    });
    await page.locator('#own').click();
    await page.keyboard.press('Tab');
    await inside.waitForFunction(() => document.hasFocus() || parent !== self);
    await page.waitForTimeout(100);
    assert.equal(await page.evaluate(() => document.activeElement?.localName), 'agent-chat');
    assert.equal(await page.locator('agent-chat-artifact iframe').count(), 1);
    await leave(page);
  });
});
