import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { decodeEntities } from '../../src/safety/entities.ts';
import { filterHtml } from '../../src/safety/filter-html.ts';
import { readHtmlPieces, textOfHtml } from '../../src/safety/read-html.ts';
import { trustedPolicy } from '../../src/safety/policy.ts';
import { htmlAttacks } from './support/html-attacks.ts';
import { effort } from '../support/effort.ts';

/** The elements that the browser's parser finds. A strict CSP would report these. */
const elementsOf = (markup: string): Element[] => [
  ...new DOMParser().parseFromString(`<body>${markup}`, 'text/html').body.querySelectorAll('*'),
];

describe('filterHtml()', () => {
  it('leaves nothing that a CSP would report, before any parsing', () => {
    for (const { name, input } of htmlAttacks) {
      for (const element of elementsOf(filterHtml(input))) {
        expect(element.localName, name).to.not.match(
          /^(?:script|style|link|meta|base|iframe|object|embed|form|svg|math)$/,
        );
        for (const attribute of element.attributes)
          expect(attribute.name, name).to.not.match(/^on|^style$|^src(?:set|doc)$|^form/);
      }
    }
  });

  it('does so for tags and marks in any order', () => {
    const mark = fc.constantFrom(
      '<',
      '>',
      '/',
      '"',
      "'",
      '=',
      ' ',
      '!',
      '--',
      '<!--',
      '-->',
      '<b',
      '<script',
      '</script',
      'onclick',
      'style',
      'title',
      'svg',
      '<svg',
      '<p',
      '&lt;',
      '&#34;',
      '\0',
      '`',
      'x',
      '<![CDATA[',
      ']]>',
      '?',
    );
    fc.assert(
      fc.property(fc.array(mark, { maxLength: 30 }), (marks) => {
        const filtered = filterHtml(marks.join(''));
        for (const element of elementsOf(filtered)) {
          expect(['b', 'p']).to.include(element.localName);
          for (const { name } of element.attributes) expect(name).to.equal('title');
        }
        expect(filterHtml(filtered)).to.equal(filtered);
      }),
      { numRuns: effort(2000) },
    );
  });
});

describe('rule 60: HTML that a browser would lay out for seconds', () => {
  for (const [source, filtered] of [
    ['<ol start="-2147483648" type="i"><li value="2147483647">', '<ol type="i"><li>'],
    ['<ol start="3"><li value="-7">', '<ol start="3"><li value="-7">'],
    ['<col span="1000"><col span="2">', '<col><col span="2">'],
  ] as const)
    it(`leaves out numbers that are too large: ${source}`, () => {
      expect(filterHtml(source)).to.equal(filtered);
    });
});

describe('a dropped tag inside a character reference', () => {
  for (const input of ['&l<x-y>t;', '&l</x-y>t;', '&l<!---->t;', '&#x3<script></script>c;']) {
    it(`makes no character that ${input} does not have`, () => {
      const template = document.createElement('template');
      template.innerHTML = trustedPolicy()?.createHTML(filterHtml(input)) ?? filterHtml(input);
      expect(template.content.textContent).not.to.include('<');
      expect(textOfHtml(input)).not.to.include('<');
    });
  }
});

describe('textOfHtml()', () => {
  const rows: readonly { name: string; input: string; expected: string }[] = [
    { name: 'tags', input: '<p>a <b>b</b></p>', expected: 'a b' },
    { name: 'references', input: 'a &amp; b&#32;c', expected: 'a & b c' },
    { name: 'code', input: 'a<script>b</script><style>c</style>d', expected: 'ad' },
    { name: 'comments', input: 'a<!-- <b>b</b> -->c<!-->d<?x?>e</ x>f', expected: 'acdef' },
    { name: 'an incomplete tag', input: 'a<b title="x', expected: 'a' },
    { name: 'signs', input: 'a < b <3 c', expected: 'a < b <3 c' },
    { name: 'a less-than sign at the end', input: 'a <', expected: 'a ' },
  ];
  for (const { name, input, expected } of rows) {
    it(`handles ${name}`, () => {
      expect(textOfHtml(input)).to.equal(expected);
    });
  }
});

describe('readHtmlPieces()', () => {
  /** Quadratic time for any of these would take minutes and exceed the runner's time limit. */
  for (const unit of [
    '<a ',
    '<a "',
    "<a '",
    '<a =',
    '<a ="',
    '<a = ',
    '<',
    '</',
    '</a',
    '<!',
    '<!--',
    '<a b=c ',
    'a&',
    '<a/',
    '<a  ',
  ]) {
    it(`reads a text of repeated ${JSON.stringify(unit)} once`, () => {
      const text = unit.repeat(200_000);
      expect([...readHtmlPieces(text)].length).to.be.below(2 * text.length);
    });
  }
});

describe('decodeEntities()', () => {
  const rows: readonly { input: string; expected: string }[] = [
    { input: 'a', expected: 'a' },
    { input: '&amp;lt;', expected: '&lt;' },
    { input: '&lt;b&gt;', expected: '<b>' },
    { input: '&#65;&#x42;&#X43;', expected: 'ABC' },
    { input: 'a&#32;b&#10;c&Tab;d', expected: 'a b\nc\td' },
    { input: '&nbsp;', expected: '\u00a0' },
    { input: '&#x1F600;', expected: '😀' },
    { input: '&#0;&#xD800;&#1114112;', expected: '\ufffd\ufffd\ufffd' },
    { input: '&ngE;', expected: '\u2267\u0338' },
    { input: '&copy &nope; & &;', expected: '&copy &nope; & &;' },
    { input: '&constructor;', expected: '&constructor;' },
  ];
  for (const { input, expected } of rows) {
    it(JSON.stringify(input), () => {
      expect(decodeEntities(input)).to.equal(expected);
    });
  }
});

describe('the Trusted Types policy', () => {
  it('is created once, and shared by every copy of this module', async () => {
    const { trustedTypes } = globalThis as unknown as { trustedTypes: { createPolicy(name: string): unknown } };
    const made: string[] = [];
    const { createPolicy } = trustedTypes;
    trustedTypes.createPolicy = function (this: unknown, ...all: [string]) {
      made.push(all[0]);
      return createPolicy.apply(this, all);
    };
    try {
      const first = trustedPolicy();
      const copy = '/src/safety/policy.ts?copy';
      const other = (await import(copy)) as { trustedPolicy: typeof trustedPolicy };
      expect(other.trustedPolicy).to.not.equal(trustedPolicy);
      expect(other.trustedPolicy()).to.equal(first);
      expect(trustedPolicy()).to.equal(first);
      expect(made.length).to.be.at.most(1);
    } finally {
      Reflect.deleteProperty(trustedTypes, 'createPolicy');
    }
  });
});
