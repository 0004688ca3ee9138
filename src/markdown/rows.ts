import { ReactiveElement } from 'lit';
import { unwatchSight, watchSight } from '../primitives/sight.ts';
import type { TableOf } from './table-tools.ts';

/** While rows come, a column is at least so wide, in letters: as its first words may be short by chance… */
const LEAST_EM = 8;
/** …but never wider for that than so much of an even share of the whole… */
const LEAST_SHARE = 0.5;
/** …and not where its head has no more characters than these: it is a number or a sign. */
const SHORT_HEAD = 3;

/** The words of a column that come later may widen it so many times… */
const WIDEST = 4;
/** …where they are so many times as long as those that it was measured by. */
const LONGER = 1.5;

/** So long a table is in sight before it gets its tools. */
const LINGER_MS = 250;

/** A column, in pixels: how wide the browser has made it, and how narrow it may be. */
interface Column {
  readonly width: number;
  readonly least: number;
}

/**
 * A table that scrolls sideways. While rows come no column moves: they are measured by the head and the first row, before which
 * nothing of the table is shown. The rows behind the first 32 are boxes with a table each, so that the browser lays out and skips
 * them by themselves: the columns are those of all. Where later rows have much longer words, the columns are fitted once, when the
 * table is complete and nobody looks.
 */
export class AgentChatRows extends ReactiveElement {
  static override properties = { boxes: { type: Number }, growing: { type: Boolean } };
  /** How many boxes stand behind the first rows. */
  declare boxes: number | null;
  /** More rows may come. */
  declare growing: boolean;
  #columns: readonly Column[] = [];
  #shares: readonly number[] = [];
  /** How long the words of each column were when it was measured. */
  #longest: readonly number[] = [];
  #fitted = false;
  #shows: TableOf | undefined;
  #inSight = false;
  #dresses: ReturnType<typeof setTimeout> | undefined;
  #undress: (() => void) | undefined;
  readonly #seen = new ResizeObserver(() => {
    this.#measure();
  });

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  /** The table that it shows. Another one finds its rows as they were drawn. */
  set shows(shows: TableOf) {
    const isAnother = this.#shows?.token !== shows.token || this.#shows.localize !== shows.localize;
    if (this.#shows && isOther(this.#shows, shows)) this.#thaw();
    this.#shows = shows;
    if (!isAnother) return;
    this.#bare();
    this.#dressSoon();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#seen.disconnect();
    unwatchSight(this);
    clearTimeout(this.#dresses);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.requestUpdate();
    watchSight(this, (inSight) => {
      this.#inSight = inSight;
      this.#settle();
      this.#dressSoon();
    });
  }

  protected override updated(): void {
    if (this.#columns.length > 0) this.#arrange();
    else if (this.boxes || this.growing) this.#seen.observe(this);
    else this.#seen.disconnect();
    this.#settle();
    if (this.growing) this.#bare();
    else this.#dressSoon();
  }

  /** Tools come to a finished table that has stayed in sight for a moment. */
  #dressSoon(): void {
    clearTimeout(this.#dresses);
    if (this.#inSight && !this.growing && !this.#undress)
      this.#dresses = setTimeout(() => {
        // Without their chunk the table stays as it is: readable.
        this.#dress().catch(() => undefined);
      }, LINGER_MS);
  }

  async #dress(): Promise<void> {
    const { dressTable } = await import('./table-tools.ts');
    const isReady = !this.boxes || this.hasAttribute('frozen');
    if (this.#shows && isReady && this.isConnected && !this.growing) this.#undress ??= dressTable(this, this.#shows);
  }

  #bare(): void {
    this.#undress?.();
    this.#undress = undefined;
  }

  /** Once the first row is whole, and laid out: before that frame is painted. */
  #measure(): void {
    const [table] = this.#tables();
    const cells = [...(table?.tHead?.rows[0]?.cells ?? [])];
    const widths = cells.map(widthOf);
    if (!table || !(this.boxes || this.growing) || !widths.some((width) => width > 0)) return;
    this.#seen.disconnect();
    table.style.inlineSize = 'min-content';
    const columns = cells.map((cell, index) => ({ width: widths[index] ?? 0, least: widthOf(cell) }));
    table.style.inlineSize = '';
    this.#columns = this.growing ? withRoom(columns, cells) : columns;
    this.#longest = longestIn([table]);
    // What has come whole has not been seen otherwise.
    if (!this.growing) this.#fit();
    this.#arrange();
    this.toggleAttribute('frozen', true);
    this.#dressSoon();
  }

  /** All tables get the columns. */
  #arrange(): void {
    const tables = this.#tables();
    if (this.#shares.length === 0) {
      this.#shares = sharesOf(this.#columns, this.#fitted ? wantedIn(tables, this.#longest) : []);
      const least = Math.max(...this.#columns.map((column, index) => column.least / (this.#shares[index] ?? 1)));
      // In the size of the letters, which a reader may change.
      this.style.setProperty(
        '--_rows-least',
        `${String(least / parseFloat(getComputedStyle(tables[0] ?? this).fontSize))}em`,
      );
      for (const table of tables) unsetColumns(table);
    }
    for (const table of tables) if (!hasColumns(table)) table.prepend(columnsOf(this.#shares));
    if (this.boxes && tables[0]) nameRows(tables[0]);
  }

  /** A complete table is fitted once, but not before the eyes of a reader: nothing moves because an answer is complete. */
  #settle(): void {
    if (this.#columns.length === 0 || this.growing || this.#inSight || this.#fitted) return;
    this.#fit();
    this.#arrange();
  }

  #fit(): void {
    this.#fitted = true;
    this.#shares = [];
  }

  /** Another text has taken the place. */
  #thaw(): void {
    this.#seen.disconnect();
    if (this.boxes || this.growing) this.#seen.observe(this);
    if (this.#columns.length === 0) return;
    this.#columns = [];
    this.#shares = [];
    this.#fitted = false;
    for (const table of this.#tables()) unsetColumns(table);
    this.toggleAttribute('frozen', false);
  }

  /** The table of the first rows, and those in the boxes behind it. */
  #tables(): readonly HTMLTableElement[] {
    const tables = Array.from(this.children, (child) => (child.localName === 'div' ? child.firstElementChild : child));
    return tables.filter((table) => table instanceof HTMLTableElement);
  }
}

/** Not the same table with more in it. */
function isOther({ token: before }: TableOf, { token: now }: TableOf): boolean {
  if (before === now) return false;
  const isShorter = now.rows.length < before.rows.length;
  return isShorter || now.header.some(({ text }, index) => text !== before.header[index]?.text);
}

/** Columns that were measured by few words, with some room for those that come. */
function withRoom(columns: readonly Column[], heads: readonly HTMLElement[]): readonly Column[] {
  const even = sum(columns.map(({ width }) => width)) / columns.length;
  return columns.map(({ width, least }, index) => {
    const head = heads[index];
    if (!head || head.textContent.trim().length <= SHORT_HEAD) return { width, least };
    const room = Math.min(LEAST_EM * parseFloat(getComputedStyle(head).fontSize), even * LEAST_SHARE);
    return { width: Math.max(width, room), least };
  });
}

/** (What is drawn larger or smaller by a transform is as wide as before.) */
const widthOf = (cell: Element): number => parseFloat(getComputedStyle(cell).inlineSize) || 0;

/** The parts of the whole that columns get: all of them what they need, and what is left as they want it. */
function sharesOf(columns: readonly Column[], wanted: readonly number[]): readonly number[] {
  const spare = columns.map(({ width, least }, index) => Math.max(0, width * (wanted[index] ?? 1) - least));
  const whole = sum(columns.map(({ width }) => width));
  const left = Math.max(0, whole - sum(columns.map(({ least }) => least)));
  const each = sum(spare) > 0 ? left / sum(spare) : 0;
  const widths = columns.map(({ least }, index) => least + each * (spare[index] ?? 0));
  return widths.map((width) => width / sum(widths));
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** How many times as wide as it was measured each column wants to be, by the length of its longest words. */
function wantedIn(tables: readonly HTMLTableElement[], first: readonly number[]): readonly number[] {
  return longestIn(tables).map((length, index) => {
    const times = length / Math.max(1, first[index] ?? 0);
    return times < LONGER ? 1 : Math.min(WIDEST, times);
  });
}

function longestIn(tables: readonly HTMLTableElement[]): readonly number[] {
  const longest: number[] = [];
  for (const { rows } of tables)
    for (const { cells } of rows)
      for (const [index, { textContent }] of [...cells].entries())
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

/** The element is the table now, for those who do not see it; the tables in it are none. */
function nameRows(table: HTMLTableElement): void {
  for (const part of table.querySelectorAll('thead, tbody, tr, th, td'))
    part.setAttribute('role', ROLES[part.localName] ?? '');
}
