/** What a reader can do with a finished table. Its rows are moved and hidden, never made anew: who takes the tools away has them as they were. */
import { html, nothing, render, svg, type TemplateResult } from 'lit';
import type { Token, Tokens } from 'marked';
import type { Localize } from '../locales/localize.ts';
import { isNumeric, sortRows, toCsv, toMarkdown } from '../primitives/cells.ts';
import { icon, picture } from '../primitives/icon.ts';
import css from '../theme/table-tools.css?inline';
import { adoptSheet, sheet } from '../theme/sheet.ts';
import { withoutMarks } from './citation-marks.ts';

/** As many rows are seen at once; behind them one is looked for. */
const FILTERED_ROWS = 8;
const UNSORTED = svg`<path d="M6.25 8 10 4.25 13.75 8M6.25 12 10 15.75 13.75 12"/>`;

const style = sheet(css);

export interface TableOf {
  readonly token: Pick<Tokens.Table, 'header' | 'rows'> & Token;
  readonly localize: Localize;
}

interface Row {
  readonly element: HTMLTableRowElement;
  /** What its cells say. */
  readonly words: readonly string[];
  readonly source: readonly string[];
}

/** Adds the tools to a table. @returns what takes them away */
export function dressTable(place: HTMLElement, { token, localize }: TableOf): () => void {
  const tools = new TableTools(place, token, localize);
  tools.show();
  return () => {
    tools.remove();
  };
}

class TableTools {
  readonly #place: HTMLElement;
  readonly #token: TableOf['token'];
  readonly #localize: Localize;
  /** The rows as they came, and how many stand in each body. */
  readonly #rows: readonly Row[];
  readonly #bodies: readonly { readonly body: HTMLTableSectionElement; readonly count: number }[];
  readonly #head: HTMLTableRowElement | undefined;
  readonly #bar = document.createElement('div');
  readonly #filter = document.createElement('div');
  readonly #headTable = document.createElement('table');
  #column: number | undefined;
  #descending = false;
  /** What rows are to say; undefined where none is looked for. */
  #query: string | undefined;
  readonly #size: ResizeObserver;

  constructor(place: HTMLElement, token: TableOf['token'], localize: Localize) {
    this.#place = place;
    this.#token = token;
    this.#localize = localize;
    this.#head = place.querySelector<HTMLTableRowElement>('thead tr') ?? undefined;
    const bodies = [...place.querySelectorAll('tbody')];
    this.#bodies = bodies.map((body) => ({ body, count: body.rows.length }));
    this.#rows = bodies
      .flatMap(({ rows }) => [...rows])
      .map((element, index) => ({
        element,
        words: [...element.cells].map(wordsOf),
        source: token.rows[index]?.map(({ text }) => withoutMarks(text)) ?? [],
      }));
    this.#size = new ResizeObserver(() => {
      // Only where nothing scrolls sideways in here does the head stay at the top of what scrolls around it.
      place.toggleAttribute('fits', place.scrollWidth <= place.clientWidth);
    });
  }

  show(): void {
    adoptSheet(this.#place, style);
    this.#liftHead();
    this.#bar.className = 'table-bar';
    this.#filter.className = 'table-filter';
    if (this.#isBoxed) for (const part of [this.#bar, this.#filter]) part.setAttribute('role', 'rowgroup');
    this.#place.append(this.#bar);
    this.#place.toggleAttribute('tools', true);
    this.#size.observe(this.#place);
    this.#draw();
  }

  remove(): void {
    this.#size.disconnect();
    this.#column = undefined;
    this.#query = undefined;
    this.#arrange();
    for (const button of this.#head?.querySelectorAll('.sort-by') ?? []) button.remove();
    for (const cell of this.#head?.cells ?? []) cell.removeAttribute('aria-sort');
    const head = this.#headTable.tHead;
    if (head) this.#headTable.nextElementSibling?.querySelector('tbody')?.before(head);
    for (const part of [this.#bar, this.#filter, this.#headTable]) part.remove();
    for (const name of ['tools', 'fits', 'filtered']) this.#place.removeAttribute(name);
  }

  /** The element itself says that it is a table: what is in it has to be rows. */
  get #isBoxed(): boolean {
    return this.#place.getAttribute('role') === 'table';
  }

  #asRow(content: TemplateResult): TemplateResult {
    return this.#isBoxed ? html`<div role="row"><div role="cell">${content}</div></div>` : content;
  }

  /** The head of a table of many boxes leaves the first of them, whose end it would go away with. */
  #liftHead(): void {
    if (!this.#isBoxed) return;
    const [first] = this.#place.querySelectorAll('table');
    const columns = first?.querySelector('colgroup');
    const head = first?.tHead;
    if (!first || !head || !columns) return;
    this.#headTable.setAttribute('role', 'none');
    this.#headTable.className = 'table-head';
    this.#headTable.append(columns.cloneNode(true), head);
    first.before(this.#headTable);
  }

  #draw(): void {
    this.#drawSorters();
    const { length } = this.#rows;
    const localize = this.#localize;
    render(
      this.#asRow(
        html`${
            length > FILTERED_ROWS
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
            words="Markdown"
            .value=${this.#asMarkdown}
            .label=${localize('data.copy-markdown')}
            .done=${localize('code.copied')}
          ></agent-chat-copy
          ><agent-chat-copy
            words="CSV"
            .value=${this.#asCsv}
            .label=${localize('data.copy-csv')}
            .done=${localize('code.copied')}
          ></agent-chat-copy>`,
      ),
      this.#bar,
    );
    this.#place.toggleAttribute('filtered', this.#query !== undefined);
    if (this.#query === undefined) this.#filter.remove();
    else this.#drawFilter(this.#query);
  }

  #drawFilter(query: string): void {
    const localize = this.#localize;
    render(
      this.#asRow(
        html`<input
            type="search"
            class="field"
            aria-label=${localize('data.filter')}
            placeholder=${localize('data.filter')}
            .value=${query}
            @input=${this.#search}
            @keydown=${this.#keys}
          />
          <span class="tabular muted" role="status"
            >${localize('data.rows', { shown: this.#shown().length, count: this.#rows.length })}</span
          >`,
      ),
      this.#filter,
    );
    if (!this.#filter.isConnected) this.#place.prepend(this.#filter);
  }

  #drawSorters(): void {
    for (const [index, cell] of [...(this.#head?.cells ?? [])].entries()) {
      const isSorted = this.#column === index;
      const order = isSorted ? (this.#descending ? 'descending' : 'ascending') : 'none';
      cell.setAttribute('aria-sort', order);
      let button = cell.querySelector<HTMLButtonElement>(':scope > .sort-by');
      if (!button) {
        button = document.createElement('button');
        button.type = 'button';
        button.className = 'sort-by';
        const label = this.#localize('data.sort', { column: wordsOf(cell) });
        button.ariaLabel = label;
        button.title = label;
        button.addEventListener('click', () => {
          this.#sortBy(index);
        });
        if (cell.classList.contains('right')) cell.prepend(button);
        else cell.append(button);
      }
      render(isSorted ? icon(this.#descending ? 'down' : 'up', 'small') : picture(UNSORTED), button);
    }
  }

  /** A press sorts by a column, a second turns the order round, a third gives the order in which the rows came. */
  #sortBy(index: number): void {
    if (this.#column !== index) {
      this.#column = index;
      this.#descending = false;
    } else if (!this.#descending) this.#descending = true;
    else this.#column = undefined;
    this.#arrange();
    this.#draw();
  }

  readonly #toggleFilter = (): void => {
    this.#query = this.#query === undefined ? '' : undefined;
    this.#arrange();
    this.#draw();
    const next = this.#query === undefined ? this.#bar.querySelector('button') : this.#filter.querySelector('input');
    next?.focus();
  };

  readonly #search = ({ target }: Event): void => {
    if (target instanceof HTMLInputElement) this.#query = target.value;
    this.#arrange();
    this.#draw();
  };

  /** Escape ends the search, and not what lies around the table. */
  readonly #keys = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.isComposing) return;
    event.stopPropagation();
    event.preventDefault();
    this.#toggleFilter();
  };

  #sorted(): readonly Row[] {
    const column = this.#column;
    if (column === undefined) return this.#rows;
    return sortRows(this.#rows, {
      cellOf: ({ words }) => words[column],
      numeric: isNumeric(
        this.#rows.map(({ words }) => words),
        column,
      ),
      descending: this.#descending,
      locale: this.#localize.locale,
    });
  }

  #fits({ words }: Row): boolean {
    const query = this.#query?.trim().toLocaleLowerCase(this.#localize.locale) ?? '';
    return words.some((word) => word.toLocaleLowerCase(this.#localize.locale).includes(query));
  }

  #shown(): readonly Row[] {
    return this.#sorted().filter((row) => this.#fits(row));
  }

  /** The rows in their order, as many in each body as there were. */
  #arrange(): void {
    const rows = this.#sorted();
    let from = 0;
    for (const { body, count } of this.#bodies) {
      const wanted = rows.slice(from, from + count).map(({ element }) => element);
      if (wanted.some((element, index) => body.rows[index] !== element)) body.append(...wanted);
      from += count;
    }
    for (const row of rows) row.element.hidden = !this.#fits(row);
  }

  readonly #asCsv = (): string =>
    toCsv({
      columns: [...(this.#head?.cells ?? [])].map(wordsOf),
      rows: this.#shown().map(({ words }) => words),
    });

  readonly #asMarkdown = (): string => {
    const { header } = this.#token;
    return toMarkdown(
      { columns: header.map(({ text }) => withoutMarks(text)), rows: this.#shown().map(({ source }) => source) },
      header.map(({ align }) => align),
    );
  };
}

/** The words of a cell: a formula by its source, no marks of citations. */
function wordsOf(cell: Element): string {
  if (!cell.querySelector('agent-chat-math, .citation')) return cell.textContent.trim();
  const copy = document.createElement('span');
  copy.append(...[...cell.childNodes].map((node) => node.cloneNode(true)));
  for (const formula of copy.querySelectorAll('agent-chat-math'))
    formula.replaceWith(formula.querySelector('.formula-source')?.textContent ?? formula.textContent);
  for (const mark of copy.querySelectorAll('.citation')) mark.remove();
  return copy.textContent.trim();
}
