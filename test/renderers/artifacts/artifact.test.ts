import { expect, waitUntil } from '@open-wc/testing';
import type { AgentChat } from '../../../src/define.ts';
import type { Artifact } from '../../../src/model/blocks.ts';
import { has, inside } from '../../components/support/mount.ts';
import { savedBy } from '../../support/saved.ts';
import { HOSTILE, named, showBlock, wordsIn } from '../support/show.ts';

const SOURCE: Readonly<Record<string, string>> = {
  'text/html': '<h1>Report</h1><script>parent.hit = 1</script>',
  'image/svg+xml': '<svg xmlns="http://www.w3.org/2000/svg" onload="parent.hit = 1"/>',
  'text/markdown': '# Report\n\nAll figures **agree**.',
};

/** An artifact's row, with the button that opens it. */
async function show(
  artifact: Partial<Artifact> = {},
  settings: Partial<AgentChat> = {},
): Promise<{ readonly chat: AgentChat; readonly element: HTMLElement; readonly row: HTMLButtonElement }> {
  const type = artifact.type ?? 'text/html';
  const { chat, element } = await showBlock(
    {
      type: 'artifact-thinking',
      content: SOURCE[type] ?? 'const a = 1;',
      artifact: { identifier: 'r', title: 'Refund report', ...artifact, type },
    },
    { settings, selector: 'agent-chat-artifact' },
  );
  await waitUntil(() => element.querySelector('button') !== null);
  const row = element.querySelector('button');
  if (!row) throw new Error('There is no row.');
  return { chat, element, row };
}

const open = async (...given: Parameters<typeof show>) => {
  const shown = await show(...given);
  shown.row.click();
  await waitUntil(() => shown.element.querySelector('[part="artifact"]') !== null);
  return shown;
};

describe('an artifact', () => {
  const kinds = [
    ['text/html', 'HTML page'],
    ['text/markdown', 'Document'],
    ['image/svg+xml', 'SVG image'],
    ['application/vnd.ant.code', 'Code'],
    ['application/vnd.ant.mermaid', 'Diagram'],
    ['application/vnd.ant.react', 'React component'],
  ] as const;
  for (const [type, words] of kinds) {
    it(`${type} is one button with its title and “${words}”`, async () => {
      const { row } = await show({ type });
      expect(row.querySelector('b')?.textContent).to.equal('Refund report');
      expect(row.querySelector('.meta')?.textContent).to.equal(words);
      expect(row.getAttribute('aria-expanded')).to.equal('false');
    });
  }

  it('shows the source of an unknown type, under the type’s name', async () => {
    const { element, row } = await open({ type: 'image/x-hologram' as 'text/html' });
    expect(row.querySelector('.meta')?.textContent).to.equal('image/x-hologram');
    expect(element.querySelector('agent-chat-code, iframe')?.localName).to.equal('agent-chat-code');
  });

  it('runs in a frame with an opaque origin, created only when it is opened', async () => {
    const { chat, element, row } = await show();
    expect(has(chat, 'iframe')).to.equal(false);
    row.click();
    await waitUntil(() => element.querySelector('iframe') !== null);
    const frame = element.querySelector('iframe');
    expect([frame?.getAttribute('sandbox'), frame?.title, frame?.referrerPolicy]).to.deep.equal([
      'allow-scripts',
      'Preview of Refund report',
      'no-referrer',
    ]);
    expect(frame?.hasAttribute('srcdoc')).to.equal(false);
    expect(frame && new URL(frame.src).pathname.endsWith('/frame.html')).to.equal(true);
    expect(row.getAttribute('aria-expanded')).to.equal('true');
    expect((globalThis as { hit?: unknown }).hit).to.equal(undefined);
  });

  it('removes its frame when it is closed', async () => {
    const { element, row } = await open();
    await waitUntil(() => element.querySelector('iframe') !== null);
    row.click();
    await waitUntil(() => element.querySelector('[part="artifact"]') === null);
    expect(element.querySelector('iframe')).to.equal(null);
    expect(row.getAttribute('aria-expanded')).to.equal('false');
  });

  it('renders a Markdown document without a frame', async () => {
    const { element } = await open({ type: 'text/markdown' });
    expect(element.querySelector('h1')?.textContent).to.equal('Report');
    expect(element.querySelector('iframe')).to.equal(null);
  });

  for (const type of ['application/vnd.ant.code', 'application/vnd.ant.react'] as const) {
    it(`${type} has only its source view`, async () => {
      const { element } = await open({ type });
      expect(element.querySelector('code')?.textContent).to.equal('const a = 1;');
      expect([...element.querySelectorAll('[aria-pressed]')].map(wordsIn)).to.deep.equal(['Source']);
    });
  }

  it('renders a diagram in the diagram frame, with its source as second view', async () => {
    const { chat, element } = await open({ type: 'application/vnd.ant.mermaid' });
    const frame = await inside<HTMLIFrameElement>(chat, 'agent-chat-artifact agent-chat-diagram iframe');
    expect([frame.getAttribute('sandbox'), frame.title]).to.deep.equal(['allow-scripts', 'Diagram']);
    expect([...element.querySelectorAll('[aria-pressed]')].map(wordsIn)).to.deep.equal(['Preview', 'Source']);
    named(element, 'Source').click();
    await waitUntil(() => element.querySelector('code') !== null);
    expect(element.querySelector('iframe')).to.equal(null);
    expect(element.querySelector('.language')?.textContent ?? wordsIn(element)).to.contain('Mermaid');
  });

  it('with artifacts="source" renders no diagram', async () => {
    const { element } = await open({ type: 'application/vnd.ant.mermaid' }, { artifacts: 'source' });
    expect([...element.querySelectorAll('[aria-pressed]')].map(wordsIn)).to.deep.equal(['Source']);
  });

  it('has the views preview and source, and marks the current one as pressed', async () => {
    const { element } = await open();
    const pressed = () => [...element.querySelectorAll('[aria-pressed="true"]')].map(wordsIn);
    expect(pressed()).to.deep.equal(['Preview']);
    named(element, 'Source').click();
    await waitUntil(() => element.querySelector('code') !== null);
    expect(pressed()).to.deep.equal(['Source']);
    expect(element.querySelector('code')?.textContent).to.equal(SOURCE['text/html']);
    expect(element.querySelector('iframe')).to.equal(null);
  });

  it('with artifacts="source" never creates a frame', async () => {
    const { element } = await open({}, { artifacts: 'source' });
    expect(element.querySelector('code')?.textContent).to.equal(SOURCE['text/html']);
    expect([...element.querySelectorAll('[aria-pressed]')].map(wordsIn)).to.deep.equal(['Source']);
  });

  for (const [type, name] of [
    ['text/html', 'Refund-report.html'],
    ['image/svg+xml', 'Refund-report.svg'],
    ['text/markdown', 'Refund-report.md'],
  ] as const) {
    it(`${type} is saved as ${name}, with a type that no browser opens`, async () => {
      const { element } = await open({ type });
      const saved = await savedBy(() => {
        named(element, 'Download').click();
      });
      expect(saved).to.deep.equal([{ name, type: 'application/octet-stream', text: SOURCE[type] }]);
    });
  }

  it('is the same row inside text or code', async () => {
    const artifact: Artifact = { identifier: 'r', title: 'Refund report', type: 'text/markdown' };
    for (const block of [
      { type: 'content', content: '# x', artifact },
      { type: 'code', code: { language: 'md', content: '# x' }, artifact },
    ] as const) {
      const { element } = await showBlock(block, { selector: 'agent-chat-artifact' });
      await waitUntil(() => wordsIn(element).includes('Refund report'));
    }
  });

  it('reasoning without an artifact is text', async () => {
    const { element } = await showBlock({ type: 'artifact-thinking', content: HOSTILE });
    expect(wordsIn(element)).to.equal(HOSTILE);
  });

  it('a hostile title is text, and not a file path', async () => {
    const { chat, element, row } = await open({ title: `\u202E../${HOSTILE}`, type: 'text/markdown' });
    expect(row.querySelector('b')?.textContent).to.equal(`../${HOSTILE}`);
    const saved = await savedBy(() => {
      named(element, 'Download').click();
    });
    expect(saved[0]?.name).to.match(/^[\w-]+\.md$/);
    expect(has(chat, 'agent-chat-message img')).to.equal(false);
  });

  it('a hostile source does nothing, in either view', async () => {
    const { chat, element } = await showBlock(
      {
        type: 'artifact-thinking',
        content: `${HOSTILE}<script>hit()</script>`,
        artifact: { identifier: 'r', title: 'x', type: 'text/markdown' },
      },
      { selector: 'agent-chat-artifact' },
    );
    await waitUntil(() => element.querySelector('button') !== null);
    element.querySelector('button')?.click();
    await waitUntil(() => element.querySelector('.prose') !== null);
    expect(has(chat, 'agent-chat-message :is(script, [onerror])')).to.equal(false);
    named(element, 'Source').click();
    await waitUntil(() => element.querySelector('code')?.textContent.includes('<script>'));
  });
});
