/**
 * Cloudflare's agents: a WebSocket whose messages contain the chunks of the AI SDK. Source:
 * `docs/protocols/cloudflare-agents.md`; the sockets are in `demo/server/sockets.ts`.
 */
import type { Protocol } from '../play.ts';
import { aiSdk } from './ai-sdk.ts';

export const cloudflareAgents: Protocol = {
  ...aiSdk,
  beside: () => ({ status: 426, json: { error: { message: 'Connect with a WebSocket.' } } }),
};
