/**
 * Pictures of the gallery, to be looked at: every scene, 360, 768 and 1280 px wide, light and dark, in both directions, into
 * `pictures/`. As high as the conversation is, so that one picture shows it all.
 *
 *     npm run pictures -- conversation 360-dark     only those whose name has all of the words
 *     npm run pictures -- conversation theme=notes  in another theme
 */
import { mkdir } from 'node:fs/promises';
import { chromium, type Page } from 'playwright-core';
import { createServer } from 'vite';
import { scenes } from '../demo/scenes/scenes.ts';
import { browserArguments, findBrowser } from './find-browser.ts';

const FOLDER = 'pictures';
const WIDTHS = [360, 768, 1280] as const;
const SCHEMES = ['light', 'dark'] as const;
const DIRECTIONS = ['ltr', 'rtl'] as const;
const HEIGHT = 800;
const MOST_HIGH = 8000;

const words = process.argv.slice(2);
const theme = words.find((word) => word.startsWith('theme='))?.slice('theme='.length) ?? '';
const wanted = scenes
  .flatMap((scene) =>
    WIDTHS.flatMap((width) =>
      SCHEMES.flatMap((scheme) =>
        DIRECTIONS.map((dir) => {
          const name = [scene.name, theme, width, scheme, dir].filter((part) => part !== '').join('-');
          return { name, width, query: new URLSearchParams({ scene: scene.name, scheme, dir, theme, bare: '' }) };
        }),
      ),
    ),
  )
  .filter(({ name }) => words.every((word) => word.startsWith('theme=') || name.includes(word)));

const server = await createServer({ server: { port: 0 }, logLevel: 'error' });
await server.listen();
const browser = await chromium.launch({ executablePath: findBrowser(), args: browserArguments });
await mkdir(FOLDER, { recursive: true });
for (const { name, width, query } of wanted) {
  const page = await browser.newPage({ viewport: { width, height: HEIGHT }, reducedMotion: 'reduce' });
  await page.goto(`${server.resolvedUrls?.local[0] ?? ''}gallery.html?${query.toString()}`);
  await page.locator('html[data-shown]').waitFor();
  await page.setViewportSize({ width, height: await highEnough(page) });
  await page.screenshot({ path: `${FOLDER}/${name}.png` });
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
