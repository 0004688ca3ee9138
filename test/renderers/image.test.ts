import { expect, waitUntil } from '@open-wc/testing';
import { PIXEL } from '../support/pixel.ts';
import { has } from '../components/support/mount.ts';
import { HOSTILE, named, showBlock, wordsIn } from './support/show.ts';

const REMOTE = 'https://charts.example/a.png';
/** One that is there: the tests' own server is as foreign as any other until it is listed. */
const THERE = `${location.origin}/demo/icon.svg`;
const inline = (mimeType = 'image/png', data = PIXEL) => ({ image_data: { data, mimeType } });

describe('an image', () => {
  it('inline is shown at once, named by what it is', async () => {
    const { element } = await showBlock({ type: 'image', ...inline(), name: 'A pixel' });
    const image = element.querySelector('img');
    await waitUntil(() => image?.complete);
    expect([image?.alt, image?.naturalWidth, image?.loading]).to.deep.equal(['A pixel', 1, 'lazy']);
  });

  it('of another host waits for the reader, and names the host', async () => {
    const { element } = await showBlock({ type: 'image', url: THERE, name: 'Curve' });
    expect(element.querySelector('img')).to.equal(null);
    expect(named(element, 'Image not loaded').getAttribute('role')).to.equal('group');
    expect(wordsIn(element)).to.equal(`Curve Image from ${location.host} Load image`);
    named(element, 'Load image').click();
    await waitUntil(() => element.querySelector('img') !== null);
    const image = element.querySelector('img');
    expect([image?.getAttribute('src'), image?.referrerPolicy]).to.deep.equal([THERE, 'no-referrer']);
  });

  for (const [hosts, url, expected] of [
    [location.host, THERE, true],
    [`other.example ${location.hostname}`, THERE, true],
    ['*', THERE, true],
    ['', THERE, false],
    ['self', REMOTE, false],
    ['other.example', REMOTE, false],
    ['', '/demo/icon.svg', false],
    ['self', '/demo/icon.svg', true],
  ] as const) {
    it(`image-hosts="${hosts}": ${new URL(url, location.href).pathname} is ${expected ? '' : 'not '}loaded at once`, async () => {
      const { element } = await showBlock({ type: 'image', url }, { settings: { imageHosts: hosts } });
      expect(element.querySelector('img') !== null).to.equal(expected);
    });
  }

  const svg = btoa('<svg xmlns="http://www.w3.org/2000/svg"/>');
  const refused = [
    { name: 'of a type that is not allowed', block: inline('image/svg+xml', svg), words: 'This type is not allowed.' },
    { name: 'that is not what it says', block: inline('image/jpeg'), words: 'It is not what it says it is.' },
    { name: 'over the size', block: inline('image/png', PIXEL + 'A'.repeat(3_000_000)), words: 'It is too large.' },
    {
      name: 'of no allowed scheme',
      block: { url: 'file:///etc/passwd' },
      words: 'Its address can’t be loaded in a browser.',
    },
    {
      name: 'refused before',
      block: { status: 'error', extra: { reason: 'pixels' } },
      words: 'It has too many pixels.',
    },
    { name: 'refused for an unknown reason', block: { extra: { reason: 'moon' } }, words: 'The image can’t be shown.' },
  ] as const;
  for (const { name, block, words } of refused) {
    it(`${name} says why, in the same box, and loads nothing`, async () => {
      const { element } = await showBlock({ type: 'image', ...block });
      expect(wordsIn(element)).to.equal(words);
      expect(element.querySelector('img, button')).to.equal(null);
    });
  }

  it('that can’t be read says so', async () => {
    const broken = btoa('\x89PNG\r\n\x1a\n and nothing');
    const { element } = await showBlock({ type: 'image', ...inline('image/png', broken) });
    await waitUntil(() => wordsIn(element) === 'The image can’t be shown.');
  });

  it('a hostile name is text, and turns no words round', async () => {
    const { element } = await showBlock({ type: 'image', url: REMOTE, name: `\u202E${HOSTILE}` });
    expect(wordsIn(element)).to.contain(`${HOSTILE} Image from`).and.not.to.contain('\u202E');
    expect(has((await showBlock({ type: 'image', ...inline(), name: HOSTILE })).chat, 'img[onerror]')).to.equal(false);
  });
});
