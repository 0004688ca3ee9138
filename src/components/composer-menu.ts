/** What `/` and `@` offer in the composer. It is fetched with the first of them. Source: the contract, `commands` and `mentions`. */
import { html, nothing, type TemplateResult } from 'lit';
import sheetText from '../theme/composer-menu.css?inline';
import type { Localize } from '../locales/localize.ts';
import { adoptSheet, sheet } from '../theme/sheet.ts';
import type { Trigger } from './trigger.ts';

const style = sheet(sheetText);

export interface Offer {
  /** What is written behind the sign. */
  readonly name: string;
  readonly description?: string;
}
/** A list, or a search for what was written so far; `signal` ends a search whose query is out of date. */
export type Offers =
  | readonly Offer[]
  | ((query: string, options: { readonly signal: AbortSignal }) => readonly Offer[] | Promise<readonly Offer[]>);

export interface ComposerMenuHost {
  offers(kind: Trigger['kind']): Offers | undefined;
  /** Puts a name in the place of what was written of it. */
  pick(trigger: Trigger, offer: Offer): void;
  changed(): void;
}

/** So many are offered at once; more words find the others. */
const MOST = 50;
const MENU_ID = 'composer-menu';

export class ComposerMenu {
  readonly #host: ComposerMenuHost;
  #trigger: Trigger | undefined;
  #found: readonly Offer[] = [];
  #active = 0;
  #search: AbortController | undefined;
  /** Escape has closed it for this sign. */
  #dismissed: number | undefined;

  constructor(root: Node, host: ComposerMenuHost) {
    this.#host = host;
    adoptSheet(root, style);
  }

  get isOpen(): boolean {
    return this.#found.length > 0;
  }

  /** The id of the chosen row, for `aria-activedescendant`. */
  get activeId(): string | undefined {
    return this.isOpen ? `${MENU_ID}-${String(this.#active)}` : undefined;
  }

  /** Looks for what fits to what stands before the caret. */
  async look(trigger: Trigger | undefined): Promise<void> {
    this.#search?.abort();
    if (trigger?.start !== this.#dismissed) this.#dismissed = undefined;
    const offers = trigger && this.#dismissed === undefined ? this.#host.offers(trigger.kind) : undefined;
    this.#trigger = trigger;
    if (!trigger || !offers) {
      this.#show([]);
      return;
    }
    const search = new AbortController();
    this.#search = search;
    const found = await find(offers, trigger.query, search.signal);
    if (!search.signal.aborted) this.#show(found.slice(0, MOST));
  }

  close(): void {
    this.#search?.abort();
    this.#show([]);
  }

  /** Whether a key was meant for the menu. */
  press({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
    if (!this.isOpen || ctrlKey || metaKey || altKey) return false;
    if (key === 'ArrowDown') this.#move(1);
    else if (key === 'ArrowUp') this.#move(-1);
    else if ((key === 'Enter' || key === 'Tab') && !shiftKey) this.#pick(this.#active);
    else if (key === 'Escape') {
      this.#dismissed = this.#trigger?.start;
      this.close();
    } else return false;
    return true;
  }

  view(localize: Localize): TemplateResult | typeof nothing {
    const kind = this.#trigger?.kind;
    if (!this.isOpen || !kind) return nothing;
    const sign = kind === 'command' ? '/' : '@';
    return html`<ul class="composer-menu" id=${MENU_ID} role="listbox" aria-label=${localize(`menu.${kind}s`)}>
        ${this.#found.map(
          ({ name, description }, index) =>
            html`<li
              id="${MENU_ID}-${index}"
              role="option"
              aria-selected=${index === this.#active ? 'true' : 'false'}
              @pointerdown=${(event: Event) => {
                // The focus stays with the words.
                event.preventDefault();
                this.#pick(index);
              }}
            >
              <b class="clip" dir="auto">${sign}${name}</b>
              ${description === undefined ? nothing : html`<span class="clip" dir="auto">${description}</span>`}
            </li>`,
        )}
      </ul>
      <span class="hidden-visually" role="status">${localize('menu.count', { count: this.#found.length })}</span>`;
  }

  #move(step: number): void {
    const { length } = this.#found;
    this.#active = (this.#active + step + length) % length;
    this.#host.changed();
  }

  #pick(index: number): void {
    const offer = this.#found[index];
    const trigger = this.#trigger;
    this.close();
    if (offer && trigger) this.#host.pick(trigger, offer);
  }

  #show(found: readonly Offer[]): void {
    const before = this.#found;
    this.#found = found;
    this.#active = 0;
    if (before.length > 0 || found.length > 0) this.#host.changed();
  }
}

/** Those that begin with the query come before those that have it somewhere. A search that fails finds nothing. */
async function find(offers: Offers, query: string, signal: AbortSignal): Promise<readonly Offer[]> {
  if (typeof offers === 'function') {
    try {
      return await offers(query, { signal });
    } catch {
      return [];
    }
  }
  const wanted = query.toLocaleLowerCase();
  const rank = ({ name, description = '' }: Offer): number => {
    const at = name.toLocaleLowerCase().indexOf(wanted);
    if (at >= 0) return at === 0 ? 0 : 1;
    return description.toLocaleLowerCase().includes(wanted) ? 2 : 3;
  };
  return offers
    .map((offer) => ({ offer, place: rank(offer) }))
    .filter(({ place }) => place < 3)
    .sort((one, other) => one.place - other.place)
    .map(({ offer }) => offer);
}
