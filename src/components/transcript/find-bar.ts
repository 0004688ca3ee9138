import '../../locales/english/all-english.ts';
import { html, type TemplateResult } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import { loadShowRest } from '../../markdown/render/render-tokens.ts';
import { defineOnce } from '../../primitives/define-once.ts';
import type { IconName } from '../../primitives/icon.ts';
import { lazyIcon } from '../../primitives/lazy-icons.ts';
import { LightElement } from '../../primitives/light-dom-element.ts';
import { onUserSwitch } from '../../primitives/user-change.ts';
import styles from './find-bar.css?inline';
import { adoptStylesheet, createStylesheet } from '../../theme/stylesheet.ts';
import { findMatches, matchRangesIn, searchPatternOf, type FindMatches, type RenderedMatches } from './find-matches.ts';
import type { AgentChatMessageList } from './message-list.ts';

const style = createStylesheet(styles);

/** Names of the custom highlights in the stylesheet. */
const FOUND = 'agent-chat-found';
const CURRENT = 'agent-chat-found-current';

/** Search bar for a conversation that is only partly in the document, where the search of the browser can't find all text. */
export class AgentChatFindBar extends LightElement {
  static override properties = {
    list: { attribute: false },
    localize: { attribute: false },
    found: { state: true },
    current: { state: true },
  };
  declare list: AgentChatMessageList;
  declare localize: Localize;
  declare protected found: FindMatches | undefined;
  declare protected current: number;
  #pattern: RegExp | undefined;
  #search = new AbortController();

  constructor() {
    super();
    this.current = 0;
    this.addEventListener('keydown', this.#onKeydown);
    onUserSwitch(this, () => {
      this.#close();
    });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    adoptStylesheet(this, style);
    this.className = 'find';
    this.setAttribute('role', 'search');
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#search.abort();
    this.#setHighlights([], undefined);
  }

  override focus(): void {
    const input = this.querySelector('input');
    input?.focus();
    input?.select();
  }

  protected override render(): TemplateResult {
    const { localize, found } = this;
    const count = found?.length ?? 0;
    const status =
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
        @input=${this.#onInput}
      />
      <span class="tabular" role="status">${status}</span>
      ${this.#button('up', localize('find.previous'), count < 2, () => void this.#go(-1))}
      ${this.#button('down', localize('find.next'), count < 2, () => void this.#go(1))}
      ${this.#button('close', localize('find.close'), false, () => {
        this.#close();
      })}`;
  }

  #button(iconName: IconName, label: string, disabled: boolean, onClick: () => void): TemplateResult {
    return html`<button
      type="button"
      class="icon-button"
      aria-label=${label}
      title=${label}
      ?disabled=${disabled}
      @click=${onClick}
    >
      ${lazyIcon(iconName, 'small')}
    </button>`;
  }

  readonly #onInput = async (event: Event): Promise<void> => {
    this.#search.abort();
    this.#search = new AbortController();
    this.#pattern = searchPatternOf((event.target as HTMLInputElement).value);
    if (!this.#pattern) {
      this.found = undefined;
      this.#setHighlights([], undefined);
      return;
    }
    const matches = await findMatches(this.list.listedMessages, this.#pattern, this.#search.signal);
    if (!matches) return;
    this.found = matches;
    // Start with the last match: users mostly look for text near the end of a conversation.
    this.current = Math.max(0, matches.length - 1);
    await this.#showCurrent();
  };

  /** Moves to the next or previous match and wraps around at the ends. */
  async #go(step: 1 | -1): Promise<void> {
    const count = this.found?.length ?? 0;
    if (count === 0) return;
    this.current = (this.current + step + count) % count;
    await this.#showCurrent();
  }

  async #showCurrent(): Promise<void> {
    const match = this.found?.at(this.current);
    const pattern = this.#pattern;
    if (!match || !pattern) {
      this.#setHighlights([], undefined);
      return;
    }
    const row = await this.list.reach(match.messageId);
    const rendered = row && (await revealMatch(row, pattern, match.index));
    if (!rendered || !this.isConnected || pattern !== this.#pattern) return;
    const { ranges, current: range } = rendered;
    const rows = [...this.list.querySelectorAll('agent-chat-message')];
    this.#setHighlights(
      rows.flatMap((other) => (other === row ? ranges : matchRangesIn(other, pattern).ranges)),
      range,
    );
    if (range) scrollToMatch(this.list, range);
  }

  #setHighlights(ranges: readonly Range[], current: Range | undefined): void {
    if (!('highlights' in CSS)) return;
    CSS.highlights.delete(FOUND);
    CSS.highlights.delete(CURRENT);
    const found = new Highlight();
    for (const range of ranges) found.add(range);
    if (found.size > 0) CSS.highlights.set(FOUND, found);
    if (!current) return;
    const highlight = new Highlight(current);
    highlight.priority = 1;
    CSS.highlights.set(CURRENT, highlight);
  }

  readonly #onKeydown = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (event.key === 'Escape') this.#close();
    else if (event.key === 'Enter' && event.target instanceof HTMLInputElement) void this.#go(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    // Otherwise Escape would also stop the reply.
    event.stopPropagation();
  };

  #close(): void {
    this.dispatchEvent(new Event('close'));
  }
}

/**
 * Scrolls to the element of the match, also within an inner scroll container. Then scrolls to the match itself, because the element
 * may be higher than the list: a long text is one element.
 */
function scrollToMatch(list: HTMLElement, range: Range): void {
  range.startContainer.parentElement?.scrollIntoView({ block: 'center', behavior: 'instant' });
  const [match, view] = [range.getBoundingClientRect(), list.getBoundingClientRect()];
  if (match.top < view.top || match.bottom > view.bottom)
    list.scrollBy({ top: (match.top + match.bottom - view.top - view.bottom) / 2, behavior: 'instant' });
}

/** The matches in a message. The wanted one may be in the part of a long text that is shown on request. */
async function revealMatch(row: Element, pattern: RegExp, index: number): Promise<RenderedMatches> {
  let rendered = matchRangesIn(row, pattern, index);
  for (const rest of rendered.hasWanted ? [] : row.querySelectorAll('agent-chat-rest')) {
    await loadShowRest();
    await rest.show?.();
    rendered = matchRangesIn(row, pattern, index);
    if (rendered.hasWanted) break;
  }
  return rendered;
}

defineOnce('agent-chat-find', AgentChatFindBar);

/** Opens the search bar above the transcript, or focuses the open one. Closing it restores the focus. */
export async function openFindBar(list: AgentChatMessageList, localize: Localize): Promise<void> {
  const root = list.getRootNode();
  const open = root instanceof ShadowRoot ? root.querySelector('agent-chat-find') : null;
  if (open) {
    open.focus();
    return;
  }
  const previousFocus = root instanceof ShadowRoot ? root.activeElement : null;
  const bar = document.createElement('agent-chat-find');
  Object.assign(bar, { list, localize });
  bar.addEventListener('close', () => {
    bar.remove();
    (previousFocus instanceof HTMLElement && previousFocus.isConnected ? previousFocus : list).focus({
      preventScroll: true,
    });
  });
  list.after(bar);
  await bar.updateComplete;
  bar.focus();
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-find': AgentChatFindBar;
  }
}
