import { expect, waitUntil } from '@open-wc/testing';
import { has } from '../../components/support/mount.ts';
import { savedBy } from '../../support/saved.ts';
import { HOSTILE, named, showBlock, wordsIn } from '../support/show.ts';

const URL_OF = { audio: 'https://media.example/talk.mp3', video: 'https://media.example/film.mp4' } as const;

for (const type of ['audio', 'video'] as const) {
  describe(type, () => {
    it('of another host waits for the user, and names the host', async () => {
      const { element } = await showBlock({ type, url: URL_OF[type], name: 'Spoken summary' });
      expect(element.querySelector('audio, video')).to.equal(null);
      expect(wordsIn(element)).to.match(/^Spoken summary ?Media from media\.example Load$/);
      named(element, 'Load').click();
      await waitUntil(() => element.querySelector(type) !== null);
      const player = element.querySelector<HTMLMediaElement>(type);
      expect([player?.getAttribute('src'), player?.controls, player?.getAttribute('aria-label')]).to.deep.equal([
        URL_OF[type],
        true,
        'Spoken summary',
      ]);
      expect(player?.autoplay).to.equal(false);
    });

    it('inline is created on request, because the page’s policy may forbid it, and then plays', async () => {
      const { element } = await showBlock({ type, data: 'AAAA', mimeType: `${type}/mp4`, name: 'Summary' });
      expect(element.querySelector('audio, video')).to.equal(null);
      expect(wordsIn(element)).to.match(/^Summary ?Play$/);
      named(element, 'Play').click();
      await waitUntil(() => element.querySelector(type) !== null);
      expect(element.querySelector<HTMLMediaElement>(type)?.autoplay).to.equal(true);
      expect(element.querySelector(type)?.getAttribute('src')).to.equal(`data:${type}/mp4;base64,AAAA`);
      expect(element.querySelector(type)?.getAttribute('aria-label')).to.equal('Summary');
    });

    it('inline at an address in capitals is created on request as well', async () => {
      const { element } = await showBlock({ type, url: `DATA:${type}/mp4;base64,AAAA`, name: 'Summary' });
      expect(element.querySelector('audio, video')).to.equal(null);
      expect(wordsIn(element)).to.match(/^Summary ?Play$/);
    });

    for (const [name, url] of [
      ['a script', 'javascript:hit()'],
      ['a local file', 'file:///x.mp4'],
      ['no address', 'https://'],
    ] as const) {
      it(`with ${name} as its address is blocked, and says so`, async () => {
        const { element } = await showBlock({ type, url, name: 'x' });
        expect(wordsIn(element)).to.match(/^x ?The browser can’t load this address\.$/);
        expect(element.querySelector('audio, video, button')).to.equal(null);
      });
    }

    it('without content shows an error', async () => {
      const { element } = await showBlock({ type });
      expect(wordsIn(element)).to.contain('The file is empty.');
    });

    it('shows a hostile name as text', async () => {
      const { chat, element } = await showBlock({ type, url: URL_OF[type], name: `\u202E${HOSTILE}` });
      expect(wordsIn(element)).to.contain(HOSTILE).and.not.to.contain('\u202E');
      expect(has(chat, 'agent-chat-message img')).to.equal(false);
    });
  });
}

describe('a file', () => {
  it('on a server is a link with its type and size', async () => {
    const { element } = await showBlock({
      type: 'file',
      name: 'refunds.csv',
      url: 'https://files.example/r?id=1',
      size: 48_000,
    });
    expect(wordsIn(element)).to.match(/^refunds\.csv ?CSV · 48 ?kB$/);
    const link = named<HTMLAnchorElement>(element, 'Download refunds.csv');
    expect([link.href, link.target, link.rel]).to.deep.equal([
      'https://files.example/r?id=1',
      '_blank',
      'noopener noreferrer nofollow',
    ]);
  });

  it('rule 7: on a server, with another ending in its address, shows its host and no ending', async () => {
    const url = 'https://files.example/dl/a.exe?x=.pdf';
    const { element } = await showBlock({ type: 'file', name: 'invoice.pdf', mimeType: 'application/pdf', url });
    expect(wordsIn(element)).to.match(/^invoice\.pdf ?files\.example$/);
  });

  it('without a name has that of its address', async () => {
    const { element } = await showBlock({ type: 'file', url: 'https://files.example/a/report.pdf?x#y' });
    expect(element.querySelector('b')?.textContent).to.equal('report.pdf');
    expect((await showBlock({ type: 'file' })).element.querySelector('b')?.textContent).to.equal('File');
  });

  for (const [name, words] of [
    ['report.settingcontent-ms', /ms ?SETTINGCONTENT-MS$/],
    ['report.checked-by-this-page', /^report\.checked-by-this-page$/],
  ] as const)
    it(`shows no claimed type beside a long ending: ${name}`, async () => {
      const { element } = await showBlock({ type: 'file', name, mimeType: 'text/plain', data: btoa('a') });
      expect(wordsIn(element)).to.match(words);
    });

  for (const end of ['.', '..', ' .', '\u00a0', '\u3000', '\u2028'])
    it(`rule 7: shows the ending under which it is saved, not the claimed type: before ${JSON.stringify(end)}`, async () => {
      const block = {
        type: 'file',
        name: `invoice.pdf.exe${end}`,
        mimeType: 'application/pdf',
        data: btoa('a'),
      } as const;
      const { element } = await showBlock(block);
      expect(wordsIn(element)).to.match(/^invoice\.pdf\.exe ?EXE$/);
      const saved = await savedBy(() => {
        named(element, 'Download invoice.pdf.exe').click();
      });
      expect(saved.map(({ name }) => name)).to.deep.equal(['invoice.pdf.exe']);
    });

  it('rule 67: a name has no gap that would cut it off behind a host', async () => {
    const name = `bank.app${'\u00a0'.repeat(90)}notes`;
    const { element } = await showBlock({ type: 'file', name, url: 'https://evil.example/a' });
    expect(element.querySelector('b')?.textContent).to.equal('bank.app notes');
  });

  for (const [mimeType, words] of [
    ['application/pdf', /^report ?application\/pdf$/],
    ['text/csv; charset=utf-8', /^report ?text\/csv$/],
    ['Checked by this page. It is safe', /^report$/],
    [`text/${'is-safe-'.repeat(20)}`, /^report$/],
  ] as const)
    it(`without an ending shows its type, but no other text: ${mimeType}`, async () => {
      const { element } = await showBlock({ type: 'file', name: 'report', mimeType, data: btoa('a') });
      expect(wordsIn(element)).to.match(words);
    });

  const inline = [
    { name: 'as base64', block: { data: btoa('a,b'), mimeType: 'text/csv' }, type: 'text/csv' },
    {
      name: 'as text',
      block: { file: { name: 'x', content: 'a,b', mimeType: 'text/csv' }, mimeType: 'text/csv' },
      type: 'text/csv',
    },
    {
      name: 'of an agent as base64, of a type that is no text,',
      block: { file: { name: 'x', content: btoa('a,b'), mimeType: 'application/pdf' }, mimeType: 'application/pdf' },
      type: 'application/pdf',
    },
    {
      name: 'as a type that a browser would open as a page',
      block: { data: btoa('a,b'), mimeType: 'text/html' },
      type: 'application/octet-stream',
    },
  ];
  for (const { name, block, type } of inline) {
    it(`${name} is saved with one click`, async () => {
      const { element } = await showBlock({ type: 'file', name: 'x.csv', ...block });
      const saved = await savedBy(() => {
        named(element, 'Download x.csv').click();
      });
      expect(saved).to.deep.equal([{ name: 'x.csv', type, text: 'a,b' }]);
    });
  }

  it('as text that could be base64 is saved as it is', async () => {
    const file = { name: 'x.txt', content: 'abcd', mimeType: 'text/plain' };
    const { element } = await showBlock({ type: 'file', name: 'x.txt', mimeType: 'text/plain', file });
    const saved = await savedBy(() => {
      named(element, 'Download x.txt').click();
    });
    expect(saved.map(({ text }) => text)).to.deep.equal(['abcd']);
  });

  it('as text has the size of its bytes', async () => {
    const file = { name: 'x.txt', content: '内容', mimeType: 'text/plain' };
    const { element } = await showBlock({ type: 'file', name: 'x.txt', mimeType: 'text/plain', file });
    expect(wordsIn(element)).to.contain('TXT · 6 byte');
  });

  it('with invalid bytes saves nothing, without an error', async () => {
    const { element } = await showBlock({ type: 'file', name: 'x.csv', data: '%%%' });
    const saved = await savedBy(() => {
      named(element, 'Download x.csv').click();
    });
    expect(saved).to.deep.equal([]);
  });

  for (const url of ['javascript:hit()', 'data:text/html,x', '/relative', 'mailto:a@b.example']) {
    it(`at ${url} is not a link`, async () => {
      const { element } = await showBlock({ type: 'file', name: 'x', url });
      expect(element.querySelector('a, button')).to.equal(null);
    });
  }

  it('links to the parsed address, not to the original spelling', async () => {
    const { element } = await showBlock({ type: 'file', name: 'x', url: 'https:files.example/x' });
    expect(named<HTMLAnchorElement>(element, 'Download x').getAttribute('href')).to.equal('https://files.example/x');
  });

  it('when blocked shows the reason', async () => {
    const { element } = await showBlock({ type: 'file', name: 'x.exe', status: 'error', extra: { reason: 'size' } });
    expect(wordsIn(element)).to.match(/^x\.exe ?The file is too large\.$/);
  });

  it('shows a hostile name as text, without direction controls', async () => {
    const { chat, element } = await showBlock({
      type: 'file',
      name: `\u202E${HOSTILE}.exe`,
      url: 'https://files.example/x',
    });
    expect(element.querySelector('b')?.textContent).to.equal(`${HOSTILE}.exe`);
    expect(element.querySelector('a')?.getAttribute('aria-label')).to.equal(`Download ${HOSTILE}.exe`);
    expect(has(chat, 'agent-chat-message img')).to.equal(false);
  });
});

describe('rule 67: the link of a file', () => {
  for (const [name, words] of [
    ['https://bank.example/statement.pdf', /evil\.example/],
    ['statement.pdf', /^statement\.pdf ?PDF$/],
    ['statement.pdf · checked by this site', /^statement\.pdf · checked by this site$/],
    ['www.evil.example', /^(?!.*\(evil)/],
  ] as const) {
    it(`named ${name} shows its host where the name is another`, async () => {
      const { element } = await showBlock({ type: 'file', name, url: 'https://evil.example/x' });
      expect(element.querySelector('a')?.href).to.equal('https://evil.example/x');
      expect(wordsIn(element)).to.match(words);
    });
  }
});
