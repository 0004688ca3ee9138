import { html, nothing, type TemplateResult } from 'lit';
import { enTableTools } from '../../locales/english/en-table-tools.ts';
import { addEnglish } from '../../locales/english/loaded-english.ts';
import type { Localize } from '../../locales/localize.ts';
import { hasLongWord } from '../../primitives/cell-text.ts';
import { fitPaper, unfitPaper } from '../../primitives/fit-paper.ts';
import { toCsv, toMarkdown } from '../../primitives/export-table.ts';
import { cellText, isNumeric, sortRows } from '../../primitives/table-cells.ts';
import { lazyIcon } from '../../primitives/lazy-icons.ts';
import { LightElement } from '../../primitives/light-dom-element.ts';
import { withoutInvisible } from '../../safety/urls.ts';
import { adoptStylesheet, createStylesheet } from '../../theme/stylesheet.ts';
import css from '../../markdown/render/table-tools.css?inline';
import { shortText } from '../core/short-text.ts';
import { maxRows, type TableData } from './parse-table.ts';

const filterSheet = createStylesheet(css);

addEnglish(enTableTools);

/** Number of rows that are shown initially. */
const FIRST_ROWS = 10;
/** Number of cells that a press on "Show more" adds at most: a browser lays them out in one task. */
const CELLS_PER_STEP = 20_000;

/**
 * A card with a table. A click on a column header sorts ascending, a second click descending, a third restores the
 * agent's order.
 */
export class AgentChatTable extends LightElement {
  static override properties = {
    table: { attribute: false },
    caption: { attribute: false },
    localize: { attribute: false },
    column: { state: true },
    descending: { state: true },
    steps: { state: true },
    query: { state: true },
  };
  declare table: TableData;
  declare caption: string;
  declare localize: Localize;
  declare protected column: number | undefined;
  declare protected descending: boolean;
  /** How many times the user has asked for more rows. */
  declare protected steps: number;
  /** The filter text; undefined while the filter is closed. */
  declare protected query: string | undefined;

  constructor() {
    super();
    this.caption = '';
    this.descending = false;
    this.steps = 0;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    adoptStylesheet(this, filterSheet);
    fitPaper(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    unfitPaper(this);
  }

  protected override render(): TemplateResult {
    const { localize, table } = this;
    const numeric = table.columns.map((_, index) => isNumeric(table.rows, index));
    // Row headers are aligned to the start, even if they are numbers.
    const right = numeric.map((isNumber, index) => isNumber && index > 0);
    const rows = this.#sorted(numeric).filter((row) => this.#fits(row));
    const visibleRows = rows.slice(0, this.#limit(this.steps));
    const title = shortText(table.name || this.caption || localize('data.table'));
    return html`<section class="card data" role="group" aria-label=${title}>
      <div class="bar">
        ${lazyIcon('table', 'small')}<b class="grow clip" dir="auto">${title}</b>
        ${table.rows.length > FIRST_ROWS ? this.#filterButton() : nothing}
        ${table.columns.length > 0 ? this.#copyButtons() : nothing}
      </div>
      ${this.query === undefined ? nothing : this.#filter(rows.length)}
      ${table.columns.length > 0 ? this.#grid(visibleRows, right, title) : nothing}
      ${table.rows.length === 0 ? html`<div class="foot">${localize('data.empty')}</div>` : nothing}
      ${rows.length > visibleRows.length ? this.#foot(visibleRows.length, rows.length) : nothing}
    </section>`;
  }

  /** How many rows are shown after a number of steps. */
  #limit(steps: number): number {
    const count = this.table.columns.length;
    const perStep = Math.floor(CELLS_PER_STEP / Math.max(1, count));
    return Math.min(maxRows(count), steps === 0 ? FIRST_ROWS : perStep * steps);
  }

  #foot(shown: number, count: number): TemplateResult {
    const { localize } = this;
    const next = Math.min(count, this.#limit(this.steps + 1));
    return html`<div class="foot">
      <span class="tabular">${localize('data.rows', { shown, count })}</span>
      ${
        next === shown
          ? nothing
          : html`<button
              type="button"
              class="link"
              @click=${() => {
                this.steps += 1;
              }}
            >
              ${localize(next === count ? 'data.show-all' : 'message.show-more')}
            </button>`
      }
    </div>`;
  }

  #copyButtons(): TemplateResult {
    const { localize, table } = this;
    return html`<agent-chat-copy
        caption="Markdown"
        .value=${() => toMarkdown(table)}
        .label=${localize('data.copy-markdown')}
        .done=${localize('code.copied')}
      ></agent-chat-copy>
      <agent-chat-copy
        caption="CSV"
        .value=${() => toCsv(table)}
        .label=${localize('data.copy-csv')}
        .done=${localize('code.copied')}
      ></agent-chat-copy>`;
  }

  #grid(visibleRows: TableData['rows'], right: readonly boolean[], title: string): TemplateResult {
    const { table } = this;
    return html`<div class="data-scroll" tabindex="0" role="group" aria-label=${title}>
      <table part="data-table">
        ${
          this.caption && table.name
            ? html`<caption class="muted" dir="auto">
                ${this.caption}
              </caption>`
            : nothing
        }
        <thead>
          <tr>
            ${table.columns.map((name, index) => this.#head(name, index, right[index] === true))}
          </tr>
        </thead>
        <tbody>
          ${visibleRows.map(
            (row) =>
              html`<tr>
                ${row.map((cell, index) => html`<td class=${cellClass(cell, index > 0 && (right[index] === true || typeof cell === 'number'))} dir="auto">${this.#cell(cell)}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  #filterButton(): TemplateResult {
    const label = this.localize('data.filter');
    return html`<button
      type="button"
      class="icon-button"
      aria-label=${label}
      title=${label}
      aria-expanded=${this.query === undefined ? 'false' : 'true'}
      @click=${this.#toggleFilter}
    >
      ${lazyIcon('search', 'small')}
    </button>`;
  }

  #filter(visibleCount: number): TemplateResult {
    const label = this.localize('data.filter');
    return html`<div class="table-filter">
      <input
        type="search"
        class="field"
        aria-label=${label}
        placeholder=${label}
        .value=${this.query ?? ''}
        @input=${({ target }: Event) => {
          if (target instanceof HTMLInputElement) this.query = target.value;
        }}
        @keydown=${this.#keys}
      />
      <span class="tabular muted" role="status"
        >${this.localize('data.rows', { shown: visibleCount, count: this.table.rows.length })}</span
      >
    </div>`;
  }

  readonly #toggleFilter = async (): Promise<void> => {
    this.query = this.query === undefined ? '' : undefined;
    await this.updateComplete;
    this.querySelector<HTMLElement>(this.query === undefined ? '[aria-expanded]' : 'input')?.focus();
  };

  /** Escape closes the filter, but not the container of the table. */
  readonly #keys = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.isComposing) return;
    event.stopPropagation();
    event.preventDefault();
    void this.#toggleFilter();
  };

  #fits(row: readonly unknown[]): boolean {
    const { locale } = this.localize;
    const query = this.query?.trim().toLocaleLowerCase(locale) ?? '';
    return query === '' || row.some((cell) => cellText(cell).toLocaleLowerCase(locale).includes(query));
  }

  #head(name: string, index: number, right: boolean): TemplateResult {
    const sorted = this.column === index;
    const order = sorted ? (this.descending ? 'descending' : 'ascending') : 'none';
    return html`<th scope="col" aria-sort=${order} class=${right ? 'right' : nothing}>
      <button
        type="button"
        class="sort"
        aria-label=${this.localize('data.sort', { column: withoutInvisible(name) })}
        @click=${() => {
          this.#sortBy(index);
        }}
      >
        <span dir="auto">${shortText(name)}</span
        >${sorted ? lazyIcon(this.descending ? 'down' : 'up', 'small') : nothing}
      </button>
    </th>`;
  }

  #cell(cell: unknown): string {
    return typeof cell === 'number' ? this.localize.number(cell) : shortText(cellText(cell));
  }

  #sortBy(index: number): void {
    if (this.column !== index) {
      this.column = index;
      this.descending = false;
    } else if (!this.descending) this.descending = true;
    else this.column = undefined;
  }

  #sorted(numeric: readonly boolean[]): TableData['rows'] {
    const { column } = this;
    if (column === undefined) return this.table.rows;
    return sortRows(this.table.rows, {
      cellOf: (row) => row[column],
      numeric: numeric[column] === true,
      descending: this.descending,
      locale: this.localize.locale,
    });
  }
}

function cellClass(cell: unknown, right: boolean): string | typeof nothing {
  const isLong = hasLongWord(shortText(cellText(cell)));
  return [right ? 'right' : '', isLong ? 'long' : ''].filter(Boolean).join(' ') || nothing;
}
