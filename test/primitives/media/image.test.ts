import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import { createLocalize } from '../../../src/locales/localize.ts';
import { imageHostsAttribute, type AgentChatImage } from '../../../src/primitives/media/image.ts';
import '../../../src/components/conversation-chunk.ts';
import { PIXEL } from '../../support/pixel.ts';

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

/** An image with the given size in pixels, as a data URL. */
function drawing(width: number, height: number): string {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  canvas.getContext('2d')?.fillRect(0, 0, width, height);
  return canvas.toDataURL();
}

describe('<agent-chat-image>', () => {
  it('has its alt text, loads lazily and sends no referrer', async () => {
    const image = (await make({})).querySelector('img');
    expect([image?.alt, image?.loading, image?.referrerPolicy, image?.getAttribute('src')]).to.deep.equal([
      'Curve',
      'lazy',
      'no-referrer',
      SRC,
    ]);
  });

  it('of a host that needs permission waits for a click', async () => {
    const element = await make({ host: 'a.example' });
    expect(element.querySelector('img')).to.equal(null);
    expect(wordsOf(element)).to.equal('Curve Image from a.example Load image');
    element.querySelector('button')?.click();
    await element.updateComplete;
    expect(element.querySelector('img')?.getAttribute('src')).to.equal(SRC);
  });

  it('reports once per host which attribute would load it', async () => {
    const reported: unknown[] = [];
    const { info } = console;
    console.info = (words: unknown) => reported.push(words);
    try {
      for (const host of ['once.example', 'once.example']) await make({ host });
    } finally {
      console.info = info;
    }
    expect(reported).to.deep.equal([
      '<agent-chat>: an image from once.example was not loaded; image-hosts="once.example" allows it.',
    ]);
  });

  it('suggests `self` for the page’s own host', () => {
    expect(imageHostsAttribute(location.host)).to.equal('image-hosts="self"');
    expect(imageHostsAttribute('b.example')).to.equal('image-hosts="b.example"');
  });

  it('needs permission again when its address changes', async () => {
    const element = await make({ host: 'a.example' });
    element.querySelector('button')?.click();
    await element.updateComplete;
    element.src = drawing(2, 2);
    await element.updateComplete;
    expect(element.querySelector('img')).to.equal(null);
  });

  it('when blocked shows the reason and offers no button', async () => {
    const element = await make({ reason: 'The file is too large.', host: 'a.example' });
    expect(wordsOf(element)).to.equal('Curve The file is too large.');
    expect(element.querySelector('img, button')).to.equal(null);
  });

  it('shows an error when it can’t be decoded', async () => {
    const element = await make({ src: 'data:image/png;base64,AAAA' });
    await waitUntil(() => wordsOf(element) === 'Curve The image can’t be shown.');
  });

  it('is removed when the decoded image has too many pixels', async () => {
    const element = await make({ src: drawing(20, 20), maxPixels: 399 });
    await waitUntil(() => wordsOf(element) === 'Curve The image has too many pixels.');
    const allowed = await make({ src: drawing(20, 20), maxPixels: 400 });
    await waitUntil(() => allowed.querySelector('img')?.complete);
    expect(allowed.querySelector('img')).not.to.equal(null);
  });

  it('much larger than its box is replaced by a smaller copy, which is released with the element', async () => {
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

  it('makes the smaller copy again after it was moved in the page', async () => {
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
