import type { Immutable } from './immutable.ts';
import { z } from './schema.ts';

/** Token usage. A server that reports only the total leaves the parts at 0. Source: `docs/protocols/deepchat-events.md`. */
export const usageStats = z.object({
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  total_tokens: z.number(),
  context_length: z.exactOptional(z.number()),
});
/** Token usage of a reply: prompt, completion and total. */
export type UsageStats = Immutable<z.infer<typeof usageStats>>;

/** A provider's rate limit. `estimatedWaitTime` is in milliseconds. Source: `docs/protocols/deepchat-events.md`. */
export const rateLimitInfo = z.object({
  providerId: z.string(),
  qpsLimit: z.number(),
  currentQps: z.number(),
  queueLength: z.number(),
  estimatedWaitTime: z.exactOptional(z.number()),
});
/** A provider's rate limit: requests per second, and the time to wait in milliseconds. */
export type RateLimitInfo = Immutable<z.infer<typeof rateLimitInfo>>;
