import { expect, fixture, html, nextFrame, waitUntil } from '@open-wc/testing';
import { createLocalize } from '../../src/locales/localize.ts';
import type { AgentChatCode } from '../../src/primitives/code.ts';
import type { Drawing } from '../../src/primitives/code-tools.ts';
import '../../src/components/parts.ts';
import { named } from '../renderers/support/show.ts';
import { savedBy } from '../support/saved.ts';

const localize = createLocalize('en');
const LONG = `const long = '${'words '.repeat(200)}';\nlet short;`;

/** A block of code in a narrow page, with its tools there. */
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

describe('the tools of a block of code', () => {
  it('are those that have something to do', async () => {
    expect(names(await make('let a;'))).to.deep.equal(['Download']);
    expect(names(await make('let a;\nlet b;'))).to.deep.equal(['Line numbers', 'Download']);
  });

  it('come when the code is whole, in sight, and the page has time', async () => {
    const element = await fixture<AgentChatCode>(
      html`<agent-chat-code .code=${'let a;'} .whole=${false} .localize=${localize}></agent-chat-code>`,
    );
    await import('../../src/primitives/code-tools.ts');
    await nextFrame();
    expect(names(element)).to.deep.equal([]);
    element.whole = true;
    await waitUntil(() => names(element).length > 0);
  });

  it('save it under its own name', async () => {
    const element = await make('let a;', { filename: 'src/a.ts' });
    const saved = await savedBy(() => {
      named(element, 'Download').click();
    });
    expect(saved).to.deep.equal([{ name: 'a.ts', type: 'application/octet-stream', text: 'let a;' }]);
  });

  it('number its lines and take the numbers back, and touch no node of it', async () => {
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

  it('tint a diff without being asked', async () => {
    const element = await make('-a\n+b\n c', { language: 'diff' });
    await waitUntil(() => element.querySelector('.rows') !== null);
    expect([...element.querySelectorAll('.rows i')].map((row) => row.className)).to.deep.equal([
      'removed',
      'added',
      '',
    ]);
    expect(classes(element)).not.to.include('numbered');
  });

  it('new code has rows of its own', async () => {
    const element = await make('-a\n+b', { language: 'diff' });
    element.code = '+c\n+d\n+e';
    await waitUntil(() => element.querySelectorAll('.rows i.added').length === 3);
    expect(element.querySelectorAll('.rows').length).to.equal(1);
  });
});

describe('code that is longer than its block is wide', () => {
  const wide = async (): Promise<AgentChatCode> => {
    const element = await make(LONG);
    // (The sheets of the widget are not here.)
    const pre = element.querySelector('pre');
    if (pre) Object.assign(pre.style, { width: '200px', overflowX: 'auto' });
    await waitUntil(() => names(element).includes('Wrap lines'), 'it is measured');
    return element;
  };

  it('can be wrapped, and unwrapped', async () => {
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

describe('code that is the source of a drawing', () => {
  /** What the drawing was asked for. */
  const drawings: Drawing[] = [];
  const make2 = async (): Promise<AgentChatCode> => {
    drawings.length = 0;
    const drawing = () =>
      Promise.resolve((one: Drawing) => {
        drawings.push(one);
        return html`<b>drawn</b>`;
      });
    return make('a --> b\nb --> c', { language: 'mermaid', drawing });
  };
  const isSourceShown = (element: AgentChatCode): boolean => element.querySelector('pre')?.hidden === false;

  it('is source until the reader asks', async () => {
    const element = await make2();
    expect(names(element)[0]).to.equal('Preview');
    expect([drawings.length, isSourceShown(element)]).to.deep.equal([0, true]);
  });

  it('makes room for the drawing when that is there, and comes back', async () => {
    const element = await make2();
    named(element, 'Preview').click();
    await waitUntil(() => drawings.length === 1);
    expect([drawings[0]?.source, isSourceShown(element)]).to.deep.equal(['a --> b\nb --> c', true]);
    drawings[0]?.drawn();
    await waitUntil(() => !isSourceShown(element));
    expect(element.querySelector('.drawing')?.textContent).to.equal('drawn');
    expect(names(element)).to.deep.equal(['Source', 'Download']);
    named(element, 'Source').click();
    await waitUntil(() => isSourceShown(element));
    expect(element.querySelector('.drawing')).to.equal(null);
  });

  it('that can’t be drawn stays, with a sentence, and can be tried again', async () => {
    const element = await make2();
    named(element, 'Preview').click();
    await waitUntil(() => drawings.length === 1);
    drawings[0]?.failed();
    await waitUntil(() => element.querySelector('[role="alert"]') !== null);
    expect(isSourceShown(element)).to.equal(true);
    named(element, 'Preview').click();
    await waitUntil(() => drawings.length === 2);
    expect(element.querySelector('[role="alert"]')).to.equal(null);
  });

  it('so does code whose drawing part can’t be had', async () => {
    const element = await make('a', { drawing: () => Promise.reject(new Error('gone')) });
    named(element, 'Preview').click();
    await waitUntil(() => element.querySelector('[role="alert"]') !== null);
    expect(isSourceShown(element)).to.equal(true);
  });

  it('other code is source again', async () => {
    const element = await make2();
    named(element, 'Preview').click();
    await waitUntil(() => drawings.length === 1);
    drawings[0]?.drawn();
    await waitUntil(() => !isSourceShown(element));
    element.code = 'c --> d';
    await waitUntil(() => isSourceShown(element));
    expect(element.querySelector('.drawing')).to.equal(null);
  });
});
