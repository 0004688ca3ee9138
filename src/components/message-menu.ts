/** What can be done with a message besides the buttons below it. Fetched with the first press. */
import type { ChatMessage } from '../model/message.ts';
import { textOf } from '../model/text-of.ts';
import { copyText } from '../primitives/copy-text.ts';
import type { Actions, Control, View } from './contexts.ts';
import { toggleMenu, type MenuEntry } from './menu.ts';
import { offered } from './message-actions.ts';
import { quoteOf } from './quote.ts';
import { selectedWords } from './selected-words.ts';

export interface MessageMenuProps {
  readonly message: ChatMessage;
  readonly view: View;
  readonly actions: Actions;
}

export function openMessageMenu(button: HTMLButtonElement, props: MessageMenuProps): void {
  const selected = selectedWords(button.getRootNode());
  const own = selected?.message.contains(button) ? selected.words : '';
  toggleMenu(button, groupsOf(props, own));
}

function groupsOf({ message, view, actions }: MessageMenuProps, selected: string): readonly (readonly MenuEntry[])[] {
  const { localize } = view.settings;
  const words = textOf(message);
  const copy: MenuEntry = {
    words: localize('message.copy-markdown'),
    symbol: 'copy',
    run: () => void copyText(words),
  };
  const quote: MenuEntry = {
    words: localize(selected ? 'message.quote-selection' : 'message.quote'),
    symbol: 'quote',
    run: () => {
      actions.write(quoteOf(selected || words));
    },
  };
  const own = offered(view.actions, message, 'menu').map((action) => ({
    words: action.label,
    run: () => {
      actions.run(action, message);
    },
  }));
  const remove: MenuEntry = {
    words: localize('message.delete'),
    symbol: 'bin',
    danger: true,
    run: () => {
      actions.remove(message);
    },
  };
  const has = (control: Control): boolean => words !== '' && !view.without.has(control);
  return [
    [...(has('copy') ? [copy] : []), ...(has('quote') ? [quote] : []), ...own],
    canDelete(message, view) ? [remove] : [],
  ];
}

/** What waits to be sent is taken back where it waits. */
const canDelete = ({ status }: ChatMessage, { without }: View): boolean =>
  !without.has('delete') && status !== 'queued' && status !== 'streaming';
