/** Nothing on show moves while an answer comes in, and nothing when it is complete. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as later } from 'node:timers/promises';
import { mixedAnswer } from './support/mixed-answer.ts';
import { openSite, type Site } from './support/site.ts';

/** The types of the platform have none. */
interface LayoutShift extends PerformanceEntry {
  /** The part of the window that has moved, times how far. */
  readonly value: number;
}

/** Without its tables: the columns of a table fit themselves while its first rows come. See `docs/decisions/markdown.md`. */
const answerOf = (length: number): string => mixedAnswer(length).replace(/^\|.*\n/gm, '');
/** The second closes boxes of 32 blocks, and is followed to its end. */
const ANSWERS = { short: answerOf(1_000), long: answerOf(5_000) };
/** Characters and milliseconds between two pieces: several a frame, and several frames long. */
const PIECE = 60;
const PACE_MS = 8;

const event = (type: string, data: object): string => `data: ${JSON.stringify({ type, data })}\n\n`;

/** Nothing is what is counted. One line that is drawn a frame late, as on a machine that is busy, is 0.003; people notice from 0.1 on. */
const SEEN = 0.004;

const attributes = 'endpoint="/agent" protocol="agent-session"';

describe('the layout while an answer comes in', () => {
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
        const answer = ANSWERS[asked.includes('long') ? 'long' : 'short'];
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (let start = 0; start < answer.length; start += PIECE) {
          response.write(event('content', { content: answer.slice(start, start + PIECE) }));
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
  ];
  for (const { name, path, options, length } of places.flatMap((place) => [
    { ...place, length: 'short' as const },
    { ...place, length: 'long' as const },
  ])) {
    it(`moves nothing ${name} (${length})`, async () => {
      const page = await site.visit(path, options);
      await page.locator('agent-chat [part="input"]').waitFor();
      const seen = await page.evaluate(async (asked) => {
        const shifts: PerformanceEntryList = [];
        const observer = new PerformanceObserver((list) => {
          shifts.push(...list.getEntries());
        });
        observer.observe({ type: 'layout-shift' });
        const answer = await document.querySelector('agent-chat')?.send(asked);
        // What comes with the end is drawn in the next frames.
        for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
        shifts.push(...observer.takeRecords());
        const sum = (shifts as LayoutShift[]).reduce((before, { value }) => before + value, 0);
        return { status: answer?.status, moved: sum };
      }, `A ${length} report, please`);
      assert.equal(seen.status, 'complete');
      assert.ok(seen.moved < SEEN, `what has moved: ${seen.moved.toFixed(3)}`);
      await page.context().close();
    });
  }
});
