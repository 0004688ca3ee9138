/** Helpers that change a message's blocks. Each returns a new message; unchanged blocks stay the same objects. */
import type { AssistantMessageBlock, BlockOf, BlockType, Media } from '../model/blocks.ts';
import type { ChatMessage } from '../model/message.ts';
import { isRecord } from '../model/json.ts';
import { isId, isSameId } from '../model/same-id.ts';

export interface ReduceContext {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** @param draft - the block that gets the id, if it is a block */
  newId(draft?: BlockDraft): string;
  /** Returns the locale key of the reason why an image or recording must not be shown; undefined when it may be. */
  refuseMedia?(media: Media): string | undefined;
  /**
   * Ids of the blocks of calls that had ended, and of permissions that were decided, before this round. What begins with the
   * call id of one of them is new.
   */
  readonly endedBefore?: ReadonlySet<string>;
  /** Id of the block that new blocks belong to, such as a sub-agent's tool call. */
  readonly parentId?: string | undefined;
  /**
   * Block id of the tool call that an event is about. Only the runtime sets it, for its own events. A server cannot
   * know our block ids, and its own ids may be missing or shared by several calls.
   */
  readonly callBlockId?: string | undefined;
  /** Reports an event that the mapping table does not allow. The event is ignored. */
  report?(problem: string): void;
}

/** A block without its id and timestamp. */
export type BlockDraft = { [T in BlockType]: Omit<BlockOf<T>, 'id' | 'timestamp'> }[BlockType];

/**
 * Appends a block. Its timestamp is never smaller than that of the block or phase before it, so that sorting by time keeps the
 * order, even if a proxy delivers everything at the same moment.
 */
export function appendBlock(
  message: ChatMessage,
  draft: BlockDraft,
  { now, newId, parentId }: ReduceContext,
): ChatMessage {
  const timestamp = nextTime(message, now);
  // A draft is a union member without two fields; TypeScript cannot see that adding them completes it.
  const block = { ...draft, id: newId(draft), timestamp, ...(parentId && { parentId }) } as AssistantMessageBlock;
  return { ...message, blocks: [...message.blocks, block] };
}

/** The timestamp of a block that is appended now: not before the last block and the newest phase. */
export function nextTime(message: ChatMessage, now: number): number {
  const start = storedPhases(findLastBlock(message, 'status')?.block).at(-1)?.['start'];
  const timestamp = message.blocks.at(-1)?.timestamp ?? message.timestamp;
  return Math.max(now, timestamp, typeof start === 'number' ? start : 0);
}

/** The phases of a status block. In a conversation from elsewhere, `extra.steps` may be anything. */
export function storedPhases(block: BlockOf<'status'> | undefined): readonly Readonly<Record<string, unknown>>[] {
  const steps = block?.extra?.['steps'];
  return Array.isArray(steps) ? (steps as readonly unknown[]).filter(isRecord) : [];
}

export const replaceBlockAt = (message: ChatMessage, index: number, block: AssistantMessageBlock): ChatMessage => ({
  ...message,
  blocks: message.blocks.with(index, block),
});

/** Finds the last block of a type that passes a test, and its index. */
export function findLastBlock<T extends BlockType>(
  message: ChatMessage,
  type: T,
  test: (block: BlockOf<T>) => boolean = () => true,
): { readonly index: number; readonly block: BlockOf<T> } | undefined {
  const index = message.blocks.findLastIndex((block) => block.type === type && test(block as BlockOf<T>));
  return index < 0 ? undefined : { index, block: message.blocks[index] as BlockOf<T> };
}

/** Finds the last block that new text may continue. Status blocks are skipped, and each sub-agent has its own blocks. */
export function lastContinuableBlock(
  message: ChatMessage,
  { parentId }: Pick<ReduceContext, 'parentId'>,
): { readonly index: number; readonly block: AssistantMessageBlock } | undefined {
  const index = message.blocks.findLastIndex((block) => block.type !== 'status' && block.parentId === parentId);
  const block = message.blocks[index];
  return block && { index, block };
}

/** Adds a block under the server's own id; a block that has this id is replaced in its position. */
export function upsertBlock(
  message: ChatMessage,
  dataId: string | undefined,
  draft: BlockDraft,
  context: ReduceContext,
): ChatMessage {
  if (!isId(dataId)) return appendBlock(message, draft, context);
  const existing = message.blocks.findIndex(
    (block) => block.type === draft.type && isSameId(block.extra?.['dataId'], dataId),
  );
  const named = { ...draft, extra: { ...draft.extra, dataId } };
  const before = message.blocks[existing];
  return before
    ? replaceBlockAt(message, existing, {
        ...named,
        id: before.id,
        timestamp: before.timestamp,
        ...(before.parentId && { parentId: before.parentId }),
      })
    : appendBlock(message, named, context);
}
