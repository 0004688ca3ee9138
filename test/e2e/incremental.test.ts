import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { mixedAnswer } from './support/mixed-answer.ts';
import { releaseContext, openSite, type Site } from './support/site.ts';

const ANSWER = mixedAnswer(100_000);
const PIECES = 200;

describe('an answer of 100 KB', () => {
  let site: Site;
  let goOn: () => void = () => undefined;
  before(async () => {
    const half = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    site = await openSite({
      pages: { '/': '<agent-chat endpoint="/agent" protocol="text"></agent-chat>' },
      agent: async (request, response) => {
        if (request.url !== '/agent') return false;
        response.writeHead(200, { 'content-type': 'text/plain' });
        const size = Math.ceil(ANSWER.length / PIECES);
        for (let piece = 0; piece < PIECES; piece++) {
          response.write(ANSWER.slice(piece * size, (piece + 1) * size));
          // The first half is examined before the second comes.
          if (piece === PIECES / 2) await half;
          await new Promise(setImmediate);
        }
        response.end();
        return true;
      },
    });
  });
  after(() => site.close());

  it('keeps every finished node the same object, and a selection in its first paragraph', async () => {
    const page = await site.visit('/');
    await page.evaluate(() => {
      const chat = document.querySelector('agent-chat');
      Object.assign(globalThis, { done: chat?.send('Everything, please') });
    });
    await page.locator('agent-chat h2', { hasText: /^Part 60$/ }).waitFor();
    const finished = await page.evaluate(() => {
      const root = document.querySelector('agent-chat')?.shadowRoot;
      const block = root?.querySelector('[part~="block-content"]');
      const headings = [...(block?.querySelectorAll('h2') ?? [])];
      const border = headings.at(-2);
      const walk = document.createTreeWalker(block ?? document, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
      const nodes: { readonly node: Node; readonly text: string | null }[] = [];
      for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        const before = border && border.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_PRECEDING;
        // (Its container continues to grow after it.)
        if (before && !node.contains(border)) {
          // (A tool may have been added to the bar of finished code.)
          nodes.push({ node, text: node.nodeValue });
        }
      }
      const words = block?.querySelector('p')?.firstChild;
      const selection = getSelection();
      const texts = document.createTreeWalker(words?.parentNode ?? document, NodeFilter.SHOW_TEXT);
      const text = texts.nextNode();
      if (text) selection?.setBaseAndExtent(text, 4, text, 19);
      Object.assign(globalThis, { nodes });
      return { nodes: nodes.length, selected: selection?.toString() };
    });
    assert.ok(finished.nodes > 2000, `${String(finished.nodes)} nodes are finished at half the answer`);
    assert.equal(finished.selected, 'first paragraph');
    goOn();
    const parts = ANSWER.match(/^## /gm)?.length ?? 0;
    await page.waitForFunction(
      (count) =>
        document.querySelector('agent-chat')?.shadowRoot?.querySelectorAll('[part~="block-content"] h2').length ===
        count,
      parts,
    );
    const result = await page.evaluate(async () => {
      const kept = globalThis as unknown as {
        readonly done: Promise<{ readonly status: string }>;
        readonly nodes: readonly { readonly node: Node; readonly text: string | null }[];
      };
      const { status } = await kept.done;
      await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
      const lost = kept.nodes.filter(({ node, text }) => !node.isConnected || node.nodeValue !== text);
      return {
        status,
        lost: lost.map(({ node }) => node.textContent?.slice(0, 60)),
        selected: getSelection()?.toString(),
      };
    });
    assert.deepEqual(result.lost, []);
    assert.equal(result.status, 'complete');
    assert.equal(result.selected, 'first paragraph');
    await releaseContext(page);
  });
});
