import type { Localize } from '../locales/localize.ts';
import type { IconName } from '../primitives/icon.ts';
import { deleteEntries, exportEntries, type ConversationMenuProps } from './conversation-menu.ts';
import { toggleMenu, type MenuEntry } from './menu.ts';
import type { Place } from './place.ts';

export interface HeaderMenuOptions {
  readonly localize: Localize;
  /** What the panel lets be done to its place; undefined where it has none of its own. */
  readonly place: Place | undefined;
  readonly conversation: Omit<ConversationMenuProps, 'localize'>;
  showKeys(): void;
}

/** What can be done with the widget as a whole, and is wanted too seldom for a button in the header. */
export function toggleHeaderMenu(button: HTMLElement, options: HeaderMenuOptions): void {
  const { localize, showKeys } = options;
  const conversation = { ...options.conversation, localize };
  toggleMenu(button, [
    exportEntries(conversation),
    placeEntries(button, options),
    [{ symbol: 'question', words: localize('keys.open'), run: showKeys }],
    deleteEntries(conversation),
  ]);
}

/** All that dragging does, for those who can't drag. */
function placeEntries(button: HTMLElement, { localize, place }: HeaderMenuOptions): readonly MenuEntry[] {
  if (!place?.isFree && !place?.isSidebar) return [];
  const entry = (name: 'larger' | 'smaller' | 'reset' | 'cross', symbol: IconName): MenuEntry => ({
    symbol,
    words: localize(`place.${name}`),
    stays: true,
    run: () => {
      place[name]();
    },
  });
  const move: MenuEntry = {
    symbol: 'expand',
    words: localize('place.move'),
    run: () => {
      place.takeKeys(() => {
        button.focus();
      });
    },
  };
  return [
    entry('larger', 'plus'),
    entry('smaller', 'zoom-out'),
    ...(place.isFree ? [entry('cross', place.isAtEnd ? 'chevron-left' : 'chevron-right'), move] : []),
    entry('reset', 'again'),
  ];
}
