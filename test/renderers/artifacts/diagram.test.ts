import { expect, waitUntil } from '@open-wc/testing';
import {
  diagramDocument,
  parseDiagramMessage,
  type DiagramTheme,
} from '../../../src/renderers/artifacts/diagram-frame.ts';
import { diagramLoaderFor } from '../../../src/renderers/artifacts/load-diagram.ts';
import { inside } from '../../components/support/mount.ts';
import { named, showBlock } from '../support/show.ts';

const LOOK: DiagramTheme = {
  dark: false,
  background: '#ffffff',
  foreground: '#000000',
  line: '#888888',
  surface: '#eeeeee',
  font: 'serif',
};

describe('the source of a diagram', () => {
  for (const [language, artifacts, expected] of [
    ['mermaid', 'frame', true],
    ['Mermaid', 'frame', true],
    ['mermaid', 'source', false],
    ['ts', 'frame', false],
    ['', 'frame', false],
  ] as const) {
    it(`“${language}” with artifacts="${artifacts}" is ${expected ? 'rendered' : 'source'}`, () => {
      expect(diagramLoaderFor(language, artifacts) !== undefined).to.equal(expected);
    });
  }

  it('can’t close the script of its frame document', () => {
    const page = diagramDocument('let mermaid; // </script><!--', 'a --> b</script><script>alert(1)</script>', LOOK);
    expect(page.match(/<\/script/g)).to.have.length(1);
    expect(page.match(/<script/g)).to.have.length(1);
    expect(page).not.to.contain('<!--');
  });

  it('has no links: a press on one would replace the diagram', async () => {
    const svg =
      '<svg><a href="https://a.example/"><text>a</text></a><a xlink:href="https://b.example/"><text>b</text></a></svg>';
    const code = `var mermaid = { initialize() {}, render: () => Promise.resolve({ svg: '${svg}' }) };`;
    const frame = document.createElement('iframe');
    frame.srcdoc = diagramDocument(code, 'flowchart LR', LOOK);
    document.body.append(frame);
    await waitUntil(() => frame.contentDocument?.querySelectorAll('svg a').length === 2, 'it is drawn');
    const links = [...(frame.contentDocument?.querySelectorAll('a') ?? [])];
    expect(links.map((link) => link.getAttributeNames())).to.deep.equal([[], []]);
    frame.remove();
  });

  for (const [message, expected] of [
    [{ jsonrpc: '2.0', method: 'drawn' }, 'drawn'],
    [{ jsonrpc: '2.0', method: 'failed' }, 'failed'],
    [{ jsonrpc: '2.0', method: 'constructor' }, undefined],
    [{}, undefined],
    [null, undefined],
    ['drawn', undefined],
  ] as const) {
    it(`the message ${JSON.stringify(message)} is read as ${expected ?? 'nothing'}`, () => {
      expect(parseDiagramMessage(message)).to.equal(expected);
    });
  }

  it('is rendered in a frame only when the user asks', async () => {
    const content = 'flowchart LR\n  A --> B';
    const { chat, element } = await showBlock({
      id: 'b',
      type: 'content',
      content: `\`\`\`mermaid\n${content}\n\`\`\``,
    });
    await waitUntil(() => element.querySelector('[aria-label="Download"]') !== null, 'tools', { timeout: 10_000 });
    expect(element.querySelector('iframe')).to.equal(null);
    named(element, 'Preview').click();
    const frame = await inside<HTMLIFrameElement>(chat, 'agent-chat-diagram iframe');
    expect([frame.getAttribute('sandbox'), frame.title]).to.deep.equal(['allow-scripts', 'Diagram']);
    chat.colorScheme = 'dark';
    await waitUntil(() => {
      const other = element.querySelector('agent-chat-diagram iframe');
      return other !== null && other !== frame;
    }, 'it is drawn in the other colours');
  });
});
