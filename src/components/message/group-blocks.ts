import type { AssistantMessageBlock, BlockOf } from '../../model/blocks.ts';

/** The block types that show work of the agent: reasoning, tool calls and phases. */
export type WorkBlock = BlockOf<'reasoning_content'> | BlockOf<'tool_call'> | BlockOf<'status'>;

const isWork = (block: AssistantMessageBlock): block is WorkBlock =>
  block.type === 'reasoning_content' || block.type === 'tool_call' || block.type === 'status';

/** Blocks that are rendered together. `within` contains all blocks nested in them, at any depth. */
export type BlockGroup = {
  readonly within: readonly AssistantMessageBlock[];
} & ({ readonly work: readonly WorkBlock[] } | { readonly block: AssistantMessageBlock });

/**
 * Adjacent reasoning, tool calls and phases form one group. A nested block belongs to the group of its parent. A block without a
 * preceding parent stands alone, and so does a question to the user, because nobody looks for it in a collapsed run.
 *
 * @param standsAlone - returns true for work blocks with a renderer of the host page, which are not grouped
 * @param isFlat - whether nested blocks are grouped like all others, after the group of their parents
 */
export function groupBlocks(
  blocks: readonly AssistantMessageBlock[],
  standsAlone: (block: AssistantMessageBlock) => boolean,
  isFlat = false,
): readonly BlockGroup[] {
  const groups: GroupDraft[] = [];
  const groupIndexes = new Map<string, number>();
  for (const block of blocks) {
    const parent = isFlat || block.type === 'action' ? undefined : groupIndexes.get(block.parentId ?? '');
    const index = parent ?? groupIndexOf(block, groups, standsAlone);
    if (parent !== undefined) groups[parent]?.within.push(block);
    groupIndexes.set(block.id, index);
  }
  return groups.map(({ group, within }) => (within.length > 0 ? { ...group, within } : group));
}

/** A group under construction. */
interface GroupDraft {
  readonly group: BlockGroup;
  readonly within: AssistantMessageBlock[];
  /** The work blocks, if it is a group of work. */
  readonly work?: WorkBlock[];
}

function groupIndexOf(
  block: AssistantMessageBlock,
  groups: GroupDraft[],
  standsAlone: (block: AssistantMessageBlock) => boolean,
): number {
  const last = groups.at(-1);
  if (!isWork(block) || standsAlone(block)) groups.push({ group: { block, within: NO_BLOCKS }, within: [] });
  else if (last?.work) last.work.push(block);
  else {
    const work = [block];
    groups.push({ group: { work, within: NO_BLOCKS }, within: [], work });
  }
  return groups.length - 1;
}

/** A constant, so that groups can be compared by identity. */
const NO_BLOCKS: readonly AssistantMessageBlock[] = [];

/** Returns the previous group object if the content is the same, so that its element is not rendered again. */
export function reuseIfUnchanged(group: BlockGroup, before: BlockGroup | undefined): BlockGroup {
  if (!before || !areSame(group.within, before.within)) return group;
  if ('work' in group) return 'work' in before && areSame(group.work, before.work) ? before : group;
  return 'block' in before && group.block === before.block ? before : group;
}

const areSame = (left: readonly unknown[], right: readonly unknown[]): boolean =>
  left === right || (left.length === right.length && left.every((item, index) => item === right[index]));

export const groupKeyOf = (group: BlockGroup): string =>
  'block' in group ? group.block.id : `work ${group.work[0]?.id ?? ''}`;
