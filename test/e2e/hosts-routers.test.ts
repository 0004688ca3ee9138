/** Pages that change without loading, with one `embed.js` in the head or in the body. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ControlledAgent, session, SESSION_END } from './support/controlled-agent.ts';
import { ANSWER, sendQuestion, EMBED as SCRIPT, hostPage, openHosts, script } from './support/host-pages.ts';
import { releaseContext, type Site } from './support/site.ts';

const EMBED = SCRIPT.replace(' defer', ' data-protocol="agent-session" defer');
const TURBO = script('@hotwired/turbo/dist/turbo.es2017-umd.js');
const HTMX = script('htmx.org/dist/htmx.min.js');
const PJAX =
  script('jquery/dist/jquery.min.js') +
  script('jquery-pjax/jquery.pjax.js') +
  "<script>$(() => $(document).pjax('a', '#words', { fragment: '#words' }))</script>";
/** A router that keeps the body and replaces the content of an element, as those of Next.js and SvelteKit do. */
const HISTORY = `<script>
  const show = async () => {
    const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), 'text/html');
    document.querySelector('#words').replaceChildren(...page.querySelector('#words').childNodes);
  };
  addEventListener('popstate', show);
  addEventListener('click', (event) => {
    const link = event.target.closest?.('a');
    if (!link) return;
    event.preventDefault();
    history.pushState(null, '', link.href);
    void show();
  });
</script>`;
const LINKS = '<p><a href="1">One</a> <a href="2">Two</a></p>';

/** The markup that each library needs in the page. */
const ROUTERS: Readonly<Record<string, { readonly head: string; readonly bodyTag?: string }>> = {
  turbo: { head: TURBO },
  htmx: { head: HTMX, bodyTag: 'hx-boost="true"' },
  pjax: { head: PJAX },
  history: { head: HISTORY },
};

const pages: Record<string, string> = {};
for (const [name, { head, bodyTag = '' }] of Object.entries(ROUTERS)) {
  for (const number of ['1', '2']) {
    const words = `<main id="words">${LINKS}<h2>Page ${number}</h2></main>`;
    pages[`/${name}/head/${number}`] = hostPage({ head: head + EMBED, body: words, bodyTag });
    pages[`/${name}/body/${number}`] = hostPage({ head, body: words + EMBED, bodyTag });
  }
}

for (const number of ['1', '2']) pages[`/written/${number}`] = hostPage({ body: `<h2>Page ${number}</h2>${EMBED}` });

describe('a page that changes without loading', () => {
  let site: Site;
  const agent = new ControlledAgent();
  const next = (): Promise<void> => agent.requestCount(agent.requests.length + 1);
  before(async () => {
    site = await openHosts(pages, agent.handler);
  });
  after(() => site.close());

  for (const name of Object.keys(ROUTERS)) {
    for (const place of ['head', 'body']) {
      it(`${name}, the script in the ${place}: an unused launcher stays`, async () => {
        const page = await site.visit(`/${name}/${place}/1`);
        await page.locator('[part=launcher]').waitFor();
        await page.getByRole('link', { name: 'Two' }).click();
        await page.getByRole('heading', { name: 'Page 2' }).waitFor();
        await page.locator('[part=launcher]').waitFor();
        const heard = next();
        const answered = sendQuestion(page);
        await heard;
        agent.write(session(ANSWER) + SESSION_END);
        agent.end();
        await answered;
        assert.equal(await page.locator('agent-chat').count(), 1);
        await releaseContext(page);
      });

      it(`${name}, the script in the ${place}: an open panel, its conversation and a running reply stay`, async () => {
        const page = await site.visit(`/${name}/${place}/1`);
        const heard = next();
        await page.locator('[part=launcher]').click();
        await page.locator('[part=input]').fill('When?');
        await page.locator('[part=input]').press('Enter');
        await heard;
        agent.write(session('It leaves '));
        await page.locator('agent-chat .prose p', { hasText: 'It leaves' }).waitFor();
        await page.getByRole('link', { name: 'Two' }).click();
        await page.getByRole('heading', { name: 'Page 2' }).waitFor();
        agent.write(session('tonight.') + SESSION_END);
        agent.end();
        await page.locator('agent-chat .prose p', { hasText: 'It leaves tonight.' }).waitFor();
        assert.equal(await page.locator('[part=panel]').isVisible(), true);
        // The previous page may be a copy that the router has cached.
        await page.goBack();
        await page.getByRole('heading', { name: 'Page 1' }).waitFor();
        await page.locator('agent-chat .prose p', { hasText: 'It leaves tonight.' }).waitFor();
        assert.equal(await page.locator('agent-chat').count(), 1);
        await releaseContext(page);
      });
    }
  }

  // `document.open` removes the listeners of every element, also of the previous widget.
  for (const used of [false, true]) {
    it(`document.write replaces the page with one that has its own script: ${used ? 'a used' : 'an unused'} launcher is replaced`, async () => {
      const page = await site.visit('/written/1');
      await page.locator('[part=launcher]').waitFor();
      if (used) {
        await page.locator('[part=launcher]').click();
        await page.locator('[part=input]').waitFor();
        await page.keyboard.press('Escape');
      }
      await page.evaluate(async () => {
        const html = await (await fetch('2')).text();
        document.open();
        // Routers of this kind call what is deprecated.
        (document as unknown as { write(text: string): void }).write(html);
        document.close();
      });
      await page.getByRole('heading', { name: 'Page 2' }).waitFor();
      await page.locator('[part=launcher]').waitFor();
      // An earlier widget that returns does so in the next frames.
      await page.evaluate(async () => {
        for (let frames = 0; frames < 5; frames++) await new Promise((resolve) => requestAnimationFrame(resolve));
      });
      const heard = next();
      const answered = sendQuestion(page);
      await Promise.race([heard, answered]);
      agent.write(session(ANSWER) + SESSION_END);
      agent.end();
      await answered;
      assert.equal(await page.locator('agent-chat').count(), 1);
      await releaseContext(page);
    });
  }
});
