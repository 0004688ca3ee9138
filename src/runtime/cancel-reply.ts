import type { Exchange } from './exchange.ts';
import { exchange } from './exchange.ts';

/**
 * Tells the server that a reply is no longer wanted, once. Resolves with whether it has heard of it: without that an agent may
 * still be working.
 */
export async function cancelReply(way: Exchange): Promise<boolean> {
  try {
    const answered = await exchange({ ...way, settings: { ...way.settings, body: undefined } }, (options) =>
      way.adapter?.cancel?.(way.turn, options),
    );
    if (answered && 'response' in answered) await answered.response.body?.cancel();
    return answered !== undefined;
  } catch {
    return false;
  }
}
