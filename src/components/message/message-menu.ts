/** The overflow menu of a message. Loaded with the first click. */
import '../../locales/english/all-english.ts';
import type { ChatMessage } from '../../model/message.ts';
import { paragraphsOf } from '../../model/message-text.ts';
import { copyText } from '../../primitives/copy-to-clipboard.ts';
import type { ChatActions, Control, ChatView } from '../shared/contexts.ts';
import { toggleMenu, type MenuEntry } from '../ui/menu.ts';
import { actionsFor } from '../shared/custom-actions.ts';
import { toBlockquote } from '../selection/to-blockquote.ts';
import { selectedMessageText } from '../selection/selected-message-text.ts';

export interface MessageMenuProps {
  readonly message: ChatMessage;
  readonly view: ChatView;
  readonly actions: ChatActions;
}

/** Opens the menu, or closes an open one. A text selection counts only if it is in the message of the button. */
export function openMessageMenu(button: HTMLButtonElement, props: MessageMenuProps): void {
  const selection = selectedMessageText(button.getRootNode());
  const selectedText = selection?.message.contains(button) ? selection.text : '';
  toggleMenu(button, menuGroups(props, selectedText));
}

/** Returns the entries of the menu. A separator is shown between two groups. */
function menuGroups(
  { message, view, actions }: MessageMenuProps,
  selectedText: string,
): readonly (readonly MenuEntry[])[] {
  const { localize } = view.settings;
  const text = paragraphsOf(message);
  const copy: MenuEntry = {
    label: localize('message.copy-markdown'),
    symbol: 'copy',
    run: () => void copyText(text),
  };
  const quote: MenuEntry = {
    label: localize(selectedText ? 'message.quote-selection' : 'message.quote'),
    symbol: 'quote',
    run: () => {
      actions.write(toBlockquote(selectedText || text));
    },
  };
  const custom = actionsFor(view.actions, message, 'menu').map((action) => ({
    label: action.label,
    run: () => {
      actions.run(action, message);
    },
  }));
  const remove: MenuEntry = {
    label: localize('message.delete'),
    symbol: 'bin',
    isDestructive: true,
    run: () => {
      actions.remove(message);
    },
  };
  /** Both entries need text; the page can turn off each. */
  const isOffered = (control: Control): boolean => text !== '' && !view.without.has(control);
  return [
    [...(isOffered('copy') ? [copy] : []), ...(isOffered('quote') ? [quote] : []), ...custom],
    canDelete(message, view) ? [remove] : [],
  ];
}

/** A queued message has its own button in the queue. A streaming message can be deleted after its end. */
const canDelete = ({ status }: ChatMessage, { without }: ChatView): boolean =>
  !without.has('delete') && status !== 'queued' && status !== 'streaming';
