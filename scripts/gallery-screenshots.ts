/**
 * Writes screenshots of the gallery to `screenshots/`: every scene at 360, 768 and 1280 px, light and dark, in both text
 * directions. Each is as high as its conversation.
 *
 *     npm run screenshots -- empty,conversation 360 dark        some scenes
 *     npm run screenshots -- conversation theme=,terminal ltr   the default look and another theme
 *     npm run screenshots -- width=280 locale=de,fr ltr         a narrow column, in two languages
 */
import { mkdir } from 'node:fs/promises';
import { chromium, type Page } from 'playwright-core';
import { createServer } from 'vite';
import { scenes } from '../demo/scenes/scenes.ts';
import { browserArguments, findBrowser } from './find-browser.ts';
import { stopTogether } from './stop-together.ts';

stopTogether();

const FOLDER = 'screenshots';
const HEIGHT = 800;
const MAX_HEIGHT = 8000;

const options = process.argv.slice(2);
const optionValues = (name: string): readonly string[] | undefined =>
  options
    .find((word) => word.startsWith(`${name}=`))
    ?.slice(name.length + 1)
    .split(',');
const filters = options.filter((word) => !word.includes('=')).map((word) => word.split(','));
/** The properties of a screenshot, in the order of its file name. */
const axes = {
  scene: scenes.map(({ name }) => name),
  theme: optionValues('theme') ?? [''],
  locale: optionValues('locale') ?? [''],
  width: optionValues('width') ?? ['360', '768', '1280'],
  scheme: ['light', 'dark'],
  dir: ['ltr', 'rtl'],
};
type Screenshot = Readonly<Partial<Record<string, string>>>;
const all = Object.entries(axes).reduce<readonly Screenshot[]>(
  (screenshots, [axis, values]) =>
    screenshots.flatMap((screenshot) =>
      values.map((value) => (value === '' ? screenshot : { ...screenshot, [axis]: value })),
    ),
  [{}],
);
const selected = all.filter((screenshot) =>
  filters.every((names) => names.some((name) => Object.values(screenshot).includes(name))),
);

const server = await createServer({ server: { port: 0 }, logLevel: 'error' });
await server.listen();
const browser = await chromium.launch({ executablePath: findBrowser(), args: browserArguments });
await mkdir(FOLDER, { recursive: true });
for (const screenshot of selected) {
  const width = Number(screenshot['width']);
  const query = new URLSearchParams({ ...screenshot, bare: '' });
  const page = await browser.newPage({ viewport: { width, height: HEIGHT }, reducedMotion: 'reduce' });
  await page.goto(`${server.resolvedUrls?.local[0] ?? ''}gallery.html?${query.toString()}`);
  await page.locator('html[data-shown]').waitFor();
  await page.setViewportSize({ width, height: await fullHeight(page) });
  await page.screenshot({ path: `${FOLDER}/${Object.values(screenshot).join('-')}.png` });
  await page.close();
}
await browser.close();
await server.close();
console.log(`${String(selected.length)} screenshots in ${FOLDER}/`);

/** The viewport height that shows the complete transcript, up to a limit. */
async function fullHeight(page: Page): Promise<number> {
  const more = await page.evaluate(() => {
    const transcript = document.querySelector('agent-chat')?.shadowRoot?.querySelector('[part="transcript"]');
    return transcript ? transcript.scrollHeight - transcript.clientHeight : 0;
  });
  return Math.min(HEIGHT + more, MAX_HEIGHT);
}
