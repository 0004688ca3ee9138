import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { show } from '../markdown/support/show.ts';
import { isListed } from '../../src/safety/hosts.ts';
import { deceptiveHost, safeLink, withoutBidi } from '../../src/safety/urls.ts';
import { effort } from '../support/effort.ts';

describe('safeLink', () => {
  const rows: readonly { href: string; expected: string | undefined }[] = [
    { href: 'https://a.example/b?c#d', expected: 'https://a.example/b?c#d' },
    { href: ' http://a.example ', expected: 'http://a.example/' },
    { href: 'mailto:a@b.example', expected: 'mailto:a@b.example' },
    { href: 'tel:+123', expected: 'tel:+123' },
    { href: 'HTTPS://A.example', expected: 'https://a.example/' },
    { href: 'https:a.example', expected: 'https://a.example/' },
    { href: 'ht\ntps://a.example', expected: 'https://a.example/' },
    { href: 'https://user:word@a.example/', expected: 'https://user:word@a.example/' },
    { href: '', expected: undefined },
    { href: '/logout', expected: undefined },
    { href: '#part', expected: undefined },
    { href: '?a=b', expected: undefined },
    { href: '//a.example/x', expected: undefined },
    { href: '\\\\a.example\\x', expected: undefined },
    { href: 'javascript:alert(1)', expected: undefined },
    { href: 'java\tscript:alert(1)', expected: undefined },
    { href: '\u0000\u001fjavascript:alert(1)', expected: undefined },
    { href: 'javascript://a.example/%0aalert(1)', expected: undefined },
    { href: 'vbscript:x', expected: undefined },
    { href: 'data:text/html,x', expected: undefined },
    { href: 'blob:https://a.example/x', expected: undefined },
    { href: 'file:///etc/passwd', expected: undefined },
    { href: 'filesystem:https://a.example/x', expected: undefined },
    { href: 'view-source:https://a.example', expected: undefined },
    { href: 'ms-word:ofe|u|https://a.example', expected: undefined },
    { href: 'ftp://a.example', expected: undefined },
    { href: 'https://', expected: undefined },
    { href: 'https://[', expected: undefined },
  ];
  for (const { href, expected } of rows) {
    it(`${JSON.stringify(href)} is ${expected ?? 'none'}`, () => {
      expect(safeLink(href)?.href).to.equal(expected);
    });
  }

  it('lets no other scheme through, whatever stands in it', () => {
    const part = fc.constantFrom(
      'javascript',
      'JAVASCRIPT',
      'data',
      'https',
      ':',
      '/',
      '//',
      '\\',
      '\t',
      '\n',
      '\0',
      ' ',
      '%3a',
      '&colon;',
      '@',
      'a.example',
      '\u200b',
      '\ufeff',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const url = safeLink(parts.join(''));
        expect(url === undefined || ['http:', 'https:', 'mailto:', 'tel:'].includes(url.protocol)).to.equal(true);
      }),
      { numRuns: effort(500) },
    );
  });
});

/** Links whose words say another host than their address; `real` is what has to be beside them. */
const links: readonly { name: string; text: string; real?: string }[] = [
  { name: 'another host', text: '[https://bank.example](https://evil.example)', real: 'evil.example' },
  { name: 'another host without a scheme', text: '[bank.example/login](https://evil.example)', real: 'evil.example' },
  {
    name: 'another host in strong words',
    text: '[**https://bank.example**](https://evil.example)',
    real: 'evil.example',
  },
  { name: 'another host in code', text: '[`bank.example`](https://evil.example)', real: 'evil.example' },
  { name: 'another host in pieces', text: '[https://ba*nk*.example](https://evil.example)', real: 'evil.example' },
  {
    name: 'another host in references',
    text: '[https&colon;//bank&#46;example](https://evil.example)',
    real: 'evil.example',
  },
  {
    name: 'another host with an invisible character',
    text: '[bank\u200b.exam\u00adple](https://evil.example)',
    real: 'evil.example',
  },
  {
    name: 'another host in a sentence',
    text: '[Log in at https://bank.example now](https://evil.example)',
    real: 'evil.example',
  },
  {
    name: 'another host with `www.` in a sentence',
    text: '[see www.bank.example](https://evil.example)',
    real: 'evil.example',
  },
  { name: 'a host as the name of a user', text: '<https://bank.example@evil.example/>', real: 'evil.example' },
  {
    name: 'a host below another',
    text: '[bank.example](https://bank.example.evil.example)',
    real: 'bank.example.evil.example',
  },
  {
    name: 'a tag in a line',
    text: 'x <a href="https://evil.example">https://<b>bank</b>.example</a>',
    real: 'evil.example',
  },
  {
    name: 'a tag in a block',
    text: '<p><a href="https://evil.example">https://bank.example</a></p>',
    real: 'evil.example',
  },
  {
    name: 'foreign letters that look like others',
    text: '[b\u0430nk](https://b\u0430nk.example)',
    real: 'xn--bnk-6cd.example',
  },
  { name: 'the same host', text: '[https://a.example/x](https://www.a.example/y)' },
  { name: 'the same host in other letters', text: '[A.Example](https://a.example)' },
  { name: 'the same host at the end of a sentence', text: '[See https://a.example.](https://a.example)' },
  { name: 'words', text: '[the log](https://a.example)' },
  { name: 'a name with a full stop in a sentence', text: '[the Node.js docs](https://a.example)' },
  { name: 'a mail address', text: '[bank.example](mailto:a@b.example)' },
];

describe('rule 5: a link whose words look like another host', () => {
  for (const { name, text, real } of links) {
    it(`${real ? 'names the real one' : 'names none'}: ${name}`, async () => {
      const { place } = show(text);
      await import('../../src/safety/sanitize.ts');
      await new Promise(requestAnimationFrame);
      expect(place.querySelectorAll('a').length).to.equal(1);
      expect(place.querySelector('.real-host')?.textContent).to.equal(real && `(${real})`);
    });
  }

  it('is judged in time that its length is in proportion to', () => {
    const url = new URL('https://a.example');
    expect(deceptiveHost(url, 'a.'.repeat(100_000))).to.equal(undefined);
    expect(deceptiveHost(url, 'http'.repeat(100_000))).to.equal(undefined);
  });
});

describe('links in Markdown', () => {
  it('keep what turns the direction of the text to themselves', () => {
    const { place } = show('[name \u202egnp.exe](https://a.example "a\u202eb") x');
    expect(place.querySelector('a')?.dir).to.equal('auto');
    expect(place.querySelector('a')?.title).to.equal('ab');
  });

  it('decode an address once', () => {
    const { place } = show('[a](https://a.example/?x=1&amp;y=&amp;amp; "b &amp; c")');
    expect(place.querySelector('a')?.getAttribute('href')).to.equal('https://a.example/?x=1&y=&amp;');
    expect(place.querySelector('a')?.title).to.equal('b & c');
  });

  it('of an address that may not be followed are their words', () => {
    const { place } = show('[a *b*](javascript:x) [c](/logout)');
    expect(place.querySelector('a')).to.equal(null);
    expect(place.textContent.trim()).to.equal('a b c');
  });
});

describe('withoutBidi', () => {
  it('rule 7: takes every control that turns the direction', () => {
    expect(withoutBidi('a\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069b')).to.equal('ab');
    expect(withoutBidi('שלום')).to.equal('שלום');
  });
});

describe('isListed', () => {
  const rows: readonly { url: string; hosts: string; expected: boolean }[] = [
    { url: 'https://a.example/x', hosts: 'a.example', expected: true },
    { url: 'https://a.example/x', hosts: 'b.example  A.EXAMPLE', expected: true },
    { url: 'https://a.example:8443/x', hosts: 'a.example:8443', expected: true },
    { url: 'https://c.a.example/x', hosts: '*.a.example', expected: true },
    { url: 'https://any.example/x', hosts: '*', expected: true },
    { url: 'https://own.example/x', hosts: 'self', expected: true },
    { url: 'https://a.example/x', hosts: '', expected: false },
    { url: 'https://a.example/x', hosts: '*.a.example', expected: false },
    { url: 'https://nota.example/x', hosts: 'a.example', expected: false },
    { url: 'https://nota.example/x', hosts: '*.a.example', expected: false },
    { url: 'https://a.example.evil.example/x', hosts: 'a.example *.a.example', expected: false },
    { url: 'https://a.example@evil.example/x', hosts: 'a.example', expected: false },
    { url: 'http://own.example/x', hosts: 'self', expected: false },
    { url: 'https://self/x', hosts: 'self', expected: false },
  ];
  for (const { url, hosts, expected } of rows) {
    it(`${url} is ${expected ? '' : 'not '}on "${hosts}"`, () => {
      expect(isListed(new URL(url), hosts, 'https://own.example')).to.equal(expected);
    });
  }
});
