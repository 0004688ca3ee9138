import type { BaseAgent } from '../../model/agent.ts';
import type { Localize } from '../../locales/localize.ts';
import type { ConversationMenuProps } from './export-and-delete-menu.ts';
import type { ShortcutsOptions } from './shortcuts-dialog.ts';
import type { PanelController } from '../panel/panel-controller.ts';

export interface HeaderMenuHost {
  root(): Node & ParentNode;
  localize(): Localize;
  readonly panel: PanelController;
  conversation(): Omit<ConversationMenuProps, 'localize'>;
  shortcuts(): Omit<ShortcutsOptions, 'localize'>;
  /** The selected agent, if it runs in the page. */
  pageAgent(): BaseAgent | undefined;
}

/** Lazy loader of the menu in the header and the shortcuts dialog. If a chunk fails to load, nothing opens. */
export class HeaderMenuLoader {
  readonly #host: HeaderMenuHost;

  constructor(host: HeaderMenuHost) {
    this.#host = host;
  }

  /** Whether the menu has items. On a phone it may have none before the first message. */
  get hasItems(): boolean {
    const { pageAgent, conversation } = this.#host;
    const { exportAs, remove } = conversation();
    return this.#offersShortcuts || !!(pageAgent() ?? exportAs ?? remove);
  }

  /** Not on a phone, which is recognized by a panel that fills the screen of a device that can't hover. */
  get #offersShortcuts(): boolean {
    return !(this.#host.panel.fills && matchMedia('(hover: none)').matches);
  }

  readonly open = ({ currentTarget }: Event): void => {
    const { panel, root, localize, conversation, pageAgent } = this.#host;
    const agent = pageAgent();
    // The dialog for its settings is loaded only for an agent that runs in the page: only such an agent can have some.
    Promise.all([import('./header-menu.ts'), agent && import('./agent-settings-dialog.ts')]).then(
      ([{ toggleHeaderMenu }, settings]) => {
        toggleHeaderMenu(currentTarget as HTMLElement, {
          localize: localize(),
          position: panel.position,
          conversation: conversation(),
          showShortcuts: this.#offersShortcuts ? this.showShortcuts : undefined,
          configurableAgent: agent && settings && settings.settingFields(agent).length > 0 ? agent : undefined,
          configure: (chosen) => {
            settings?.openAgentSettings(root(), chosen, localize());
          },
        });
      },
      () => undefined,
    );
  };

  readonly showShortcuts = (): void => {
    const { root, localize, shortcuts } = this.#host;
    import('./shortcuts-dialog.ts').then(
      ({ openShortcutsDialog }) => {
        openShortcutsDialog(root(), { localize: localize(), ...shortcuts() });
      },
      () => undefined,
    );
  };

  /** Opens the shortcuts dialog for `?` outside of text fields. @returns whether the key was handled */
  handleKey(event: KeyboardEvent): boolean {
    const [target] = event.composedPath();
    if (event.key !== '?' || event.ctrlKey || event.metaKey || event.altKey) return false;
    if (target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select')))
      return false;
    this.showShortcuts();
    return true;
  }
}
