import type { ChatMessage } from '../model/message.ts';
import { textOf } from '../model/text-of.ts';
import type { Item } from './message-rows.ts';
import { selectedRange } from './selected-range.ts';
import { wordsIn } from './words-in.ts';

interface Column {
  readonly items: readonly Item[];
  readonly messages: readonly ChatMessage[];
}

/** Selects everything in the transcript, and nothing around it. */
export function selectAll(list: Element): void {
  const column = list.firstElementChild;
  if (column) document.getSelection()?.setBaseAndExtent(column, 0, column, column.childNodes.length);
}

/**
 * Puts a selection on the clipboard that reaches over messages which are not in the document. They come as they were written;
 * the two at its ends, which may be selected in part, as they stand there.
 */
export function copyLeftOut(event: ClipboardEvent, list: Element, { items, messages }: Column): void {
  const selected = selectedRange(list.getRootNode());
  if (!selected || !event.clipboardData) return;
  const range = document.createRange();
  range.setStart(selected.startContainer, selected.startOffset);
  range.setEnd(selected.endContainer, selected.endOffset);
  const touched = items.filter(({ element }) => range.intersectsNode(element));
  if (!touched.some((item) => 'leftOut' in item)) return;
  const texts = touched.flatMap((item): readonly string[] => {
    if ('leftOut' in item) return messages.slice(item.leftOut.from, item.leftOut.to).map(wordsOfMessage);
    const message = messages[item.index];
    if (!message) return [];
    const { element } = item;
    const cut = element.contains(range.startContainer) || element.contains(range.endContainer);
    return [cut ? wordsIn(element, range) : wordsOfMessage(message)];
  });
  event.clipboardData.setData('text/plain', texts.filter(Boolean).join('\n\n'));
  event.preventDefault();
}

const wordsOfMessage = (message: ChatMessage): string =>
  message.metadata?.['hidden'] === true ? '' : textOf(message).trim();
