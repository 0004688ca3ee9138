/** What a page fetches until its first answer: the number, depth and size of the files, from the browser's own log. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { answering, releaseContext, openSite, sessionStream, type Site } from './support/site.ts';

const PLAIN = 'It is **on its way**.';
const OPENAI = `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: PLAIN }, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`;
const RICH = `${PLAIN}\n\n| Part | Price |\n| --- | --- |\n| Wheel | 12 |\n\n\`\`\`js\nlet total = 12;\n\`\`\`\n\nSee [the order](https://shop.example/7).`;

/** At most this many files and gzipped kilobytes, and requests that wait for each other after the page's own script. */
interface Budget {
  readonly files: number;
  readonly depth: number;
  readonly kilobytes: number;
}

const WIDGET = 'endpoint="/agent" heading="Shop"';
const cases: readonly {
  readonly name: string;
  readonly path: string;
  readonly rich?: boolean;
  readonly budget: Budget;
}[] = [
  { name: 'a named protocol', path: '/named', budget: { files: 4, depth: 1, kilobytes: 158.7 } },
  { name: 'a detected protocol', path: '/auto', budget: { files: 5, depth: 2, kilobytes: 165.6 } },
  { name: 'the most widespread protocol', path: '/openai', budget: { files: 5, depth: 1, kilobytes: 168.3 } },
  { name: 'the same, detected', path: '/openai-auto', budget: { files: 6, depth: 2, kilobytes: 175.3 } },
  { name: 'a launcher script', path: '/launcher', budget: { files: 8, depth: 2, kilobytes: 185.7 } },
  { name: 'a table, code and a link', path: '/named', rich: true, budget: { files: 9, depth: 3, kilobytes: 187.0 } },
];

describe('the files of a first answer', () => {
  let site: Site;
  let answer = PLAIN;
  before(async () => {
    site = await openSite({
      pages: {
        '/named': `<agent-chat ${WIDGET} protocol="agent-session"></agent-chat>`,
        '/auto': `<agent-chat ${WIDGET}></agent-chat>`,
        '/openai': '<agent-chat endpoint="/agent/openai" heading="Shop" protocol="openai-chat"></agent-chat>',
        '/openai-auto': '<agent-chat endpoint="/agent/openai" heading="Shop"></agent-chat>',
        '/launcher':
          '<!doctype html><html lang="en"><title>Test</title><body><script src="/dist/embed.js" data-endpoint="/agent" data-protocol="agent-session" data-heading="Shop"></script>',
      },
      agent: (request, response) =>
        answering(request.url === '/agent/openai' ? OPENAI : sessionStream(answer))(request, response),
    });
  });
  after(() => site.close());

  for (const { name, path, rich = false, budget } of cases) {
    it(`are few, small and soon requested with ${name}`, async () => {
      answer = rich ? RICH : PLAIN;
      const page = await site.open();
      const files = await logRequests(page);
      const last = rich && page.waitForResponse(/\/javascript-/);
      await page.goto(site.origin + path);
      const launcher = page.locator('agent-chat [part="launcher"]');
      if (path === '/launcher') await launcher.click();
      const input = page.locator('agent-chat [part="input"]');
      await input.fill('Where is it?');
      await input.press('Enter');
      await page.locator('agent-chat strong').waitFor();
      await last;
      await page.waitForLoadState('networkidle');
      const scripts = [...files].filter(([url]) => url.includes('/dist/'));
      const sizes = await Promise.all(
        scripts.map(async ([url]) => gzipSync(await readFile(new URL(url).pathname.slice(1)), { level: 9 }).length),
      );
      const measured: Budget = {
        files: scripts.length,
        depth: Math.max(...scripts.map(([, depth]) => depth)),
        kilobytes: sizes.reduce((sum, size) => sum + size, 0) / 1024,
      };
      const list = scripts.map(([url, depth], index) => `${String(depth)} ${String(sizes[index])} ${url}`).join('\n');
      for (const key of ['files', 'depth', 'kilobytes'] as const)
        assert.ok(measured[key] <= budget[key], `${key}: ${String(measured[key])} of ${String(budget[key])}\n${list}`);
      assert.ok(scripts.length > 2, 'the log has the files');
      await releaseContext(page);
    });
  }
});

/** The requested files, with the number of requests that each of them had to wait for after the page's own script. */
async function logRequests(page: Page): Promise<ReadonlyMap<string, number>> {
  const depths = new Map<string, number>();
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  session.on('Network.requestWillBeSent', ({ request, initiator }) => {
    const from = initiator.url ?? initiator.stack?.callFrames[0]?.url ?? '';
    if (!depths.has(request.url))
      depths.set(request.url, initiator.type === 'parser' ? 0 : (depths.get(from) ?? 0) + 1);
  });
  return depths;
}
