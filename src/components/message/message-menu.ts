/** The overflow menu of a message. Loaded with the first click. */
import '../../locales/english/all-english.ts';
import type { ChatMessage } from '../../model/message.ts';
import { paragraphsOf } from '../../model/text/paragraphs-of.ts';
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

export function openMessageMenu(button: HTMLButtonElement, props: MessageMenuProps): void {
  const selected = selectedMessageText(button.getRootNode());
  const selection = selected?.message.contains(button) ? selected.text : '';
  toggleMenu(button, groupsOf(props, selection));
}

function groupsOf({ message, view, actions }: MessageMenuProps, selected: string): readonly (readonly MenuEntry[])[] {
  const { localize } = view.settings;
  const text = paragraphsOf(message);
  const copy: MenuEntry = {
    label: localize('message.copy-markdown'),
    symbol: 'copy',
    run: () => void copyText(text),
  };
  const quote: MenuEntry = {
    label: localize(selected ? 'message.quote-selection' : 'message.quote'),
    symbol: 'quote',
    run: () => {
      actions.write(toBlockquote(selected || text));
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
  const has = (control: Control): boolean => text !== '' && !view.without.has(control);
  return [
    [...(has('copy') ? [copy] : []), ...(has('quote') ? [quote] : []), ...custom],
    canDelete(message, view) ? [remove] : [],
  ];
}

/** Queued messages are removed in the queue, and a streaming one only after it has ended. */
const canDelete = ({ status }: ChatMessage, { without }: ChatView): boolean =>
  !without.has('delete') && status !== 'queued' && status !== 'streaming';
