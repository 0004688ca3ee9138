/** Intended differences from the GFM specification, by the Markdown of the examples, with their reasons. */
const reasons: Readonly<Record<string, readonly string[]>> = {
  'an address is a link without marks, as the extension for autolinks says': [
    '<http://foo.bar/baz bim>\n',
    '< http://foo.bar >\n',
    'http://example.com\n',
    'foo@bar.example.com\n',
  ],
  'the name of a language has ASCII letters': ['``` f&ouml;&ouml;\nfoo\n```\n', '````;\n````\n'],
  'an inline element contains no blocks': ['<del>\n\n*foo*\n\n</del>\n'],
  'what a browser would move out of a table stays in it': [
    '<table>\n\n  <tr>\n\n    <td>\n      Hi\n    </td>\n\n  </tr>\n\n</table>\n',
  ],
  'CommonMark 0.31 reads comments as HTML does; GFM is based on 0.29': [
    'foo <!-- not a comment -- two hyphens -->\n',
    'foo <!--> foo -->\n\nfoo <!-- foo--->\n',
  ],
  'elements that are code or data are dropped with their content': [
    '<strong> <title> <style> <em>\n\n<blockquote>\n  <xmp> is disallowed.  <XMP> is also disallowed.\n</blockquote>\n',
  ],
};

/** The reason for each example that differs. */
export const gfmDifferences: ReadonlyMap<string, string> = new Map(
  Object.entries(reasons).flatMap(([reason, texts]) => texts.map((text) => [text, reason] as const)),
);
