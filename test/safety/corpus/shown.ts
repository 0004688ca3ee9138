import { payloads } from './payload.ts';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const LINK = '[target=_blank][rel="noopener noreferrer nofollow"]';

/** Content that must be rendered among all attacks: a filter must not remove everything. */
export const shownPayloads = payloads('shown', [
  [
    'must be shown: a picture of PNG',
    `![ok](data:image/png;base64,${PIXEL})`,
    `img[src="data:image/png;base64,${PIXEL}"]`,
  ],
  [
    'must be shown: a picture of HTML',
    `<img alt=dot src="data:image/png;base64,${PIXEL}">`,
    'img[alt=dot][src^="data:image/png"]',
  ],
  ['must be shown: a link', '[ok](https://example.com/shown-1)', `a[href="https://example.com/shown-1"]${LINK}`],
  ['must be shown: a link of mail', '[ok](mailto:shown@example.com)', `a[href="mailto:shown@example.com"]${LINK}`],
  ['must be shown: a link of a telephone', '[ok](tel:+4930123)', `a[href="tel:+4930123"]${LINK}`],
  [
    'must be shown: a link in HTML',
    '<a href="https://example.com/shown-2" onclick="x()">ok</a>',
    `a[href="https://example.com/shown-2"]${LINK}`,
  ],
  ['must be shown: a bare address', 'https://example.com/shown-3', `a[href="https://example.com/shown-3"]${LINK}`],
  [
    'must be shown: a reference',
    '[ok]\n\n[ok]: https://example.com/shown-4',
    `a[href="https://example.com/shown-4"]${LINK}`,
  ],
  ['must be shown: strong words', '**shown-strong**', 'strong'],
  ['must be shown: struck words', '~~shown-struck~~', 'del'],
  ['must be shown: code', '`<script>`', 'code'],
  ['must be shown: a block of code', '```html\n<script>shown()</script>\n```', 'agent-chat-code pre code'],
  ['must be shown: a table', '| shown | b |\n|---|---|\n| 1 | 2 |', 'table td'],
  ['must be shown: a task that is done', '- [x] shown', 'li input[type=checkbox][disabled]'],
  ['must be shown: details', '<details><summary>shown-more</summary><p>text</p></details>', 'details > summary'],
  ['must be shown: keys and marks', 'Press <kbd>Ctrl</kbd>, <mark>mark</mark>, H<sub>2</sub>O', 'kbd'],
  ['must be shown: a figure', '<figure><figcaption>shown</figcaption></figure>', 'agent-chat-html figure > figcaption'],
  ['must be shown: a foreign direction', '<p dir=rtl lang=ar>مرحبا</p>', 'p[dir=rtl][lang=ar]'],
  ['must be shown: a ruby', '<ruby>漢<rt>kan</rt></ruby>', 'ruby rt'],
  [
    'must be shown: a remote picture, as a button',
    '![curve](https://charts.example/shown.png)',
    'agent-chat-image .blocked button',
  ],
]);
