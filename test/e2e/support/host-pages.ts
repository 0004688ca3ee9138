/** Third-party pages: libraries from the registry, and a site that serves them beside the build. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { answering, openSite, sessionStream, type Handler, type Site } from './site.ts';

const ROOT = join(process.cwd(), 'node_modules');
const TYPES: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css' };

/** Answers `/lib/<package>/<file>` with the file of a package. */
const libraries: Handler = async (request, response) => {
  const path = /^\/lib\/([\w@./-]+\.(js|css))$/.exec(request.url ?? '');
  if (!path?.[1] || path[1].includes('..')) return false;
  response.writeHead(200, { 'content-type': TYPES[path[2] ?? ''] ?? '' }).end(await readFile(join(ROOT, path[1])));
  return true;
};

export const ANSWER = 'It leaves *tonight* at **nine**.';

/** `html`: attributes of the document's tag, such as a style. */
interface PageParts {
  readonly head?: string;
  readonly body?: string;
  readonly html?: string;
  readonly bodyTag?: string;
}

/** The script at the end of the body, the most common place. */
export const EMBED = '<script src="/dist/embed.js" data-endpoint="/agent" defer></script>';

export const hostPage = ({ head = '', body = EMBED, html = '', bodyTag = '' }: PageParts): string =>
  `<!doctype html><html lang="en" ${html}><meta charset="utf-8">` +
  `<meta name="viewport" content="width=device-width"><title>Harbor</title>${head}` +
  `<body ${bodyTag}><h1>Harbor</h1><p>All ships of the day.</p>${body}</body></html>`;

export const script = (file: string): string => `<script src="/lib/${file}"></script>`;
export const style = (file: string): string => `<link rel="stylesheet" href="/lib/${file}">`;

export const openHosts = (pages: Readonly<Record<string, string>>, agent?: Handler): Promise<Site> =>
  openSite({
    pages,
    agent: async (request, response) =>
      (await libraries(request, response)) || (agent ?? answering(sessionStream(ANSWER)))(request, response),
  });

/** Opens the panel if there is one, sends a question, and waits for the text of the answer. */
export async function sendQuestion(page: Page): Promise<void> {
  const launcher = page.locator('[part=launcher]');
  const input = page.locator('agent-chat [part=input]');
  if (!(await input.isVisible())) await launcher.click();
  await input.fill('When?');
  await input.press('Enter');
  await page.locator('agent-chat .prose p', { hasText: 'It leaves tonight at nine.' }).waitFor();
}

/** Resolves as soon as a part of the widget is completely in the window. */
export async function inWindow(page: Page, part: string): Promise<void> {
  await page.waitForFunction((name) => {
    const element = document.querySelector('agent-chat')?.shadowRoot?.querySelector(`[part~=${name}]`);
    const { left, top, right, bottom, width } = element?.getBoundingClientRect() ?? new DOMRect();
    return width > 0 && left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
  }, part);
}
