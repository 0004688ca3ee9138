import {
  ArcElement,
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  DoughnutController,
  Filler,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  PieController,
  PointElement,
  Tooltip,
  type ChartConfiguration,
  type ChartDataset,
  type Plugin,
} from 'chart.js';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { enumerate } from '../../enumerate.ts';
import type { Localize } from '../../locales/localize.ts';
import { lazyIcon } from '../../primitives/lazy-icons.ts';
import { LightElement } from '../../primitives/light-dom-element.ts';
import { watchColors } from '../../primitives/watch-colors.ts';
import { withoutInvisible } from '../../safety/urls.ts';
import type { RenderContext } from '../core/renderer.ts';
import { chartAsTable, MAX_NUMBER, type ChartData } from './parse-chart.ts';
import { tableView } from './table.ts';

Chart.register(
  ArcElement,
  BarController,
  BarElement,
  CategoryScale,
  DoughnutController,
  Filler,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  PieController,
  PointElement,
  Tooltip,
);

/** Font size of labels (px). */
const LABEL_SIZE = 11;
/** Number of series colours. `chart.css` sets them for `.c0` to `.c7`, and those of text, grid and background after them. */
const SERIES = 8;
/** Maximum number of bars that have room for their values. */
const VALUED_BARS = 12;

/** A card with a chart on a canvas in the widget's colours, and its numbers as a table. */
export class AgentChatChart extends LightElement {
  static override properties = {
    chart: { attribute: false },
    caption: { attribute: false },
    context: { attribute: false },
    localize: { attribute: false },
    asTable: { state: true },
  };
  declare chart: ChartData;
  declare caption: string;
  declare context: RenderContext;
  declare localize: Localize;
  declare protected asTable: boolean;
  #drawn: Chart | undefined;

  constructor() {
    super();
    this.caption = '';
    this.asTable = false;
    watchColors(this, () => {
      this.#draw();
    });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.#draw();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    waiting.delete(this);
    this.#drawn?.destroy();
    this.#drawn = undefined;
  }

  protected override render(): TemplateResult {
    const { localize, chart } = this;
    const title = withoutInvisible(chart.name || this.caption || localize('data.chart'));
    const table = chartAsTable(chart, localize('data.value'));
    const toggle = localize(this.asTable ? 'data.as-chart' : 'data.as-table');
    return html`<section class="card data chart" part="chart" role="group" aria-label=${title}>
      <div class="bar">
        <b class="grow clip" dir="auto">${title}</b>
        <button
          type="button"
          class="icon-button"
          aria-label=${toggle}
          title=${toggle}
          aria-pressed=${this.asTable ? 'true' : 'false'}
          @click=${() => {
            this.asTable = !this.asTable;
          }}
        >
          ${lazyIcon(this.asTable ? 'chart' : 'table', 'small')}
        </button>
      </div>
      ${
        this.asTable
          ? tableView(table, this.context, this.caption)
          : html`<div class="plot">
              <canvas role="img" aria-label=${describe(chart, title)}></canvas>
              <span class="probe" aria-hidden="true"
                >${[...Array(SERIES + 3).keys()].map((index) => html`<i class="c${index}"></i>`)}</span
              >
            </div>`
      }
      ${this.caption && chart.name && !this.asTable ? html`<p class="muted caption" dir="auto">${this.caption}</p>` : nothing}
    </section>`;
  }

  protected override updated(changes: PropertyValues<this>): void {
    if (this.asTable) {
      this.#drawn?.destroy();
      this.#drawn = undefined;
    } else if (changes.has('chart') || !this.#drawn) this.#draw();
  }

  #draw(): void {
    drawInTurn(this, () => {
      this.#drawNow();
    });
  }

  #drawNow(): void {
    const canvas = this.querySelector('canvas');
    if (!canvas || !this.isConnected) return;
    this.#drawn?.destroy();
    this.#drawn = new Chart(
      canvas,
      configure(this.chart, coloursOf(this), getComputedStyle(this).fontFamily, this.localize),
    );
  }
}

/** The charts that are drawn in later tasks: drawing 50 in one task blocks the page for more than 100 ms. */
const waiting = new Map<AgentChatChart, () => void>();
let isBusy = false;

/** Draws a chart immediately, or after the others in a task of its own. */
function drawInTurn(chart: AgentChatChart, draw: () => void): void {
  if (isBusy) {
    waiting.set(chart, draw);
    return;
  }
  isBusy = true;
  setTimeout(() => {
    isBusy = false;
    const [next] = waiting;
    if (!next) return;
    waiting.delete(next[0]);
    drawInTurn(...next);
  });
  draw();
}

interface Colours {
  readonly series: readonly string[];
  readonly textColour: string;
  readonly grid: string;
  readonly background: string;
}

/** The custom properties as computed colours for the canvas, read from elements that use them. */
function coloursOf(element: HTMLElement): Colours {
  const colours = [...element.querySelectorAll('.probe i')].map((probe) => getComputedStyle(probe).color);
  const [textColour = 'gray', grid = 'gray', background = 'white'] = colours.slice(SERIES);
  return { series: colours.slice(0, SERIES), textColour, grid, background };
}

/** Labels: the value above each bar, or the value of the highest point of the first line. */
const valuesOnMarks = (type: ChartData['type'], textColour: string, family: string, localize: Localize): Plugin => ({
  id: 'values',
  afterDatasetsDraw(chart) {
    const { ctx, data } = chart;
    const [first, ...others] = data.datasets;
    const values = first?.data ?? [];
    const bars = type === 'bar' && others.length === 0 && values.length <= VALUED_BARS;
    const highest = values.reduce<number>(
      (best, value, index) => (Number(value ?? -Infinity) > Number(values[best] ?? -Infinity) ? index : best),
      0,
    );
    const marked = bars ? values.map((_, index) => index) : type === 'line' || type === 'area' ? [highest] : [];
    ctx.save();
    ctx.font = `500 ${String(LABEL_SIZE)}px ${family}`;
    ctx.fillStyle = textColour;
    ctx.textAlign = 'center';
    for (const index of marked) {
      const value = values[index];
      const point = chart.getDatasetMeta(0).data[index];
      if (typeof value !== 'number' || !point) continue;
      const label = localize.number(value);
      // At the edge it would be clipped.
      const half = ctx.measureText(label).width / 2;
      ctx.fillText(label, Math.min(Math.max(point.x, half), chart.width - half), point.y - (bars ? 6 : 9));
    }
    ctx.restore();
  },
});

/** Point shapes of a scatter chart: colour alone must not carry information. */
const POINTS = ['circle', 'triangle', 'rect', 'cross'] as const;

function configure(
  { type, labels, series }: ChartData,
  colours: Colours,
  family: string,
  localize: Localize,
): ChartConfiguration {
  const round = type === 'pie' || type === 'doughnut';
  const colour = (index: number): string => colours.series[index % SERIES] ?? colours.textColour;
  // Points of a scatter chart are positioned by their numbers; with other labels, in sequence.
  const isLinear = type === 'scatter' && labels.every((label) => Math.abs(Number(label)) <= MAX_NUMBER);
  const datasets = series.map(({ name, values }, index): ChartDataset => ({
    label: name,
    data: isLinear ? values.map((y, point) => ({ x: Number(labels[point]), y: y ?? NaN })) : [...values],
    backgroundColor: round ? values.map((_, point) => colour(point)) : colour(index),
    // A line between slices, because the colours of neighbours may be similar.
    borderColor: round ? colours.background : colour(index),
    borderWidth: type === 'bar' ? 0 : 2,
    ...(type === 'area' && { fill: 'origin' }),
    ...(type === 'bar' && { borderRadius: 3, maxBarThickness: 48 }),
    // Colour alone must not carry information, so every other line is dashed.
    ...((type === 'line' || type === 'area') && {
      borderDash: index % 2 === 0 ? [] : [5, 4],
      pointRadius: 2.5,
      tension: 0,
    }),
    ...(type === 'scatter' && { showLine: false, pointRadius: 4, pointStyle: POINTS[index % POINTS.length] }),
  }));
  const font = { size: LABEL_SIZE, family };
  const axis = {
    ticks: { color: colours.textColour, font, maxRotation: 0, autoSkip: true },
    border: { display: false },
  };
  const legend = round || series.length > 1;
  const lines = !round && type !== 'bar';
  const kind = { area: 'line', scatter: 'line', line: 'line', bar: 'bar', pie: 'pie', doughnut: 'doughnut' }[
    type
  ] as 'line';
  return {
    type: kind,
    plugins: [valuesOnMarks(type, colours.textColour, family, localize)],
    data: { labels: [...labels], datasets },
    options: {
      animation: false,
      responsive: true,
      maintainAspectRatio: false,
      font,
      // Space for the label above the highest value.
      layout: { padding: { top: type === 'bar' && !legend ? 18 : 0 } },
      plugins: {
        legend: {
          display: legend,
          align: 'start',
          labels: {
            color: colours.textColour,
            font,
            ...(lines
              ? {
                  usePointStyle: true,
                  ...(type === 'scatter' ? { boxWidth: 8, boxHeight: 6 } : { pointStyle: 'line', pointStyleWidth: 18 }),
                }
              : { boxWidth: 10, boxHeight: 10 }),
          },
        },
        tooltip: { titleFont: font, bodyFont: font },
      },
      ...(!round && {
        scales: {
          x: { ...axis, ...(isLinear && { type: 'linear' as const }), grid: { display: false } },
          y: {
            ...axis,
            ticks: { ...axis.ticks, maxTicksLimit: 6 },
            // A line chart need not include zero: changes of a price would not be visible then.
            beginAtZero: type === 'bar' || type === 'area',
            grace: lines ? '15%' : 0,
            grid: { color: colours.grid },
          },
        },
      }),
    },
  };
}

/** Longest text alternative (characters). */
const MAX_DESCRIPTION = 1000;

/** A text alternative of the chart for assistive technology. */
function describe({ labels, series }: ChartData, title: string): string {
  let text = `${title}. `;
  for (const [order, { name, values }] of enumerate(series)) {
    text += `${order > 0 ? '. ' : ''}${name ? `${name}: ` : ''}`;
    for (const [index, label] of enumerate(labels)) {
      if (text.length > MAX_DESCRIPTION) break;
      text += `${index > 0 ? ', ' : ''}${label} ${String(values[index] ?? '')}`;
    }
  }
  return withoutInvisible(text.slice(0, MAX_DESCRIPTION));
}
