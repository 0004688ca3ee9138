/** Streaming HTML of a model: existing nodes stay. */
import { expect, waitUntil } from '@open-wc/testing';
import { html } from 'lit';
import { AgentChatHtml } from '../../../src/markdown/render/html-block.ts';
import type { MarkdownView } from '../../../src/markdown/render/markdown-context.ts';
import { view } from '../support/show.ts';

describe('many HTML blocks', () => {
  it('does not block a frame where hundreds have waited for the sanitizer', async () => {
    const place = document.createElement('div');
    const rendered = (): number => place.querySelectorAll('p').length;
    const first = Promise.withResolvers<number>();
    const observer = new MutationObserver(() => {
      if (rendered() > 0) first.resolve(rendered());
    });
    observer.observe(place, { childList: true, subtree: true });
    document.body.append(place);
    for (let count = 0; count < 100; count++) {
      const block = new AgentChatHtml();
      block.view = view;
      block.source = '<p>One</p>';
      place.append(block);
    }
    expect(await first.promise).to.be.at.most(64);
    await waitUntil(() => rendered() === 100, 'the others', { timeout: 10_000 });
    observer.disconnect();
    place.remove();
  });
});

describe('an HTML block', () => {
  let element: AgentChatHtml;
  beforeEach(() => {
    element = new AgentChatHtml();
    element.view = view;
    document.body.append(element);
  });
  afterEach(() => {
    element.remove();
  });
  const write = async (source: string, words: string): Promise<void> => {
    element.source = source;
    await waitUntil(() => element.textContent.replace(/\s+/g, ' ').trim() === words, words, { timeout: 10_000 });
    await waitUntil(() => element.firstElementChild, 'the sanitiser has come', { timeout: 10_000 });
  };

  it('keeps its nodes and the selection in them while it is streaming', async () => {
    await write('<p>One <b>two</b> thr', 'One two thr');
    const nodes = [element.querySelector('p'), element.querySelector('b'), element.querySelector('b')?.firstChild];
    const last = element.querySelector('p')?.lastChild;
    getSelection()?.setBaseAndExtent(last ?? element, 1, last ?? element, 4);
    await write('<p>One <b>two</b> three <i>four</i></p><p>five</p>', 'One two three fourfive');
    expect([
      element.querySelector('p'),
      element.querySelector('b'),
      element.querySelector('b')?.firstChild,
    ]).to.deep.equal(nodes);
    expect(String(getSelection())).to.equal('thr');
  });

  it('keeps details elements as the user has opened or closed them', async () => {
    const head = '<details><summary>A</summary><p>a</p></details><details open><summary>B</summary><p>b</p></details>';
    await write(head, 'AaBb');
    const [one, two] = element.querySelectorAll('details');
    if (!one || !two) throw new Error('There are not two.');
    one.open = true;
    two.open = false;
    await write(`${head}<p>c</p>`, 'AaBbc');
    expect([...element.querySelectorAll('details')]).to.deep.equal([one, two]);
    expect([one.open, two.open]).to.deep.equal([true, false]);
  });

  it('is rendered without another task once the sanitizer is loaded, because a text may have thousands', async () => {
    await write('<p>One</p>', 'One');
    const next = new AgentChatHtml();
    next.view = view;
    next.source = '<p>Two</p>';
    document.body.append(next);
    for (let count = 0; count < 1000 && !next.firstElementChild; count++) await Promise.resolve();
    const { outerHTML: shown = '' } = next.firstElementChild ?? {};
    next.remove();
    expect(shown).to.contain('Two');
  });

  it('removes old attributes and elements when its source changes', async () => {
    await write('<ul><li lang="de">eins</li><li>zwei</li></ul>', 'einszwei');
    await write('<ul><li title="x">one</li></ul>', 'one');
    const item = element.querySelector('li');
    expect([item?.getAttribute('lang'), item?.title, element.querySelectorAll('li').length]).to.deep.equal([
      null,
      'x',
      1,
    ]);
  });

  it('updates an image in the same element', async () => {
    await write('<p>See <img src="https://a.example/a.png" alt="A"> and', 'See and');
    const picture = element.querySelector('s-image');
    const other: MarkdownView = {
      ...view,
      image: (src, alt) => html`<s-image data-src=${src} data-alt=${alt}></s-image>`,
    };
    await write(
      '<p>See <img src="https://a.example/a.png" alt="A"> and <img src="https://a.example/b.png" alt="B"> so',
      'See and so',
    );
    expect(element.querySelector('s-image')).to.equal(picture);
    expect([...element.querySelectorAll('s-image')].map((image) => image.getAttribute('data-alt'))).to.deep.equal([
      'A',
      'B',
    ]);
    element.view = other;
    await element.updateComplete;
    expect(element.querySelectorAll('s-image').length).to.equal(2);
  });

  it('renders any length to its end', async () => {
    const long = `<p>${'word '.repeat(4000)}</p>`;
    element.source = long;
    await waitUntil(() => element.querySelector('p'), 'the beginning', { timeout: 10_000 });
    element.source = `${long}<p>The end</p>`;
    await waitUntil(() => element.lastElementChild?.textContent === 'The end', 'the end', { timeout: 10_000 });
  });
});
