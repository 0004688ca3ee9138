/**
 * Renders footnote references in the text and the notes after it. Their behaviour is loaded on demand
 * (`footnote-tools.ts`).
 */
import type { FootnoteToken, FootnoteReference } from '../parse/footnotes.ts';
import type { MarkdownBlock, ParsedMarkdown } from '../parse/incremental-parser.ts';
import { normalizeLabel } from '../parse/footnotes.ts';
import { elementNode, groupParts, listNode, type GroupSize, type VNode } from './vnode.ts';
import type { MarkdownView } from './markdown-context.ts';

/** A reference shows its label instead of a number, so that it never changes while streaming. */
export const renderFootnoteReference = ({ label }: FootnoteReference, { localize }: MarkdownView): VNode =>
  elementNode('sup', [
    elementNode('button', [label], {
      type: 'button',
      class: 'note-mark',
      'data-note': normalizeLabel(label),
      'aria-label': localize('footnote.mark', { number: label }),
    }),
  ]);

/** How the notes are grouped, and how the blocks of a note are rendered. */
interface NoteOptions {
  readonly size: Pick<GroupSize, 'size' | 'most'>;
  blocks(block: MarkdownBlock): readonly VNode[];
}

/** Renders the notes of a text in source order. A long list is divided into boxes that the browser lays out separately (`groupParts`). */
export function renderFootnoteList(
  { finished, open, reparsed }: ParsedMarkdown,
  view: MarkdownView,
  { size, blocks }: NoteOptions,
): VNode {
  const count = finished.length + open.length;
  if (count === 0) return listNode([]);
  const at = (index: number): MarkdownBlock | undefined => finished[index] ?? open[index - finished.length];
  const list = {
    count,
    settled: finished.length,
    key: [finished, view],
    changed: reparsed,
    at(index: number): VNode {
      const block = at(index);
      if (!block) return listNode([]);
      const { label, tag } = block.token as FootnoteToken;
      const back = elementNode('button', ['\u21a9\ufe0e'], {
        type: 'button',
        class: 'note-back',
        'data-note': tag,
        'aria-label': view.localize('footnote.back'),
      });
      return elementNode(
        'li',
        [elementNode('span', [label], { class: 'note-label' }), elementNode('div', blocks(block)), back],
        {
          'data-note': tag,
        },
      );
    },
  };
  const groups = groupParts(
    list,
    { ...size, lengthOf: (index) => at(index)?.token.raw.length ?? 0 },
    (group, { index, whole }) =>
      index === 0 ? group : elementNode('div', [group], { class: whole ? 'part whole' : 'part', role: 'none' }),
  );
  return elementNode('section', [elementNode('ol', [groups], { role: 'list' })], {
    class: 'notes',
    role: 'doc-endnotes',
    'aria-label': view.localize('footnote.list'),
  });
}
