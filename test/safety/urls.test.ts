import { expect, waitUntil } from '@open-wc/testing';
import fc from 'fast-check';
import { show, view } from '../markdown/support/show.ts';
import { isListed } from '../../src/safety/hosts.ts';
import { checkEndpoint, safeLink, withoutInvisible } from '../../src/safety/urls.ts';
import { effort } from '../support/effort.ts';

describe('safeLink()', () => {
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

  it('allows no other scheme, whatever the address contains', () => {
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

/** Links whose text names another host than their address. `real`: the host that must be shown beside the link. */
const links: readonly { name: string; text: string; real?: string }[] = [
  { name: 'another host', text: '[https://bank.example](https://evil.example)', real: 'evil.example' },
  { name: 'another host without a scheme', text: '[bank.example/login](https://evil.example)', real: 'evil.example' },
  {
    name: 'another host in strong text',
    text: '[**https://bank.example**](https://evil.example)',
    real: 'evil.example',
  },
  { name: 'another host in code', text: '[`bank.example`](https://evil.example)', real: 'evil.example' },
  {
    name: 'another host split into parts',
    text: '[https://ba*nk*.example](https://evil.example)',
    real: 'evil.example',
  },
  {
    name: 'another host in character references',
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
  { name: 'a host as a user name', text: '<https://bank.example@evil.example/>', real: 'evil.example' },
  {
    name: 'a host as a subdomain of another',
    text: '[bank.example](https://bank.example.evil.example)',
    real: 'bank.example.evil.example',
  },
  {
    name: 'an inline tag',
    text: 'x <a href="https://evil.example">https://<b>bank</b>.example</a>',
    real: 'evil.example',
  },
  {
    name: 'a tag in an HTML block',
    text: '<p><a href="https://evil.example">https://bank.example</a></p>',
    real: 'evil.example',
  },
  {
    name: 'look-alike letters of another script',
    text: '[b\u0430nk](https://b\u0430nk.example)',
    real: 'xn--bnk-6cd.example',
  },
  { name: 'another host with a strong part', text: '[**bank**.example](https://evil.example)', real: 'evil.example' },
  {
    name: 'another host as the alt text of an image',
    text: '[![bank.example](https://i.example/i.png)](https://evil.example)',
    real: 'evil.example',
  },
  {
    name: 'the alt text of an image in HTML',
    text: 'x <a href="https://evil.example"><img src="https://i.example/i.png" alt="bank.example"></a>',
    real: 'evil.example',
  },
  {
    name: 'the alt text of an image in an HTML block',
    text: '<p><a href="https://evil.example"><img src="https://i.example/i.png" alt="bank.example"></a></p>',
    real: 'evil.example',
  },
  {
    name: 'another host as the title',
    text: '[Log in](https://evil.example "https://bank.example")',
    real: 'evil.example',
  },
  {
    name: 'another host in reverse',
    text: '[<bdo dir="rtl">elpmaxe.knab</bdo> x](https://evil.example)',
    real: 'evil.example',
  },
  {
    name: 'right-to-left parts in a link',
    text: '[log in <span dir="rtl"><bdi>.com</bdi><bdi>bank</bdi></span>](https://evil.example)',
    real: 'evil.example',
  },
  {
    name: 'right-to-left parts in an HTML link',
    text: 'x <a href="https://evil.example">log in <span dir="rtl"><bdi>.com</bdi><bdi>bank</bdi></span></a>',
    real: 'evil.example',
  },
  {
    name: 'right-to-left parts in an HTML block',
    text: '<p><a href="https://evil.example">log in <span dir="rtl"><bdi>.com</bdi><bdi>bank</bdi></span></a></p>',
    real: 'evil.example',
  },
  {
    name: 'right-to-left marks in a link',
    text: '[\u200fcom\u200f.\u200fbank login](https://evil.example)',
    real: 'evil.example',
  },
  {
    name: 'right-to-left marks in an HTML link',
    text: 'x <a href="https://evil.example">\u200fcom\u200f.\u200fbank login</a>',
    real: 'evil.example',
  },
  {
    name: 'right-to-left marks in an HTML block',
    text: '<p><a href="https://evil.example">\u200fcom\u200f.\u200fbank login</a></p>',
    real: 'evil.example',
  },
  {
    name: 'isolated right-to-left parts in a link',
    text: '[\u2067\u2068.com\u2069\u2068bank\u2069\u2069](https://evil.example)',
    real: 'evil.example',
  },
  {
    name: 'isolated right-to-left parts in an HTML link',
    text: 'x <a href="https://evil.example">\u2067\u2068.com\u2069\u2068bank\u2069\u2069</a>',
    real: 'evil.example',
  },
  {
    name: 'isolated right-to-left parts in an HTML block',
    text: '<p><a href="https://evil.example">\u2067\u2068.com\u2069\u2068bank\u2069\u2069</a></p>',
    real: 'evil.example',
  },
  {
    name: 'code in right-to-left text in a link',
    text: '[\u05d0 com.<code>bank</code>](https://evil.example)',
    real: 'evil.example',
  },
  {
    name: 'code in right-to-left text in an HTML link',
    text: 'x <a href="https://evil.example">\u05d0 com.<code>bank</code></a>',
    real: 'evil.example',
  },
  {
    name: 'code in right-to-left text in an HTML block',
    text: '<p><a href="https://evil.example">\u05d0 com.<code>bank</code></a></p>',
    real: 'evil.example',
  },
  {
    name: 'a link beside its host, in a paragraph of a right-to-left element',
    text: '<div dir="rtl"><p>com.<a href="https://evil.example">bank</a></p></div>',
    real: 'evil.example',
  },
  {
    name: 'a link beside its host, in a cell of a right-to-left table',
    text: '<table dir="rtl"><tr><td>com.<a href="https://evil.example">bank</a></td></tr></table>',
    real: 'evil.example',
  },
  {
    name: 'a link beside its host, with right-to-left text far before it',
    text: `\u05d0 ${'long text '.repeat(40)} com.[bank](https://evil.example)`,
    real: 'evil.example',
  },
  {
    name: 'hidden content in a link',
    text: '[bank<rp> </rp>.<rp> </rp>com](https://evil.example)',
    real: 'evil.example',
  },
  {
    name: 'hidden content in an HTML link',
    text: 'x <a href="https://evil.example">bank<rp> </rp>.<rp> </rp>com</a>',
    real: 'evil.example',
  },
  {
    name: 'hidden content in an HTML block',
    text: '<p><a href="https://evil.example">bank<rp> </rp>.<rp> </rp>com</a></p>',
    real: 'evil.example',
  },
  {
    name: 'superscript content in a link',
    text: '[<ruby>bank<rt> </rt>.<rt> </rt>com</ruby>](https://evil.example)',
    real: 'evil.example',
  },
  {
    name: 'superscript content in an HTML link',
    text: 'x <a href="https://evil.example"><ruby>bank<rt> </rt>.<rt> </rt>com</ruby></a>',
    real: 'evil.example',
  },
  {
    name: 'superscript content in an HTML block',
    text: '<p><a href="https://evil.example"><ruby>bank<rt> </rt>.<rt> </rt>com</ruby></a></p>',
    real: 'evil.example',
  },
  {
    name: 'a part as an image in a link',
    text: '[bank.<img src="https://i.example/i.png" alt="com">](https://evil.example)',
    real: 'evil.example',
  },
  {
    name: 'a part as an image in an HTML link',
    text: 'x <a href="https://evil.example">bank.<img src="https://i.example/i.png" alt="com"></a>',
    real: 'evil.example',
  },
  {
    name: 'a part as an image in an HTML block',
    text: '<p><a href="https://evil.example">bank.<img src="https://i.example/i.png" alt="com"></a></p>',
    real: 'evil.example',
  },
  { name: 'only an image', text: '[![](https://i.example/i.png)](https://evil.example)', real: 'evil.example' },
  {
    name: 'an inline image with its description',
    text: '[![Our logo](data:image/png;base64,aaaa)](https://evil.example)',
    real: 'evil.example',
  },
  {
    name: 'an image in a link by reference',
    text: '[*![][i]* Welcome][l]\n\n[i]: https://i.example/i.png\n[l]: https://evil.example',
    real: 'evil.example',
  },
  {
    name: 'an image in HTML in a link',
    text: '[<img src="https://i.example/i.png">](https://evil.example)',
    real: 'evil.example',
  },
  {
    name: 'an image in an HTML link',
    text: 'x <a href="https://evil.example"><img src="https://i.example/i.png"></a>',
    real: 'evil.example',
  },
  {
    name: 'an image in Markdown in an HTML link',
    text: 'x <a href="https://evil.example">![](https://i.example/i.png)</a>',
    real: 'evil.example',
  },
  {
    name: 'an image in an HTML block',
    text: '<p><a href="https://evil.example"><b><img src="https://i.example/i.png"></b></a></p>',
    real: 'evil.example',
  },
  {
    name: 'an image with the same host',
    text: '[![](https://evil.example/i.png)](https://evil.example/i.png)',
    real: 'evil.example',
  },
  {
    name: 'code spans in right-to-left text',
    text: '[\u05d0 com.`bank`](https://evil.example)',
    real: 'evil.example',
  },
  { name: 'right-to-left text', text: '[\u05d0\u05d1 \u200f(\u05d2)](https://a.example)' },
  { name: 'code', text: '[the `send` <bdi>function</bdi>](https://a.example)' },
  {
    name: 'another host on the second line',
    text: '[Welcome<br>bank.example](https://evil.example)',
    real: 'evil.example',
  },
  { name: 'another mail address', text: '[user@bank.example](mailto:thief@evil.example)', real: 'thief@evil.example' },
  { name: 'the same mail address', text: '<user@bank.example>' },
  { name: 'a file name', text: '[README.md](https://a.example/README.md)' },
  { name: 'the same host', text: '[https://a.example/x](https://www.a.example/y)' },
  { name: 'the same host in other letter case', text: '[A.Example](https://a.example)' },
  { name: 'the same host at the end of a sentence', text: '[See https://a.example.](https://a.example)' },
  { name: 'words', text: '[the log](https://a.example)' },
  { name: 'a name with a full stop in a sentence', text: '[the Node.js docs](https://a.example)' },
  { name: 'the host of another mail address', text: '[bank.example](mailto:a@b.example)', real: 'a@b.example' },
  { name: 'the host of a mail address', text: '[bank.example](mailto:a@bank.example)' },
];

describe('rule 5: a link whose text looks like another host', () => {
  for (const { name, text, real } of links) {
    it(`${real ? 'shows the real host' : 'shows no host'}: ${name}`, async () => {
      const { place } = show(text);
      // Inline HTML is rendered after it has been sanitized.
      await waitUntil(() => place.querySelector('a'));
      expect(place.querySelectorAll('a').length).to.equal(1);
      expect(place.querySelector('.real-host')?.textContent).to.equal(real && `(${real})`);
    });
  }
});

describe('rule 67: links that are parts of a word', () => {
  const parts: Readonly<Record<string, string>> = {
    'text before it': 'Log in at bank.[com](https://evil.example) now.',
    'text after it': 'Log in at [bank](https://evil.example).com now.',
    'text on both sides': 'Log in at ba[nk.c](https://evil.example)om now.',
    'a path after a host': 'Log in at bank.com/[login](https://evil.example) now.',
    'two links': 'Log in at [bank.c](https://evil.example)[om](https://evil.example) now.',
    'four links':
      '[ba](https://evil.example)[nk](https://evil.example)[.c](https://evil.example)[om](https://evil.example)',
    'bold text before it': 'Log in at **bank.c**[om](https://evil.example) now.',
    'a bold link': 'Log in at bank.**[com](https://evil.example)** now.',
    'elements without content': 'Log in at bank.c<b></b><i></i><b></b>[om](https://evil.example) now.',
    'a hair space': 'Log in at bank\u200a.\u200a[com](https://evil.example) now.',
    'an HTML link': 'Log in at bank.c<a href="https://evil.example">om</a> now.',
    'an HTML link with text after it': 'Log in at <a href="https://evil.example">bank.c</a>om now.',
    'a link in a block of HTML': '<div><p>Log in at bank.c<a href="https://evil.example">om</a> now.</p></div>',
    'text after it in a block of HTML': '<p>Log in at <b><a href="https://evil.example">bank.c</a></b>om now.</p>',
    'a link that another end tag closes': 'Log in at <b><a href="https://evil.example">Log in, bank</b>.com now.',
    'a link that another end tag closes in a block':
      '<p>Log in at <b><a href="https://evil.example">Log in, bank</b>.com now.</p>',
    'a link that its line closes': 'Log in at **<a href="https://evil.example">Log in, bank**.com now.',
    'a link that nothing closes, in bold': 'Log in at <b>**<a href="https://evil.example">Log in, bank**</b>.com now.',
    'a link in a table of HTML': '<table><tr><td>bank.c<a href="https://evil.example">om</a></td></tr></table>',
    'a link in a table': '| a |\n| --- |\n| bank.[com](https://evil.example) |',
    'many tags without content': `Log in at bank.${'<wbr>'.repeat(400)}[com](https://evil.example) now.`,
    // Long texts are rendered in parts, of which the first ends between two of these tags.
    'many tags after it': `Log in at [bank](https://evil.example/abcdefg)${'<b></b>'.repeat(400)}.com now.`,
    'many tags before it': `Log in at bank${'<b></b>'.repeat(400)}.[com](https://evil.example) now.`,
    'many invisible characters': `Log in at bank.${'\u200b\u00ad'.repeat(400)}[com](https://evil.example) now.`,
    'many tags in HTML': `<p>Log in at bank.${'<wbr>'.repeat(200)}<a href="https://evil.example">com</a> now.</p>`,
    'many tags after it in HTML': `<p><a href="https://evil.example">bank</a>${'<wbr>'.repeat(200)}.com now.</p>`,
    'many elements around it': `<p>bank.${'<i>'.repeat(30)}<a href="https://evil.example">com</a>${'</i>'.repeat(30)}</p>`,
    'an abbreviation in HTML': '<p>Log in at bank.<abbr><a href="https://evil.example">com</a></abbr> now.</p>',
    'ruby text': 'Log in at <ruby>bank.<rt>x</rt></ruby>[com](https://evil.example) now.',
    'a formula': 'Log in at $\\mathrm{bank.}$[com](https://evil.example) now.',
    'an image': 'Log in at ![](https://i.example/i.png)[com](https://evil.example) now.',
    'an image in HTML': '<p>Log in at <img src="https://i.example/i.png"><a href="https://evil.example">com</a></p>',
    'a formula after it': 'Log in at [bank](https://evil.example)$\\mathrm{.com}$ now.',
    'after right-to-left text': 'שלום [com](https://evil.example).bank-of-x שלום',
    'with a prefix': 'שלום ב[com](https://evil.example).paypal שלום',
    'code after right-to-left text': 'שלום `com`.[paypal](https://evil.example)',
    'two links after right-to-left text': 'שלום [com](https://evil.example)[paypal.](https://evil.example)',
    'in HTML from right to left': '<p dir="rtl"><a href="https://evil.example">com</a>.paypal</p>',
    'in a cell from right to left':
      '<table><tr><td dir="rtl">\n<a href="https://evil.example">com</a>.paypal\n\n**x**\n</td></tr></table>',
    'after a direction override': 'Log in: \u202e([com](https://evil.example).knab)',
    'in an element with another direction': '<bdo dir="rtl">oh [com](https://evil.example).knab</bdo>',
    'in such an element in HTML': '<p><bdo dir="rtl">oh <a href="https://evil.example">com</a>.knab</bdo></p>',
    'the host of a mail address': 'Write to info@[bank.com](mailto:x@evil.example) now.',
    'the end of a mail address': 'Write to info[@bank.com](mailto:info@evil.example) now.',
  };
  for (const [name, text] of Object.entries(parts))
    it(`show the real host: ${name}`, async () => {
      const { place } = show(text, false, { ...view, math: true });
      await waitUntil(() => place.querySelector('a'));
      expect(place.querySelector('.real-host')?.textContent).to.match(/^\((?:\w+@)?evil\.example\)$/);
    });

  const ordinary: Readonly<Record<string, string>> = {
    'a list': '[a.com](https://a.com),[b.com](https://b.com)/[c.com](https://c.com)',
    'text without spaces': '请访问[a.com](https://a.com)查看',
    'a scheme': 'https://[a.com](https://a.com)',
    'a path of the host': 'a.com/[docs](https://a.com/docs)',
    'a number after a name': 'Source: a.com[1](https://b.com)',
    'a file name': '[Node](https://a.example).js and [vite](https://a.example).config.ts',
    'a method': '`Array`.[map](https://a.example) and [Array](https://a.example).from',
    'the end of a sentence': 'It works.[See the log](https://a.example).',
    'a word': 'pre[fix](https://a.example)es and [re](https://a.example)-use',
    'words in HTML': '<p>See <a href="https://a.example">this</a>, <a href="https://a.com">a.com</a>.</p>',
    'another host before a space': 'Unlike bank.com [this](https://a.example) is free.',
    'a formula': '$x$[y](https://a.example) and $k$-[means](https://a.example)',
    'an image before a space': '![](https://i.example/i.png) [y](https://a.example)',
    'a formula before a space': '$x + y$ [y](https://a.example)',
    'right-to-left text': 'שלום ב[Node](https://a.example).js ו[docs](https://a.example)',
    'a mail address after a word': '请联系[me@a.com](mailto:me@a.com)',
    'a letter after an element with another direction': '<bdo dir="ltr">x</bdo> [y](https://a.example)',
    'a long paragraph': 'An [ordinary](https://a.example) text. '.repeat(200),
    'a long paragraph without spaces': '这是[链接](https://a.example)的文字，'.repeat(200),
    'many tags': `<p>${'<b>x</b> '.repeat(200)}<a href="https://a.example">y</a> <a href="https://a.example">z</a></p>`,
  };
  for (const [name, text] of Object.entries(ordinary))
    it(`show no host: ${name}`, async () => {
      const { place } = show(text, false, { ...view, math: true });
      await waitUntil(() => place.querySelector('a'));
      expect(place.querySelector('.real-host')).to.equal(null);
    });
});

describe('rule 67: a host beside a link, as if the widget had written it', () => {
  const link = '[Log in here](https://evil.example/p)';
  const htmlLink = '<a href="https://evil.example/p">Log in here</a>';
  const forged: Readonly<Record<string, string>> = {
    'in parentheses': `${link} (bank.com)`,
    'without a space': `${link}(bank.com)`,
    'with any ending': `${link} (bank.app)`,
    'in a quote': `> ${link} (bank.com)`,
    'in the header of a table': `|${link} (bank.com)|x|\n|-|-|`,
    'in other brackets': `${link} [bank.com]`,
    'after punctuation': `${link}: (bank.com)`,
    'after a dot in the middle': `${link} · bank.com`,
    'in wide brackets': `${link}（bank.com）`,
    'in quotation marks': `${link} “bank.com”`,
    'without brackets': `${link} bank.com`,
    'after a dash': `${link} – bank.com`,
    'after a line break': `${link}\n(bank.com)`,
    'after an HTML line break': `${link}<br>(bank.com)`,
    'as code': `${link} \`bank.com\``,
    'as code in parentheses': `${link} (\`bank.com\`)`,
    'as emphasis': `${link} *(bank.com)*`,
    'after an emphasized link': `**${link}** (bank.com)`,
    'in small text': `${link} <small>(bank.com)</small>`,
    'with words': `${link} (at bank.com)`,
    'spelled in another way': `${link} (bank[.]com)`,
    'after many spaces': `${link}${'&nbsp; '.repeat(300)}(bank.com)`,
    'after many elements': `${link}${'<b> </b>'.repeat(400)}(bank.com)`,
    'in another direction': `${link} <bdo dir="rtl">)moc.knab(</bdo>`,
    'after an HTML link': `${htmlLink} (bank.com)`,
    'in a block of HTML': `<div><p>${htmlLink} <cite>(bank.com)</cite></p></div>`,
    'in a block of HTML after many elements': `<p>${htmlLink}${'<b> </b>'.repeat(200)}(bank.com)</p>`,
    'before the link': `(bank.com) ${link}`,
    'before the link and a line break': `(bank.com)\n${link} (now)`,
    'before an HTML link': `<p><b>(bank.com)</b> ${htmlLink}</p>`,
    'in the next part of a long paragraph': `${'word '.repeat(1)}${`${link} `.repeat(900)}(bank.com)`,
    'a mail address': '[Write to us](mailto:x@evil.example) (boss@bank.com)',
    'a telephone number': '[Call us](tel:+19005551234) (+1 800 555 1000)',
  };
  for (const [name, text] of Object.entries(forged))
    it(`adds the real target: ${name}`, async () => {
      const { place } = show(text, false, { ...view, math: true });
      await waitUntil(() => place.querySelector('a'));
      expect(place.querySelector('.real-host')?.textContent).to.match(/^\((?:x@)?evil\.example\)$|^\(\+19005551234\)$/);
    });

  const ordinary: Readonly<Record<string, string>> = {
    'its own host': '[the log](https://a.com/x) (a.com) and [others](https://www.b.com) (b.com)',
    'lines with their own hosts': '[the log](https://a.com) (a.com)\n[others](https://b.com) (b.com)',
    'a host in the next sentence': 'See [the log](https://a.com). B.com is another one.',
    'a list': '[the log](https://a.com), b.com, c.com',
    'a link that names its host': '[a.com](https://a.com) (b.com)',
    'words in parentheses': '[the log](https://a.com) (of 12.5.2026, 3.5 MB, e.g. for Node.js)',
    'a file name': '[the log](https://a.com) (`package.json`)',
    'a number': '[Call us](tel:+19005551234) (24/7)',
    'words after a mail link': '[Write to us](mailto:me@a.com) (or to me)',
    'a host before it': 'Unlike bank.com [this](https://a.example) is free. (bank.com), [this](https://a.example)',
    'a formula': '[Euler](https://a.example) $e^x$',
    'mail addresses in a long paragraph': 'a@b.example '.repeat(900),
    'mail addresses without a blank between them': 'a@b.c-'.repeat(1800),
    'addresses in a long paragraph': 'See https://a.example/b for **more**, '.repeat(400),
    'right-to-left text': 'שלום [docs](https://a.example) (שלום)',
  };
  for (const [name, text] of Object.entries(ordinary))
    it(`adds nothing: ${name}`, async () => {
      const { place } = show(text, false, { ...view, math: true });
      await waitUntil(() => place.querySelector('a'));
      expect(place.querySelector('.real-host')).to.equal(null);
    });
});

describe('rule 67: the title of an element around a link', () => {
  const titles: Readonly<Record<string, string>> = {
    'in a line': '<abbr title="TITLE">[x](https://evil.example)</abbr>',
    'in a link': '[<abbr title="TITLE">x</abbr>](https://evil.example)',
    'in a block of HTML': '<div title="TITLE"><p><a href="https://evil.example">x</a></p></div>',
  };
  for (const [name, text] of Object.entries(titles))
    it(`does not show a host: ${name}`, async () => {
      for (const [title, shown] of [
        ['https://bank.example', null],
        ['Hypertext', 'Hypertext'],
      ] as const) {
        const { place } = show(text.replace('TITLE', title));
        await import('../../src/safety/sanitize.ts');
        await new Promise(requestAnimationFrame);
        expect(place.querySelectorAll('a').length).to.equal(1);
        expect(place.querySelector('[title]')?.getAttribute('title') ?? null).to.equal(shown);
      }
    });
});

it('rule 67: a link with a formula in it shows its host', () => {
  const { place } = show('[$\\mathrm{bank.example}$](https://evil.example)', false, { ...view, math: true });
  expect(place.querySelector('.real-host')?.textContent).to.equal('(evil.example)');
});

describe('links in Markdown', () => {
  it('isolate controls that change the text direction', () => {
    const { place } = show('[name \u202egnp.exe](https://a.example "a\u202eb") x');
    expect(place.querySelector('a')?.dir).to.equal('auto');
    expect(place.querySelector('a')?.title).to.equal('ab');
  });

  it('decode an address once', () => {
    const { place } = show('[a](https://a.example/?x=1&amp;y=&amp;amp; "b &amp; c")');
    expect(place.querySelector('a')?.getAttribute('href')).to.equal('https://a.example/?x=1&y=&amp;');
    expect(place.querySelector('a')?.title).to.equal('b & c');
  });

  it('with a blocked address are plain text', () => {
    const { place } = show('[a *b*](javascript:x) [c](/logout)');
    expect(place.querySelector('a')).to.equal(null);
    expect(place.textContent.trim()).to.equal('a b c');
  });
});

describe('withoutInvisible()', () => {
  it('rule 7: removes every control that changes the text direction', () => {
    expect(withoutInvisible('a\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061cb')).to.equal(
      'ab',
    );
    expect(withoutInvisible('שלום')).to.equal('שלום');
  });
});

describe('isListed()', () => {
  const rows: readonly { url: string; hosts: string; expected: boolean }[] = [
    { url: 'https://a.example/x', hosts: 'a.example', expected: true },
    { url: 'https://a.example/x', hosts: 'b.example  A.EXAMPLE', expected: true },
    { url: 'https://a.example:8443/x', hosts: 'a.example:8443', expected: true },
    { url: 'https://a.example:8443/x', hosts: 'a.example', expected: true },
    { url: 'https://a.example/x', hosts: 'b.example\n\ta.example', expected: true },
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
    { url: 'https://a.example/x', hosts: 'a.example:8443', expected: false },
    // It has no host, and neither has the space at the start of the list.
    { url: 'file:///x', hosts: ' a.example', expected: false },
  ];
  for (const { url, hosts, expected } of rows) {
    it(`${url} is ${expected ? '' : 'not '}on "${hosts}"`, () => {
      expect(isListed(new URL(url), hosts, 'https://own.example')).to.equal(expected);
    });
  }
});

describe('checkEndpoint()', () => {
  const page = { href: 'http://own.example:8080/chat', origin: 'http://own.example:8080' };
  const rows: readonly { endpoint: string; expected: string | RegExp }[] = [
    { endpoint: 'https://a.example/x', expected: 'https://a.example/x' },
    { endpoint: 'wss://a.example/x', expected: 'wss://a.example/x' },
    { endpoint: '/api', expected: 'http://own.example:8080/api' },
    { endpoint: 'ws://own.example:8080/api', expected: 'ws://own.example:8080/api' },
    { endpoint: 'http://localhost:3000/', expected: 'http://localhost:3000/' },
    { endpoint: 'ws://localhost/', expected: 'ws://localhost/' },
    { endpoint: 'http://agent.localhost/', expected: 'http://agent.localhost/' },
    { endpoint: 'http://127.1.2.3/', expected: 'http://127.1.2.3/' },
    { endpoint: 'http://[::1]:3000/', expected: 'http://[::1]:3000/' },
    { endpoint: 'http://own.example/api', expected: /not encrypted/ },
    { endpoint: 'http://a.example/', expected: /not encrypted/ },
    { endpoint: 'ws://a.example/', expected: /not encrypted/ },
    { endpoint: 'http://notlocalhost/', expected: /not encrypted/ },
    { endpoint: 'http://localhost.a.example/', expected: /not encrypted/ },
    { endpoint: 'http://a.localhost.example/', expected: /not encrypted/ },
    { endpoint: 'http://127.a.example/', expected: /not encrypted/ },
    { endpoint: 'http://127.0.0.1.a.example/', expected: /not encrypted/ },
    { endpoint: 'http://a.127.0.0.1.example/', expected: /not encrypted/ },
    { endpoint: 'http://[::1:1]/', expected: /not encrypted/ },
    { endpoint: 'http://128.0.0.1/', expected: /not encrypted/ },
    { endpoint: 'javascript:alert(1)', expected: /scheme "javascript:"/ },
    { endpoint: 'data:text/plain,x', expected: /scheme "data:"/ },
    { endpoint: 'blob:https://a.example/x', expected: /scheme "blob:"/ },
    { endpoint: 'file:///etc/passwd', expected: /scheme "file:"/ },
    { endpoint: 'ftp://a.example/', expected: /scheme "ftp:"/ },
    { endpoint: 'https://', expected: /not a URL/ },
    // The browser refuses it with an error that contains the password, which the page would get.
    { endpoint: 'https://ann:secret@a.example/', expected: /^The endpoint has a user name or a password/ },
    { endpoint: 'https://key-of-ann@a.example/', expected: /^The endpoint has a user name or a password/ },
    { endpoint: 'https://@a.example/', expected: 'https://a.example/' },
    { endpoint: 'wss://key-of-ann@a.example/', expected: 'wss://key-of-ann@a.example/' },
    { endpoint: 'wss://ann:secret@a.example/', expected: 'wss://ann:secret@a.example/' },
  ];
  for (const { endpoint, expected } of rows) {
    it(`rule 22: ${endpoint} ${typeof expected === 'string' ? 'can be used' : `cannot be used: ${expected.source}`}`, () => {
      const checked = checkEndpoint(endpoint, page);
      if (typeof expected === 'string') expect(checked).to.have.property('href', expected);
      else expect(checked).to.match(expected);
    });
  }
});
