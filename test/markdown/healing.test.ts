import { expect } from '@open-wc/testing';
import { show, wordsOf } from './support/show.ts';

/**
 * Texts that are rendered without marks. While they stream, no mark is shown, and only prefixes of the final text are
 * shown.
 */
const texts: readonly string[] = [
  'Plain **bold** and *em*, ***both***, __bold__, _em_ and ~~gone~~.',
  '**bold *em in it* and more** then **bold**, **again**.',
  '*em **bold in it** and more* then',
  'Some `code` and ``co`de`` in a line, `a b` and `**not bold**`.'.replaceAll('**', '').replace('co`de', 'code'),
  'A [link](https://a.example/path?x=1&y=2 "title") and [**bold link**](https://b.example) here.',
  'A [link with `code`](https://a.example/(x)_y) here.',
  'Pictures ![of a cat](https://a.example/cat.png) and ![a dog](https://a.example/dog.png "Dog") between.',
  '[a]: https://a.example\n[two]: https://b.example\n\nReference [one][a] and [two][] and [a].\n\nEnd.',
  '# Heading **one**\n\nText\n\n## Heading two\n\nMore',
  'Title\n=====\n\nSmaller\n-------\n\nText',
  '- one\n- two **bold**\n  - nested `code`\n  - nested\n- three\n\nText',
  '* one\n* two\n\n* three\n\n+ four',
  '> A quote with **bold**\n> and a second line\n>\n> > nested\n\nText',
  '- [ ] open task\n- [x] done **task**\n- [ ] last',
  '| a | b |\n|---|:-:|\n| one | **two** |\n| `three` | four |\n\nText',
  'Text\n\n| a | b |\n| --- | --- |\n| one | two |',
  'Before\n\n---\n\nbetween\n\n***\n\nafter\n\n___\n\nend',
  'Code:\n\n```js\nlet a = 1;\nlet b = 2;\n```\n\nText',
  'Code:\n\n~~~\nplain code\n~~~\n\nText',
  '- item\n\n  ```py\n  print(1)\n  ```\n\n- next',
  'Entities &copy; and &#169; and &#x1F600; and &nbsp; and more.',
  'Inline <b>bold</b>, <kbd>Ctrl</kbd> and <span title="a > b" lang=de>Wort</span>, <br> and <i>em</i>.',
  '<p>A block of <b title="x">HTML</b> with an &eacute;.</p>\n\nText',
  '<details>\n<summary>More</summary>\n\n**bold** inside\n\n</details>\n\nText',
  '<!-- a comment -->\n\nText <!-- another --> here',
  'Escapes \\(x\\) and \\. and \\! here.',
  'A line  \nbroken\\\nin three',
  '中文**粗体**，还有`代码`和[链接](https://a.example)。',
  '😀 **🎈** 👩‍👩‍👧 *🇩🇪* end',
  'Deep **bold *em ~~gone `code` x~~ y* z** end',
  'Marks before others: **`code`**, *[a link](https://a.example)* and _~~gone~~_ here.',
  '1. first\n2. second\n   1. inner\n10. tenth',
  'A word_with_underscores stays and **bold_with_one** too.'.replaceAll('_', ''),
];

/** A mark, an address, or an incomplete tag or reference. */
const RAW = /[*_`~[\]<>|#\\]|https?:|\(http|^[-+>] |&\w|&#/u;

describe('no raw mark is shown while a text is streaming', () => {
  for (const text of texts) {
    it(JSON.stringify(text), () => {
      const end = wordsOf(show(text).place);
      const { place, update } = show('', true);
      const seen: string[] = [];
      for (let length = 1; length <= text.length; length++) {
        update(text.slice(0, length), true);
        const words = wordsOf(place);
        const bare = words.replaceAll('https://c.example/d_e', '');
        if (RAW.test(bare) || !end.startsWith(words)) seen.push(`${JSON.stringify(text.slice(0, length))}: ${words}`);
      }
      expect(seen).to.deep.equal([]);
    });
  }
});
