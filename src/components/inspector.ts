import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { Localize } from '../locales/localize.ts';
import { icon } from '../primitives/icon.ts';
import { LightElement } from '../primitives/light-element.ts';
import { saveFile } from '../primitives/save-file.ts';
import { toRecording } from '../runtime/recording.ts';
import { TraceLog, type TracedTurn } from '../runtime/trace-log.ts';
import type { TraceEntry } from '../runtime/trace.ts';
import inspector from '../theme/inspector.css?inline';
import { adoptSheet, sheet } from '../theme/sheet.ts';
import { factsOf, inspectorDetail } from './inspector-detail.ts';
import { inspectorList } from './inspector-list.ts';
import { LISTS, relatedTo, rowsOf, wordsOf, type ListName, type Related, type Row } from './inspector-rows.ts';

const style = sheet(inspector);

/** Rows of a list before more are asked for: the page stays light however long a reply is. */
const PAGE = 200;
/** How near its end a list counts as being there, in CSS pixels. */
const NEAR_PX = 24;
const TITLE_LENGTH = 60;

interface Selection {
  readonly turn: TracedTurn;
  readonly list: ListName;
  readonly key: unknown;
}

interface Shown {
  readonly rows: readonly Row[];
  readonly selection: Selection | undefined;
  readonly related: Related | undefined;
}

/** What passes by, for developers: the frames of a turn, the events they became and the blocks that those became, side by side. */
export class AgentChatInspector extends LightElement {
  static override properties = {
    localize: { attribute: false },
    open: { state: true },
    filter: { state: true },
    turn: { state: true },
    selection: { state: true },
    current: { state: true },
    pages: { state: true },
  };
  declare localize: Localize;
  declare protected open: boolean;
  declare protected filter: string;
  /** The one that is shown; undefined for whichever is the newest. */
  declare protected turn: TracedTurn | undefined;
  declare protected selection: Selection | undefined;
  /** The row of each list that had the focus last. */
  declare protected current: Readonly<Partial<Record<ListName, unknown>>>;
  /** How many pages of each list are shown. */
  declare protected pages: Readonly<Record<ListName, number>>;
  readonly #log = new TraceLog();
  #frame: number | undefined;
  /** Lists whose end is followed. */
  #following: readonly Element[] = [];

  constructor() {
    super();
    this.open = true;
    this.#reset();
  }

  /** Takes an entry in; it is drawn with the next frame of the screen. */
  add(entry: TraceEntry): void {
    this.#log.add(entry);
    if (this.#frame !== undefined) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = undefined;
      this.requestUpdate();
    });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    adoptSheet(this, style);
  }

  protected override render(): TemplateResult {
    const { localize } = this;
    const { turns } = this.#log;
    const turn = this.turn && turns.includes(this.turn) ? this.turn : turns.at(-1);
    return html`<section class="inspector" aria-label=${localize('inspector.title')} ?data-open=${this.open}>
      <div class="inspector-bar">
        <button
          type="button"
          class="title"
          aria-expanded=${this.open ? 'true' : 'false'}
          @click=${() => {
            this.open = !this.open;
          }}
        >
          ${icon(this.open ? 'chevron-down' : 'chevron-right', 'small')} ${localize('inspector.title')}
        </button>
        ${this.open && turn ? this.#controls(turn) : nothing}
      </div>
      ${this.open ? (turn ? this.#turn(turn) : html`<p class="nothing muted">${localize('inspector.empty')}</p>`) : nothing}
    </section>`;
  }

  #controls(turn: TracedTurn): TemplateResult {
    const { localize } = this;
    const { turns } = this.#log;
    return html`<select
        class="field clip"
        aria-label=${localize('inspector.turn')}
        @change=${(event: Event) => {
          const chosen = turns[(event.currentTarget as HTMLSelectElement).selectedIndex];
          // The newest one is left for the next as soon as there is one.
          this.turn = chosen === turns.at(-1) ? undefined : chosen;
          this.selection = undefined;
        }}
      >
        ${turns.map(
          (other, index) =>
            html`<option ?selected=${other === turn}>
              ${localize.number(index + 1)} · ${other.text.slice(0, TITLE_LENGTH)}
            </option>`,
        )}
      </select>
      <input
        class="field"
        type="search"
        aria-label=${localize('inspector.filter')}
        placeholder=${localize('inspector.filter')}
        .value=${this.filter}
        @input=${(event: Event) => {
          this.filter = (event.currentTarget as HTMLInputElement).value;
        }}
        @keydown=${this.#emptyFilter}
      />
      <button
        type="button"
        class="button ghost"
        ?disabled=${turn.frames.size === 0}
        @click=${() => {
          save(turn);
        }}
      >
        ${icon('download', 'small')} ${localize('inspector.download')}
      </button>
      <button type="button" class="button ghost" @click=${this.#clear}>${localize('inspector.clear')}</button>`;
  }

  #turn(turn: TracedTurn): TemplateResult {
    const selection = this.selection?.turn === turn ? this.selection : undefined;
    const related = selection && relatedTo(turn, selection.list, selection.key);
    const wanted = this.filter.trim().toLowerCase();
    const lists = LISTS.map((list) => {
      const rows = rowsOf(turn, list);
      return { list, rows: wanted ? rows.filter((row) => wordsOf(row).includes(wanted)) : rows };
    });
    const chosen = lists.find(({ list }) => list === selection?.list)?.rows.find(({ key }) => key === selection?.key);
    return html`<div class="inspector-body">
        ${lists.map(({ list, rows }) => this.#list(turn, list, { rows, selection, related }))}
        ${chosen && selection ? this.#detail(chosen, selection) : nothing}
      </div>
      <p class="facts muted tabular" role="status">
        ${factsOf(turn, this.#log.dropped, { localize: this.localize, related }).join(' · ')}
      </p>`;
  }

  #list(turn: TracedTurn, list: ListName, { rows, selection, related }: Shown): TemplateResult {
    const first = related ? rows.findIndex(({ key }) => related[list].has(key)) : -1;
    const visited = rows.find(({ key }) => key === this.current[list]);
    const select = (key: unknown): void => {
      this.selection = selection?.list === list && selection.key === key ? undefined : { turn, list, key };
    };
    return inspectorList({
      localize: this.localize,
      list,
      rows,
      // What belongs together is shown together.
      shown: Math.max(this.pages[list] * PAGE, first < 0 ? 0 : rows.length - first),
      start: turn.start,
      selected: selection?.list === list ? selection.key : undefined,
      related,
      current: (visited ?? rows.at(-1))?.key,
      select,
      visit: (key) => {
        this.current = { ...this.current, [list]: key };
      },
      showMore: () => {
        this.pages = { ...this.pages, [list]: this.pages[list] + 1 };
      },
      copy: () => rows.map(({ time, value }) => JSON.stringify({ t: time - turn.start, ...value })).join('\n'),
    });
  }

  #detail(row: Row, { list }: Selection): TemplateResult {
    return inspectorDetail({
      localize: this.localize,
      list,
      row,
      close: () => {
        this.selection = undefined;
        this.querySelector<HTMLElement>(`[data-list=${list}] .row[tabindex="0"]`)?.focus();
      },
    });
  }

  protected override willUpdate(): void {
    this.#following = [...this.querySelectorAll('.rows')].filter(
      ({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight < NEAR_PX,
    );
  }

  protected override updated(changes: PropertyValues): void {
    const chosen = changes.has('selection') && this.selection !== undefined;
    for (const rows of this.querySelectorAll('.rows')) {
      if (chosen) showMarked(rows);
      else if (!this.selection && this.#following.includes(rows)) rows.scrollTop = rows.scrollHeight;
    }
  }

  readonly #emptyFilter = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || this.filter === '') return;
    // Not also the widget's own Escape, which stops the reply.
    event.preventDefault();
    this.filter = '';
  };

  readonly #clear = (): void => {
    this.#log.clear();
    this.#reset();
  };

  #reset(): void {
    this.filter = '';
    this.turn = undefined;
    this.selection = undefined;
    this.current = {};
    this.pages = { frames: 1, events: 1, blocks: 1 };
  }
}

function save(turn: TracedTurn): void {
  const recording = toRecording(turn);
  if (!recording) return;
  saveFile(JSON.stringify(recording), `recording-${recording.protocol ?? 'unknown'}.json`, 'application/json');
}

/** Scrolls a list, and nothing around it, to the first of the rows that belong together. */
function showMarked(rows: Element): void {
  const row = rows.querySelector<HTMLElement>('[aria-current]')?.closest('li');
  if (!row) return;
  const hidden =
    row.offsetTop < rows.scrollTop || row.offsetTop + row.offsetHeight > rows.scrollTop + rows.clientHeight;
  if (hidden) rows.scrollTop = row.offsetTop - rows.clientHeight / 2;
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-inspector': AgentChatInspector;
  }
}
