/**
 * GitHub Flavored Markdown and emphasis beside scripts without spaces, compared with remark, which renders much of the
 * Markdown on the web.
 */
import { expect } from '@open-wc/testing';
import { canonicalOfHtml, canonicalOfOurs } from './support/canonical.ts';
import { examples } from './support/examples.ts';
import { referenceHtml } from './support/remark.ts';
import { grown, outline, show } from './support/show.ts';

/** What differs on purpose, and why. */
const reasons: Readonly<Record<string, readonly string[]>> = {
  'the name of a language has ASCII letters': ['```a&ouml;\nb\n```', '~~~ `x`\na\n~~~'],
  'a host may have an underscore in its last two parts': ['https://c_d.example'],
  'an address keeps its scheme': ['mailto:a@b.example xmpp:a@b.example'],
};
const differences = new Set(Object.values(reasons).flat());

/** Texts of our own for the rules of GFM: tables, tasks, strikethrough, addresses. */
const gfmRows: readonly string[] = [
  '| Name | Count |\n| --- | ---: |\n| a | 1 |\n| b | 20 |',
  '| a | b |\n| :-: | --- |\n| `x \\| y` | **z** |',
  'a | b\n--- | ---\n1 | 2',
  '| a | b |\n| --- | --- |\n| 1 |\n| 2 | 3 | 4 |',
  '| a | b |\n| --- |\n| c | d |',
  '| a | b |\n| --- | --- |\n| c | d |\n\ntext',
  '| a | b |\n| --- | --- |\n| c | d |\n# title',
  '| a | b |\n| --- | --- |\n| c | d |\n- item',
  '| a | b |\n| --- | --- |\n| c | d |\n```\ncode\n```',
  '| a | b |\n| --- | --- |\nc',
  'text\n| a | b |\n| --- | --- |\n| c | d |',
  '- item\n\n  | a | b |\n  | --- | --- |\n  | c | d |',
  '> | a |\n> | --- |\n> | b |\n\nc',
  '| a<br>b | c |\n|---|---|\n| <b>d</b> | [e](https://f.example/g) |',
  '| | b |\n|:-|-:|\n| | |\n| c | |',
  '| `a` | \\| |\n|:---|---|\n| b\\|c | d |',
  '|a|\n|-|',
  '|a|b|\n|-|-|\n|c|d|',
  'a\n\n|b|c|\n|-|-|\n|d|e|\n\n|f|\n|-|\n|g|',
  '- [ ] a\n- [x] b\n- [X] c\n- [] d\n- [y] e\n- [ ]f',
  '1. [ ] a\n2. [x] b\n\n   c',
  '- [x] a\n  - [ ] b\n\n    more\n  - c',
  '- [ ] **a** `b`\n- [ ]\n\n[ ] c',
  '~~a~~ ~b~ a~~b~~c ~~ d ~~',
  '~~a **b** c~~ **~~d~~**',
  'a ~~b\nc~~ ~~~d~~~ x~~~y',
  'H~2~O and ~~H~2~O~~ and a~b',
  '~a~~ ~~b~ \\~~c~~',
  'see https://a.example/b?c=d&e=f, and http://g.example.',
  '(https://a.example/b(c)d) https://a.example/b) https://a.example/b_(c)',
  'www.a.example/b www.a. wwwa.example',
  'https://a.example/b&amp; https://a.example/b&copy; https://a.example/b**c**',
  '**https://a.example/b** *https://a.example* `https://a.example`',
  'a@b.example, a.b-c_d+e@f.example. a@b a@b.example- a@b_c.example',
  'https://a.example:8080/b#c https://a.example/b!? https://a.example/b\'s "https://a.example"',
  '<https://a.example> [https://b.example](https://b.example) ftp://a.example',
  'a\nhttps://b.example/c\nd',
  '- https://a.example\n- b: https://c.example/d;',
  '<b>a</b> <strong>b</strong> <em>c</em>',
  ...differences,
];

/** The same in the scripts of all our languages, as models write it. */
const scriptRows: readonly string[] = [
  '**注意：**请先备份。**“重点”**。接着**第一步**，然后*（可选）*重启。',
  '1. **安装（必须）**：运行`npm i`。\n2. **配置**\n   - `a.json`：**“名称”**字段\n\n**总结：**以上。',
  '**注意：**請先備份。**「重點」**很重要，~~（舊版）~~已移除。',
  '**テスト。**です。これは**「重要」**です。*（注）*を参照、~~「旧」~~新。',
  '| 項目 | **値：**説明 |\n|---|---|\n| **「あ」**行 | `x`**（い）**う |',
  '**Note:**다음은 **강조(emphasis)**는 *‘인용’*이다. ~~(이전)~~은 삭제.',
  '- **첫째,**로\n- **“둘째”**를\n\n> **셋째:**는',
  '**ملاحظة:** هذا *نص* `code` و~~قديم~~.\n\n- **أولاً:** ابدأ\n- [رابط](https://a.example)',
  '**Важно:** это *текст*. «**цитата**» и **«цитата»**, ~~старое~~.',
  '**Remarque :** « **texte** » et *l’essai* d’**un** mot, n°**2**.',
  '**¿Qué?** *¡Ahora!* «**cita**» y **nota:** uno.',
  '**Atenção:** *não* use ~~isto~~; **“aspas”**, sim.',
  '**Achtung:** „**Zitat**“, *z. B.* **„so“**, Straße_nummer_eins.',
  '**Nota:** *perché* «**no**»? **l’**ora.',
  '**ข้อควรระวัง:**ต่อ **(ไทย)** a',
  '**हिन्दी:** *शब्द* **“उद्धरण”**',
  '𠮷**（a）**𠮷 **a**：b **a：**b **🎉b**c **c🎉**d',
];

/** Combinations that models write. */
const modelRows: readonly string[] = [
  '### 1. **Title**\n\nText:\n- **a**: b\n  ```js\n  let c;\n  ```\n- d\n\n---\n\n**End.**',
  '1. a\n\n   ```sh\n   b\n   ```\n\n2. c\n3. d\n   > e',
  'a:\n1. b\n2. c\n- d\n* e\n+ f',
  '**a**\n- b\n    - c\n        - d\n\n      e',
  '* **a:** b  \n  c\n* d\\\n  e',
  '```python\ndef f():\n    """`x`"""\n```\nand `f()`',
  '````md\n```js\na\n```\n````',
  '**Q: a?**\nA: b\n\n***\n\n_Note: c_',
  '> a\n>\n> - b\n> - c\n>\n> ```\n> d\n> ```\n\ne',
  'a<br>b<br/>c<sup>2</sup> <kbd>Ctrl</kbd>+<kbd>C</kbd>',
  '<details>\n<summary>a <b>b</b></summary>\n\n- **c**\n- d\n\n```js\ne\n```\n\n</details>\n\nf',
  '<details open>\n<summary>a</summary>\n<details>\n<summary>b</summary>\n\n*c*\n\n</details>\n\n*d*\n</details>',
  '<div align="center">\n\n# a\n\n![b](https://c.example/d.png)\n\n</div>\n\n*e*',
  '<table>\n<tr><th>a</th><th>b</th></tr>\n<tr>\n<td>\n\n**c**\n\n</td>\n<td>\n\n```js\nd\n```\n\n</td>\n</tr>\n</table>',
  '<p align="center">\n  <b>a</b><br>\n  <i>b</i>\n</p>\n\nc',
  '- a\n  <details>\n  <summary>b</summary>\n\n  c\n\n  </details>\n- d',
  'Costs $5 and $10, or $1,000. a_b_c, 2*3*4, x * y * z, 5 < 6 > 4',
  '[a][1], [1], [a] [1] and [b][]\n\n[1]: https://a.example "t"\n[b]: <https://b.example/c d>',
  '[a\nb][]\n\n[c]\n[]\n\n[a b]: https://a.example\n[c]: https://c.example',
  '![a *b* `c` [d](https://e.example)](https://f.example/g.png "h")',
  'a¹ b² [^x] \\[c\\] &copy; &amp;amp; &#x1f600;',
  '**a*b*c** ***d*** _**e**_ *__f__* **g**h **i** j',
  '**`a`**: b, *`c`*, [`d`](https://e.example), [**f**](https://g.example)',
  'a\\_b \\* c \\`d\\` e\\\\f 1\\. g',
  '2020. a\n\n1) b\n2) c\n\n10. d\n11. e',
];

const characters = (text: string): readonly string[] =>
  Array.from({ length: text.length }, (_, index) => text.slice(0, index + 1));

const suites = {
  'edge cases': examples.filter((text) => !differences.has(text)),
  gfm: gfmRows,
  scripts: scriptRows,
  models: modelRows,
};

for (const [name, rows] of Object.entries(suites))
  describe(`Markdown like remark: ${name}`, () => {
    for (const text of rows)
      it(`${JSON.stringify(text)}, whole and a character at a time`, () => {
        const { place } = show(text);
        expect(outline(grown(characters(text), text))).to.equal(outline(place));
        const [ours, expected] = [canonicalOfOurs(place), canonicalOfHtml(referenceHtml(text))];
        if (differences.has(text)) expect(ours).to.not.equal(expected);
        else expect(ours).to.equal(expected);
      });
  });
