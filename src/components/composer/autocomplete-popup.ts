/** The popup with the commands (`/`) and mentions (`@`) of the composer. Loaded with the first of them. */
import '../../locales/english/all-english.ts';
import { html, nothing, type TemplateResult } from 'lit';
import sheetText from './autocomplete-popup.css?inline';
import type { Localize } from '../../locales/localize.ts';
import { adoptStylesheet, createStylesheet } from '../../theme/stylesheet.ts';
import type { AutocompleteItem, AutocompleteSource } from '../settings/setting-types.ts';
import type { AutocompleteTrigger } from './autocomplete-trigger.ts';

const style = createStylesheet(sheetText);

export interface AutocompletePopupHost {
  offers(kind: AutocompleteTrigger['kind']): AutocompleteSource | undefined;
  /** Replaces the typed query with a name. */
  pick(trigger: AutocompleteTrigger, offer: AutocompleteItem): void;
  changed(): void;
}

/** Maximum number of entries. A longer query finds the others. */
const MAX_OPTIONS = 50;
const MENU_ID = 'composer-menu';

export class AutocompletePopup {
  readonly #host: AutocompletePopupHost;
  #trigger: AutocompleteTrigger | undefined;
  #options: readonly AutocompleteItem[] = [];
  #active = 0;
  #search: AbortController | undefined;
  /** Start of the trigger that the user has dismissed with Escape. */
  #dismissed: number | undefined;

  constructor(root: Node, host: AutocompletePopupHost) {
    this.#host = host;
    adoptStylesheet(root, style);
  }

  get isOpen(): boolean {
    return this.#options.length > 0;
  }

  /** Id of the active option, for `aria-activedescendant`. */
  get activeId(): string | undefined {
    return this.isOpen ? `${MENU_ID}-${String(this.#active)}` : undefined;
  }

  /** Searches the entries for the text before the caret. */
  async update(trigger: AutocompleteTrigger | undefined): Promise<void> {
    this.#search?.abort();
    if (trigger?.start !== this.#dismissed) this.#dismissed = undefined;
    const offers = trigger && this.#dismissed === undefined ? this.#host.offers(trigger.kind) : undefined;
    this.#trigger = trigger;
    if (!trigger || !offers) {
      this.#setOptions([]);
      return;
    }
    const search = new AbortController();
    this.#search = search;
    const options = await find(offers, trigger.query, search.signal);
    if (!search.signal.aborted) this.#setOptions(options.slice(0, MAX_OPTIONS));
  }

  close(): void {
    this.#search?.abort();
    this.#setOptions([]);
  }

  /** Handles a key. @returns whether the popup has handled it */
  handleKeydown({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
    if (!this.isOpen || ctrlKey || metaKey || altKey) return false;
    if (key === 'ArrowDown') this.#move(1);
    else if (key === 'ArrowUp') this.#move(-1);
    else if ((key === 'Enter' || key === 'Tab') && !shiftKey) this.#select(this.#active);
    else if (key === 'Escape') {
      this.#dismissed = this.#trigger?.start;
      this.close();
    } else return false;
    return true;
  }

  view(localize: Localize): TemplateResult | typeof nothing {
    const kind = this.#trigger?.kind;
    if (!this.isOpen || !kind) return nothing;
    const symbol = kind === 'command' ? '/' : '@';
    return html`<ul class="composer-menu" id=${MENU_ID} role="listbox" aria-label=${localize(`menu.${kind}s`)}>
        ${this.#options.map(
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
      <span class="hidden-visually" role="status">${localize('menu.count', { count: this.#options.length })}</span>`;
  }

  #move(step: number): void {
    const { length } = this.#options;
    this.#active = (this.#active + step + length) % length;
    this.#host.changed();
  }

  #select(index: number): void {
    const offer = this.#options[index];
    const trigger = this.#trigger;
    this.close();
    if (offer && trigger) this.#host.pick(trigger, offer);
  }

  #setOptions(options: readonly AutocompleteItem[]): void {
    const hadOptions = this.isOpen;
    this.#options = options;
    this.#active = 0;
    if (hadOptions || options.length > 0) this.#host.changed();
  }
}

/** Finds matching entries: name prefix before name, name before description. A failing search function finds nothing. */
async function find(
  offers: AutocompleteSource,
  query: string,
  signal: AbortSignal,
): Promise<readonly AutocompleteItem[]> {
  if (typeof offers === 'function') {
    try {
      return await offers(query, { signal });
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
  return offers
    .map((offer) => ({ offer, rank: rankOf(offer) }))
    .filter(({ rank }) => rank < 3)
    .sort((left, right) => left.rank - right.rank)
    .map(({ offer }) => offer);
}
