import { expect, waitUntil } from '@open-wc/testing';
import { PIXEL } from '../../support/pixel.ts';
import { find, has } from '../../components/support/mount.ts';
import { HOSTILE, named, showBlock, wordsIn } from '../support/show.ts';

const REMOTE = 'https://charts.example/a.png';
/** An image that exists. The tests' own server counts as another host until it is listed. */
const THERE = `${location.origin}/demo/icon.svg`;
const inline = (mimeType = 'image/png', data = PIXEL) => ({ image_data: { data, mimeType } });

describe('an image', () => {
  it('inline is shown immediately, with its name as alt text', async () => {
    const { element } = await showBlock({ type: 'image', ...inline(), name: 'A pixel' });
    const image = element.querySelector('img');
    await waitUntil(() => image?.complete);
    expect([image?.alt, image?.naturalWidth, image?.loading]).to.deep.equal(['A pixel', 1, 'lazy']);
  });

  it('of another host waits for the user, and names the host', async () => {
    const { element } = await showBlock({ type: 'image', url: THERE, name: 'Curve' });
    expect(element.querySelector('img')).to.equal(null);
    expect(named(element, 'Image not loaded').getAttribute('role')).to.equal('group');
    expect(wordsIn(element)).to.equal(`Curve Image from ${location.host} Load image`);
    named(element, 'Load image').click();
    await waitUntil(() => element.querySelector('img') !== null);
    const image = element.querySelector('img');
    expect([image?.getAttribute('src'), image?.referrerPolicy]).to.deep.equal([THERE, 'no-referrer']);
  });

  it('rule 78: that is not loaded is as high as its text, which would cover the host beside a link', async () => {
    const { chat } = await showBlock({ type: 'content', content: `x\n\n![${'MM█ '.repeat(400)}](${REMOTE})` });
    await waitUntil(() => has(chat, '.blocked .button'), 'it comes', { timeout: 10_000 });
    const box = find(chat, '.blocked');
    const { top, bottom } = box.getBoundingClientRect();
    for (const part of box.children) {
      expect(part.getBoundingClientRect().top).to.be.least(top);
      expect(part.getBoundingClientRect().bottom).to.be.most(bottom);
    }
  });

  for (const hosts of ['*', 'shop.example'])
    it(`rule 122: that waits for the user inside of a link loads by its button, which opens nothing: ${hosts}`, async () => {
      const { chat } = await showBlock(
        { type: 'content', content: `[![Curve](${THERE})](https://ops.example/log)` },
        { settings: { linkHosts: hosts } },
      );
      let links = 0;
      chat.addEventListener('agent-chat-link', () => links++);
      await waitUntil(() => has(chat, 'agent-chat-image button'), 'it comes', { timeout: 10_000 });
      const press = new MouseEvent('click', { bubbles: true, composed: true, cancelable: true });
      find(chat, 'agent-chat-image button').dispatchEvent(press);
      expect([press.defaultPrevented, links]).to.deep.equal([true, 0]);
      await waitUntil(() => has(chat, 'a img.picture'));
      expect(has(chat, 'dialog[open]')).to.equal(false);
    });

  for (const [name, block] of [
    ['of the agent', { type: 'image', ...inline() }],
    ['in Markdown', { type: 'content', content: `![](data:image/png;base64,${PIXEL})` }],
    [
      'that is aligned like the user’s text',
      { type: 'content', content: `<div align="right"><img src="data:image/png;base64,${PIXEL}"></div>` },
    ],
  ] as const)
    it(`rule 43: ${name} has a line around it, with a gap, because it may look like a message of the user`, async () => {
      const { chat } = await showBlock(block);
      await waitUntil(() => has(chat, 'img.picture'), 'it comes', { timeout: 10_000 });
      const { borderTopStyle, borderTopWidth, paddingTop } = getComputedStyle(find(chat, 'img.picture'));
      expect([borderTopStyle, borderTopWidth, paddingTop]).to.deep.equal(['solid', '1px', '2px']);
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
    it(`image-hosts="${hosts}": ${new URL(url, location.href).pathname} is ${expected ? '' : 'not '}loaded immediately`, async () => {
      const { element } = await showBlock({ type: 'image', url }, { settings: { imageHosts: hosts } });
      expect(element.querySelector('img') !== null).to.equal(expected);
    });
  }

  it('with a relative address is judged by where the base of the page leads', async () => {
    const base = document.createElement('base');
    base.href = 'https://cdn.example/files/';
    document.head.append(base);
    try {
      for (const block of [{ type: 'image', url: 'a.png' } as const, { type: 'audio', url: '/a.mp3' } as const]) {
        const { element } = await showBlock(block, { settings: { imageHosts: 'self' } });
        expect(element.querySelector('img, audio')).to.equal(null);
        expect(wordsIn(element)).to.include('cdn.example');
      }
    } finally {
      base.remove();
    }
  });

  const svg = btoa('<svg xmlns="http://www.w3.org/2000/svg"/>');
  const refused = [
    { name: 'of a type that is not allowed', block: inline('image/svg+xml', svg), words: 'This type isn’t allowed.' },
    {
      name: 'with another type than declared',
      block: inline('image/jpeg'),
      words: 'The content doesn’t match its type.',
    },
    {
      name: 'above the size limit',
      block: inline('image/png', PIXEL + 'A'.repeat(3_000_000)),
      words: 'The file is too large.',
    },
    {
      name: 'with a scheme that is not allowed',
      block: { url: 'file:///etc/passwd' },
      words: 'The browser can’t load this address.',
    },
    {
      name: 'blocked earlier',
      block: { status: 'error', extra: { reason: 'pixels' } },
      words: 'The image has too many pixels.',
    },
    { name: 'blocked for an unknown reason', block: { extra: { reason: 'moon' } }, words: 'The image can’t be shown.' },
  ] as const;
  for (const { name, block, words } of refused) {
    it(`${name} shows the reason in the same box, and loads nothing`, async () => {
      const { element } = await showBlock({ type: 'image', ...block });
      expect(wordsIn(element)).to.equal(words);
      expect(element.querySelector('img, button')).to.equal(null);
    });
  }

  it('that can’t be decoded shows an error', async () => {
    const broken = btoa('\x89PNG\r\n\x1a\n and nothing');
    const { element } = await showBlock({ type: 'image', ...inline('image/png', broken) });
    await waitUntil(() => wordsIn(element) === 'The image can’t be shown.');
  });

  it('shows a hostile name as text, without direction controls', async () => {
    const { element } = await showBlock({ type: 'image', url: REMOTE, name: `\u202E${HOSTILE}` });
    expect(wordsIn(element)).to.contain(`${HOSTILE} Image from`).and.not.to.contain('\u202E');
    expect(has((await showBlock({ type: 'image', ...inline(), name: HOSTILE })).chat, 'img[onerror]')).to.equal(false);
  });
});
