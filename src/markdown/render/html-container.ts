/** Renders elements around Markdown. Names and attributes come from the allow-list. */
import { decodeAttributes, InlineBuilder, safeTitle } from './inline-html.ts';
import type { ContainerToken, InlineHtmlToken } from '../parse/html-nesting.ts';
import type { MarkdownBlock } from '../parse/incremental-parser.ts';
import { markOfElement } from '../../safety/displayed-text.ts';
import { elementNode, groupParts, listNode, type ListNode, type GroupSize, type VNode } from './vnode.ts';
import type { MarkdownView } from './markdown-context.ts';

/** Elements whose direction follows their own text. */
const HAS_TEXT = /^(?:caption|d[dt]|figcaption|h\d|li|p|pre|summary|t[dh])$/;
/** Elements that allow no box between them and their children. */
const HAS_PARTS = /^(?:dl|ol|t(?:able|body|foot|head|r)|ul)$/;

/** `size`: how its blocks are grouped into boxes. */
export function renderContainer(
  { tag, children, tail, reparsed }: ContainerToken,
  view: MarkdownView,
  size: GroupSize,
  draw: (block: MarkdownBlock) => VNode,
): VNode {
  const { name, attributes: spelled } = tag;
  // A cell that extends downwards could lie under another one (see `safety/separate-cells.ts`): here the rows are not known.
  const { title, rowspan: _, ...attributes } = decodeAttributes(spelled);
  const hasText = HAS_TEXT.test(name);
  const blockAt = (index: number): MarkdownBlock | undefined => children[index] ?? tail[index - children.length];
  const parts: ListNode = {
    count: children.length + tail.length,
    settled: children.length,
    key: [children, view],
    changed: reparsed,
    at(index) {
      const block = blockAt(index);
      if (!block) return listNode([]);
      if (block.token.type !== 'phrase') return draw(block);
      return hasText
        ? renderInlineHtml(block.token as InlineHtmlToken, {
            ...view,
            around: [markOfElement(name, attributes['dir']), ''],
          })
        : elementNode('div', [renderInlineHtml(block.token as InlineHtmlToken, view)], { dir: 'auto' });
    },
  };
  const content = HAS_PARTS.test(name)
    ? parts
    : groupParts(
        parts,
        { ...size, lengthOf: (index) => blockAt(index)?.token.raw.length ?? 0 },
        (group, { index, whole }) =>
          index === 0 ? group : elementNode('div', [group], { class: whole ? 'part whole' : 'part' }),
      );
  return elementNode(name, [content], {
    ...(hasText && { dir: 'auto' }),
    ...(name === 'div' && { class: 'around' }),
    ...attributes,
    title: title === undefined ? undefined : safeTitle(title),
  });
}

/** Renders inline content with tags. */
export function renderInlineHtml({ pieces }: InlineHtmlToken, view: MarkdownView): VNode {
  const builder = new InlineBuilder(view);
  builder.addPieces(pieces, view.around);
  return listNode(builder.end());
}
