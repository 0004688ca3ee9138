import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import type { Localize } from '../../locales/localize.ts';
import { withoutInvisible } from '../../safety/urls.ts';
import type { InspectorListName, RelatedRows, InspectorRow } from './inspector-rows.ts';

/** Pauses longer than this are highlighted, in milliseconds. */
const GAP_MS = 1000;

export interface InspectorListProps {
  readonly localize: Localize;
  readonly list: InspectorListName;
  /** The rows that match the filter. */
  readonly rows: readonly InspectorRow[];
  /** The number of rows shown, from the end. */
  readonly shown: number;
  /** Start of the turn, in milliseconds since the epoch. */
  readonly start: number;
  readonly selected: unknown;
  readonly related: RelatedRows | undefined;
  /** Key of the row in the tab order. */
  readonly current: unknown;
  select(key: unknown): void;
  /** Called when a row gets the focus. */
  visit(key: unknown): void;
  showMore(): void;
  copy(): string;
}

/** One of the lists with its header. One row is in the tab order; the arrow keys move between rows (roving tabindex). */
export function inspectorList(props: InspectorListProps): TemplateResult {
  const { localize, list, rows, shown, showMore, copy } = props;
  const name = localize(`inspector.${list}`);
  const hidden = Math.max(0, rows.length - shown);
  return html`<section class="inspector-list" data-list=${list}>
    <div class="bar">
      <div class="label grow">${name} <span class="tabular">${localize.number(rows.length)}</span></div>
      <agent-chat-copy
        .value=${copy}
        .label=${localize('inspector.copy', { list: name })}
        .done=${localize('code.copied')}
      ></agent-chat-copy>
    </div>
    ${rows.length === 0 ? html`<p class="nothing muted">${localize('inspector.nothing')}</p>` : nothing}
    <ol class="rows" dir="ltr" aria-label=${name} @keydown=${moveFocus}>
      ${
        hidden > 0
          ? html`<li>
              <button type="button" class="link" @click=${showMore}>
                ${localize('inspector.earlier', { count: hidden })}
              </button>
            </li>`
          : nothing
      }
      ${repeat(
        rows.slice(hidden),
        ({ key }) => key,
        (row, index) => renderRow(row, rows[hidden + index - 1], props),
      )}
    </ol>
  </section>`;
}

function renderRow(row: InspectorRow, before: InspectorRow | undefined, props: InspectorListProps): unknown {
  const { localize, list, start, selected, related, current } = props;
  const inputs = [row, row.key === selected, related?.[list].has(row.key) === true, row.key === current];
  return guard([...inputs, localize], () => {
    const [, isSelected, isRelated, isTabbable] = inputs;
    const gap = before ? row.time - before.time : 0;
    return html`<li>
      <button
        type="button"
        class="row"
        data-tone=${row.tone}
        tabindex=${isTabbable ? 0 : -1}
        aria-pressed=${isSelected ? 'true' : 'false'}
        aria-current=${isRelated ? 'true' : nothing}
        @click=${() => {
          props.select(row.key);
        }}
        @focus=${() => {
          props.visit(row.key);
        }}
      >
        <span class="ms" data-gap=${gap > GAP_MS ? '' : nothing}
          >${gap > GAP_MS ? `+${localize.number(gap)}` : localize.number(Math.max(0, row.time - start))}</span
        >
        <span class="clip"
          ><b>${withoutInvisible(row.name)}</b> <span class="said">${withoutInvisible(row.preview)}</span></span
        >
      </button>
    </li>`;
  });
}

function moveFocus(event: KeyboardEvent): void {
  const { currentTarget, target } = event;
  if (!(currentTarget instanceof HTMLElement) || !(target instanceof HTMLButtonElement)) return;
  const rows = [...currentTarget.querySelectorAll<HTMLElement>('.row')];
  const index = rows.indexOf(target);
  const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: rows.length - 1 }[event.key];
  if (index < 0 || next === undefined) return;
  event.preventDefault();
  rows[next]?.focus();
}
