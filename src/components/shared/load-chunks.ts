import type * as ConversationChunk from '../conversation-chunk.ts';
import type * as TurnChunk from '../turn-chunk.ts';

/** Loads a chunk once. After a failure the next call tries again. */
function once<Chunk>(load: () => Promise<Chunk>): () => Promise<Chunk> {
  let chunk: Promise<Chunk> | undefined;
  return () =>
    (chunk ??= load().catch((error: unknown) => {
      chunk = undefined;
      throw error;
    }));
}

/** Loads what a turn needs to send its request and to decode the reply. */
export const loadTurnChunk = once<typeof TurnChunk>(() => import('../turn-chunk.ts'));

/** Loads the elements of the transcript. */
export const loadConversationChunk = once<typeof ConversationChunk>(() => import('../conversation-chunk.ts'));
