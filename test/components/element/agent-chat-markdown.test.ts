import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import '../../../src/markdown.ts';
import type { AgentChatMarkdown } from '../../../src/components/element/agent-chat-markdown.ts';
import { copiedBy } from '../../support/copied.ts';

const make = (text = '', attributes = { hosts: '', locale: '' }) =>
  fixture<AgentChatMarkdown>(
    html`<agent-chat-markdown
      .text=${text}
      image-hosts=${attributes.hosts}
      locale=${attributes.locale}
    ></agent-chat-markdown>`,
  );
const inside = (element: AgentChatMarkdown, selector: string): Element | null =>
  element.renderRoot.querySelector(selector);
const wordsOf = (element: AgentChatMarkdown): string | undefined => inside(element, '.prose')?.textContent.trim();
const nextFrame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));

describe('<agent-chat-markdown>', () => {
  it('shows the text that is set', async () => {
    const element = await make('# One\n\nTwo **three**');
    expect(inside(element, 'h1')?.textContent).to.equal('One');
    expect(inside(element, 'strong')?.textContent).to.equal('three');
    expect(element.streaming).to.equal(false);
    await expect(element).shadowDom.to.be.accessible();
  });

  it('replaces the text', async () => {
    const element = await make('# One');
    element.text = 'Two';
    await element.updateComplete;
    expect(wordsOf(element)).to.equal('Two');
    expect(inside(element, 'h1')).to.equal(null);
  });

  it('appends written text, and ends', async () => {
    const element = await make();
    element.write('One **two thr');
    expect(element.streaming).to.equal(true);
    await element.updateComplete;
    expect(inside(element, 'strong')?.textContent).to.equal('two thr');
    expect(inside(element, '.prose')?.getAttribute('aria-busy')).to.equal('true');
    const paragraph = inside(element, 'p');
    element.write('ee** [four');
    await element.end();
    expect(element.text).to.equal('One **two three** [four');
    expect(wordsOf(element)).to.equal('One two three [four');
    expect(inside(element, 'p')).to.equal(paragraph);
    expect(element.streaming).to.equal(false);
    expect(inside(element, '.prose')?.hasAttribute('aria-busy')).to.equal(false);
  });

  it('renders once a frame, whatever is written', async () => {
    const element = await make();
    element.write('0 ');
    await element.updateComplete;
    const rendered: (string | undefined)[] = [];
    const watch = new MutationObserver(() => rendered.push(wordsOf(element)));
    watch.observe(element.renderRoot, { subtree: true, childList: true, characterData: true });
    for (let index = 1; index <= 50; index++) {
      element.write(`${String(index)} `);
      await Promise.resolve();
    }
    expect(rendered).to.deep.equal([]);
    await element.updateComplete;
    await nextFrame();
    watch.disconnect();
    expect(rendered.length).to.equal(1);
    expect(rendered[0]).to.match(/ 49 50$/);
  });

  it('ends without a frame, as on a hidden page', async () => {
    const element = await make();
    element.write('One');
    await element.updateComplete;
    const { requestAnimationFrame } = globalThis;
    let asked = 0;
    Object.assign(globalThis, { requestAnimationFrame: () => ++asked });
    try {
      element.write(' two');
      await Promise.resolve();
      element.write(' three');
      await element.end();
      expect(asked).to.equal(1);
      expect(wordsOf(element)).to.equal('One two three');
    } finally {
      Object.assign(globalThis, { requestAnimationFrame });
    }
  });

  it('ends when nothing was written', async () => {
    const element = await make();
    await element.end();
    expect(wordsOf(element)).to.equal('');
  });

  it('continues after its end', async () => {
    const element = await make();
    element.write('One *two');
    await element.end();
    element.write('*');
    await element.end();
    expect(inside(element, 'em')?.textContent).to.equal('two');
  });

  it('loads no image and links no script', async () => {
    const element = await make('![a](https://pictures.example/a.png) [b](javascript:x()) [c](https://c.example)');
    expect(inside(element, 'img')).to.equal(null);
    await waitUntil(() => inside(element, '[part="image"]') !== null, 'The placeholder is not rendered.');
    expect(inside(element, '[part="image"]')?.textContent).to.include('pictures.example');
    const links = [...element.renderRoot.querySelectorAll('a')];
    expect(links.map(({ href, rel, target }) => [href, rel, target])).to.deep.equal([
      ['https://c.example/', 'noopener noreferrer nofollow', '_blank'],
    ]);
  });

  it('loads images of the hosts that the page lists', async () => {
    const element = await make(`![a](${location.origin}/none.png)`);
    expect(inside(element, 'img')).to.equal(null);
    element.imageHosts = 'self';
    await element.updateComplete;
    await waitUntil(() => inside(element, 'img') !== null, 'The image is not rendered.');
    expect(inside(element, 'img')?.getAttribute('referrerpolicy')).to.equal('no-referrer');
  });

  it('uses the language of its `locale`', async () => {
    const element = await make('```\na\n```', { hosts: '', locale: 'zh-CN' });
    const code = inside(element, 'agent-chat-code') as (Element & { updateComplete: Promise<unknown> }) | null;
    await code?.updateComplete;
    expect(inside(element, 'agent-chat-copy')?.textContent.trim()).to.equal('复制');
  });

  it('copies its code', async () => {
    const element = await make('```js\nlet a;\n```');
    await (inside(element, 'agent-chat-code') as (Element & { updateComplete: Promise<unknown> }) | null)
      ?.updateComplete;
    const copied = await copiedBy(() => {
      inside(element, 'agent-chat-copy')?.querySelector('button')?.click();
      return Promise.resolve();
    });
    expect(copied).to.deep.equal(['let a;']);
  });
});
