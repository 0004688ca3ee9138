/**
 * Sorting, filtering and copying of tables that have arrived completely. Rows are moved and hidden but never re-created, so removing the
 * tools restores the original table.
 */
import { html, nothing, render, svg, type TemplateResult } from 'lit';
import type { Token, Tokens } from 'marked';
import { enumerate } from '../../enumerate.ts';
import { enTableTools } from '../../locales/english/en-table-tools.ts';
import { addEnglish } from '../../locales/english/loaded-english.ts';
import type { Localize } from '../../locales/localize.ts';
import { toCsv, toMarkdown } from '../../primitives/export-table.ts';
import { isNumeric, sortRows } from '../../primitives/table-cells.ts';
import { icon } from '../../primitives/icon.ts';
import type { AgentChatMath } from '../../primitives/math/formula.ts';
import { renderIcon } from '../../primitives/content-icon.ts';
import css from './table-tools.css?inline';
import { adoptStylesheet, createStylesheet } from '../../theme/stylesheet.ts';
import { stripCitationPlaceholders } from '../parse/citation-placeholders.ts';

/** Tables with more rows than this get a filter. */
const MAX_ROWS_WITHOUT_FILTER = 8;
const UNSORTED = svg`<path d="M6.25 8 10 4.25 13.75 8M6.25 12 10 15.75 13.75 12"/>`;

const style = createStylesheet(css);

addEnglish(enTableTools);

export interface TableView {
  readonly token: Pick<Tokens.Table, 'header' | 'rows'> & Token;
  readonly localize: Localize;
}

interface Row {
  readonly element: HTMLTableRowElement;
  /** The displayed text of its cells. */
  readonly cellTexts: readonly string[];
  /** The Markdown source of its cells. */
  readonly cellSources: readonly string[];
}

/** Adds the tools to a table. @returns a function that removes them */
export function addTableTools(table: HTMLElement, { token, localize }: TableView): () => void {
  const tools = new TableTools(table, token, localize);
  tools.show();
  return () => {
    tools.remove();
  };
}

class TableTools {
  readonly #table: HTMLElement;
  readonly #token: TableView['token'];
  readonly #localize: Localize;
  /** The rows in their original order. */
  readonly #rows: readonly Row[];
  /** The table bodies, each with its number of rows: a long table is split into several tables (`#isSplit`). */
  readonly #bodies: readonly { readonly body: HTMLTableSectionElement; readonly count: number }[];
  readonly #headerRow: HTMLTableRowElement | undefined;
  readonly #toolbar = document.createElement('div');
  readonly #filter = document.createElement('div');
  readonly #headTable = document.createElement('table');
  /** The column by which the rows are sorted; undefined for their original order. */
  #sortedColumn: number | undefined;
  #descending = false;
  /** The filter text; undefined if the filter is closed. */
  #query: string | undefined;
  readonly #resizeObserver: ResizeObserver;

  constructor(table: HTMLElement, token: TableView['token'], localize: Localize) {
    this.#table = table;
    this.#token = token;
    this.#localize = localize;
    this.#headerRow = table.querySelector<HTMLTableRowElement>('thead tr') ?? undefined;
    const bodies = [...table.querySelectorAll('tbody')];
    this.#bodies = bodies.map((body) => ({ body, count: body.rows.length }));
    this.#rows = bodies
      .flatMap(({ rows }) => [...rows])
      .map((element, index) => ({
        element,
        cellTexts: [...element.cells].map(displayedCellText),
        cellSources: token.rows[index]?.map(({ text }) => stripCitationPlaceholders(text)) ?? [],
      }));
    this.#resizeObserver = new ResizeObserver(() => {
      // The header can only stick to the outer scroll container if the table does not scroll horizontally itself.
      table.toggleAttribute('fits', table.scrollWidth <= table.clientWidth);
    });
  }

  show(): void {
    adoptStylesheet(this.#table, style);
    this.#moveHeaderOut();
    this.#toolbar.className = 'table-bar';
    this.#filter.className = 'table-filter';
    if (this.#isSplit) for (const part of [this.#toolbar, this.#filter]) part.setAttribute('role', 'rowgroup');
    this.#table.append(this.#toolbar);
    this.#table.toggleAttribute('tools', true);
    this.#resizeObserver.observe(this.#table);
    this.#render();
  }

  remove(): void {
    this.#resizeObserver.disconnect();
    this.#sortedColumn = undefined;
    this.#query = undefined;
    this.#applyOrder();
    for (const button of this.#headerRow?.querySelectorAll('.sort-by') ?? []) button.remove();
    for (const cell of this.#headerRow?.cells ?? []) cell.removeAttribute('aria-sort');
    // Puts the header back into the first inner table.
    const head = this.#headTable.tHead;
    if (head) this.#headTable.nextElementSibling?.querySelector('tbody')?.before(head);
    for (const part of [this.#toolbar, this.#filter, this.#headTable]) part.remove();
    for (const name of ['tools', 'fits', 'filtered']) this.#table.removeAttribute(name);
  }

  /** Whether the rows are split into several tables. The element has the table role then, so its children must be rows. */
  get #isSplit(): boolean {
    return this.#table.getAttribute('role') === 'table';
  }

  #asRow(content: TemplateResult): TemplateResult {
    return this.#isSplit ? html`<div role="row"><div role="cell">${content}</div></div>` : content;
  }

  /** Moves the header of a split table out of the first inner table; otherwise the sticky header would scroll away with that table. */
  #moveHeaderOut(): void {
    if (!this.#isSplit) return;
    const [first] = this.#table.querySelectorAll('table');
    const columns = first?.querySelector('colgroup');
    const head = first?.tHead;
    if (!first || !head || !columns) return;
    this.#headTable.setAttribute('role', 'none');
    this.#headTable.className = 'table-head';
    this.#headTable.append(columns.cloneNode(true), head);
    first.before(this.#headTable);
  }

  #render(): void {
    this.#renderSortButtons();
    const { length } = this.#rows;
    const localize = this.#localize;
    render(
      this.#asRow(
        html`${
            length > MAX_ROWS_WITHOUT_FILTER
              ? html`<button
                  type="button"
                  class="icon-button"
                  part="toolbar-button"
                  aria-label=${localize('data.filter')}
                  title=${localize('data.filter')}
                  aria-expanded=${this.#query === undefined ? 'false' : 'true'}
                  @click=${this.#toggleFilter}
                >
                  ${icon('search', 'small')}
                </button>`
              : nothing
          }<agent-chat-copy
            caption="Markdown"
            .value=${this.#asMarkdown}
            .label=${localize('data.copy-markdown')}
            .done=${localize('code.copied')}
          ></agent-chat-copy
          ><agent-chat-copy
            caption="CSV"
            .value=${this.#asCsv}
            .label=${localize('data.copy-csv')}
            .done=${localize('code.copied')}
          ></agent-chat-copy>`,
      ),
      this.#toolbar,
    );
    this.#table.toggleAttribute('filtered', this.#query !== undefined);
    if (this.#query === undefined) this.#filter.remove();
    else this.#renderFilter(this.#query);
  }

  #renderFilter(query: string): void {
    const localize = this.#localize;
    render(
      this.#asRow(
        html`<input
            type="search"
            class="field"
            aria-label=${localize('data.filter')}
            placeholder=${localize('data.filter')}
            .value=${query}
            @input=${this.#onFilterInput}
            @keydown=${this.#onFilterKeydown}
          />
          <span class="tabular muted" role="status"
            >${localize('data.rows', { shown: this.#visibleRows().length, count: this.#rows.length })}</span
          >`,
      ),
      this.#filter,
    );
    if (!this.#filter.isConnected) this.#table.prepend(this.#filter);
  }

  #renderSortButtons(): void {
    for (const [index, cell] of enumerate(this.#headerRow?.cells ?? [])) {
      const isSorted = this.#sortedColumn === index;
      const order = isSorted ? (this.#descending ? 'descending' : 'ascending') : 'none';
      cell.setAttribute('aria-sort', order);
      let button = cell.querySelector<HTMLButtonElement>(':scope > .sort-by');
      if (!button) {
        button = document.createElement('button');
        button.type = 'button';
        button.className = 'sort-by';
        const label = this.#localize('data.sort', { column: displayedCellText(cell) });
        button.ariaLabel = label;
        button.title = label;
        button.addEventListener('click', () => {
          this.#sortBy(index);
        });
        if (cell.classList.contains('right')) cell.prepend(button);
        else cell.append(button);
      }
      render(isSorted ? icon(this.#descending ? 'down' : 'up', 'small') : renderIcon(UNSORTED), button);
    }
  }

  /** Sorts by a column: the first click ascending, the second descending, the third restores the original order. */
  #sortBy(index: number): void {
    if (this.#sortedColumn !== index) {
      this.#sortedColumn = index;
      this.#descending = false;
    } else if (!this.#descending) this.#descending = true;
    else this.#sortedColumn = undefined;
    this.#applyOrder();
    this.#render();
  }

  readonly #toggleFilter = (): void => {
    this.#query = this.#query === undefined ? '' : undefined;
    this.#applyOrder();
    this.#render();
    const next =
      this.#query === undefined ? this.#toolbar.querySelector('button') : this.#filter.querySelector('input');
    next?.focus();
  };

  readonly #onFilterInput = ({ target }: Event): void => {
    if (target instanceof HTMLInputElement) this.#query = target.value;
    this.#applyOrder();
    this.#render();
  };

  /** Escape closes the filter, not the elements around the table. */
  readonly #onFilterKeydown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.isComposing) return;
    event.stopPropagation();
    event.preventDefault();
    this.#toggleFilter();
  };

  #sorted(): readonly Row[] {
    const column = this.#sortedColumn;
    if (column === undefined) return this.#rows;
    return sortRows(this.#rows, {
      cellOf: ({ cellTexts }) => cellTexts[column],
      numeric: isNumeric(
        this.#rows.map(({ cellTexts }) => cellTexts),
        column,
      ),
      descending: this.#descending,
      locale: this.#localize.locale,
    });
  }

  #matchesFilter({ cellTexts }: Row): boolean {
    const query = this.#query?.trim().toLocaleLowerCase(this.#localize.locale) ?? '';
    return cellTexts.some((text) => text.toLocaleLowerCase(this.#localize.locale).includes(query));
  }

  #visibleRows(): readonly Row[] {
    return this.#sorted().filter((row) => this.#matchesFilter(row));
  }

  /** Distributes the rows in their order; each body keeps its number of rows. */
  #applyOrder(): void {
    const rows = this.#sorted();
    let from = 0;
    for (const { body, count } of this.#bodies) {
      const elements = rows.slice(from, from + count).map(({ element }) => element);
      if (elements.some((element, index) => body.rows[index] !== element)) body.append(...elements);
      from += count;
    }
    for (const row of rows) row.element.hidden = !this.#matchesFilter(row);
  }

  readonly #asCsv = (): string =>
    toCsv({
      columns: [...(this.#headerRow?.cells ?? [])].map(displayedCellText),
      rows: this.#visibleRows().map(({ cellTexts }) => cellTexts),
    });

  readonly #asMarkdown = (): string => {
    const { header } = this.#token;
    return toMarkdown(
      {
        columns: header.map(({ text }) => stripCitationPlaceholders(text)),
        rows: this.#visibleRows().map(({ cellSources }) => cellSources),
      },
      header.map(({ align }) => align),
    );
  };
}

/** Returns the text of a cell, with the source of each formula in its place and without citation placeholders. */
function displayedCellText(cell: Element): string {
  const formulas = cell.querySelectorAll<AgentChatMath>('agent-chat-math');
  if (formulas.length === 0 && !cell.querySelector('.citation')) return cell.textContent.trim();
  const copy = cell.cloneNode(true) as Element;
  // A formula may not be rendered yet, and a copy of it has no source.
  for (const [index, formula] of enumerate(copy.querySelectorAll('agent-chat-math')))
    formula.replaceWith(formulas[index]?.source ?? '');
  for (const mark of copy.querySelectorAll('.citation')) mark.remove();
  return copy.textContent.trim();
}
