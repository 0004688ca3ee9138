import { detailOf, warnOfPageError } from '../../runtime/error-detail.ts';
import { AgentChatErrorEvent } from './events.ts';

/**
 * Reports that a function of the page has failed, where the user sees what follows from it but not why.
 *
 * @param name - the setting
 * @param target - emits the event: an element in the widget
 */
export async function reportPageFunction(name: string, cause: unknown, target: EventTarget): Promise<void> {
  const { asPageFunctionError } = await import('../../page-functions.ts');
  const error = asPageFunctionError(name, cause);
  warnOfPageError(error);
  target.dispatchEvent(new AgentChatErrorEvent(detailOf(error)));
}
