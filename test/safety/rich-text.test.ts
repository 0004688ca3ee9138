import { expect, fixture } from '@open-wc/testing';
import { html, type TemplateResult } from 'lit';
import { toRichText } from '../../src/safety/rich-text.ts';

const rows: readonly { readonly name: string; readonly shown: TemplateResult; readonly expected: string }[] = [
  {
    name: 'keeps text, lists and tables, without classes and styles',
    shown: html`<p class="x" style="color: red" dir="auto">A <strong>b</strong></p>
      <ol start="3">
        <li>c</li>
      </ol>`,
    expected: '<p dir="auto">A <strong>b</strong></p><ol start="3"><li>c</li></ol>',
  },
  {
    name: 'removes the widget’s own elements around them',
    shown: html`<my-part><p>A</p></my-part>
      <section>B</section>`,
    expected: '<p>A</p>B',
  },
  {
    name: 'removes buttons, icons, and text for screen readers only',
    shown: html`A<button>1</button><svg><path d="M0 0" /></svg><i hidden>no</i><span class="hidden-visually">no</span
      ><span aria-hidden="true">no</span>`,
    expected: 'A',
  },
  {
    name: 'keeps links with a safe address only',
    shown: html`<a href="https://a.example/b" target="_blank">A</a><a href="javascript:alert(1)">B</a>`,
    expected: '<a href="https://a.example/b">A</a><a>B</a>',
  },
  {
    name: 'keeps images with a web address only',
    shown: html`<img src="https://a.example/b.png" alt="A" /><img
        src="data:image/gif;base64,R0lGODlhAQABAAAAACw="
        alt="B"
      />`,
    expected: '<img src="https://a.example/b.png" alt="A"><img alt="B">',
  },
  {
    name: 'keeps no image that would be loaded without encryption',
    shown: html`<img src="http://a.example/b.png" alt="A" />`,
    expected: '<img alt="A">',
  },
  {
    name: 'keeps the source of a quotation with a safe address only',
    shown: html`<q cite="https://a.example/b">A</q><q cite="javascript:alert(1)">B</q>`,
    expected: '<q cite="https://a.example/b">A</q><q>B</q>',
  },
  {
    name: 'keeps code without its toolbar',
    shown: html`<agent-chat-code
      ><div>ts</div>
      <pre><code>let a &lt; 1;</code></pre>
    </agent-chat-code>`,
    expected: '<pre><code>let a &lt; 1;</code></pre>',
  },
  {
    name: 'writes a formula as its source, and removes highlights',
    shown: html`<span class="formula-source" aria-hidden="true">$x$</span><math><mi>x</mi></math>
      <input type="checkbox" checked disabled /><input type="checkbox" disabled />`,
    expected: '<span>$x$</span>☑ ☐ ',
  },
];

describe('rich text for the clipboard', () => {
  for (const { name, shown, expected } of rows) {
    it(name, async () => {
      const box = await fixture(html`<div>${shown}</div>`);
      const richText = toRichText([box]);
      expect(richText.replace(/>\s+/g, '>').replace(/\s+/g, ' ')).to.equal(`<div>${expected}</div>`);
    });
  }

  for (const name of 'style script template iframe object embed noscript svg math title textarea select option'.split(
    ' ',
  )) {
    it(`leaves out <${name}> with its content`, () => {
      const box = document.createElement('div');
      const inside = document.createElement('b');
      inside.append('no');
      const left = document.createElement(name);
      left.append('no', inside);
      box.append('A', left, 'B');
      expect(toRichText([box])).to.equal('<div>AB</div>');
    });
  }
});
