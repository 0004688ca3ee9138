import { ReactiveElement } from 'lit';
import { enumerate } from '../../enumerate.ts';
import { defineOnce } from '../../primitives/define-once.ts';
import { fitPaper, unfitPaper } from '../../primitives/fit-paper.ts';
import { unobserveVisibility, observeVisibility } from '../../primitives/visibility-observer.ts';
import { completeCells, minColumnWidths, longestWords, maxCellWidth } from './cell-widths.ts';
import { adoptStylesheet, createStylesheet } from '../../theme/stylesheet.ts';
import css from './table-columns.css?inline';
import type { TableView } from './table-tools.ts';

const style = createStylesheet(css);

/** Minimum column width in em while rows arrive, because the first cells may be short by chance. */
const MIN_WIDTH_EM = 8;
/** The minimum width never exceeds this fraction of an equal share of the table. */
const MIN_WIDTH_SHARE = 0.5;
/** It does not apply to headers of at most this many characters, such as numbers or symbols. An ideograph counts as two. */
const SHORT_HEAD = 3;
const IDEOGRAPH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/** Maximum factor by which text that arrives later may widen a column. */
const MAX_GROWTH = 4;
/** Later text widens a column if it is this many times as long as the measured text. */
const GROWTH_THRESHOLD = 1.5;

/**
 * Extra width in em for a column's longest word while rows arrive, because the next word may be slightly longer: three
 * digits, or two and a separator.
 */
const EXTRA_EM = 2;

/** Cells that certainly fit are measured in batches of this size, or when the table is complete. */
const MANY_CELLS = 256;

/** Time that a table must be visible before it gets its tools, in milliseconds. */
const VISIBLE_DELAY_MS = 250;

/** A column: its width as laid out and its minimum width, in pixels. */
interface Column {
  readonly width: number;
  readonly minimum: number;
}

/**
 * A table that scrolls horizontally. Column widths are fixed while rows arrive: they are measured from the header and
 * the first row, and nothing is shown before that. Only a word or number that fits no line of its column widens the
 * column, because a broken number is misread. Rows after the first 32 are grouped into boxes with their own tables, so
 * that the browser lays out and skips them separately; all tables share the columns. If later rows have much longer
 * text, the columns are adjusted once, when the table is complete and off-screen.
 */
export class AgentChatMarkdownTable extends ReactiveElement {
  static override properties = { boxes: { attribute: false }, growing: { type: Boolean } };
  /** Number of boxes after the first rows. Not an attribute: with each new value the browser would style all boxes again. */
  declare boxes: number | undefined;
  /** More rows may arrive. */
  declare growing: boolean;
  #columns: readonly Column[] = [];
  #shares: readonly number[] = [];
  /** In pixels, at the time the column widths were computed. */
  #fontSize = 0;
  /** Text length of each column when it was measured. */
  #longest: readonly number[] = [];
  #fitted = false;
  /** Complete cells, those of them not measured yet, and the index of the first table that may have others. */
  #complete = new WeakSet<Element>();
  #unmeasured: HTMLTableCellElement[] = [];
  #firstOpenTable = 0;
  #shows: TableView | undefined;
  /** `undefined` until it is known. */
  #isVisible: boolean | undefined;
  #toolsTimer: ReturnType<typeof setTimeout> | undefined;
  #removeTools: (() => void) | undefined;
  readonly #resizeObserver = new ResizeObserver(() => {
    this.#measure();
  });

  constructor() {
    super();
    // Lit adopts reactive properties only that were set before the element was defined.
    const { shows } = this as { shows?: TableView };
    if (!shows) return;
    delete (this as { shows?: TableView }).shows;
    this.shows = shows;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  /** The table to show. The setter is called after its rows were rendered. */
  set shows(shows: TableView) {
    const isNewTable = this.#shows?.token !== shows.token || this.#shows.localize !== shows.localize;
    if (this.#shows && isDifferentTable(this.#shows, shows)) this.#reset();
    this.#shows = shows;
    if (!isNewTable) return;
    // The rows are not a reactive property.
    this.requestUpdate();
    this.#detachTools();
    this.#scheduleTools();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resizeObserver.disconnect();
    unfitPaper(this);
    unobserveVisibility(this);
    this.#isVisible = undefined;
    clearTimeout(this.#toolsTimer);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    adoptStylesheet(this, style);
    fitPaper(this);
    this.requestUpdate();
    observeVisibility(this, (inSight) => {
      this.#isVisible = inSight;
      this.#settle();
      this.#scheduleTools();
    });
  }

  protected override updated(): void {
    if (this.#columns.length > 0) {
      this.#arrange();
      this.#grow();
    } else if (this.boxes || this.growing) {
      this.#resizeObserver.observe(this);
      // The browser may paint a frame before it reports the size of an element that it has just upgraded.
      if (this.getAttribute('growing') === '') this.#measure();
    } else this.#resizeObserver.disconnect();
    this.#settle();
    if (this.growing) this.#detachTools();
    else this.#scheduleTools();
  }

  /** Adds the tools to a complete table that has stayed visible for a moment. */
  #scheduleTools(): void {
    clearTimeout(this.#toolsTimer);
    if (this.#isVisible && !this.growing && !this.#removeTools)
      this.#toolsTimer = setTimeout(() => {
        // If the chunk fails to load, the table stays readable without tools.
        this.#addTools().catch(() => undefined);
      }, VISIBLE_DELAY_MS);
  }

  async #addTools(): Promise<void> {
    const { addTableTools } = await import('./table-tools.ts');
    const isReady = !this.boxes || this.hasAttribute('frozen');
    if (this.#shows && isReady && this.isConnected && !this.growing)
      this.#removeTools ??= addTableTools(this, this.#shows);
  }

  #detachTools(): void {
    this.#removeTools?.();
    this.#removeTools = undefined;
  }

  /** Measures the columns once the first row is complete and laid out, before that frame is painted. */
  #measure(): void {
    const [table] = this.#tables();
    const cells = [...(table?.tHead?.rows[0]?.cells ?? [])];
    if (this.growing) table?.toggleAttribute('measuring', true);
    const widths = cells.map(widthOf);
    table?.toggleAttribute('measuring', false);
    if (!table || !widths.some((width) => width > 0)) return;
    this.#resizeObserver.disconnect();
    table.style.inlineSize = 'min-content';
    const columns = cells.map((cell, index) => ({ width: widths[index] ?? 0, minimum: widthOf(cell) }));
    table.style.inlineSize = '';
    this.#columns = this.growing ? withExtraWidth(columns, cells) : columns;
    this.#longest = longestIn([table]);
    // A table that arrived complete was never visible with other widths.
    if (!this.growing) this.#fit();
    this.#arrange();
    this.toggleAttribute('frozen', true);
    if (this.growing) this.#grow();
    else this.#growByLongest();
    this.#scheduleTools();
  }

  /**
   * Widens the columns for the cells that arrived since. Measuring costs two extra layouts of the table, so each cell
   * is measured once, and cells that certainly fit are measured in batches.
   */
  #grow(): void {
    const tables = this.#tables().slice(this.#firstOpenTable);
    const complete = tables.flatMap((table) => completeCells(table, this.growing && table === tables.at(-1)));
    const fresh = complete.filter((cell) => !this.#complete.has(cell));
    this.#firstOpenTable += Math.max(0, tables.length - 1);
    for (const cell of fresh) this.#complete.add(cell);
    this.#unmeasured.push(...fresh);
    const [first] = this.#tables();
    const canWait = this.growing && this.#unmeasured.length < MANY_CELLS && fresh.every((cell) => this.#fits(cell));
    if (!first || canWait || this.#unmeasured.length === 0 || this.clientWidth === 0) return;
    const cells = this.#unmeasured;
    // Of many cells at once only those with the longest words are laid out, as in a table that arrived complete.
    const measured = cells.length < MANY_CELLS ? cells : longestWords(cells);
    this.#unmeasured = [];
    this.#widen(minColumnWidths(measured, first));
  }

  #fits(cell: HTMLTableCellElement): boolean {
    const totalWidth = sum(this.#columns.map(({ width }) => width));
    return maxCellWidth(cell) * this.#fontSize <= totalWidth * (this.#shares[cell.cellIndex] ?? 0);
  }

  /**
   * A table that arrived complete is measured by its first rows; of the other rows only the cells with the longest
   * words are laid out.
   */
  #growByLongest(): void {
    const [first, ...others] = this.#tables();
    this.#firstOpenTable = Infinity;
    if (first)
      this.#widen(minColumnWidths(longestWords(others.flatMap((table) => completeCells(table, false))), first));
  }

  /** Widens columns to their longest word; the others shrink as far as their own words allow. */
  #widen(minimum: readonly number[]): void {
    const [table] = this.#tables();
    if (!table || this.#columns.every((column, index) => (minimum[index] ?? 0) <= column.minimum)) return;
    const extra = this.growing ? EXTRA_EM * this.#fontSize : 0;
    this.#columns = this.#columns.map((column, index) => {
      const needed = minimum[index] ?? 0;
      if (needed <= column.minimum) return column;
      return { ...column, minimum: needed > column.width ? needed + extra : needed };
    });
    this.#shares = [];
    this.#arrange();
  }

  /** Applies the column widths to all tables. */
  #arrange(): void {
    const tables = this.#tables();
    if (this.#shares.length === 0) {
      this.#shares = sharesOf(this.#columns, this.#fitted ? growthFactors(tables, this.#longest) : []);
      this.#fontSize = parseFloat(getComputedStyle(tables[0] ?? this).fontSize);
      const minimum = Math.max(...this.#columns.map((column, index) => column.minimum / (this.#shares[index] ?? 1)));
      // In em, because the user may change the font size.
      this.style.setProperty('--_rows-least', `${String(minimum / this.#fontSize)}em`);
      for (const table of tables) unsetColumns(table);
    }
    for (const table of tables) if (!hasColumns(table)) table.prepend(columnsOf(this.#shares));
    if (this.boxes && tables[0]) setTableRoles(tables[0]);
  }

  /** A complete table is adjusted once, but never while visible: nothing moves because an answer is complete. */
  #settle(): void {
    if (this.#columns.length === 0 || this.growing || this.#isVisible !== false || this.#fitted) return;
    this.#fit();
    this.#arrange();
  }

  #fit(): void {
    this.#fitted = true;
    this.#shares = [];
  }

  /** Resets the columns, because another text replaced this one. */
  #reset(): void {
    this.#resizeObserver.disconnect();
    if (this.#columns.length === 0) return;
    this.#columns = [];
    this.#shares = [];
    this.#fitted = false;
    this.#complete = new WeakSet();
    this.#unmeasured = [];
    this.#firstOpenTable = 0;
    for (const table of this.#tables()) unsetColumns(table);
    this.toggleAttribute('frozen', false);
  }

  /** Returns the table of the first rows and those in the following boxes. */
  #tables(): readonly HTMLTableElement[] {
    const tables = [...this.children].map((child) => (child.localName === 'div' ? child.firstElementChild : child));
    return tables.filter((table) => table instanceof HTMLTableElement);
  }
}

/** Whether it is a different table, rather than the same one with more rows. */
function isDifferentTable({ token: before }: TableView, { token: now }: TableView): boolean {
  if (before === now) return false;
  const isShorter = now.rows.length < before.rows.length;
  return isShorter || now.header.some(({ text }, index) => text !== before.header[index]?.text);
}

/**
 * Adds some extra width to columns that were measured with little text, and space for longer words if the table has it:
 * a column that grows later moves the others.
 */
function withExtraWidth(columns: readonly Column[], heads: readonly HTMLElement[]): readonly Column[] {
  const totalWidth = sum(columns.map(({ width }) => width));
  const em = parseFloat(getComputedStyle(heads[0] ?? document.body).fontSize);
  const spare = totalWidth - sum(columns.map(({ minimum }) => minimum));
  const extra = Math.max(0, Math.min(EXTRA_EM * em, spare / columns.length));
  return columns.map(({ width, minimum: word }, index) => {
    const minimum = word + extra;
    const head = heads[index];
    if (!head || head.textContent.trim().replace(IDEOGRAPH, '$&$&').length <= SHORT_HEAD) return { width, minimum };
    const least = Math.min(MIN_WIDTH_EM * em, (totalWidth / columns.length) * MIN_WIDTH_SHARE);
    return { width: Math.max(width, least), minimum };
  });
}

/** Computed style ignores CSS transforms. */
const widthOf = (cell: Element): number => parseFloat(getComputedStyle(cell).inlineSize) || 0;

/** Distributes the width: each column gets its minimum, the remaining space is shared by their widths times `factors`. */
function sharesOf(columns: readonly Column[], factors: readonly number[]): readonly number[] {
  const spare = columns.map(({ width, minimum }, index) => Math.max(0, width * (factors[index] ?? 1) - minimum));
  const totalWidth = sum(columns.map(({ width }) => width));
  const remaining = Math.max(0, totalWidth - sum(columns.map(({ minimum }) => minimum)));
  const spaceFactor = sum(spare) > 0 ? remaining / sum(spare) : 0;
  const widths = columns.map(({ minimum }, index) => minimum + spaceFactor * (spare[index] ?? 0));
  return widths.map((width) => width / sum(widths));
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** Returns how many times wider than measured each column should be, by the length of its longest text. */
function growthFactors(tables: readonly HTMLTableElement[], first: readonly number[]): readonly number[] {
  return longestIn(tables).map((length, index) => {
    const times = length / Math.max(1, first[index] ?? 0);
    return times < GROWTH_THRESHOLD ? 1 : Math.min(MAX_GROWTH, times);
  });
}

function longestIn(tables: readonly HTMLTableElement[]): readonly number[] {
  const longest: number[] = [];
  for (const { rows } of tables)
    for (const { cells } of rows)
      for (const [index, { textContent }] of enumerate(cells))
        longest[index] = Math.max(longest[index] ?? 0, textContent.length);
  return longest;
}

function columnsOf(shares: readonly number[]): HTMLElement {
  const group = document.createElement('colgroup');
  for (const share of shares) {
    const column = document.createElement('col');
    column.style.inlineSize = `${String(share * 100)}%`;
    group.append(column);
  }
  return group;
}

const hasColumns = ({ firstElementChild }: HTMLTableElement): boolean => firstElementChild?.localName === 'colgroup';
const unsetColumns = (table: HTMLTableElement): void => {
  if (hasColumns(table)) table.firstElementChild?.remove();
};

const ROLES: Readonly<Record<string, string>> = {
  thead: 'rowgroup',
  tbody: 'rowgroup',
  tr: 'row',
  th: 'columnheader',
  td: 'cell',
};

/** The element has the table role for assistive technology; the inner tables have none. */
function setTableRoles(table: HTMLTableElement): void {
  for (const part of table.querySelectorAll('thead, tbody, tr, th, td'))
    part.setAttribute('role', ROLES[part.localName] ?? '');
}

/** Registers the element; loaded with the first table. */
export const define = (): void => {
  defineOnce('agent-chat-rows', AgentChatMarkdownTable);
};
