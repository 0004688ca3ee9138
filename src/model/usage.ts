import type { Immutable } from './immutable.ts';
import { z } from './schema.ts';

/** Tokens. Source: DeepChat strong-typed events, section 2.1. A server that counts only the total leaves the parts at 0. */
export const usageStats = z.object({
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  total_tokens: z.number(),
  context_length: z.exactOptional(z.number()),
});
/** How many tokens were read and written. */
export type UsageStats = Immutable<z.infer<typeof usageStats>>;

/** A provider that asks to wait. `estimatedWaitTime` in milliseconds. Source: DeepChat strong-typed events, section 2.1. */
export const rateLimitInfo = z.object({
  providerId: z.string(),
  qpsLimit: z.number(),
  currentQps: z.number(),
  queueLength: z.number(),
  estimatedWaitTime: z.exactOptional(z.number()),
});
/** A provider that asks to wait: how many requests a second it takes, and for how many milliseconds. */
export type RateLimitInfo = Immutable<z.infer<typeof rateLimitInfo>>;
