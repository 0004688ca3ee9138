import type { AssistantMessageBlock, BlockOf } from '../model/blocks.ts';

/** The blocks that are work, not words. */
export type WorkBlock = BlockOf<'reasoning_content'> | BlockOf<'tool_call'> | BlockOf<'status'>;

const isWork = (block: AssistantMessageBlock): block is WorkBlock =>
  block.type === 'reasoning_content' || block.type === 'tool_call' || block.type === 'status';

/** What is shown together, and all the blocks that belong into it, however deep. */
export type Group = {
  readonly within: readonly AssistantMessageBlock[];
} & ({ readonly work: readonly WorkBlock[] } | { readonly block: AssistantMessageBlock });

/**
 * Thoughts, tools and phases next to one another are one group; a block that belongs to another one stands in the group of that.
 * One whose parent is not before it stands by itself, and so does what the reader is asked: an answer is not looked for in folds.
 *
 * @param standsAlone - work that is drawn by the page, and so is part of no group
 */
export function groupBlocks(
  blocks: readonly AssistantMessageBlock[],
  standsAlone: (block: AssistantMessageBlock) => boolean,
): readonly Group[] {
  const groups: { group: Group; within: AssistantMessageBlock[] }[] = [];
  const places = new Map<string, number>();
  for (const block of blocks) {
    const parent = block.type === 'action' ? undefined : places.get(block.parentId ?? '');
    const place = parent ?? placeOf(block, groups, standsAlone);
    if (parent !== undefined) groups[parent]?.within.push(block);
    places.set(block.id, place);
  }
  return groups.map(({ group, within }) => (within.length > 0 ? { ...group, within } : group));
}

function placeOf(
  block: AssistantMessageBlock,
  groups: { group: Group; within: AssistantMessageBlock[] }[],
  standsAlone: (block: AssistantMessageBlock) => boolean,
): number {
  const last = groups.at(-1);
  if (!isWork(block) || standsAlone(block)) groups.push({ group: { block, within: NONE }, within: [] });
  else if (last && 'work' in last.group) last.group = { work: [...last.group.work, block], within: NONE };
  else groups.push({ group: { work: [block], within: NONE }, within: [] });
  return groups.length - 1;
}

/** Always this one, so that groups can be compared. */
const NONE: readonly AssistantMessageBlock[] = [];

/** A group that holds what it held is the object that it was: the element that shows it has nothing to draw. */
export function same(group: Group, before: Group | undefined): Group {
  if (!before || !areSame(group.within, before.within)) return group;
  if ('work' in group) return 'work' in before && areSame(group.work, before.work) ? before : group;
  return 'block' in before && group.block === before.block ? before : group;
}

const areSame = (left: readonly unknown[], right: readonly unknown[]): boolean =>
  left === right || (left.length === right.length && left.every((item, index) => item === right[index]));

export const keyOf = (group: Group): string => ('block' in group ? group.block.id : `work ${group.work[0]?.id ?? ''}`);
