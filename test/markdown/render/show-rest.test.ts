import { expect } from '@open-wc/testing';
import { renderedHtmlEnd } from '../../../src/markdown/parse/html-limit.ts';
import { AgentChatHtml } from '../../../src/markdown/render/html-block.ts';
import { AgentChatRest } from '../../../src/markdown/render/show-rest.ts';
import { AgentChatCode } from '../../../src/primitives/code/code-block.ts';
import { show } from '../support/show.ts';

/** The text behind the button that shows the rest. */
async function revealed(place: HTMLElement): Promise<string | undefined> {
  await customElements.whenDefined('agent-chat-rest');
  const rest = place.querySelector('agent-chat-rest');
  if (!(rest instanceof AgentChatRest)) return undefined;
  await rest.updateComplete;
  rest.querySelector('button')?.click();
  await rest.updateComplete;
  const code = rest.querySelector('agent-chat-code');
  return code instanceof AgentChatCode ? code.code : undefined;
}

const row = (cell: string, columns: number): string => `${`|${cell}`.repeat(columns)}|\n`;
const table = (columns: number): string => row('a', columns) + row('-', columns) + row('b', columns).repeat(3);

describe('content above the rendering limit', () => {
  it('shows the whole table as text', async () => {
    const { place } = show(table(100));
    expect(place.querySelectorAll('th').length).to.equal(32);
    expect(place.querySelectorAll('td').length).to.equal(3 * 32);
    expect(await revealed(place)).to.equal(table(100));
  });

  it('has no button for an ordinary table', () => {
    const { place } = show(table(32));
    expect(place.querySelectorAll('th').length).to.equal(32);
    expect(place.querySelector('agent-chat-rest')).to.equal(null);
  });

  for (const [name, source] of [
    ['tags', '<details><summary>a</summary>'.repeat(1000)],
    ['characters', `<div>${'word '.repeat(10_000)}</div>`],
  ] as const)
    it(`shows the rest of an HTML block as text: ${name}`, async () => {
      const { place } = show(source);
      const htmlBlock = place.querySelector('agent-chat-html');
      const shown = htmlBlock instanceof AgentChatHtml ? htmlBlock.source : '';
      expect(shown.length).to.be.at.most(16_384);
      expect(shown.split('<').length - 1).to.be.at.most(512);
      expect(shown + ((await revealed(place)) ?? '')).to.equal(source);
    });

  for (const { name, tag, end } of [
    { name: 'at the last tag', tag: 8193, end: 8193 },
    { name: 'at the limit if the last tag would hide half of it', tag: 8192, end: 16_384 },
    { name: 'at the limit without a tag before it', tag: 20_000, end: 16_384 },
  ])
    it(`ends the shown part of a long HTML block ${name}`, () => {
      expect(renderedHtmlEnd(`${'a'.repeat(tag)}<b title="${'b'.repeat(20_000)}">`)).to.equal(end);
    });

  it('shows HTML of just the limits', () => {
    const [long, many] = ['a'.repeat(16_384), '<br>'.repeat(512)];
    expect(renderedHtmlEnd(long)).to.equal(long.length);
    expect(renderedHtmlEnd(`${many}a`)).to.equal(many.length + 1);
    expect(renderedHtmlEnd(`${many}a<br>`)).to.equal(many.length + 1);
  });

  it('keeps the rendered rows when a streaming table exceeds the limit', () => {
    const { place, update } = show(table(100), true);
    const cell = place.querySelector('td');
    update(`${table(100)}${row('c', 100)}`, true);
    update(`${table(100)}${row('c', 100)}`);
    expect(place.querySelector('td')).to.equal(cell);
  });

  it('shows the rest of a text with very many elements as text, also of what arrives later', async () => {
    const drawn = '- a\n'.repeat(26_000);
    const { place, update } = show(drawn, true);
    expect(place.querySelectorAll('li').length).to.equal(26_000);
    update(`${drawn}- b\n`, true);
    update(`${drawn}- b\n- **c**\n`, true);
    update(`${drawn}- b\n- **c**\n`);
    expect(place.querySelectorAll('li').length).to.equal(26_000);
    expect(await revealed(place)).to.equal('- b\n- **c**\n');
    // Another text at its place begins anew.
    update('- d\n');
    expect(place.textContent.trim()).to.equal('d');
    // 52,000 elements take WebKit long on a busy machine.
  }).timeout(120_000);
});
