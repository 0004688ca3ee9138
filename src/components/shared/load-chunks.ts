import { loadOnce } from '../../load-once.ts';
import type * as ConversationChunk from '../conversation-chunk.ts';
import type * as TurnChunk from '../turn-chunk.ts';

/** Loads what a turn needs to send its request and to decode the reply. */
export const loadTurnChunk = loadOnce<typeof TurnChunk>(() => import('../turn-chunk.ts'));

/** Loads the elements of the transcript. */
export const loadConversationChunk = loadOnce<typeof ConversationChunk>(() => import('../conversation-chunk.ts'));
