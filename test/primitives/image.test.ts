import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import { createLocalize } from '../../src/locales/localize.ts';
import { settingFor, type AgentChatImage } from '../../src/primitives/image.ts';
import '../../src/components/parts.ts';
import { PIXEL } from '../support/pixel.ts';

const localize = createLocalize('en');
const SRC = `data:image/png;base64,${PIXEL}`;
const make = (settings: Partial<AgentChatImage>) =>
  fixture<AgentChatImage>(
    html`<agent-chat-image
      .src=${settings.src ?? SRC}
      .alt=${settings.alt ?? 'Curve'}
      .host=${settings.host}
      .reason=${settings.reason}
      .maxPixels=${settings.maxPixels ?? Infinity}
      .localize=${localize}
    ></agent-chat-image>`,
  );
const wordsOf = (element: Element) => element.textContent.replace(/\s+/g, ' ').trim();

/** A picture of so many pixels, as a data URL. */
function drawing(width: number, height: number): string {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  canvas.getContext('2d')?.fillRect(0, 0, width, height);
  return canvas.toDataURL();
}

describe('a picture', () => {
  it('is shown with its words, lazily and without a referrer', async () => {
    const image = (await make({})).querySelector('img');
    expect([image?.alt, image?.loading, image?.referrerPolicy, image?.getAttribute('src')]).to.deep.equal([
      'Curve',
      'lazy',
      'no-referrer',
      SRC,
    ]);
  });

  it('of a host that is to be asked for waits for the press', async () => {
    const element = await make({ host: 'a.example' });
    expect(element.querySelector('img')).to.equal(null);
    expect(wordsOf(element)).to.equal('Curve Image from a.example Load image');
    element.querySelector('button')?.click();
    await element.updateComplete;
    expect(element.querySelector('img')?.getAttribute('src')).to.equal(SRC);
  });

  it('tells whoever builds the page once for each host what would load it', async () => {
    const said: unknown[] = [];
    const { info } = console;
    console.info = (words: unknown) => said.push(words);
    try {
      for (const host of ['once.example', 'once.example']) await make({ host });
    } finally {
      console.info = info;
    }
    expect(said).to.deep.equal([
      '<agent-chat>: a picture from once.example waits to be asked for; image-hosts="once.example" loads it at once.',
    ]);
  });

  it('of the page’s own host would be loaded by a word that holds on every host', () => {
    expect(settingFor(location.host)).to.equal('image-hosts="self"');
    expect(settingFor('b.example')).to.equal('image-hosts="b.example"');
  });

  it('another one at its place is to be asked for again', async () => {
    const element = await make({ host: 'a.example' });
    element.querySelector('button')?.click();
    await element.updateComplete;
    element.src = drawing(2, 2);
    await element.updateComplete;
    expect(element.querySelector('img')).to.equal(null);
  });

  it('refused says why, and can’t be asked for', async () => {
    const element = await make({ reason: 'It is too large.', host: 'a.example' });
    expect(wordsOf(element)).to.equal('Curve It is too large.');
    expect(element.querySelector('img, button')).to.equal(null);
  });

  it('that can’t be read says so', async () => {
    const element = await make({ src: 'data:image/png;base64,AAAA' });
    await waitUntil(() => wordsOf(element) === 'Curve The image can’t be shown.');
  });

  it('of more pixels than allowed is taken away when the decoder has counted them', async () => {
    const element = await make({ src: drawing(20, 20), maxPixels: 399 });
    await waitUntil(() => wordsOf(element) === 'Curve It has too many pixels.');
    const allowed = await make({ src: drawing(20, 20), maxPixels: 400 });
    await waitUntil(() => allowed.querySelector('img')?.complete);
    expect(allowed.querySelector('img')).not.to.equal(null);
  });

  it('far larger than its place is kept as a smaller one, and let go with the element', async () => {
    const element = await make({ src: drawing(1200, 1200) });
    const image = element.querySelector('img');
    image?.style.setProperty('width', '40px');
    await waitUntil(() => image?.src.startsWith('blob:'), 'a smaller one comes', { timeout: 10_000 });
    await waitUntil(() => image?.complete);
    expect(image?.naturalWidth).to.be.lessThan(400);
    const smaller = image?.src ?? '';
    element.remove();
    const gone = await fetch(smaller).then(
      () => false,
      () => true,
    );
    expect(gone).to.equal(true);
  });

  it('moved in the page, its smaller one is made again', async () => {
    const element = await make({ src: drawing(1200, 1200) });
    const image = element.querySelector('img');
    image?.style.setProperty('width', '40px');
    const isSmall = (): boolean => image?.src.startsWith('blob:') === true && image.complete;
    await waitUntil(isSmall, 'a smaller one comes', { timeout: 10_000 });
    const before = image?.src;
    element.parentElement?.append(element.previousSibling ?? '', element);
    expect(element.querySelector('img')).to.equal(image);
    await waitUntil(() => isSmall() && image?.src !== before, 'another one comes', { timeout: 10_000 });
    expect(image?.naturalWidth).to.be.within(1, 400);
  });
});
