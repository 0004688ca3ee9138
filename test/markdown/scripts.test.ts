/**
 * Everyday forms of models in the scripts of all our languages, as they reach the page: as bytes, cut anywhere, through the
 * decoder of the stream.
 */
import { expect } from '@open-wc/testing';
import { decodeUtf8 } from '../../src/transport/text.ts';
import { splitCitationMarks } from '../../src/renderers/text/find-citation-marks.ts';
import type { AgentChatMath } from '../../src/primitives/math/formula.ts';
import { chunksOf, cutsOf } from '../support/cuts.ts';
import { canonicalOfHtml, canonicalOfOurs } from './support/canonical.ts';
import { outline, show, view, wordsOf } from './support/show.ts';

interface Words {
  /** A word, and one more. */
  readonly a: string;
  readonly b: string;
  /** A word with a colon, in quotes and in parentheses, with the marks of the language. */
  readonly note: string;
  readonly quoted: string;
  readonly aside: string;
  /** What stands between words. */
  readonly gap: '' | ' ';
}

const languages: Readonly<Record<string, Words>> = {
  en: { a: 'weather', b: 'today', note: 'Note:', quoted: '“weather”', aside: '(optional)', gap: ' ' },
  de: { a: 'Straße', b: 'heute', note: 'Achtung:', quoted: '„Straße“', aside: '(wahlweise)', gap: ' ' },
  fr: {
    a: 'été',
    b: 'aujourd’hui',
    note: 'Remarque\u00a0:',
    quoted: '«\u00a0été\u00a0»',
    aside: '(facultatif)',
    gap: ' ',
  },
  es: { a: 'año', b: 'mañana', note: '¿Nota?:', quoted: '«año»', aside: '(opcional)', gap: ' ' },
  it: { a: 'perché', b: 'domani', note: 'Nota:', quoted: '«perché»', aside: '(facoltativo)', gap: ' ' },
  'pt-BR': { a: 'ação', b: 'amanhã', note: 'Atenção:', quoted: '“ação”', aside: '(opcional)', gap: ' ' },
  ru: { a: 'погода', b: 'сегодня', note: 'Важно:', quoted: '«погода»', aside: '(необязательно)', gap: ' ' },
  ar: { a: 'الطقس', b: 'اليوم', note: 'ملاحظة:', quoted: '«الطقس»', aside: '(اختياري)', gap: ' ' },
  ja: { a: '天気', b: 'です', note: '注意：', quoted: '「天気」', aside: '（任意）', gap: '' },
  ko: { a: '날씨', b: '입니다', note: '참고:', quoted: '“날씨”', aside: '(선택)', gap: '' },
  'zh-CN': { a: '天气', b: '今天𠮷', note: '注意：', quoted: '“天气”', aside: '（可选）', gap: '' },
  'zh-TW': { a: '天氣', b: '今天', note: '注意：', quoted: '「天氣」', aside: '（選用）', gap: '' },
};

interface Form {
  readonly name: string;
  readonly markdown: (words: Words) => string;
  /** What is expected, as HTML, or as a check of the elements. */
  readonly html?: (words: Words) => string;
  readonly check?: (place: HTMLElement, words: Words) => void;
}

const textOf = (element: Element | null): string => element?.textContent.replace(/\s+/g, ' ').trim() ?? '';
/** The visible text; white space at a line end is kept between scripts too. */
const textIs =
  (expected: (words: Words) => string) =>
  (place: HTMLElement, words: Words): void => {
    expect(wordsOf(place)).to.equal(expected(words).replace(/\s+/g, ' '));
  };

const forms: readonly Form[] = [
  {
    name: 'bold before the next word',
    markdown: ({ note, quoted, a, b, gap }) =>
      `**${note}**${gap}${b}${gap}**${quoted}**${gap}${b}${gap}**${a}**${gap}${b}`,
    html: ({ note, quoted, a, b, gap }) =>
      `<p><strong>${note}</strong>${gap}${b}${gap}<strong>${quoted}</strong>${gap}${b}${gap}<strong>${a}</strong>${gap}${b}</p>`,
  },
  {
    name: 'italic, struck through and bold code before the next word',
    markdown: ({ aside, a, b, gap }) =>
      `*${aside}*${gap}${b}${gap}~~${aside}~~${gap}${b}${gap}**\`a()\`**${gap}${b}${gap}***${a}***`,
    html: ({ aside, a, b, gap }) =>
      `<p><em>${aside}</em>${gap}${b}${gap}<del>${aside}</del>${gap}${b}${gap}<strong><code>a()</code></strong>${gap}${b}${gap}<em><strong>${a}</strong></em></p>`,
  },
  {
    name: 'details with blank lines, nested',
    markdown: ({ a, b, note }) =>
      `<details>\n<summary>${a}</summary>\n\n- **${note}** ${b}\n\n<details>\n<summary>${b}</summary>\n\n${a}\n\n</details>\n\n</details>\n\n${b}`,
    html: ({ a, b, note }) =>
      `<details><summary>${a}</summary><ul><li><strong>${note}</strong> ${b}</li></ul><details><summary>${b}</summary><p>${a}</p></details></details><p>${b}</p>`,
  },
  {
    name: 'a table in HTML',
    markdown: ({ a, b }) => `<table>\n<tr><th>${a}</th></tr>\n<tr>\n<td>\n\n**${b}**\n\n</td>\n</tr>\n</table>`,
    html: ({ a, b }) => `<table><tr><th>${a}</th></tr><tr><td><p><strong>${b}</strong></p></td></tr></table>`,
  },
  {
    name: 'a centred block',
    markdown: ({ a, b }) => `<div align="center">\n\n## ${a}\n\n${b}\n\n</div>`,
    html: ({ a, b }) => `<div align="center"><h2>${a}</h2><p>${b}</p></div>`,
  },
  {
    name: 'a footnote',
    markdown: ({ a, b, note }) => `${a}[^1]\n\n[^1]: **${note}** ${b}\n\n${b}`,
    check(place, { a, b, note }) {
      expect(textOf(place.querySelector('p'))).to.equal(`${a}1`);
      expect(textOf(place.querySelector('.note-mark'))).to.equal('1');
      expect(textOf(place.querySelector('.notes li > div'))).to.equal(`${note} ${b}`.replace(/\s+/g, ' '));
      expect(textOf(place.querySelector('.notes strong'))).to.equal(note.replace(/\s+/g, ' '));
    },
  },
  {
    name: 'an alert',
    markdown: ({ a, b, note }) => `> [!WARNING]\n> **${note}** ${a}\n\n${b}`,
    check(place, { a, note }) {
      expect(textOf(place.querySelector('.alert.warning > p:not(.alert-name)'))).to.equal(
        `${note} ${a}`.replace(/\s+/g, ' '),
      );
      expect(place.querySelector('blockquote')).to.equal(null);
    },
  },
  {
    name: 'alternative text',
    markdown: ({ a, b }) => `![*${a}* ${b}](https://a.example/b.png)`,
    html: ({ a, b }) => `<p><img alt="${a} ${b}" src="https://a.example/b.png"></p>`,
  },
  {
    name: 'a collapsed reference across a line end',
    markdown: ({ a, b }) => `[${a}\n${b}][]\n\n[${a} ${b}]: https://a.example`,
    html: ({ a, b }) => `<p><a href="https://a.example">${a} ${b}</a></p>`,
  },
  {
    name: 'a table',
    markdown: ({ a, b, note }) => `| ${a} | **${note}** |\n| --- | ---: |\n| \`${a}\\|${b}\` | ${b} |`,
    html: ({ a, b, note }) =>
      `<table><tr><th>${a}</th><th align="right"><strong>${note}</strong></th></tr><tr><td><code>${a}|${b}</code></td><td align="right">${b}</td></tr></table>`,
  },
  {
    name: 'tasks, and nested lists with code',
    markdown: ({ a, b, note }) =>
      `- [x] ${a}\n- [ ] **${note}** ${b}\n  1. ${a}\n     \`\`\`js\n     ${b}\n     \`\`\``,
    html: ({ a, b, note }) =>
      `<ul><li>☑ ${a}</li><li>☐ <strong>${note}</strong> ${b}<ol><li>${a}<pre><code class="language-js">${b}</code></pre></li></ol></li></ul>`,
  },
  {
    name: 'a link and an address before the next word',
    markdown: ({ a, b, gap }) => `[${a}](https://a.example/b)${gap}${b}: <https://b.example>${gap}${b}`,
    html: ({ a, b, gap }) =>
      `<p><a href="https://a.example/b">${a}</a>${gap}${b}: <a href="https://b.example">https://b.example</a>${gap}${b}</p>`,
  },
  ...(
    [
      ['a definition list is text', ({ a, b }) => `${a}\n: ${b}`],
      ['marks, tall and wiki forms are text', ({ a, b }) => `==${a}== ${b}^2^ [[${a}]] :smile: ${b}`],
      ['a container is text', ({ a, b }) => `:::note\n${a} ${b}\n:::`],
      ['prices are text', ({ a, b }) => `${a} $5, ${b} $10 \\$15`],
    ] satisfies readonly (readonly [string, (words: Words) => string])[]
  ).map(([name, markdown]): Form => ({
    name,
    markdown,
    check: textIs((words) => markdown(words).replace('\\$', '$')),
  })),
  {
    name: 'one tilde strikes through',
    markdown: ({ a }) => `${a} H~2~O`,
    html: ({ a }) => `<p>${a} H<del>2</del>O</p>`,
  },
  {
    name: 'the anchor of a heading is text',
    markdown: ({ a, b }) => `## ${a} {#id}\n\n${b}`,
    html: ({ a, b }) => `<h2>${a} {#id}</h2><p>${b}</p>`,
  },
  {
    name: 'numbered references to sources',
    markdown: ({ a, b, gap }) => `${a}[1]${gap}${b}【2†source】${gap}${a}[citation:3] \`[1]\` [9]`,
    check(place, { a, b, gap }) {
      expect(textOf(place.querySelector('p'))).to.equal(`${a}1${gap}${b}2${gap}${a}3 [1] [9]`);
      expect(Array.from(place.querySelectorAll('s-cite'), textOf)).to.deep.equal(['1', '2', '3']);
    },
  },
  {
    name: 'formulas beside prices',
    markdown: ({ a, b, gap }) => `${a}${gap}\\(x^2\\)${gap}${b}${gap}$y_1$ ${a} $5 ${b} $10\n\n\\[\nz\n\\]`,
    check(place, { a, b, gap }) {
      const formulas = Array.from(place.querySelectorAll<AgentChatMath>('agent-chat-math'), ({ formula }) =>
        formula.trim(),
      );
      expect(formulas).to.deep.equal(['x^2', 'y_1', 'z']);
      expect(wordsOf(place)).to.equal(`${a}${gap}∑${gap}${b}${gap}∑ ${a} $5 ${b} $10 ∑`);
    },
  },
];

const sources = [1, 2, 3];
const settings = {
  ...view,
  math: true,
  references: (words: string) => splitCitationMarks(words, sources, () => undefined),
};

const rendered = (text: string, beginnings: readonly string[]): HTMLElement => {
  const { place, update } = show('', true, settings);
  for (const beginning of beginnings) update(beginning, true);
  update(text);
  return place;
};

/** The text after each chunk of a stream. */
async function textsOf(chunks: readonly Uint8Array[]): Promise<readonly string[]> {
  const texts: string[] = [];
  let text = '';
  for await (const piece of decodeUtf8(chunksOf(chunks), { maxStreamBytes: 1e6 })) texts.push((text += piece));
  return texts;
}

for (const { name, markdown, html, check } of forms)
  describe(`Markdown in every script: ${name}`, () => {
    for (const [language, words] of Object.entries(languages))
      it(language, async () => {
        const text = markdown(words);
        const whole = rendered(text, []);
        const expected = outline(whole);
        if (html) expect(canonicalOfOurs(whole)).to.equal(canonicalOfHtml(html(words)));
        check?.(whole, words);
        const letters = Array.from({ length: text.length }, (_, index) => text.slice(0, index + 1));
        expect(outline(rendered(text, letters)), 'a character at a time').to.equal(expected);
        for (const cut of cutsOf(text)) {
          const texts = await textsOf(cut.chunks);
          expect(texts.at(-1), cut.name).to.equal(text);
          expect(outline(rendered(text, texts)), cut.name).to.equal(expected);
        }
      });
  });
