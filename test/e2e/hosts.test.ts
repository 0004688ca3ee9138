/** Host pages that interfere with the widget. `docs/guides/on-your-page.md` describes the remedies. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { sendQuestion, hostPage, inWindow, openHosts, script, style } from './support/host-pages.ts';
import { releaseContext, type Site } from './support/site.ts';

const INLINE = '<script type="module" src="/dist/agent-chat.js"></script><agent-chat endpoint="/agent"></agent-chat>';

const zone = (version: string): string => script(`zone-js-0-${version}/bundles/zone.umd.min.js`);

/** The libraries that pages load, and the rules of their stylesheets. */
const HEADS: Readonly<Record<string, string>> = {
  'zone.js 0.11': zone('11'),
  'zone.js 0.13': zone('13'),
  'zone.js 0.14': zone('14'),
  'zone.js 0.16': zone('16'),
  jQuery: script('jquery/dist/jquery.min.js'),
  MooTools: `<script>exports = {}</script>${script('mootools/lib/mootools-core-1.5.2-server.js')}`,
  // What Prototype.js 1.7.3 does to the methods of arrays, as it is not in the registry.
  'Prototype.js': `<script>
    delete Array.prototype.entries;
    Array.from = (list) => (list?.toArray ? list.toArray() : Array.prototype.slice.call(list ?? []));
    Array.prototype.toArray = function () { return this.slice(); };
    HTMLElement.prototype.scrollTo = function () { window.scrollTo(0, this.offsetTop); return this; };
  </script>`,
  'Bootstrap 3': style('bootstrap-3/dist/css/bootstrap.min.css'),
  'Bootstrap 5':
    style('bootstrap-5/dist/css/bootstrap.min.css') + script('bootstrap-5/dist/js/bootstrap.bundle.min.js'),
  'normalize.css': style('normalize.css/normalize.css'),
  'Tailwind’s preflight': style('tailwindcss/preflight.css'),
  'zoom on the body': '<style>body { zoom: 1.5 }</style>',
  'zoom on the document': '<style>html { zoom: 2 }</style>',
  'undefined elements not displayed': '<style>:not(:defined) { display: none }</style>',
  'undefined elements not visible': '<style>:not(:defined) { visibility: hidden }</style>',
  'a transformed body': '<style>body { transform: translateX(0); min-height: 3000px }</style>',
  'a filtered body': '<style>body { filter: saturate(1.1); min-height: 3000px }</style>',
  'a contained body': '<style>body { contain: paint; min-height: 3000px }</style>',
  'a short transformed body': '<style>body { transform: translateX(0) }</style>',
  'a root font of 62.5 %': '<style>html { font-size: 62.5% }</style>',
  'a root font of 30 px': '<style>html { font-size: 30px }</style>',
  'something enumerable on every object':
    '<script>Object.prototype.extend = function extend() {}; Object.prototype.flag = true</script>',
  'names of fields on every object': `<script>
    for (const name of ['data', 'file', 'code', 'content', 'name', 'type', 'endpoint', 'protocol', 'headers', 'signal'])
      Object.prototype[name] = undefined;
  </script>`,
  'a delayed definition of elements': `<script>
    const define = customElements.define;
    customElements.define = (...given) => setTimeout(() => define.apply(customElements, given), 300);
  </script>`,
};

/** Pages that interfere with an inline widget in another way. */
const INLINE_TOO: ReadonlySet<string> = new Set([
  'zone.js 0.11',
  'Bootstrap 3',
  'Prototype.js',
  'zoom on the body',
  'something enumerable on every object',
]);

const pages: Record<string, string> = {};
for (const [name, head] of Object.entries(HEADS)) {
  pages[`/floating/${encodeURIComponent(name)}`] = hostPage({ head });
  if (INLINE_TOO.has(name)) pages[`/inline/${encodeURIComponent(name)}`] = hostPage({ head, body: INLINE });
}

describe('a third-party page', () => {
  let site: Site;
  before(async () => {
    site = await openHosts(pages);
  });
  after(() => site.close());

  it('is listed in the guide', async () => {
    const guide = await readFile('docs/guides/on-your-page.md', 'utf8');
    const words = guide.replace(/\s+/g, ' ');
    const missing = Object.keys(HEADS).filter((name) => !words.includes(name.replace(/ 0\..*/, '')));
    assert.deepEqual(missing, ['a short transformed body', 'a root font of 30 px']);
    const { devDependencies } = JSON.parse(await readFile('package.json', 'utf8')) as {
      readonly devDependencies: Readonly<Record<string, string>>;
    };
    for (const [name, version] of Object.entries(devDependencies))
      if (name.startsWith('zone-js-')) assert.ok(words.includes(version.replace('npm:zone.js@', '')), version);
  });

  for (const name of Object.keys(HEADS)) {
    it(`with ${name}: the launcher opens a panel that works`, async () => {
      const page = await site.visit(`/floating/${encodeURIComponent(name)}`);
      await inWindow(page, 'launcher');
      await sendQuestion(page);
      await inWindow(page, 'panel');
      await inWindow(page, 'launcher');
      // The panel is above the launcher, which can close it.
      await page.locator('[part=launcher]').click({ trial: true });
      const size = await page
        .locator('agent-chat .prose')
        .last()
        .evaluate((element) => parseFloat(getComputedStyle(element).fontSize));
      assert.ok(size >= 14, `text of ${String(size)} px`);
      await releaseContext(page);
    });

    if (!INLINE_TOO.has(name)) continue;
    it(`with ${name}: an inline widget works`, async () => {
      const page = await site.visit(`/inline/${encodeURIComponent(name)}`);
      await sendQuestion(page);
      await releaseContext(page);
    });
  }
});
