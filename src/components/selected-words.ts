import { selectedRange } from './selected-range.ts';
import { wordsIn } from './words-in.ts';

/** The element of a message, if a node is in what it says: not in its buttons, and not in what the agent thought. */
function saidIn(node: Node): Element | undefined {
  const element = node instanceof Element ? node : node.parentElement;
  return element?.closest('agent-chat-message, agent-chat-activity, .toolbar, .feedback-form') ?? undefined;
}

/** What of one message's words is selected; empty where that is nothing, or reaches over several messages. */
export function selectedWords(
  root: Node,
): { readonly words: string; readonly range: Range; readonly message: Element } | undefined {
  const selected = selectedRange(root);
  if (!selected) return undefined;
  const message = saidIn(selected.startContainer);
  if (message?.localName !== 'agent-chat-message' || message !== saidIn(selected.endContainer)) return undefined;
  const range = document.createRange();
  range.setStart(selected.startContainer, selected.startOffset);
  range.setEnd(selected.endContainer, selected.endOffset);
  const words = wordsIn(message, range);
  return words ? { words, range, message } : undefined;
}
