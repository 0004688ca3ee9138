import '../../locales/english/all-english.ts';
import type { BaseAgent } from '../../model/agent.ts';
import type { Localize } from '../../locales/localize.ts';
import type { IconName } from '../../primitives/icon.ts';
import { deleteEntries, exportEntries, type ConversationMenuProps } from './export-and-delete-menu.ts';
import { toggleMenu, type MenuEntry } from '../ui/menu.ts';
import type { PanelPositionController } from '../panel/panel-position.ts';

export interface HeaderMenuOptions {
  readonly localize: Localize;
  /** Moves and resizes the panel; undefined until its code is loaded. */
  readonly position: PanelPositionController | undefined;
  readonly conversation: Omit<ConversationMenuProps, 'localize'>;
  /** The selected agent, if it runs in the page and has settings. */
  readonly configurableAgent: BaseAgent | undefined;
  configure(agent: BaseAgent): void;
  /** Undefined on a phone, where the panel fills the screen and the device can't hover. */
  readonly showShortcuts: (() => void) | undefined;
}

/** Opens or closes the overflow menu: actions that are too rare for a button in the header. */
export function toggleHeaderMenu(button: HTMLElement, options: HeaderMenuOptions): void {
  const { localize, showShortcuts } = options;
  const conversation = { ...options.conversation, localize };
  toggleMenu(button, [
    exportEntries(conversation),
    settingsEntries(options),
    positionEntries(button, options),
    showShortcuts ? [{ symbol: 'question', label: localize('keys.open'), run: showShortcuts }] : [],
    deleteEntries(conversation),
  ]);
}

const settingsEntries = ({ localize, configurableAgent, configure }: HeaderMenuOptions): readonly MenuEntry[] =>
  configurableAgent
    ? [
        {
          symbol: 'edit',
          label: localize('agent.settings', { agent: configurableAgent.name }),
          run: () => {
            configure(configurableAgent);
          },
        },
      ]
    : [];

/**
 * Items that move and resize the panel without dragging; a sidebar can only be resized. None while the panel fills the window, or until
 * the code for its position is loaded.
 */
function positionEntries(button: HTMLElement, { localize, position }: HeaderMenuOptions): readonly MenuEntry[] {
  if (!position?.isMovable && !position?.isSidebar) return [];
  const entry = (name: 'larger' | 'smaller' | 'reset' | 'switchSide', symbol: IconName): MenuEntry => ({
    symbol,
    label: localize(name === 'switchSide' ? 'place.cross' : `place.${name}`),
    staysOpen: true,
    run: () => {
      position[name]();
    },
  });
  const move: MenuEntry = {
    symbol: 'expand',
    label: localize('place.move'),
    run: () => {
      position.startKeyboardMode(() => {
        button.focus();
      });
    },
  };
  return [
    entry('larger', 'plus'),
    entry('smaller', 'zoom-out'),
    ...(position.isMovable ? [entry('switchSide', position.isAtEnd ? 'chevron-left' : 'chevron-right'), move] : []),
    entry('reset', 'again'),
  ];
}
