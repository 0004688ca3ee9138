/**
 * A custom renderer of the page: `agent-phase` sends tables and figures as `structured` data with a `dataType` that
 * only the page can render. It is a plain custom element; the widget creates it and sets its property `figures`.
 */
import { AgentChat, defineRenderer } from 'agent-chat-element';

interface Figures {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

const sheet = new CSSStyleSheet();
sheet.replaceSync(`
  :host { display: block; overflow-x: auto; }
  table { inline-size: 100%; border-collapse: collapse; font-size: 0.8667em; font-variant-numeric: tabular-nums; }
  caption { text-align: start; padding-block-end: 6px; font-weight: 500; }
  th, td { padding: 6px 12px 6px 0; text-align: start; border-block-end: 1px solid color-mix(in oklab, currentColor 14%, transparent); }
  th { font-weight: 500; opacity: 0.7; }
  .number { text-align: end; padding-inline: 12px 0; }
`);

class HarborFigures extends HTMLElement {
  set figures(figures: Figures | undefined) {
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [sheet];
    root.replaceChildren(...(figures ? [tableOf(figures)] : []));
  }
}

function tableOf({ title, columns, rows }: Figures): HTMLTableElement {
  const table = document.createElement('table');
  table.createCaption().textContent = title;
  const head = table.createTHead().insertRow();
  for (const [index, column] of columns.entries()) {
    const cell = document.createElement('th');
    cell.scope = 'col';
    cell.textContent = column;
    cell.className = typeof rows[0]?.[index] === 'number' ? 'number' : '';
    head.append(cell);
  }
  const body = table.createTBody();
  for (const row of rows) {
    const line = body.insertRow();
    for (const value of row) {
      const cell = line.insertCell();
      cell.textContent = typeof value === 'number' ? value.toLocaleString() : value;
      cell.className = typeof value === 'number' ? 'number' : '';
    }
  }
  return table;
}

/** Data from a stream are validated before they are rendered. */
function isFigures(data: unknown): data is Figures {
  if (typeof data !== 'object' || data === null) return false;
  const { title, columns, rows } = data as Partial<Record<keyof Figures, unknown>>;
  return typeof title === 'string' && Array.isArray(columns) && Array.isArray(rows) && rows.every(Array.isArray);
}

export function registerFigures(): void {
  customElements.define('harbor-figures', HarborFigures);
  AgentChat.renderers.register(
    defineRenderer({
      type: 'data',
      dataType: 'figures',
      getProps: ({ data: { data } }) => ({ figures: isFigures(data) ? data : undefined }),
      component: 'harbor-figures',
    }),
  );
}
