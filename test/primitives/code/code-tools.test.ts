import { expect, fixture, html, nextFrame, waitUntil } from '@open-wc/testing';
import { createLocalize } from '../../../src/locales/localize.ts';
import type { AgentChatCode } from '../../../src/primitives/code/code-block.ts';
import type { AgentChatCodeTools, Diagram } from '../../../src/primitives/code/code-tools.ts';
import '../../../src/components/conversation-chunk.ts';
import { named } from '../../renderers/support/show.ts';
import { savedBy } from '../../support/saved.ts';

const localize = createLocalize('en');
const LONG = `const long = '${'words '.repeat(200)}';\nlet short;`;

/** A narrow code block with its toolbar. */
async function make(code: string, more: Partial<AgentChatCode> = {}): Promise<AgentChatCode> {
  const element = await fixture<AgentChatCode>(html`<agent-chat-code .localize=${localize}></agent-chat-code>`);
  Object.assign(element, { code, language: 'ts' }, more);
  await waitUntil(() => element.querySelector('[aria-label="Download"]') !== null, 'tools come', { timeout: 10_000 });
  return element;
}
const names = (element: AgentChatCode): readonly string[] =>
  [...element.querySelectorAll('agent-chat-code-tools button')].map(
    (button) => button.getAttribute('aria-label') ?? button.textContent.trim(),
  );
const classes = (element: AgentChatCode): readonly string[] => [...(element.querySelector('figure')?.classList ?? [])];

describe('the toolbar of a code block', () => {
  it('shows only the tools that apply', async () => {
    expect(names(await make('let a;'))).to.deep.equal(['Download']);
    expect(names(await make('let a;\nlet b;'))).to.deep.equal(['Line numbers', 'Download']);
  });

  it('appears when the code is complete and visible and the browser is idle', async () => {
    const element = await fixture<AgentChatCode>(
      html`<agent-chat-code .code=${'let a;'} .complete=${false} .localize=${localize}></agent-chat-code>`,
    );
    await import('../../../src/primitives/code/code-tools.ts');
    await nextFrame();
    expect(names(element)).to.deep.equal([]);
    element.complete = true;
    await waitUntil(() => names(element).length > 0);
  });

  it('brings its styles before it appears, while the page has few elements', async () => {
    const host = await fixture(html`<div></div>`);
    const root = host.attachShadow({ mode: 'open' });
    const element = document.createElement('agent-chat-code');
    Object.assign(element, { code: 'let a;', localize });
    const sheetsAt: number[] = [];
    new MutationObserver(() => {
      if (element.querySelector('agent-chat-code-tools')) sheetsAt.push(root.adoptedStyleSheets.length);
    }).observe(element, { childList: true, subtree: true });
    root.append(element);
    await waitUntil(() => root.adoptedStyleSheets.length > 0, 'the styles come', { interval: 5 });
    expect(element.querySelector('agent-chat-code-tools')).to.equal(null);
    await waitUntil(() => sheetsAt.length > 0, 'tools come', { timeout: 10_000 });
    expect(sheetsAt[0]).to.equal(1);
  });

  it('among many blocks, only those that were visible have a copy button', async () => {
    const place = await fixture<HTMLElement>(
      html`<div>
        ${Array.from(
          { length: 300 },
          () => html`<agent-chat-code .code=${'let a;'} .localize=${localize}></agent-chat-code>`,
        )}
      </div>`,
    );
    const hasButton = (): readonly boolean[] =>
      [...place.querySelectorAll('agent-chat-code')].map((block) => block.querySelector('agent-chat-copy') !== null);
    const first = hasButton();
    expect([first[0], first.at(-1), first.filter((has) => has).length < 300]).to.deep.equal([true, false, true]);
    place.lastElementChild?.scrollIntoView();
    await waitUntil(() => hasButton().at(-1), 'the last one has its button');
    scrollTo(0, 0);
  });

  it('brings its styles with the first complete block of a root, also when none is visible', async () => {
    const host = await fixture(html`<div style="position: absolute; inset-block-start: 500vh"></div>`);
    const root = host.attachShadow({ mode: 'open' });
    const element = document.createElement('agent-chat-code') as AgentChatCode;
    Object.assign(element, { code: 'let a;', localize, complete: false });
    root.append(element);
    await element.updateComplete;
    await nextFrame();
    await nextFrame();
    expect(root.adoptedStyleSheets.length).to.equal(0);
    element.complete = true;
    await waitUntil(() => root.adoptedStyleSheets.length > 0, 'the styles come');
    expect(names(element)).to.deep.equal([]);
  });

  it('downloads the code under its file name', async () => {
    const element = await make('let a;', { filename: 'src/a.ts' });
    const saved = await savedBy(() => {
      named(element, 'Download').click();
    });
    expect(saved).to.deep.equal([{ name: 'a.ts', type: 'application/octet-stream', text: 'let a;' }]);
  });

  it('shows and hides line numbers without touching the code’s nodes', async () => {
    const element = await make('let a;\nlet b;\n');
    const text = element.querySelector('code')?.firstChild;
    const button = named(element, 'Line numbers');
    expect(button.getAttribute('aria-pressed')).to.equal('false');
    button.click();
    await waitUntil(() => button.getAttribute('aria-pressed') === 'true');
    expect([...element.querySelectorAll('.rows i')].map((row) => row.getAttribute('data-number'))).to.deep.equal([
      '1',
      '2',
    ]);
    expect(classes(element)).to.include.members(['ruled', 'numbered']);
    expect(element.querySelector('pre')?.textContent).to.equal('let a;\nlet b;\n');
    expect(element.querySelector('code')?.firstChild).to.equal(text);
    button.click();
    await waitUntil(() => element.querySelector('.rows') === null);
    expect(classes(element)).to.deep.equal(['code-block']);
  });

  it('colours the lines of a diff automatically', async () => {
    const element = await make('-a\n+b\n c', { language: 'diff' });
    await waitUntil(() => element.querySelector('.rows') !== null);
    expect([...element.querySelectorAll('.rows i')].map((row) => row.className)).to.deep.equal([
      'removed',
      'added',
      '',
    ]);
    expect(classes(element)).not.to.include('numbered');
  });

  it('new code gets new rows', async () => {
    const element = await make('-a\n+b', { language: 'diff' });
    element.code = '+c\n+d\n+e';
    await waitUntil(() => element.querySelectorAll('.rows i.added').length === 3);
    expect(element.querySelectorAll('.rows').length).to.equal(1);
  });
});

describe('code that is wider than its block', () => {
  const wide = async (): Promise<AgentChatCode> => {
    const element = await make(LONG);
    // The widget's stylesheets are not loaded here.
    const pre = element.querySelector('pre');
    if (pre) Object.assign(pre.style, { width: '200px', overflowX: 'auto' });
    await waitUntil(() => names(element).includes('Wrap lines'), 'it is measured');
    return element;
  };

  it('measures all blocks together, after the layout that follows', async () => {
    await import('../../../src/primitives/code/code-tools.ts');
    const blocks = Array.from(
      { length: 5 },
      () =>
        html`<figure>
          <pre><code>${LONG}</code></pre>
          <agent-chat-code-tools .code=${LONG} .complete=${true} .localize=${localize}></agent-chat-code-tools>
        </figure>`,
    );
    const original = Object.getOwnPropertyDescriptor(Element.prototype, 'scrollWidth');
    const log: string[] = [];
    try {
      Object.defineProperty(Element.prototype, 'scrollWidth', {
        configurable: true,
        get(this: Element) {
          log.push('measured');
          return Reflect.apply(original?.get ?? (() => 0), this, []) as number;
        },
      });
      const place = await fixture<HTMLElement>(html`<div style="inline-size: 10em">${blocks}</div>`);
      await waitUntil(() => place.querySelectorAll('[aria-label="Wrap lines"]').length === 5);
      new MutationObserver(() => log.push('rendered')).observe(place, { childList: true, subtree: true });
      const tools = [...place.querySelectorAll<AgentChatCodeTools>('agent-chat-code-tools')];
      log.length = 0;
      for (const one of tools) {
        one.code = 'let a;';
        const code = one.closest('figure')?.querySelector('code');
        if (code) code.textContent = 'let a;';
      }
      await waitUntil(() => place.querySelector('[aria-label="Wrap lines"]') === null);
      // Not while they render, and not between each other's changes.
      const first = log.indexOf('measured');
      expect(log.slice(0, first)).to.include('rendered');
      expect(log.slice(first, first + 5)).to.deep.equal(Array(5).fill('measured'));
    } finally {
      if (original) Object.defineProperty(Element.prototype, 'scrollWidth', original);
    }
  });

  it('can be wrapped and unwrapped', async () => {
    const element = await wide();
    const button = named(element, 'Wrap lines');
    button.click();
    await waitUntil(() => classes(element).includes('wrapped'));
    expect(button.getAttribute('aria-pressed')).to.equal('true');
    button.click();
    await waitUntil(() => !classes(element).includes('wrapped'));
  });

  it('keeps its button while it is wrapped and fits', async () => {
    const element = await wide();
    named(element, 'Wrap lines').click();
    await waitUntil(() => classes(element).includes('wrapped'));
    const pre = element.querySelector('pre');
    if (pre) pre.style.width = '20000px';
    await nextFrame();
    await nextFrame();
    expect(names(element)).to.include('Wrap lines');
  });
});

describe('code with a preview', () => {
  /** The diagrams that were requested. */
  const diagrams: Diagram[] = [];
  const makeDiagram = async (): Promise<AgentChatCode> => {
    diagrams.length = 0;
    const loadDiagram = () =>
      Promise.resolve((one: Diagram) => {
        diagrams.push(one);
        return html`<b>drawn</b>`;
      });
    return make('a --> b\nb --> c', { language: 'mermaid', loadDiagram });
  };
  const isSourceShown = (element: AgentChatCode): boolean => element.querySelector('pre')?.hidden === false;

  it('shows the source until the user asks for the preview', async () => {
    const element = await makeDiagram();
    expect(names(element)[0]).to.equal('Preview');
    expect([diagrams.length, isSourceShown(element)]).to.deep.equal([0, true]);
  });

  it('replaces the source with the preview when it is ready, and returns to the source', async () => {
    const element = await makeDiagram();
    named(element, 'Preview').click();
    await waitUntil(() => diagrams.length === 1);
    expect([diagrams[0]?.source, isSourceShown(element)]).to.deep.equal(['a --> b\nb --> c', true]);
    diagrams[0]?.drawn();
    await waitUntil(() => !isSourceShown(element));
    expect(element.querySelector('.drawing')?.textContent).to.equal('drawn');
    expect(names(element)).to.deep.equal(['Source', 'Download']);
    named(element, 'Source').click();
    await waitUntil(() => isSourceShown(element));
    expect(element.querySelector('.drawing')).to.equal(null);
  });

  it('keeps the source and shows an error when the preview fails, and can retry', async () => {
    const element = await makeDiagram();
    named(element, 'Preview').click();
    await waitUntil(() => diagrams.length === 1);
    diagrams[0]?.failed();
    await waitUntil(() => element.querySelector('[role="alert"]') !== null);
    expect(isSourceShown(element)).to.equal(true);
    named(element, 'Preview').click();
    await waitUntil(() => diagrams.length === 2);
    expect(element.querySelector('[role="alert"]')).to.equal(null);
  });

  it('keeps the source and shows an error when the preview’s module fails to load', async () => {
    const element = await make('a', { loadDiagram: () => Promise.reject(new Error('gone')) });
    named(element, 'Preview').click();
    await waitUntil(() => element.querySelector('[role="alert"]') !== null);
    expect(isSourceShown(element)).to.equal(true);
  });

  it('new code shows its source again', async () => {
    const element = await makeDiagram();
    named(element, 'Preview').click();
    await waitUntil(() => diagrams.length === 1);
    diagrams[0]?.drawn();
    await waitUntil(() => !isSourceShown(element));
    element.code = 'c --> d';
    await waitUntil(() => isSourceShown(element));
    expect(element.querySelector('.drawing')).to.equal(null);
  });
});
