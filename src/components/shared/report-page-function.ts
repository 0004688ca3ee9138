import { detailOf, toChatError, warnOfPageError } from '../../runtime/error-detail.ts';
import { AgentChatErrorEvent } from './events.ts';
import { loadTurnChunk } from './load-chunks.ts';

/**
 * Reports that a function of the page has failed, where the user sees what follows from it but not why.
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
