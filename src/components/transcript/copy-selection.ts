import type { ChatMessage } from '../../model/message.ts';
import { paragraphsOf } from '../../model/message-text.ts';
import type { ColumnItem } from './window/message-elements.ts';
import { selectedRange } from '../selection/composed-selection.ts';
import { textOfRange } from '../selection/text-of-range.ts';
import { removeInvisible } from '../../safety/remove-invisible.ts';

interface Column {
  readonly items: readonly ColumnItem[];
  readonly messages: readonly ChatMessage[];
}

/** Selects the content of the transcript and nothing outside it. */
export function selectTranscript(list: Element): void {
  const column = list.firstElementChild;
  if (column) document.getSelection()?.setBaseAndExtent(column, 0, column, column.childNodes.length);
}

/**
 * Copies a selection that spans messages which are not in the document. Their text comes from the model as written. The first and
 * the last message, which may be selected in part, are copied as rendered.
 */
export function copyWithOffscreenMessages(event: ClipboardEvent, list: Element, { items, messages }: Column): void {
  const selected = selectedRange(list.getRootNode());
  if (!selected || !event.clipboardData) return;
  const range = document.createRange();
  range.setStart(selected.startContainer, selected.startOffset);
  range.setEnd(selected.endContainer, selected.endOffset);
  const selectedItems = items.filter(({ element }) => range.intersectsNode(element));
  if (!selectedItems.some((item) => 'leftOut' in item)) return;
  const texts = selectedItems.flatMap((item): readonly string[] => {
    if ('leftOut' in item) return messages.slice(item.leftOut.from, item.leftOut.to).map(copyTextOf);
    const message = messages[item.index];
    if (!message) return [];
    const { element } = item;
    const isPartial = element.contains(range.startContainer) || element.contains(range.endContainer);
    return [isPartial ? textOfRange(element, range) : copyTextOf(message)];
  });
  event.clipboardData.setData('text/plain', texts.filter(Boolean).join('\n\n'));
  event.preventDefault();
}

/**
 * Removes what nobody sees from a text that is copied or dragged: pasted into the composer, it would be sent as words of the user.
 * If there is nothing to remove, the browser copies, with the formats of its own.
 */
export function takeVisibleText(event: ClipboardEvent | DragEvent): void {
  const data = 'clipboardData' in event ? event.clipboardData : event.dataTransfer;
  // What a field contains is the user's own.
  if (!data || event.composedPath()[0] instanceof HTMLTextAreaElement) return;
  const text = data.getData('text/plain') || (document.getSelection()?.toString() ?? '');
  const visible = text.replace(BETWEEN_CONTROLS, removeInvisible);
  if (visible === text) return;
  data.clearData();
  data.setData('text/plain', visible);
  if (event.type === 'copy') event.preventDefault();
}

/** Text between controls of the direction, which languages from right to left need. */
const BETWEEN_CONTROLS = /[^\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g;

const copyTextOf = (message: ChatMessage): string =>
  message.metadata?.['hidden'] === true ? '' : paragraphsOf(message).trim();
