import { detailOf, toChatError, warnOfPageError } from '../../runtime/error-detail.ts';
import { AgentChatErrorEvent } from './events.ts';
import { loadTurnChunk } from './load-chunks.ts';

/**
 * Reports to the page that one of its functions has failed, where the user sees only the consequence.
 *
 * @param name - the setting
 * @param target - emits the event: an element in the widget
 */
export async function reportPageFunction(name: string, cause: unknown, target: EventTarget): Promise<void> {
  const error = await loadTurnChunk()
    .then(({ awaitPageFunction }) =>
      awaitPageFunction<never>(name, () => Promise.reject(cause instanceof Error ? cause : new Error(String(cause)))),
    )
    .catch(toChatError);
  warnOfPageError(error);
  target.dispatchEvent(new AgentChatErrorEvent(detailOf(error)));
}
