import { html, nothing, type TemplateResult } from 'lit';
import type { Localize } from '../locales/localize.ts';
import { icon } from '../primitives/icon.ts';
import { LightElement } from '../primitives/light-element.ts';
import { withoutBidi } from '../safety/urls.ts';
import { cellText, isNumeric, MAX_ROWS, numberOf, toCsv, type TableData } from './table-data.ts';

/** Rows before the reader asks for all. */
const FIRST_ROWS = 10;

/** A card with a table: a press on a column sorts by it, a second turns the order round, a third gives the agent's order. */
export class AgentChatTable extends LightElement {
  static override properties = {
    table: { attribute: false },
    caption: { attribute: false },
    localize: { attribute: false },
    column: { state: true },
    descending: { state: true },
    all: { state: true },
  };
  declare table: TableData;
  declare caption: string;
  declare localize: Localize;
  declare protected column: number | undefined;
  declare protected descending: boolean;
  declare protected all: boolean;

  constructor() {
    super();
    this.caption = '';
    this.descending = false;
    this.all = false;
  }

  protected override render(): TemplateResult {
    const { localize, table } = this;
    const numeric = table.columns.map((_, index) => isNumeric(table.rows, index));
    const rows = this.#sorted(numeric);
    const shown = rows.slice(0, this.all ? MAX_ROWS : FIRST_ROWS);
    const title = withoutBidi(table.name || this.caption || localize('data.table'));
    return html`<section class="card data" role="group" aria-label=${title}>
      <div class="bar">
        ${icon('table', 'small')}<b class="grow clip" dir="auto">${title}</b>
        <agent-chat-copy
          .value=${() => toCsv(table)}
          .label=${localize('data.copy-csv')}
          .done=${localize('code.copied')}
        ></agent-chat-copy>
      </div>
      <div class="data-scroll" tabindex="0" role="group" aria-label=${title}>
        <table part="data-table">
          ${
            this.caption && table.name
              ? html`<caption class="hidden-visually">
                  ${this.caption}
                </caption>`
              : nothing
          }
          <thead>
            <tr>
              ${table.columns.map((name, index) => this.#head(name, index, numeric[index] === true))}
            </tr>
          </thead>
          <tbody>
            ${shown.map(
              (row) =>
                html`<tr>
                  ${row.map((cell, index) => html`<td class=${numeric[index] || typeof cell === 'number' ? 'right' : nothing} dir="auto">${this.#cell(cell)}</td>`)}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${
        rows.length > shown.length
          ? html`<div class="foot">
              <span class="tabular">${localize('data.rows', { shown: shown.length, count: rows.length })}</span>
              ${
                this.all
                  ? nothing
                  : html`<button
                      type="button"
                      class="link"
                      @click=${() => {
                        this.all = true;
                      }}
                    >
                      ${localize('data.show-all')}
                    </button>`
              }
            </div>`
          : nothing
      }
    </section>`;
  }

  #head(name: string, index: number, numeric: boolean): TemplateResult {
    const sorted = this.column === index;
    const order = sorted ? (this.descending ? 'descending' : 'ascending') : 'none';
    return html`<th scope="col" aria-sort=${order} class=${numeric ? 'right' : nothing}>
      <button
        type="button"
        class="sort"
        aria-label=${this.localize('data.sort', { column: withoutBidi(name) })}
        @click=${() => {
          this.#sortBy(index);
        }}
      >
        <span dir="auto">${withoutBidi(name)}</span>${sorted ? icon(this.descending ? 'down' : 'up', 'small') : nothing}
      </button>
    </th>`;
  }

  #cell(cell: unknown): string {
    return typeof cell === 'number' ? this.localize.number(cell) : withoutBidi(cellText(cell));
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
    const collator = new Intl.Collator(this.localize.locale, { numeric: true });
    const turn = this.descending ? -1 : 1;
    return this.table.rows.toSorted((left, right) => {
      const [first, second] = [left[column], right[column]];
      // What is missing is neither small nor large: it stands last either way.
      if (cellText(first) === '' || cellText(second) === '')
        return Number(cellText(first) === '') - Number(cellText(second) === '');
      // In a column of words, one that could be a number is a word.
      const [one, other] = numeric[column] ? [numberOf(first), numberOf(second)] : [first, second];
      return typeof one === 'number' && typeof other === 'number'
        ? turn * (one - other)
        : turn * collator.compare(cellText(first), cellText(second));
    });
  }
}
