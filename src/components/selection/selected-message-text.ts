import { selectedRange } from './composed-selection.ts';
import { textOfRange } from './text-of-range.ts';

/** The message element around a node. Undefined or another element if the node is in its buttons or the reasoning. */
function containerOf(node: Node): Element | undefined {
  const element = node instanceof Element ? node : node.parentElement;
  return element?.closest('agent-chat-message, agent-chat-activity, .toolbar, .feedback-form') ?? undefined;
}

/** The selected text of one message. Undefined if nothing is selected or the selection spans several messages. */
export function selectedMessageText(
  root: Node,
): { readonly text: string; readonly range: Range; readonly message: Element } | undefined {
  const selected = selectedRange(root);
  if (!selected) return undefined;
  const message = containerOf(selected.startContainer);
  if (message?.localName !== 'agent-chat-message' || message !== containerOf(selected.endContainer)) return undefined;
  const range = document.createRange();
  range.setStart(selected.startContainer, selected.startOffset);
  range.setEnd(selected.endContainer, selected.endOffset);
  const text = textOfRange(message, range);
  return text ? { text, range, message } : undefined;
}
