/** A message of the conversation. Source: the contract, section 3. */
import { assistantMessageBlock, suggestion } from './blocks.ts';
import type { Immutable } from './immutable.ts';
import { z } from './schema.ts';
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
/** An assistant's: the first five. A user's: `queued`, `sending`, `complete` or `failed`. */
export type MessageStatus = z.infer<typeof messageStatus>;

/** The schema of {@link ChatMessage}. */
export const chatMessage = z.object({
  /** Ours: unique in the conversation and lasting. The wire's own id is `metadata.messageId`. */
  id: z.string(),
  role: z.enum(['user', 'assistant', 'system', 'tool']),
  /** The speaking agent, in a conversation of several. */
  name: optional(z.string()),
  agentId: optional(z.string()),
  status: messageStatus,
  blocks: z.array(assistantMessageBlock),
  finish: optional(finishReason),
  /** Summed over a turn's messages it is the turn's usage, nothing counted twice. */
  usage: optional(usageStats),
  /** Milliseconds since the epoch. */
  timestamp: z.number(),
  /** The message before it; two with the same one are branches. */
  parentId: optional(z.string()),
  suggestions: optional(z.array(suggestion)),
  metadata: optional(z.record(z.string(), z.unknown())),
});
/** A message: who has said it, its blocks in order, how it stands. It is never changed, only replaced. */
export type ChatMessage = Immutable<z.infer<typeof chatMessage>>;
/** Who has said a message. */
export type MessageRole = ChatMessage['role'];
