import { nothing } from 'lit';
import type { Localize } from '../locales/localize.ts';
import type { ComposerMenu, Offer, Offers } from './composer-menu.ts';
import { triggerAt, type Trigger } from './trigger.ts';

export interface NamesHost {
  /** What the menu is drawn in. */
  readonly root: Node;
  input(): HTMLTextAreaElement | null;
  offers(kind: Trigger['kind']): Offers | undefined;
  /** Puts words into the composer, and the caret behind what was picked. */
  write(text: string, caret: number): void;
  changed(): void;
}

/** The names that `/` and `@` offer in a composer; the menu itself is fetched with the first sign that offers any. */
export class NamesMenu {
  readonly #host: NamesHost;
  #menu: ComposerMenu | undefined;

  constructor(host: NamesHost) {
    this.#host = host;
  }

  get isOpen(): boolean {
    return this.#menu?.isOpen ?? false;
  }

  /** The id of the chosen row. */
  get activeId(): string | undefined {
    return this.#menu?.activeId;
  }

  view(localize: Localize): unknown {
    return this.#menu?.view(localize) ?? nothing;
  }

  /** Offers names where a sign stands before the caret. */
  readonly look = async (): Promise<void> => {
    const { root, input, offers, changed } = this.#host;
    const field = input();
    const trigger = field ? triggerAt(field.value, field.selectionEnd) : undefined;
    if (!this.#menu && !(trigger && offers(trigger.kind))) return;
    try {
      const { ComposerMenu } = await import('./composer-menu.ts');
      this.#menu ??= new ComposerMenu(root, { offers, pick: this.#pick, changed });
      await this.#menu.look(trigger);
    } catch {
      // Without the chunk names are written by hand.
    }
  };

  /** Whether a key was meant for the menu. */
  press(event: KeyboardEvent): boolean {
    if (!this.#menu?.press(event)) return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  readonly close = (): void => {
    this.#menu?.close();
  };

  readonly #pick = ({ start, end }: Trigger, { name }: Offer): void => {
    const text = this.#host.input()?.value ?? '';
    const written = `${text.slice(0, start + 1)}${name} `;
    this.#host.write(`${written}${text.slice(end).trimStart()}`, written.length);
  };
}
