import { nothing } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import type { AutocompleteItem, AutocompleteSource } from '../settings/setting-types.ts';
import type { AutocompletePopup } from './autocomplete-popup.ts';
import { triggerAt, type AutocompleteTrigger } from './autocomplete-trigger.ts';

export interface AutocompleteHost {
  /** The root that the popup is rendered in. */
  readonly root: Node;
  input(): HTMLTextAreaElement | null;
  /** The page's `commands` or `mentions`; undefined if it has set none. */
  sourceOf(kind: AutocompleteTrigger['kind']): AutocompleteSource | undefined;
  /** Sets the text of the composer and the caret. */
  write(text: string, caret: number): void;
  /** Called when the popup must be rendered again. */
  requestUpdate(): void;
}

/** Autocomplete for commands and mentions. The popup is loaded with the first `/` or `@` for which the page has set a source. */
export class Autocomplete {
  readonly #host: AutocompleteHost;
  #popup: AutocompletePopup | undefined;

  constructor(host: AutocompleteHost) {
    this.#host = host;
  }

  get isOpen(): boolean {
    return this.#popup?.isOpen ?? false;
  }

  /** Id of the active item. */
  get activeId(): string | undefined {
    return this.#popup?.activeId;
  }

  view(localize: Localize): unknown {
    return this.#popup?.view(localize) ?? nothing;
  }

  /** Updates the popup for the text before the caret. */
  readonly update = async (): Promise<void> => {
    const { root, input, sourceOf, requestUpdate } = this.#host;
    const textarea = input();
    const trigger = textarea ? triggerAt(textarea.value, textarea.selectionEnd) : undefined;
    if (!this.#popup && !(trigger && sourceOf(trigger.kind))) return;
    try {
      const { AutocompletePopup } = await import('./autocomplete-popup.ts');
      this.#popup ??= new AutocompletePopup(root, { sourceOf, pick: this.#insert, requestUpdate });
      await this.#popup.update(trigger);
    } catch {
      // If the chunk fails to load, there is no autocomplete.
    }
  };

  /** Handles a key. @returns whether the popup has handled it */
  handleKeydown(event: KeyboardEvent): boolean {
    if (!this.#popup?.handleKeydown(event)) return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  readonly close = (): void => {
    this.#popup?.close();
  };

  readonly #insert = ({ start, end }: AutocompleteTrigger, { name }: AutocompleteItem): void => {
    const text = this.#host.input()?.value ?? '';
    const beforeCaret = `${text.slice(0, start + 1)}${name} `;
    this.#host.write(`${beforeCaret}${text.slice(end).trimStart()}`, beforeCaret.length);
  };
}
