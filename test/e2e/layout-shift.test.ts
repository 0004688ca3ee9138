/** Nothing visible moves while an answer streams, and nothing when it is complete. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as later } from 'node:timers/promises';
import { mixedAnswer } from './support/mixed-answer.ts';
import { releaseContext, openSite, type Site } from './support/site.ts';

/** TypeScript's DOM library does not declare these. */
interface LayoutShift extends PerformanceEntry {
  /** The moved share of the window, times the distance. */
  readonly value: number;
  readonly sources: readonly {
    readonly node: Node | null;
    readonly previousRect: DOMRect;
    readonly currentRect: DOMRect;
  }[];
}

/** Tables whose first rows predict little of the rest: more rows than one box has, in a list, and with one row. */
const TABLES = [
  '| # | Order | Remark | Weight |\n| :-: | --: | :-- | --: |\n',
  ...Array.from({ length: 40 }, (_, row) => {
    const remark = row % 3 === 2 ? 'The buckle has come off, and was sent back by the customer with a letter' : 'fine';
    return `| ${String(row)} | ${String(97 + row ** 3)} | ${remark} | ${String(row * row)}.5 kg |\n`;
  }),
  '\nBetween.\n\n- An item\n\n  | Size | Length in use |\n  | :-- | :-- |\n  | S | 120 |\n  | Longer than anything | **180** to 200 |\n\n',
  '| Only | One |\n| --- | --- |\n| row | here |\n\nAnd words behind it.\n',
].join('');
/** The second closes boxes of 32 blocks, and is followed to its end. The third comes word by word. */
const ANSWERS = {
  short: { text: mixedAnswer(1_000), piece: 60 },
  long: { text: mixedAnswer(5_000), piece: 60 },
  tabular: { text: TABLES, piece: 7 },
};
const NAMES = Object.keys(ANSWERS) as readonly (keyof typeof ANSWERS)[];
/** The time between two chunks: several chunks a frame, and several frames a chunk. */
const PACE_MS = 8;
/** The delay of a chunk that loads late. */
const LATE_MS = 400;

const event = (type: string, data: object): string => `data: ${JSON.stringify({ type, data })}\n\n`;

const attributes = 'endpoint="/agent" protocol="agent-session"';

describe('the layout while an answer streams', () => {
  let site: Site;
  before(async () => {
    site = await openSite({
      pages: {
        '/inline': `<h1>Shop</h1><agent-chat ${attributes}></agent-chat><p>Below</p>`,
        '/floating': `<h1>Shop</h1><p>Text</p><agent-chat ${attributes} mode="floating" open></agent-chat>`,
      },
      agent: async (request, response) => {
        if (!request.url?.startsWith('/agent')) return false;
        let asked = '';
        for await (const chunk of request) asked += String(chunk);
        const { text, piece } = ANSWERS[NAMES.find((name) => asked.includes(name)) ?? 'short'];
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (let start = 0; start < text.length; start += piece) {
          response.write(event('content', { content: text.slice(start, start + piece) }));
          await later(PACE_MS);
        }
        response.end(event('session_end', { status: 'completed' }));
        return true;
      },
    });
  });
  after(() => site.close());

  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const places = [
    { name: 'inline', path: '/inline', options: {} },
    { name: 'in a floating panel', path: '/floating', options: {} },
    { name: 'on a phone', path: '/floating', options: phone },
    { name: 'with elements that load after the request', path: '/floating', options: {}, late: 'conversation' },
    { name: 'with tables whose columns load late', path: '/inline', options: {}, late: 'block-tools' },
  ];
  for (const { name, path, options, late, length } of places.flatMap((place) =>
    NAMES.map((length) => ({ ...place, length })),
  )) {
    it(`moves nothing ${name} (${length})`, async () => {
      const page = await site.open(options);
      if (late) {
        const asked = page.waitForRequest(/\/agent$/);
        await page.route(`**/dist/chunks/${late}-*`, async (route) => {
          await asked;
          await later(LATE_MS);
          await route.continue();
        });
      }
      await page.goto(site.origin + path);
      await page.locator('agent-chat [part="input"]').waitFor();
      const seen = await page.evaluate(async (asked) => {
        const shifts: PerformanceEntryList = [];
        const observer = new PerformanceObserver((list) => {
          shifts.push(...list.getEntries());
        });
        observer.observe({ type: 'layout-shift' });
        const answer = await document.querySelector('agent-chat')?.send(asked);
        // Parts that are added at the end render in the next frames.
        for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
        shifts.push(...observer.takeRecords());
        const sum = (shifts as LayoutShift[]).reduce((before, { value }) => before + value, 0);
        // The nodes are in a shadow root, so the browser does not report them.
        const what = (shifts as LayoutShift[]).flatMap(({ value, sources }) =>
          sources.map(
            ({ previousRect, currentRect }) => `${value.toFixed(4)}: ${JSON.stringify([previousRect, currentRect])}`,
          ),
        );
        return { status: answer?.status, moved: sum, what };
      }, `A ${length} report, please`);
      assert.equal(seen.status, 'complete');
      // Less than a pixel, from cells that end on fractions, does not count. A word that is wider than its column is
      // not broken: the column grows once, and moves those after it. (Browsers rate 0.1 as good.)
      assert.ok(
        seen.moved < (length === 'tabular' ? 0.01 : 0.0005),
        `what has moved: ${seen.moved.toFixed(4)}\n${seen.what.join('\n')}`,
      );
      await releaseContext(page);
    });
  }
});
