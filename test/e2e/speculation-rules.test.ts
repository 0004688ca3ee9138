/** Speculation rules of the host page, as `docs/guides/on-your-page.md` describes them: which links of an answer the browser requests. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sessionWidget } from './support/controlled-agent.ts';
import { answering, openSite, releaseContext, sessionStream, type Site } from './support/site.ts';

const rules = (where: object): string =>
  `<script type="speculationrules">${JSON.stringify({ prefetch: [{ source: 'document', where, eagerness: 'immediate' }] })}</script>`;
const MATCHES = { href_matches: '/*' };

describe('speculation rules of the page', () => {
  let site: Site;
  const requested: string[] = [];
  before(async () => {
    site = await openSite({
      pages: {
        '/excluded':
          rules({ and: [MATCHES, { not: { selector_matches: 'a[rel~=nofollow]' } }] }) +
          sessionWidget('') +
          '<a id="own" hidden href="/own">Own</a>',
        '/all': rules(MATCHES) + sessionWidget(''),
      },
      agent: (request, response) => {
        if (request.headers['sec-purpose']?.includes('prefetch')) requested.push(request.url ?? '');
        return answering(sessionStream(`[The log](${site.origin}/linked) of today`))(request, response);
      },
    });
  });
  after(() => site.close());

  for (const [path, expected] of [
    ['/all', ['/linked']],
    ['/excluded', ['/own']],
  ] as const)
    it(`${path}: requests ${expected.join()}`, async () => {
      requested.length = 0;
      const page = await site.visit(path);
      await page.evaluate(() => document.querySelector('agent-chat')?.send('Hi'));
      await page.locator('agent-chat a', { hasText: 'The log' }).waitFor();
      // A link that the page shows afterwards: the one of the answer would have been requested before.
      await page.evaluate(() => document.querySelector('#own')?.removeAttribute('hidden'));
      while (requested.length === 0) await page.waitForTimeout(50);
      await page.waitForTimeout(200);
      assert.deepEqual(requested, expected);
      await releaseContext(page);
    });
});
