import { expect } from '@open-wc/testing';
import { sanitizeHtml } from '../../src/safety/sanitize.ts';

const EVIL = 'href="https://evil.example/"';

/** The text of the sanitized HTML, with the real targets that were added. */
const shown = (html: string): string => sanitizeHtml(html).nodes.textContent.replace(/\s+/g, ' ').trim();

describe('rule 67: a link in model HTML', () => {
  const rows: readonly (readonly [name: string, html: string])[] = [
    ['in its text', `<a ${EVIL}>bank.example</a>`],
    ['in its title', `<a ${EVIL} title="https://bank.example">Log in</a>`],
    ['in the title of an element inside of it', `<a ${EVIL}><b title="https://bank.example">Log in</b></a>`],
    ['in the text of an image', `<a ${EVIL}><img src="https://a.example/b.png" alt="bank.example"></a>`],
    ['over several elements', `<a ${EVIL}><b>bank</b><i>.example</i></a>`],
    ['in another order', `<a ${EVIL}><bdo dir="rtl">elpmaxe.knab</bdo></a>`],
    ['on a line of its own', `<a ${EVIL}>Log in<br>bank.example</a>`],
  ];
  for (const [name, html] of rows)
    it(`shows its real target if another one stands ${name}`, () => {
      expect(shown(html)).to.match(/\(evil\.example\)$/);
    });

  const parts: readonly (readonly [name: string, html: string])[] = [
    ['in a part that is folded', 'bank.example<details><summary></summary>.evil.example</details>'],
    ['in a part that is struck', 'bank.example<s>.evil.example</s>'],
    ['in a part that is deleted', 'bank.example<del>.evil.example</del>'],
    ['on the next line, as a definition', '<dl><dt>bank.example</dt><dd>.evil.example</dd></dl>'],
    ['on the next line, as a paragraph', 'bank.example<p>.evil.example</p>'],
    ['on the next line, behind a heading', '<h3>bank.example</h3>.evil.example'],
    ['in the caption of a table', '<table><caption>bank.example</caption><tr><td>.evil.example</td></tr></table>'],
    ['in the next cell', '<table><tr><td>bank.example</td><td>.evil.example</td></tr></table>'],
    ['in the next item', '<ul><li>bank.example</li><li>.evil.example</li></ul>'],
  ];
  for (const [name, html] of parts)
    it(`rule 67: shows its real target if the end of it stands ${name}`, () => {
      expect(shown(`<a href="https://bank.example.evil.example/">${html}</a>`)).to.match(
        /\(bank\.example\.evil\.example\)$/,
      );
    });

  it('shows nothing more otherwise, and opens in a new tab', () => {
    expect(shown(`<a ${EVIL} title="Your account">Log in</a>`)).to.equal('Log in');
    expect(shown(`<s>Old</s><a ${EVIL}>Log in</a><del>, <a ${EVIL}>or not</a></del>`)).to.equal('OldLog in, or not');
    expect(shown(`<p>bank.</p><a ${EVIL}>com</a>`)).to.equal('bank.com');
    expect(shown(`<a ${EVIL}><h3>Log in</h3><p>To your account</p></a>`)).to.equal('Log inTo your account');
    expect(shown(`<a ${EVIL}>evil.example<br>Log in</a>`)).to.equal('evil.exampleLog in');
    const link = sanitizeHtml(`<a ${EVIL} target="_top" rel="opener">Log in</a>`).nodes.querySelector('a');
    expect([link?.target, link?.rel]).to.deep.equal(['_blank', 'noopener noreferrer nofollow']);
  });

  it('without a safe address is no link', () => {
    for (const href of ['javascript:alert(1)', '/logout', 'data:text/html,x', ''])
      expect(sanitizeHtml(`<a href="${href}">x</a>`).nodes.querySelector('a[href]'), href).to.equal(null);
  });
});

describe('the attributes of model HTML', () => {
  it('are those of their own element: one that another element may have is removed', () => {
    for (const html of [
      '<p href="/a" src="/b" cite="/c">x</p>',
      '<b href="https://a.example">x</b>',
      '<a src="/b">x</a>',
    ]) {
      const element = sanitizeHtml(html).nodes.firstElementChild;
      expect(element?.textContent, html).to.equal('x');
      expect(element?.getAttributeNames(), html).to.deep.equal([]);
    }
  });
});

describe('rule 102: no cell of a table in model HTML lies over another one', () => {
  /** The cells of each row, as `columns × rows`. */
  const cells = (rows: string): readonly string[] =>
    [...sanitizeHtml(`<table>${rows}</table>`).nodes.querySelectorAll('tr')].map((row) =>
      [...row.cells].map(({ colSpan, rowSpan }) => `${String(colSpan)}×${String(rowSpan)}`).join(' '),
    );

  it('a cell of several columns ends before one from a row above', () => {
    expect(cells('<tr><td>a<td rowspan=2>b</tr><tr><td colspan=2>c</tr>')).to.deep.equal(['1×1 1×2', '1×1']);
    expect(cells('<tr><td>a<td>b<td rowspan=0>c</tr><tr><td colspan=9>d</tr><tr><td colspan=9>e</tr>')).to.deep.equal([
      '1×1 1×1 1×0',
      '2×1',
      '2×1',
    ]);
    expect(cells('<tr><td rowspan=3>a<td>b</tr><tr><td colspan=2>c</tr>')).to.deep.equal(['1×3 1×1', '2×1']);
  });

  it('tables without overlaps stay as they are', () => {
    for (const rows of [
      '<tr><th colspan=2>a</tr><tr><td>b<td>c</tr>',
      '<tr><td rowspan=2>a<td colspan=2>b</tr><tr><td>c<td>d</tr>',
      '<tbody><tr><td rowspan=5>a</tr></tbody><tbody><tr><td colspan=2>b</tr></tbody>',
    ]) {
      const table = document.createElement('template');
      table.innerHTML = `<table>${rows}</table>`;
      const given = [...table.content.querySelectorAll('tr')].map((row) =>
        [...row.cells].map(({ colSpan, rowSpan }) => `${String(colSpan)}×${String(rowSpan)}`).join(' '),
      );
      expect(cells(rows)).to.deep.equal(given);
    }
  });
});
