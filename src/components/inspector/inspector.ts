import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import { icon } from '../../primitives/icon.ts';
import { LightElement } from '../../primitives/light-dom-element.ts';
import { onUserSwitch } from '../../primitives/user-change.ts';
import { downloadFile } from '../../primitives/download-file.ts';
import { toRecording } from '../../runtime/trace/recording.ts';
import { TraceLog, type TracedTurn } from '../../runtime/trace/trace-log.ts';
import type { TraceEntry } from '../../runtime/tracer.ts';
import styles from './inspector.css?inline';
import { adoptStylesheet, createStylesheet } from '../../theme/stylesheet.ts';
import { turnSummary, inspectorDetail } from './inspector-detail.ts';
import { inspectorList } from './inspector-list.ts';
import {
  INSPECTOR_LISTS,
  relatedRows,
  inspectorRows,
  searchableText,
  type InspectorListName,
  type RelatedRows,
  type InspectorRow,
} from './inspector-rows.ts';

const stylesheet = createStylesheet(styles);

/** Number of rows of a list that are shown at first, and that "Show … earlier" adds: thousands of rows would be slow. */
const PAGE_SIZE = 200;
/** A list that is scrolled to within this distance of its end follows its end, in CSS pixels. */
const NEAR_PX = 24;
/** Maximum length of a turn's title in the list of turns. */
const MAX_TITLE_LENGTH = 60;

interface Selection {
  readonly turn: TracedTurn;
  readonly list: InspectorListName;
  readonly key: unknown;
}

interface ListContent {
  readonly rows: readonly InspectorRow[];
  readonly selection: Selection | undefined;
  readonly related: RelatedRows | undefined;
}

/**
 * The stream inspector for developers, shown with `debug`. Three lists side by side: the frames of a turn, the events decoded from them,
 * and the resulting blocks.
 */
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
  /** The selected turn. Undefined: always the newest. */
  declare protected turn: TracedTurn | undefined;
  declare protected selection: Selection | undefined;
  /** The key of the last focused row of each list. */
  declare protected current: Readonly<Partial<Record<InspectorListName, unknown>>>;
  /** Number of pages shown of each list, of `PAGE_SIZE` rows each. */
  declare protected pages: Readonly<Record<InspectorListName, number>>;
  readonly #log = new TraceLog();
  #animationFrame: number | undefined;
  /** The lists that were scrolled to their end before an update. They are scrolled to their new end after it. */
  #listsAtEnd: readonly Element[] = [];

  constructor() {
    super();
    this.open = true;
    this.#reset();
    // Another user must not see the turns of the previous one.
    onUserSwitch(this, this.#clear);
  }

  /** Adds an entry. It is rendered in the next animation frame. */
  add(entry: TraceEntry): void {
    this.#log.add(entry);
    if (this.#animationFrame !== undefined) return;
    this.#animationFrame = requestAnimationFrame(() => {
      this.#animationFrame = undefined;
      this.requestUpdate();
    });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    adoptStylesheet(this, stylesheet);
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
          const selected = turns[(event.currentTarget as HTMLSelectElement).selectedIndex];
          // After selecting the newest turn, the inspector also shows turns that begin later.
          this.turn = selected === turns.at(-1) ? undefined : selected;
          this.selection = undefined;
        }}
      >
        ${turns.map(
          (other, index) =>
            html`<option ?selected=${other === turn}>
              ${localize.number(index + 1)} · ${other.text.slice(0, MAX_TITLE_LENGTH)}
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
        @keydown=${this.#clearFilterOnEscape}
      />
      <button
        type="button"
        class="button ghost"
        ?disabled=${turn.frames.size === 0}
        @click=${() => {
          downloadRecording(turn);
        }}
      >
        ${icon('download', 'small')} ${localize('inspector.download')}
      </button>
      <button type="button" class="button ghost" @click=${this.#clear}>${localize('inspector.clear')}</button>`;
  }

  #turn(turn: TracedTurn): TemplateResult {
    const selection = this.selection?.turn === turn ? this.selection : undefined;
    const related = selection && relatedRows(turn, selection.list, selection.key);
    const query = this.filter.trim().toLowerCase();
    const lists = INSPECTOR_LISTS.map((list) => {
      const rows = inspectorRows(turn, list);
      return { list, rows: query ? rows.filter((row) => searchableText(row).includes(query)) : rows };
    });
    const selected = lists.find(({ list }) => list === selection?.list)?.rows.find(({ key }) => key === selection?.key);
    return html`<div class="inspector-body">
        ${lists.map(({ list, rows }) => this.#list(turn, list, { rows, selection, related }))}
        ${selected && selection ? this.#detail(selected, selection) : nothing}
      </div>
      <p class="turn-summary muted tabular" role="status">
        ${turnSummary(turn, this.#log.dropped, { localize: this.localize, related }).join(' · ')}
      </p>`;
  }

  #list(turn: TracedTurn, list: InspectorListName, { rows, selection, related }: ListContent): TemplateResult {
    const firstRelated = related ? rows.findIndex(({ key }) => related[list].has(key)) : -1;
    const focused = rows.find(({ key }) => key === this.current[list]);
    const select = (key: unknown): void => {
      this.selection = selection?.list === list && selection.key === key ? undefined : { turn, list, key };
    };
    return inspectorList({
      localize: this.localize,
      list,
      rows,
      // Related rows are never hidden.
      shown: Math.max(this.pages[list] * PAGE_SIZE, firstRelated < 0 ? 0 : rows.length - firstRelated),
      start: turn.start,
      selected: selection?.list === list ? selection.key : undefined,
      related,
      current: (focused ?? rows.at(-1))?.key,
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

  #detail(row: InspectorRow, { list }: Selection): TemplateResult {
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
    this.#listsAtEnd = [...this.querySelectorAll('.rows')].filter(
      ({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight < NEAR_PX,
    );
  }

  protected override updated(changes: PropertyValues): void {
    const hasNewSelection = changes.has('selection') && this.selection !== undefined;
    for (const list of this.querySelectorAll('.rows')) {
      if (hasNewSelection) scrollToRelated(list);
      else if (!this.selection && this.#listsAtEnd.includes(list)) list.scrollTop = list.scrollHeight;
    }
  }

  readonly #clearFilterOnEscape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || this.filter === '') return;
    // Otherwise Escape would also stop the reply.
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

function downloadRecording(turn: TracedTurn): void {
  const recording = toRecording(turn);
  if (!recording) return;
  downloadFile(JSON.stringify(recording), `recording-${recording.protocol ?? 'unknown'}.json`, 'application/json');
}

/** Scrolls a list to its first related row. `scrollIntoView()` would also scroll the page. */
function scrollToRelated(list: Element): void {
  const row = list.querySelector<HTMLElement>('[aria-current]')?.closest('li');
  if (!row) return;
  const hidden =
    row.offsetTop < list.scrollTop || row.offsetTop + row.offsetHeight > list.scrollTop + list.clientHeight;
  if (hidden) list.scrollTop = row.offsetTop - list.clientHeight / 2;
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-inspector': AgentChatInspector;
  }
}
