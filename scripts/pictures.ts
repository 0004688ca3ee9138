/**
 * Pictures of the gallery, to be looked at: every scene, 360, 768 and 1280 px wide, light and dark, in both directions, into
 * `pictures/`. As high as the conversation is, so that one picture shows it all.
 *
 *     npm run pictures -- empty,conversation 360 dark        some of them
 *     npm run pictures -- conversation theme=,terminal ltr   in the look of the house and in another theme
 *     npm run pictures -- width=280 locale=de,fr ltr         in a narrow column, in two languages
 */
import { mkdir } from 'node:fs/promises';
import { chromium, type Page } from 'playwright-core';
import { createServer } from 'vite';
import { scenes } from '../demo/scenes/scenes.ts';
import { browserArguments, findBrowser } from './find-browser.ts';

const FOLDER = 'pictures';
const SCHEMES = ['light', 'dark'] as const;
const DIRECTIONS = ['ltr', 'rtl'] as const;
const HEIGHT = 800;
const MOST_HIGH = 8000;

const words = process.argv.slice(2);
const given = (name: string): readonly string[] | undefined =>
  words
    .find((word) => word.startsWith(`${name}=`))
    ?.slice(name.length + 1)
    .split(',');
const themes = given('theme') ?? [''];
const locales = given('locale') ?? [''];
const widths = given('width') ?? ['360', '768', '1280'];
const filters = words.filter((word) => !word.includes('=')).map((word) => word.split(','));
const wanted = scenes
  .flatMap(({ name: scene }) =>
    themes.flatMap((theme) =>
      locales.flatMap((locale) =>
        widths.flatMap((width) =>
          SCHEMES.flatMap((scheme) =>
            DIRECTIONS.map((dir) => ({ scene, theme, width, scheme, dir, bare: '', ...(locale && { locale }) })),
          ),
        ),
      ),
    ),
  )
  .map((query) => {
    const { scene, theme, locale = '', width, scheme, dir } = query;
    return { query, parts: [scene, theme, locale, width, scheme, dir] };
  })
  .filter(({ parts }) => filters.every((names) => names.some((name) => parts.includes(name))));

const server = await createServer({ server: { port: 0 }, logLevel: 'error' });
await server.listen();
const browser = await chromium.launch({ executablePath: findBrowser(), args: browserArguments });
await mkdir(FOLDER, { recursive: true });
for (const { query, parts } of wanted) {
  const width = Number(query.width);
  const page = await browser.newPage({ viewport: { width, height: HEIGHT }, reducedMotion: 'reduce' });
  await page.goto(`${server.resolvedUrls?.local[0] ?? ''}gallery.html?${new URLSearchParams(query).toString()}`);
  await page.locator('html[data-shown]').waitFor();
  await page.setViewportSize({ width, height: await highEnough(page) });
  await page.screenshot({ path: `${FOLDER}/${parts.filter((part) => part !== '').join('-')}.png` });
  await page.close();
}
await browser.close();
await server.close();
console.log(`${String(wanted.length)} pictures in ${FOLDER}/`);

/** What is scrolled in the transcript decides; in a panel that has its own height nothing is to be had. */
async function highEnough(page: Page): Promise<number> {
  const more = await page.evaluate(() => {
    const transcript = document.querySelector('agent-chat')?.shadowRoot?.querySelector('[part="transcript"]');
    return transcript ? transcript.scrollHeight - transcript.clientHeight : 0;
  });
  return Math.min(HEIGHT + more, MOST_HIGH);
}
