import { expect } from '@open-wc/testing';
import { deceptiveTarget } from '../../src/safety/link-text.ts';

const target = (href: string, ...texts: readonly string[]): string | undefined =>
  deceptiveTarget(new URL(href), ...texts);

describe('rule 67: the real target stands beside a link whose text names another one', () => {
  const other = 'https://other.example/';
  const hosts: Readonly<Record<string, string>> = {
    'a host alone': 'bank.example',
    'in capitals': 'BANK.EXAMPLE',
    'with a full stop at its end': 'bank.example.',
    'with two': 'bank.example..',
    'with a port': 'bank.example:443',
    'with a path': 'bank.example/login',
    'with a path in a sentence': 'Please open bank.example/login now',
    'with a query': 'bank.example?a=b',
    'with `www.`': 'www.bank.example',
    'with `www.` in a sentence': 'Please open www.bank.example now',
    'in brackets': '(bank.example)',
    'in square brackets': '[bank.example]',
    'in quotes': '"bank.example"',
    'in other quotes': '„bank.example“',
    'in guillemets': '«bank.example»',
    'behind a lock': '🔒 bank.example',
    'behind a lock without a space': '🔒bank.example',
    'behind an arrow': '→ bank.example',
    'before an arrow': 'bank.example ↗',
    'behind a bullet': '• bank.example',
    'behind a letter that is a sign': 'ⓘ bank.example',
    'behind a number': '1. bank.example',
    'between dashes': '— bank.example —',
    'a scheme': 'https://bank.example',
    'a scheme in a sentence': 'Log in at https://bank.example now',
    'negative circled letters': '\u{1f151}\u{1f150}\u{1f15d}\u{1f15a}.example',
    'negative squared letters': '\u{1f171}\u{1f170}\u{1f17d}\u{1f17a}.example',
    'letters of flags': 'bank.\u{1f1e8}\u{1f1ed}',
    'a scheme in capitals': 'HTTPS://BANK.EXAMPLE',
    'a scheme without slashes': 'https:bank.example',
    'a scheme with backslashes': 'https:\\\\bank.example',
    'a scheme with spaces': 'https:// bank.example',
    'a scheme with one slash': 'https:/bank.example',
    'a scheme with one backslash': 'https:\\bank.example',
    'a scheme with one backslash in a sentence': 'Log in at https:\\bank now',
    'a dot between spaces': 'Log in to bank . com now',
    'a dot in square brackets': 'Log in to bank[.]com now',
    'a dot in braces and spaces': 'Log in to bank {.} com now',
    'a dot as a word in brackets': 'Log in to bank(dot)com now',
    'a dot as a word in spaced brackets': 'Log in to login [dot] bank [dot] com now',
    'a dot as a word': 'Log in to bank dot com now',
    'a comma': 'Log in to bank,com now',
    'a fullwidth comma': 'Log in to bank，com now',
    'an ideographic comma': 'Log in to bank、com now',
    'U+2010 hyphen': 'bank\u2010login.example',
    'U+2212 minus': 'bank\u2212login.example',
    'an ending in capitals': 'Log in at Chase.NET now',
    'an ending with a capital': 'Log in at Deutsche-Bank.De',
    'an ending with a capital, small letters before': 'Log in at paypal.Me',
    'three parts with capitals': 'Sign in at Paypal.Co.Uk now',
    'two dots': 'www..bank.example',
    'this machine, with a port': 'localhost:3000',
    'this machine, with a path': 'Open LOCALHOST/admin now',
    'a host without a dot behind two slashes': '//intranet/login',
    'a scheme of files': 'ftp://bank.example',
    'a scheme of sockets': 'wss://bank.example',
    'a scheme with a letter of another alphabet': '\u04bbttps://bank.example',
    'no scheme': '//bank.example/login',
    'no scheme, backslashes': '\\\\bank.example\\login',
    'the name of a user': 'https://bank.example@other.example/',
    'a country code of another script in a sentence': 'Откройте банк.рф сейчас',
    'a country code with marks in a sentence': 'अब बैंक.भारत खोलें',
    'a user and a password': 'https://bank.example:443@other.example/',
    'a mail address': 'user@bank.example',
    'a common ending in a sentence': 'Log in to bank.com now',
    'its ending with a Cyrillic letter in a sentence': 'Log in at bank.\u0441om now',
    'its ending with a Greek letter in a sentence': 'Log in at bank.c\u03bfm now',
    'its ending in small capitals in a sentence': 'Log in at bank.\u1d04\u1d0f\u1d0d now',
    'a country in a sentence': 'Log in to bank.co.uk now',
    'an IPv4 address': '1.2.3.4',
    'an IPv4 address with a port': '1.2.3.4:8080/x',
    'an IPv6 address': '[2001:db8::1]',
    'a bare IPv6 address': '2001:db8::1',
    'a whole IPv6 address': '2001:db8:0:0:0:0:0:1',
    'an IPv6 address behind a scheme': 'http://[2001:db8::1]/',
    'U+2024 one dot leader': 'bank\u2024example',
    'U+1427 final middle dot': 'bank\u1427example',
    'U+16EB single punctuation': 'bank\u16ebexample',
    'U+2E31 word separator middle dot': 'bank\u2e31example',
    'U+2E33 raised dot': 'bank\u2e33example',
    'U+2E3C stenographic full stop': 'bank\u2e3cexample',
    'U+A78F sinological dot': 'bank\ua78fexample',
    'U+201A low quotation mark': 'bank\u201aexample',
    'U+02CC low vertical line': 'bank\u02ccexample',
    'U+02F3 low ring': 'bank\u02f3example',
    'U+060C Arabic comma': 'bank\u060cexample',
    'U+066B Arabic decimal separator': 'bank\u066bexample',
    'U+1802 Mongolian comma': 'bank\u1802example',
    'U+2804 braille dot': 'bank\u2804example',
    'U+2840 low braille dot': 'bank\u2840example',
    'U+2E32 turned comma': 'bank\u2e32example',
    'U+2E41 reversed comma': 'bank\u2e41example',
    'U+A4F9 Lisu comma': 'bank\ua4f9example',
    'U+A60D Vai comma': 'bank\ua60dexample',
    'U+02D9 dot above': 'bank\u02d9example',
    'U+0660 Arabic zero': 'bank\u0660example',
    'U+06F0 Persian zero': 'bank\u06f0example',
    'U+200A hair spaces': 'Log in to bank\u200a.\u200acom now',
    'a narrow space behind it': 'Log in to bank.com\u2009now',
    'U+FF0E fullwidth full stop': 'bank\uff0eexample',
    'U+3002 ideographic full stop': 'bank\u3002example',
    'U+FF61 halfwidth ideographic full stop': 'bank\uff61example',
    'U+FE52 small full stop': 'bank\ufe52example',
    'U+00B7 middle dot': 'bank\u00b7example',
    'U+2236 ratio': 'https\u2236//bank.example',
    'U+A789 modifier letter colon': 'https\ua789//bank.example',
    'U+FF1A fullwidth colon': 'https\uff1a//bank.example',
    'U+2044 fraction slash': 'https:\u2044\u2044bank.example',
    'U+2215 division slash': 'https:\u2215\u2215bank.example',
    'U+FF0F fullwidth solidus': 'https:\uff0f\uff0fbank.example',
    'fullwidth letters': 'ｂａｎｋ．ｅｘａｍｐｌｅ',
    'letters of mathematics': '𝐛𝐚𝐧𝐤.𝐞𝐱𝐚𝐦𝐩𝐥𝐞',
    'letters in circles': 'ⓑⓐⓝⓚ.ⓔⓧⓐⓜⓟⓛⓔ',
    'a soft hyphen': 'bank.exam\u00adple',
    'a zero-width space': 'bank\u200b.example',
    'a word joiner': 'bank.\u2060example',
    'a zero-width no-break space': 'https\ufeff://bank.example',
    'a selector of variants': 'bank\ufe0f.example',
    'a filler': 'bank\u3164.example',
    'a control': 'bank\u0001.example',
    'an annotation character': 'bank\ufff9.example',
    'combining marks': 'b\u0332a\u0332n\u0332k\u0332.e\u0332x\u0332ample',
    'a braille blank': 'bank.example\u2800',
    'letters with accents': 'bänk.example',
    'letters of another alphabet': 'b\u0430nk.example',
    'its punycode': 'xn--bnk-6cd.example',
    'percent-encoded letters': 'bank%2Eexample',
    'a percent-encoded scheme': 'https%3A%2F%2Fbank.example',
    'an override of direction': '\u202eelpmaxe.knab',
    'something drawn': 'see \ufffc',
    'a line of its own': 'Welcome\nbank.example',
    'the real host and another one': 'https://other.example https://bank.example',
    'a longer text than anyone reads': 'a '.repeat(2000),
    'many hosts': Array.from({ length: 40 }, (_, index) => `a${String(index)}.example`).join(' '),
    'a host below the real one': 'docs.other.example',
    'a host above the real one': 'example',
  };
  for (const [name, text] of Object.entries(hosts))
    if (name !== 'a host above the real one')
      it(name, () => {
        expect(target(other, text)).to.equal('other.example');
      });

  it('as a user name or a password of its own address', () => {
    for (const user of ['bank.example', 'bank.example:443', 'accounts:bank.example'])
      expect(target(`https://${user}@other.example/`, `https://${user}@other.example/`), user).to.equal(
        'other.example',
      );
    expect(target('https://mara@other.example/', 'https://mara@other.example/')).to.equal(undefined);
  });

  it('in its title', () => {
    expect(target(other, 'Log in', 'https://bank.example')).to.equal('other.example');
  });

  it('as a file name that `www.`, a scheme or a path makes a host', () => {
    for (const text of ['www.bank.md', 'https://bank.md', 'bank.md/login', 'login.bank.md'])
      expect(target(other, text), text).to.equal('other.example');
  });

  it('when the real host has look-alike letters, whatever the text', () => {
    expect(target('https://b\u0430nk.example', 'Log in')).to.equal('xn--bnk-6cd.example');
    expect(target('https://b\u0430nk.example', 'b\u0430nk.example')).to.equal('xn--bnk-6cd.example');
  });

  it('when the real host begins with the named one', () => {
    expect(target('https://bank.example.evil.example', 'bank.example')).to.equal('bank.example.evil.example');
  });

  const mails: readonly { href: string; text: string; real?: string }[] = [
    { href: 'mailto:thief@evil.example', text: 'user@bank.example', real: 'thief@evil.example' },
    { href: 'mailto:thief@evil.example', text: 'Write to user@bank.example.', real: 'thief@evil.example' },
    { href: 'mailto:thief@evil.example', text: 'user＠bank․example', real: 'thief@evil.example' },
    { href: 'mailto:thief%40evil.example', text: '(user@bank.example)', real: 'thief@evil.example' },
    {
      href: 'mailto:user@bank.example,thief@evil.example',
      text: 'user@bank.example',
      real: 'user@bank.example, thief@evil.example',
    },
    {
      href: 'mailto:user@bank.example?BCC=thief@evil.example',
      text: 'user@bank.example',
      real: 'user@bank.example, thief@evil.example',
    },
    {
      href: 'mailto:user@bank.example?bcc=thief@evil.example',
      text: 'user@bank.example',
      real: 'user@bank.example, thief@evil.example',
    },
    { href: 'mailto:thief@evil.example', text: 'https://bank.example', real: 'thief@evil.example' },
    { href: 'mailto:thief@evil.example', text: 'www.bank.example', real: 'thief@evil.example' },
    { href: 'mailto:thief@evil.example', text: '.https://bank.example', real: 'thief@evil.example' },
    { href: 'tel:+1900123456', text: 'www.bank.example', real: '+1900123456' },
    { href: 'mailto:user@www.bank.example', text: 'user@www.bank.example' },
    { href: 'mailto:user@bank.example', text: 'user@bank.example' },
    { href: 'mailto:User@Bank.example?subject=a@b.example', text: 'USER@bank.example' },
    { href: 'mailto:user@bank.example', text: 'Write to us' },
    { href: 'mailto:user@bank.example', text: 'user@bank.example or help@bank.example' },
    { href: 'mailto:a@b.example', text: 'bank.example', real: 'a@b.example' },
    { href: 'mailto:a@b.example', text: 'Ask bank.com today', real: 'a@b.example' },
    { href: 'mailto:a@bank.example', text: 'bank.example' },
    { href: 'mailto:a@mail.bank.com', text: 'Ask bank.com today' },
  ];
  for (const { href, text, real } of mails)
    it(`${href} as ${JSON.stringify(text)}: ${real ?? 'none'}`, () => {
      expect(target(href, text)).to.equal(real);
    });

  const numbers: readonly { href: string; text: string; real?: string }[] = [
    { href: 'tel:+449001234567', text: '0800 123 4567', real: '+449001234567' },
    { href: 'tel:+449001234567', text: 'Call 0800 123 4567 now', real: '+449001234567' },
    { href: 'tel:+449001234567', text: 'Call 112', real: '+449001234567' },
    { href: 'tel:0900112', text: '112', real: '0900112' },
    { href: 'tel:+449001234567', text: '０８００ １２３ ４５６７', real: '+449001234567' },
    { href: 'tel:+449001234567', text: '٠٨٠٠١٢٣٤٥٦٧', real: '+449001234567' },
    { href: 'tel:+449001234567', text: '๐๘๐๐๑๒๓๔๕๖๗', real: '+449001234567' },
    { href: 'tel:+449001234567', text: '০৮০০১২৩৪৫৬৭', real: '+449001234567' },
    { href: 'tel:+448001234567', text: '๐๘๐๐๑๒๓๔๕๖๗' },
    { href: 'tel:+449001234567', text: 'https://bank.example', real: '+449001234567' },
    { href: 'tel:+448001234567', text: '0800 123 4567' },
    { href: 'tel:+448001234567', text: '+44 (0) 800 123-4567' },
    { href: 'tel:+448001234567', text: 'Call us 24/7: 0800 123 4567' },
    { href: 'tel:+448001234567', text: '٠٨٠٠١٢٣٤٥٦٧' },
    { href: 'tel:+15551234;ext=89', text: '+1 555-1234 ext. 89' },
    { href: 'tel:112', text: '112' },
    { href: 'tel:+448001234567', text: '☎ 24/7' },
    { href: 'tel:+448001234567', text: 'Call us' },
    { href: 'tel:+18003569377', text: '1-800-FLOWERS' },
  ];
  for (const { href, text, real } of numbers)
    it(`${href} as ${JSON.stringify(text)}: ${real ?? 'none'}`, () => {
      expect(target(href, text)).to.equal(real);
    });
});

describe('rule 67: a link with an ordinary text stays as it is', () => {
  const texts: readonly (readonly [text: string, href?: string])[] = [
    ['the documentation'],
    ['e.g. Node.js'],
    ['Node.js'],
    ['the Node.js docs'],
    ['Vue.js / Nuxt.js'],
    ['v1.2.3'],
    ['1.2.3'],
    ['Version 2.0 (build 7.1)'],
    ['README.md'],
    ['src/main.rs:42'],
    ['main.rs:42:7'],
    ['README.md#usage'],
    ['the .gitignore file'],
    ['.gitignore'],
    ['the .com boom'],
    ['the .NET SDK'],
    ['Done. It works'],
    ['connect the dot'],
    ['HTML,CSS,JS'],
    ['React、Vue、Svelte'],
    ['pages 12–14'],
    ['files[0].name and more'],
    ['`a . b` composes two functions'],
    ['options (.json) and more'],
    ['meet (at) noon'],
    ['package.json'],
    ['vite.config.ts'],
    ['install.sh'],
    ['report.pdf'],
    ['archive.tar.gz'],
    ['setup.py and README.md'],
    ['ASP.NET Core'],
    ['console.log()'],
    ['the Array.map method'],
    ['std::vector'],
    ['::before'],
    ['12:30:45'],
    ['U.S.A.'],
    ['a.k.a. J. R. R. Tolkien'],
    ['i.e. and e.g.'],
    ['Ph.D.'],
    ['approx. 3.5 km'],
    ['1.Introduction'],
    ['It works.It is fast.'],
    ['Use ADO.NET or ASP.NET'],
    ['and/or TCP/IP'],
    ['@user'],
    ['lodash@4.17.21'],
    ['http:// and https://'],
    ['HTTPS: an introduction'],
    ['C:\\Users\\name'],
    ['col·lecció'],
    ['查看文档。了解更多'],
    ['ジョン・スミス'],
    ['שלום עולם'],
    ['日本語のページ'],
    ['Überblick'],
    ['100 % sure'],
    ['…'],
    [''],
    ['example.com/docs', 'https://www.example.com/docs'],
    ['www.example.com', 'https://example.com'],
    ['Example.COM', 'https://example.com'],
    ['https://example.com.', 'https://example.com'],
    ['example.com:443', 'https://example.com'],
    ['https://example.com:8443/x', 'https://example.com:8443/x'],
    ['(https://example.com/a_(b))', 'https://example.com/a_(b)'],
    ['https://example.com/?to=https://other.example', 'https://example.com/?to=https://other.example'],
    ['user@example.com', 'https://example.com/users/7'],
    ['jane.doe@example.com', 'https://example.com'],
    ['https://me@example.com/x', 'https://example.com/x'],
    ['1.2.3.4', 'http://1.2.3.4/x'],
    ['http://[2001:db8::1]:80/', 'http://[2001:db8::1]/'],
    ['localhost:5173', 'http://localhost:5173/'],
    ['http://localhost:5173', 'http://localhost:5173/'],
  ];
  for (const [text, href = 'https://docs.example/guide'] of texts)
    it(`${JSON.stringify(text)} to ${href}`, () => {
      expect(target(href, text)).to.equal(undefined);
    });
});

describe('rule 65: the text of a link is read in time proportional to its length', () => {
  const pieces = [
    'a.',
    'http',
    '!',
    'a-',
    'https://',
    'https://a.example ',
    '::',
    '@',
    'a@',
    '%2e',
    '1 ',
    '\u0332',
    '\u200b',
    '//',
  ];
  for (const piece of pieces)
    it(JSON.stringify(piece), () => {
      const text = piece.repeat(1e6 / piece.length);
      for (const href of ['https://a.example', 'mailto:a@b.example', 'tel:+1234567'])
        expect(target(href, text)).to.be.a('string');
    });

  it('a host that is followed by 100,000 exclamation marks', () => {
    expect(target('https://x.example/', `https://${'!'.repeat(1e5)}a`)).to.equal('x.example');
  });
});
