import type { Localize } from '../locales/localize.ts';
import type { ConversationMenuProps } from './conversation-menu.ts';
import type { KeysOptions } from './keys-dialog.ts';
import type { Panel } from './panel.ts';

export interface MoreHost {
  root(): Node & ParentNode;
  localize(): Localize;
  readonly panel: Panel;
  conversation(): Omit<ConversationMenuProps, 'localize'>;
  keys(): Omit<KeysOptions, 'localize'>;
}

/** What is behind the last button of the header, fetched when it is wanted. Without its chunks nothing opens. */
export class More {
  readonly #host: MoreHost;

  constructor(host: MoreHost) {
    this.#host = host;
  }

  /** On a phone without a keyboard there is nothing behind it. */
  get offers(): boolean {
    return !(this.#host.panel.fills && matchMedia('(hover: none)').matches);
  }

  readonly open = ({ currentTarget }: Event): void => {
    const { panel, localize, conversation } = this.#host;
    import('./header-menu.ts').then(
      ({ toggleHeaderMenu }) => {
        toggleHeaderMenu(currentTarget as HTMLElement, {
          localize: localize(),
          place: panel.place,
          conversation: conversation(),
          showKeys: this.showKeys,
        });
      },
      () => undefined,
    );
  };

  readonly showKeys = (): void => {
    const { root, localize, keys } = this.#host;
    import('./keys-dialog.ts').then(
      ({ openKeysDialog }) => {
        openKeysDialog(root(), { localize: localize(), ...keys() });
      },
      () => undefined,
    );
  };

  /** `?` where nothing is written. @returns whether it was meant */
  press(event: KeyboardEvent): boolean {
    const [target] = event.composedPath();
    if (event.key !== '?' || event.ctrlKey || event.metaKey || event.altKey) return false;
    if (target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select')))
      return false;
    this.showKeys();
    return true;
  }
}
