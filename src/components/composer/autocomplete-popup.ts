/** The popup with the commands (`/`) and mentions (`@`) of the composer. Loaded when the user first types `/` or `@`. */
import '../../locales/english/all-english.ts';
import { html, nothing, type TemplateResult } from 'lit';
import sheetText from './autocomplete-popup.css?inline';
import type { Localize } from '../../locales/localize.ts';
import { adoptStylesheet, createStylesheet } from '../../theme/stylesheet.ts';
import type { AutocompleteItem, AutocompleteSource } from '../settings/setting-types.ts';
import type { AutocompleteTrigger } from './autocomplete-trigger.ts';

const style = createStylesheet(sheetText);

export interface AutocompletePopupHost {
  sourceOf(kind: AutocompleteTrigger['kind']): AutocompleteSource | undefined;
  /** Replaces the typed query with the name of the item. */
  pick(trigger: AutocompleteTrigger, item: AutocompleteItem): void;
  /** Called when the popup must be rendered again. */
  requestUpdate(): void;
}

/** Maximum number of items shown. The user finds the others by typing more. */
const MAX_ITEMS = 50;
const MENU_ID = 'composer-menu';

export class AutocompletePopup {
  readonly #host: AutocompletePopupHost;
  #trigger: AutocompleteTrigger | undefined;
  #items: readonly AutocompleteItem[] = [];
  #active = 0;
  #searchAbort: AbortController | undefined;
  /** Position in the text of the trigger that the user has dismissed with Escape. */
  #dismissedStart: number | undefined;

  constructor(root: Node, host: AutocompletePopupHost) {
    this.#host = host;
    adoptStylesheet(root, style);
  }

  get isOpen(): boolean {
    return this.#items.length > 0;
  }

  /** Id of the active item, for `aria-activedescendant`. */
  get activeId(): string | undefined {
    return this.isOpen ? `${MENU_ID}-${String(this.#active)}` : undefined;
  }

  /** Shows the items for the text before the caret. Without a trigger, closes the popup. */
  async update(trigger: AutocompleteTrigger | undefined): Promise<void> {
    this.#searchAbort?.abort();
    if (trigger?.start !== this.#dismissedStart) this.#dismissedStart = undefined;
    const source = trigger && this.#dismissedStart === undefined ? this.#host.sourceOf(trigger.kind) : undefined;
    this.#trigger = trigger;
    if (!trigger || !source) {
      this.#setItems([]);
      return;
    }
    const search = new AbortController();
    this.#searchAbort = search;
    const items = await find(source, trigger.query, search.signal);
    if (!search.signal.aborted) this.#setItems(items.slice(0, MAX_ITEMS));
  }

  close(): void {
    this.#searchAbort?.abort();
    this.#setItems([]);
  }

  /** Handles a key. @returns whether the popup has handled it */
  handleKeydown({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
    if (!this.isOpen || ctrlKey || metaKey || altKey) return false;
    if (key === 'ArrowDown') this.#move(1);
    else if (key === 'ArrowUp') this.#move(-1);
    else if ((key === 'Enter' || key === 'Tab') && !shiftKey) this.#select(this.#active);
    else if (key === 'Escape') {
      this.#dismissedStart = this.#trigger?.start;
      this.close();
    } else return false;
    return true;
  }

  view(localize: Localize): TemplateResult | typeof nothing {
    const kind = this.#trigger?.kind;
    if (!this.isOpen || !kind) return nothing;
    const symbol = kind === 'command' ? '/' : '@';
    return html`<ul class="composer-menu" id=${MENU_ID} role="listbox" aria-label=${localize(`menu.${kind}s`)}>
        ${this.#items.map(
          ({ name, description }, index) =>
            html`<li
              id="${MENU_ID}-${index}"
              role="option"
              aria-selected=${index === this.#active ? 'true' : 'false'}
              @pointerdown=${(event: Event) => {
                // Keep the focus in the text field.
                event.preventDefault();
                this.#select(index);
              }}
            >
              <b class="clip" dir="auto">${symbol}${name}</b>
              ${description === undefined ? nothing : html`<span class="clip" dir="auto">${description}</span>`}
            </li>`,
        )}
      </ul>
      <span class="hidden-visually" role="status">${localize('menu.count', { count: this.#items.length })}</span>`;
  }

  #move(step: number): void {
    const { length } = this.#items;
    this.#active = (this.#active + step + length) % length;
    this.#host.requestUpdate();
  }

  #select(index: number): void {
    const item = this.#items[index];
    const trigger = this.#trigger;
    this.close();
    if (item && trigger) this.#host.pick(trigger, item);
  }

  #setItems(items: readonly AutocompleteItem[]): void {
    const wasOpen = this.isOpen;
    this.#items = items;
    this.#active = 0;
    if (wasOpen || items.length > 0) this.#host.requestUpdate();
  }
}

/**
 * Finds the matching items: first those whose name begins with the query, then those whose name contains it, then those whose
 * description does. If the page's search function fails, there are none.
 */
async function find(
  source: AutocompleteSource,
  query: string,
  signal: AbortSignal,
): Promise<readonly AutocompleteItem[]> {
  if (typeof source === 'function') {
    try {
      return await source(query, { signal });
    } catch {
      return [];
    }
  }
  const needle = query.toLocaleLowerCase();
  const rankOf = ({ name, description = '' }: AutocompleteItem): number => {
    const index = name.toLocaleLowerCase().indexOf(needle);
    if (index >= 0) return index === 0 ? 0 : 1;
    return description.toLocaleLowerCase().includes(needle) ? 2 : 3;
  };
  return source
    .map((item) => ({ item, rank: rankOf(item) }))
    .filter(({ rank }) => rank < 3)
    .sort((left, right) => left.rank - right.rank)
    .map(({ item }) => item);
}
