import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import type { Tokens } from 'marked';
import { HtmlNesting, type ContainerToken } from '../../src/markdown/parse/html-nesting.ts';
import type { MarkdownBlock, ParsedMarkdown } from '../../src/markdown/parse/incremental-parser.ts';
import { anyDocument, beginnings, blocks, cuts, longBlock, longParagraph } from './documents.ts';
import { examples } from './support/examples.ts';
import { createParser } from './support/parser.ts';
import { makeReach } from './support/reach-back.ts';
import { outline, show } from './support/show.ts';
import { effort } from '../support/effort.ts';

/** Several examples in sequence, with and without a blank line between them. */
const someExamples = fc
  .array(fc.tuple(fc.constantFrom(...examples), fc.constantFrom('\n\n', '\n\n', '\n')), { minLength: 1, maxLength: 8 })
  .map((all) => all.flat().join(''));

const documents = fc.oneof(
  { weight: 4, arbitrary: someExamples },
  { weight: 2, arbitrary: anyDocument },
  { weight: 1, arbitrary: fc.tuple(someExamples, longBlock, blocks).map((all) => all.join('\n\n')) },
  { weight: 1, arbitrary: fc.tuple(longParagraph, someExamples).map((all) => all.join('\n\n')) },
);

/** The nodes of the page, each with its parent and its text. */
type NodeRecord = readonly { readonly node: Node; readonly parent: Node | null; readonly words: string | null }[];

function keptIn(root: Node): NodeRecord {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  const nodes: Node[] = [];
  // An HTML block renders later, when the sanitizer is loaded.
  for (let node: Node | null = root; node; node = walker.nextNode())
    if (!node.parentElement?.closest('agent-chat-html')) nodes.push(node);
  return nodes
    .filter(({ nodeName }) => nodeName !== 'AGENT-CHAT-HTML')
    .map((node) => ({ node, parent: node.parentNode, words: node.nodeValue }));
}

const isSame = ({ node, parent, words }: NodeRecord[number]): boolean =>
  node.isConnected && node.parentNode === parent && node.nodeValue === words;

/** The blocks that are rendered as one element each. */
const seen = (blocks: readonly MarkdownBlock[]): readonly MarkdownBlock[] =>
  blocks.filter(({ token }) => token.type !== 'def');

/** The source of a block and of all blocks in it. */
const sourceOf = ({ token }: MarkdownBlock): string => {
  if (token.type !== 'container') return token.raw;
  const { children, tail } = token as ContainerToken;
  return [...children, ...tail].map(sourceOf).join('\n\n');
};

/** The items or rows of an open block that can no longer change. */
const settledParts = (block: Element | undefined, { settled }: MarkdownBlock): readonly Element[] =>
  block ? [...block.querySelectorAll(':scope > li, :scope > .part > li, table > tbody > tr')].slice(0, settled) : [];

/** The elements that may no longer change. `open`: the parts of the block that is streaming. */
function settledOf(place: Element, { finished, open }: ParsedMarkdown, isReached: (raw: string) => boolean) {
  const blocks = seen(finished);
  const roots = [...place.querySelectorAll('.prose-group > *')];
  // Text without an element around it is not counted here.
  if ([...blocks, ...open].some(({ token }) => token.type === 'text')) return { blocks: [], open: [], last: undefined };
  const certain = roots
    .slice(0, blocks.length)
    .filter((_, index) => !isReached(blocks[index] ? sourceOf(blocks[index]) : ''));
  const [last] = open;
  const parts = last && !isReached(sourceOf(last)) ? settledParts(roots[blocks.length], last) : [];
  return { blocks: certain.flatMap(keptIn), open: parts.flatMap(keptIn), last };
}

/** A list that becomes loose is rendered again from its first item: each item gets a paragraph. */
function becameLoose(before: MarkdownBlock | undefined, place: number, { finished, open }: ParsedMarkdown): boolean {
  const now = seen([...finished, ...open])[place];
  return (before?.token as Tokens.List | undefined)?.loose !== (now?.token as Tokens.List | undefined)?.loose;
}

/** Streams a text and returns the finished nodes that were replaced. */
function stream(steps: readonly string[], text: string): { readonly place: Element; readonly lost: readonly string[] } {
  const { place, update } = show('', true);
  const parser = createParser();
  const nesting = new HtmlNesting();
  const lost: string[] = [];
  const isReached = makeReach(text);
  let kept: ReturnType<typeof settledOf> | undefined;
  let count = 0;
  const next = (step: string, whole: boolean): void => {
    const parsed = nesting.update(parser.update(step, whole), whole);
    update(step, !whole);
    const certain = kept ? [...kept.blocks, ...(becameLoose(kept.last, count, parsed) ? [] : kept.open)] : [];
    for (const one of certain)
      if (!isSame(one))
        lost.push(`${one.node.nodeName} ${one.words ?? ''} at ${whole ? 'the end' : JSON.stringify(step)}`);
    kept = settledOf(place, parsed, isReached);
    count = seen(parsed.finished).length;
  };
  for (const step of steps) next(step, false);
  next(text, true);
  return { place, lost };
}

describe('streaming Markdown', () => {
  it('ends in the same elements as in one step, and replaces no node of a finished block', () => {
    fc.assert(
      fc.property(documents, cuts, (text, at) => {
        const whole = show(text).place;
        const { place, lost } = stream(beginnings(text, at), text);
        expect(lost).to.deep.equal([]);
        expect(outline(place)).to.equal(outline(whole));
        place.remove();
        whole.remove();
      }),
      { numRuns: effort(120) },
    );
  }).timeout(60_000);

  it('does so a character at a time', () => {
    fc.assert(
      fc.property(someExamples, (text) => {
        const steps = Array.from({ length: text.length }, (_, index) => text.slice(0, index + 1));
        const whole = show(text).place;
        const { place, lost } = stream(steps, text);
        expect(lost).to.deep.equal([]);
        expect(outline(place)).to.equal(outline(whole));
        place.remove();
        whole.remove();
      }),
      { numRuns: effort(40) },
    );
  }).timeout(60_000);

  /** Long blocks of each kind: the nodes after the first part that each step may replace. */
  const giants: readonly { name: string; part: (index: number) => string; selector: string }[] = [
    { name: 'items of a list', part: (index) => `- item ${String(index)} **b**\n`, selector: 'li' },
    { name: 'numbered items', part: (index) => `${String(index + 3)}. item **b**\n`, selector: 'li' },
    {
      name: 'rows',
      part: (index) => (index === 0 ? '| a | b |\n|---|---|\n' : `| ${String(index)} | *b* |\n`),
      selector: 'tbody tr',
    },
    {
      name: 'words',
      part: (index) => `Sentence ${String(index)} has *some* words in it, and it ends. `,
      selector: 'p em',
    },
  ];
  for (const { name, part, selector } of giants) {
    it(`keeps the ${name} of one long block`, () => {
      const { place, update } = show('', true);
      let text = '';
      let kept: NodeRecord = [];
      for (let index = 0; index < 400; index++) {
        text += part(index);
        update(text, true);
        expect(kept.every(isSame), `at ${String(index)}`).to.equal(true);
        // The streaming part and the one before it may change.
        const settled = [...place.querySelectorAll(selector)].slice(0, name === 'words' ? -60 : -4);
        kept = settled.map((node) => ({ node, parent: node.parentNode, words: node.nodeValue }));
      }
      update(text);
      expect(kept.length).to.be.above(300);
      expect(kept.every(isSame)).to.equal(true);
      expect(outline(place)).to.equal(outline(show(text).place));
    });
  }

  it('only the last group has the class of the streaming dot, and at the end none has it', () => {
    const paragraphs = Array.from({ length: 100 }, (_, index) => `Paragraph ${String(index)}.`);
    const { place, update } = show('', true);
    const groupsWithDot = (): number[] =>
      [...place.querySelectorAll('.prose-group')].flatMap((group, index) =>
        group.classList.contains('growing') ? [index] : [],
      );
    const seen = paragraphs.map((_, index) => {
      update(paragraphs.slice(0, index + 1).join('\n\n'), true);
      return groupsWithDot();
    });
    expect(seen).to.deep.equal(paragraphs.map((_, index) => [Math.floor(index / 32)]));
    update(paragraphs.join('\n\n'), false);
    expect(groupsWithDot()).to.deep.equal([]);
    expect(place.querySelectorAll('.growing').length).to.equal(0);
  });

  it('blocks of code form smaller groups, because each has many elements, however short it is', () => {
    const { place } = show('```js\na = 1\n```\n\n'.repeat(40));
    const counts = [...place.querySelectorAll('.prose-group')].map((group) => group.childElementCount);
    expect(Math.max(...counts)).to.equal(8);
    expect(counts.reduce((sum, count) => sum + count)).to.equal(40);
  });

  it('only the last table of a growing list may grow', () => {
    const item = '- a\n\n  | b |\n  |---|\n  | c |\n\n';
    const { place, update } = show('', true);
    update(item.repeat(6), true);
    expect(place.querySelectorAll('agent-chat-rows').length).to.equal(6);
    const growing = [...place.querySelectorAll('agent-chat-rows')].map((rows) => rows.hasAttribute('growing'));
    expect(growing).to.deep.equal([false, false, false, false, false, true]);
  });

  it('items with several blocks form smaller groups', () => {
    const { place } = show('- a\n\n  | b |\n  |---|\n  | c |\n\n'.repeat(40));
    const counts = [...place.querySelectorAll('li')].map((item) => item.parentElement?.childElementCount ?? 0);
    expect(counts.length).to.equal(40);
    expect(Math.max(...counts)).to.be.at.most(16);
  });

  it('a long list is one list with continuous numbers, however it is split into boxes', async () => {
    const { place } = show(Array.from({ length: 100 }, (_, index) => `${String(index + 3)}. item`).join('\n'));
    const list = place.querySelector('ol');
    expect([list?.start, list?.getAttribute('role')]).to.deep.equal([3, 'list']);
    const first = [...place.querySelectorAll<HTMLLIElement>('.part > li:first-child')];
    expect(first.map(({ value }) => value)).to.deep.equal([35, 67, 99]);
    expect(place.querySelectorAll('.part.whole').length).to.equal(3);
    await expect(place).to.be.accessible();
  });
});
