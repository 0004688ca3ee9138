import { html, nothing, type TemplateResult } from 'lit';
import { AsyncDirective, directive, type ChildPart } from 'lit/async-directive.js';
import { repeat } from 'lit/directives/repeat.js';
import type { Localize } from '../locales/localize.ts';

export interface ShowMoreOptions<Item> {
  readonly items: readonly Item[];
  /** Number of items shown at first, and added with each click. */
  readonly step: number;
  readonly localize: Localize;
  draw(item: Item): unknown;
  /** Returns a key that keeps an item's nodes when items are added before it. Default: its index. */
  key?(item: Item): unknown;
  /** Shows the last items of a growing list, with the button before them. Default: the first items. */
  readonly fromEnd?: boolean;
  /** Wraps the button, such as in a list item. Default: no wrapper. */
  around?(button: TemplateResult): unknown;
}

class ShowSome extends AsyncDirective {
  #steps = 1;
  #container: ParentNode | undefined;

  override update(part: ChildPart, [options]: [ShowMoreOptions<never>]): unknown {
    this.#container = part.parentNode as unknown as ParentNode;
    return this.render(options);
  }

  render(options: ShowMoreOptions<never>): unknown {
    const { items, step, draw, key, fromEnd = false, around = (button: TemplateResult) => button } = options;
    const count = Math.min(items.length, step * this.#steps);
    const visible = items.length === count ? items : fromEnd ? items.slice(-count) : items.slice(0, count);
    const button = items.length > count ? around(this.#button(options, items.length - count)) : nothing;
    const parts = key ? repeat(visible, key, draw) : visible.map(draw);
    return fromEnd ? html`${button}${parts}` : html`${parts}${button}`;
  }

  /** After the last click the button is gone: the focus moves to the first new item, not to the start of the page. */
  #focusFirst(before: ReadonlySet<Element>): void {
    const first = [...(this.#container?.children ?? [])].find(
      (child): child is HTMLElement => child instanceof HTMLElement && !before.has(child),
    );
    if (!first) return;
    first.tabIndex = -1;
    first.focus({ preventScroll: true });
  }

  #button(options: ShowMoreOptions<never>, rest: number): TemplateResult {
    const { localize } = options;
    const more = ({ currentTarget }: Event): void => {
      const before = new Set(this.#container?.children);
      this.#steps++;
      this.setValue(this.render(options));
      if (!(currentTarget as Element).isConnected) this.#focusFirst(before);
    };
    return html`<button type="button" class="link" @click=${more}>
      ${localize('message.show-more')} (${localize.number(rest)})
    </button>`;
  }
}

const drawSome = directive(ShowSome);

/**
 * Renders a list of any length in part, with a "Show more" button for the next part. This limits what the main thread
 * lays out at once.
 *
 * @example
 * html`<ol>${showMore({ items, step: 100, localize, draw: (item) => html`<li>${item}</li>`, around: (button) => html`<li>${button}</li>` })}</ol>`
 */
export const showMore = <Item>(options: ShowMoreOptions<Item>): unknown => drawSome(options as ShowMoreOptions<never>);
