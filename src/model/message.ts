/** A message of the conversation. */
import { assistantMessageBlock, suggestion } from './blocks.ts';
import type { Immutable } from './immutable.ts';
import { recordOf, z } from './schema.ts';
import { usageStats } from './usage.ts';

const optional = z.exactOptional;

export const finishReason = z.enum(['complete', 'tool_use', 'max_tokens', 'stop_sequence', 'error', 'cancelled']);
/** Why a reply's stream ended. */
export type FinishReason = z.infer<typeof finishReason>;

const messageStatus = z.enum([
  'streaming',
  'complete',
  'error',
  'cancelled',
  'interrupted',
  'queued',
  'sending',
  'failed',
]);
/**
 * The first five are for replies of an agent. A user message is `queued`, `sending`, `complete` (the server has accepted it) or
 * `failed`. `queued`: it is not sent yet, for one of two reasons. It waits for the end of a reply or for an earlier message, after the
 * conversation's messages; or its turn has begun, and its request waits for the network.
 */
export type MessageStatus = z.infer<typeof messageStatus>;

/** The schema of {@link ChatMessage}. */
export const chatMessage = z.object({
  /** Our own id: unique in the conversation and stable. The server's id is `metadata.messageId`. */
  id: z.string(),
  role: z.enum(['user', 'assistant', 'system', 'tool']),
  /** Name of the agent, in a conversation with several agents. */
  name: optional(z.string()),
  /**
   * Id of the page's agent that has written the message. It is the address of the endpoint if a listener has set another endpoint for
   * it, or if it was exported from another one. In a message that the user has sent from an agent UI or an app: the agent that gets it;
   * for the page's endpoint it is empty, or the address.
   */
  agentId: optional(z.string()),
  status: messageStatus,
  blocks: z.array(assistantMessageBlock),
  finish: optional(finishReason),
  /** Token usage. The sum over a turn's messages is the turn's usage; nothing is counted twice. */
  usage: optional(usageStats),
  /** Milliseconds since the epoch. */
  timestamp: z.number(),
  /** Id of the previous message. Messages with the same parent are branches. */
  parentId: optional(z.string()),
  suggestions: optional(z.array(suggestion)),
  metadata: optional(recordOf(z.unknown())),
});
/** A message: its role, its blocks in order, its status. Messages are immutable. */
export type ChatMessage = Immutable<z.infer<typeof chatMessage>>;
/** The author role of a message. */
export type MessageRole = ChatMessage['role'];
