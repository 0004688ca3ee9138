/** The floating widget in print, in forced colours, with large text, on a right-to-left page, and after its removal. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sendQuestion, EMBED, hostPage, openHosts } from './support/host-pages.ts';
import { answering, releaseContext, sessionStream, type Site } from './support/site.ts';

const ANSWER_WITH_CODE =
  'It leaves tonight at nine.\n\n```js\nconst a = 1; // when\nreturn "x";\n```\n\n8. eight\n9. nine\n10. ten';

describe('a floating widget', () => {
  let site: Site;
  before(async () => {
    const pages = {
      '/': hostPage({}),
      '/second': hostPage({
        body: `${EMBED}<script src="/dist/embed.js" data-endpoint="/other" data-placement="start" defer></script>`,
      }),
      '/large': hostPage({ head: '<style>html { font-size: 30px }</style>' }),
      '/right-to-left': hostPage({ bodyTag: 'style="direction: rtl"' }),
    };
    site = await openHosts(pages, answering(sessionStream(ANSWER_WITH_CODE)));
  });
  after(() => site.close());

  it('is not printed with its page, loaded or not, open or closed', async () => {
    const page = await site.visit('/');
    const launcher = page.locator('[part=launcher]');
    await launcher.waitFor();
    await page.emulateMedia({ media: 'print' });
    assert.equal(await launcher.isVisible(), false);
    await page.emulateMedia({ media: 'screen' });
    await sendQuestion(page);
    await page.emulateMedia({ media: 'print' });
    assert.equal(await launcher.isVisible(), false);
    assert.equal(await page.locator('[part=panel]').isVisible(), false);
    await page.emulateMedia({ media: 'screen' });
    assert.equal(await page.locator('[part=panel]').isVisible(), true);
    await releaseContext(page);
  });

  it('paints no background behind highlighted code in forced colours', async () => {
    const page = await site.visit('/', { forcedColors: 'active' });
    await sendQuestion(page);
    await page.waitForFunction(() => CSS.highlights.has('agent-chat-keyword'));
    const colours = await page.locator('agent-chat-code pre').evaluate((pre) => {
      const probe = document.createElement('p');
      probe.style.cssText = 'color: CanvasText; background: Canvas; forced-color-adjust: none';
      document.body.append(probe);
      const { color, backgroundColor } = getComputedStyle(probe);
      const style = getComputedStyle(pre, '::highlight(agent-chat-keyword)');
      return { is: [style.color, style.backgroundColor], wanted: [color, backgroundColor] };
    });
    assert.deepEqual(colours.is, colours.wanted);
    await releaseContext(page);
  });

  it('keeps lines apart and list numbers in their margin on a page with large text', async () => {
    const page = await site.visit('/large');
    await sendQuestion(page);
    const problems = await page.evaluate(() => {
      const root = document.querySelector('agent-chat')?.shadowRoot;
      const found: string[] = [];
      for (const element of root?.querySelectorAll<HTMLElement>('*') ?? []) {
        const { lineHeight, fontSize, display } = getComputedStyle(element);
        const own = [...element.childNodes].some((node) => node instanceof Text && node.data.trim() !== '');
        if (own && display !== 'none' && parseFloat(lineHeight) < parseFloat(fontSize) * 1.05)
          found.push(`${element.localName}.${element.className}: ${fontSize} in ${lineHeight}`);
      }
      for (const item of root?.querySelectorAll('li') ?? []) {
        const { fontSize, marginInlineStart } = getComputedStyle(item);
        if (item.closest('ol') && parseFloat(marginInlineStart) < parseFloat(fontSize) * 1.4)
          found.push('a list number does not fit into its margin');
      }
      return found;
    });
    assert.deepEqual(problems, []);
    await releaseContext(page);
  });

  it('is created once, by the first script, on a page with two embed scripts', async () => {
    const page = await site.visit('/second');
    await page.locator('[part=launcher]').waitFor();
    await page.waitForLoadState('load');
    const widgets = await page
      .locator('agent-chat')
      .evaluateAll((all) => all.map((one) => [one.getAttribute('endpoint'), one.getAttribute('placement')]));
    assert.deepEqual(widgets, [['/agent', null]]);
    await releaseContext(page);
  });

  it('shows times from left to right on a right-to-left page', async () => {
    const page = await site.visit('/right-to-left');
    await sendQuestion(page);
    const times = await page
      .locator('agent-chat time')
      .evaluateAll((all) => all.map((time) => getComputedStyle(time).direction));
    assert.ok(times.length > 0 && times.every((direction) => direction === 'ltr'), times.join());
    await releaseContext(page);
  });

  it('is not created again after the page has removed the element but not the script', async () => {
    const page = await site.visit('/');
    await page.locator('[part=launcher]').waitFor();
    const count = await page.evaluate(async () => {
      document.querySelector('agent-chat')?.remove();
      for (let frames = 0; frames < 5; frames++) await new Promise((resolve) => requestAnimationFrame(resolve));
      return document.querySelectorAll('agent-chat').length;
    });
    assert.equal(count, 0);
    await releaseContext(page);
  });
});
