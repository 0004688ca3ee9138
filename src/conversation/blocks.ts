/** How a message's blocks change. Everything here gives a new message and leaves what did not change the same object. */
import type { AssistantMessageBlock, BlockOf, BlockType, Media } from '../model/blocks.ts';
import type { ChatMessage } from '../model/message.ts';

export interface ReduceContext {
  /** Milliseconds since the epoch. */
  readonly now: number;
  newId(): string;
  /** Why a picture or recording is not to be shown, as a key of the catalogue; undefined when it may be. */
  refuseMedia?(media: Media): string | undefined;
  /** Blocks of calls that had ended before this round: a call that starts with the id of one of them is another call. */
  readonly endedBefore?: ReadonlySet<string>;
  /** The block that what comes belongs to. */
  readonly parentId?: string | undefined;
  /** Told of what the mapping table does not allow. It is ignored. */
  report?(problem: string): void;
}

/** A block before it has an id and a time. */
export type Draft = { [T in BlockType]: Omit<BlockOf<T>, 'id' | 'timestamp'> }[BlockType];

/** The block behind the others. Its time is never smaller than that of the one before. */
export function append(message: ChatMessage, draft: Draft, { now, newId, parentId }: ReduceContext): ChatMessage {
  const timestamp = Math.max(now, message.blocks.at(-1)?.timestamp ?? message.timestamp);
  // A draft is a member of the union without two fields; TypeScript can't see that adding them makes it whole.
  const block = { ...draft, id: newId(), timestamp, ...(parentId && { parentId }) } as AssistantMessageBlock;
  return { ...message, blocks: [...message.blocks, block] };
}

export const replaceAt = (message: ChatMessage, index: number, block: AssistantMessageBlock): ChatMessage => ({
  ...message,
  blocks: message.blocks.with(index, block),
});

/** The last block of a type that passes a test, with its place. */
export function findLast<T extends BlockType>(
  message: ChatMessage,
  type: T,
  test: (block: BlockOf<T>) => boolean = () => true,
): { readonly index: number; readonly block: BlockOf<T> } | undefined {
  const index = message.blocks.findLastIndex((block) => block.type === type && test(block as BlockOf<T>));
  return index < 0 ? undefined : { index, block: message.blocks[index] as BlockOf<T> };
}

/** The last block that counts for "goes on with": the phases stand beside the text, not in it, and each sub-agent has its own. */
export function lastBlock(
  message: ChatMessage,
  { parentId }: Pick<ReduceContext, 'parentId'>,
): { readonly index: number; readonly block: AssistantMessageBlock } | undefined {
  const index = message.blocks.findLastIndex((block) => block.type !== 'status' && block.parentId === parentId);
  const block = message.blocks[index];
  return block && { index, block };
}
