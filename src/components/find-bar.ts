import { html, type TemplateResult } from 'lit';
import type { Localize } from '../locales/localize.ts';
import { defineOnce } from '../primitives/define-once.ts';
import { icon, type IconName } from '../primitives/icon.ts';
import { LightElement } from '../primitives/light-element.ts';
import { findMatches, patternOf, rangesIn, type Match } from './find-matches.ts';
import type { AgentChatMessageList } from './message-list.ts';

/** The names under which the sheets know the places that were found. */
const FOUND = 'agent-chat-found';
const CURRENT = 'agent-chat-found-current';

/** Looks for words in a conversation that is not in the document as a whole, where the browser's own search can't find them. */
export class AgentChatFind extends LightElement {
  static override properties = {
    list: { attribute: false },
    localize: { attribute: false },
    found: { state: true },
    current: { state: true },
  };
  declare list: AgentChatMessageList;
  declare localize: Localize;
  declare protected found: readonly Match[] | undefined;
  declare protected current: number;
  #pattern: RegExp | undefined;
  #search = new AbortController();

  constructor() {
    super();
    this.current = 0;
    this.addEventListener('keydown', this.#pressed);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.className = 'find';
    this.setAttribute('role', 'search');
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#search.abort();
    this.#mark([], undefined);
  }

  override focus(): void {
    const input = this.querySelector('input');
    input?.focus();
    input?.select();
  }

  protected override render(): TemplateResult {
    const { localize, found } = this;
    const count = found?.length ?? 0;
    const words =
      found === undefined
        ? ''
        : count === 0
          ? localize('find.none')
          : localize('find.count', { index: this.current + 1, count });
    return html`<input
        class="grow"
        type="search"
        autocomplete="off"
        spellcheck="false"
        aria-label=${localize('find.label')}
        placeholder=${localize('find.label')}
        @input=${this.#typed}
      />
      <span class="tabular" role="status">${words}</span>
      ${this.#button('up', localize('find.previous'), count < 2, () => void this.#go(-1))}
      ${this.#button('down', localize('find.next'), count < 2, () => void this.#go(1))}
      ${this.#button('close', localize('find.close'), false, () => {
        this.#close();
      })}`;
  }

  #button(symbol: IconName, label: string, disabled: boolean, press: () => void): TemplateResult {
    return html`<button
      type="button"
      class="icon-button"
      aria-label=${label}
      title=${label}
      ?disabled=${disabled}
      @click=${press}
    >
      ${icon(symbol, 'small')}
    </button>`;
  }

  readonly #typed = async (event: Event): Promise<void> => {
    this.#search.abort();
    this.#search = new AbortController();
    this.#pattern = patternOf((event.target as HTMLInputElement).value);
    if (!this.#pattern) {
      this.found = undefined;
      this.#mark([], undefined);
      return;
    }
    const places = await findMatches(this.list.shown, this.#pattern, this.#search.signal);
    if (!places) return;
    this.found = places;
    // As with the browser's own: what stands nearest to the end of a chat is looked for most.
    this.current = Math.max(0, places.length - 1);
    await this.#show();
  };

  /** To the next one, round the ends. */
  async #go(step: 1 | -1): Promise<void> {
    const count = this.found?.length ?? 0;
    if (count === 0) return;
    this.current = (this.current + step + count) % count;
    await this.#show();
  }

  async #show(): Promise<void> {
    const match = this.found?.[this.current];
    const pattern = this.#pattern;
    if (!match || !pattern) {
      this.#mark([], undefined);
      return;
    }
    const row = await this.list.reach(match.id);
    if (!row || !this.isConnected) return;
    const here = rangesIn(row, pattern);
    // What is counted are the words as they were written; drawn, there may be fewer.
    const place = here[Math.min(match.nth, here.length - 1)];
    const rows = [...this.list.querySelectorAll('agent-chat-message')];
    this.#mark(
      rows.flatMap((other) => (other === row ? here : rangesIn(other, pattern))),
      place,
    );
    place?.startContainer.parentElement?.scrollIntoView({ block: 'center', behavior: 'instant' });
  }

  #mark(ranges: readonly Range[], current: Range | undefined): void {
    if (!('highlights' in CSS)) return;
    CSS.highlights.delete(FOUND);
    CSS.highlights.delete(CURRENT);
    if (ranges.length > 0) CSS.highlights.set(FOUND, new Highlight(...ranges));
    if (!current) return;
    const highlight = new Highlight(current);
    highlight.priority = 1;
    CSS.highlights.set(CURRENT, highlight);
  }

  readonly #pressed = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (event.key === 'Escape') this.#close();
    else if (event.key === 'Enter' && event.target instanceof HTMLInputElement) void this.#go(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    // Escape would stop the reply.
    event.stopPropagation();
  };

  #close(): void {
    this.dispatchEvent(new Event('close'));
  }
}

defineOnce('agent-chat-find', AgentChatFind);

/** Opens it above the transcript, or goes back into the one that is open. It gives the focus back when it is closed. */
export async function openFindBar(list: AgentChatMessageList, localize: Localize): Promise<void> {
  const root = list.getRootNode();
  const open = root instanceof ShadowRoot ? root.querySelector('agent-chat-find') : null;
  if (open) {
    open.focus();
    return;
  }
  const before = root instanceof ShadowRoot ? root.activeElement : null;
  const bar = document.createElement('agent-chat-find');
  Object.assign(bar, { list, localize });
  bar.addEventListener('close', () => {
    bar.remove();
    (before instanceof HTMLElement && before.isConnected ? before : list).focus({ preventScroll: true });
  });
  list.after(bar);
  await bar.updateComplete;
  bar.focus();
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-find': AgentChatFind;
  }
}
