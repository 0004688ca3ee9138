import type * as ConversationChunk from '../conversation-chunk.ts';

let chunk: Promise<typeof ConversationChunk> | undefined;

/** Loads the turn runner and the transcript elements once. After a failure the next call tries again. */
export function loadConversationChunk(): Promise<typeof ConversationChunk> {
  chunk ??= import('../conversation-chunk.ts').catch((error: unknown) => {
    chunk = undefined;
    throw error;
  });
  return chunk;
}
