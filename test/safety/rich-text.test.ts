import { expect, fixture } from '@open-wc/testing';
import { html, type TemplateResult } from 'lit';
import { richText } from '../../src/safety/rich-text.ts';

const rows: readonly { readonly name: string; readonly shown: TemplateResult; readonly expected: string }[] = [
  {
    name: 'words, lists and tables as they are, without classes and styles',
    shown: html`<p class="x" style="color: red" dir="auto">A <strong>b</strong></p>
      <ol start="3">
        <li>c</li>
      </ol>`,
    expected: '<p dir="auto">A <strong>b</strong></p><ol start="3"><li>c</li></ol>',
  },
  {
    name: 'what is ours around them is not there',
    shown: html`<my-part><p>A</p></my-part>
      <section>B</section>`,
    expected: '<p>A</p>B',
  },
  {
    name: 'no buttons, pictures of ours, and words for screen readers alone',
    shown: html`A<button>1</button><svg><path d="M0 0" /></svg><i hidden>no</i><span class="hidden-visually">no</span>`,
    expected: 'A',
  },
  {
    name: 'links that lead somewhere, and no others',
    shown: html`<a href="https://a.example/b" target="_blank">A</a><a href="javascript:alert(1)">B</a>`,
    expected: '<a href="https://a.example/b">A</a><a>B</a>',
  },
  {
    name: 'pictures of the web alone',
    shown: html`<img src="https://a.example/b.png" alt="A" /><img
        src="data:image/gif;base64,R0lGODlhAQABAAAAACw="
        alt="B"
      />`,
    expected: '<img src="https://a.example/b.png" alt="A"><img alt="B">',
  },
  {
    name: 'code without what stands around it',
    shown: html`<agent-chat-code
      ><div>ts</div>
      <pre><code>let a &lt; 1;</code></pre>
    </agent-chat-code>`,
    expected: '<pre><code>let a &lt; 1;</code></pre>',
  },
  {
    name: 'a formula as its source, and what is done with a mark',
    shown: html`<span class="formula-source" aria-hidden="true">$x$</span><math><mi>x</mi></math>
      <input type="checkbox" checked disabled /><input type="checkbox" disabled />`,
    expected: '<span>$x$</span>☑ ☐ ',
  },
];

describe('what is on show, for the clipboard', () => {
  for (const { name, shown, expected } of rows) {
    it(name, async () => {
      const box = await fixture(html`<div>${shown}</div>`);
      const found = richText([box]);
      expect(found.replace(/>\s+/g, '>').replace(/\s+/g, ' ')).to.equal(`<div>${expected}</div>`);
    });
  }
});
