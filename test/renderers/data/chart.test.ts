import { expect, waitUntil } from '@open-wc/testing';
import { Chart } from 'chart.js';
import { HOSTILE, named, showBlock, update, wordsIn } from '../support/show.ts';

const chart = (data: unknown) => ({ id: 'b', type: 'data', data: { data_type: 'chart', data } }) as const;
const RATE = {
  name: 'Refund rate',
  type: 'line',
  labels: ['Jan', 'Feb'],
  series: [
    { name: 'This year', data: [2, 3.4] },
    { name: 'Last year', data: [1, 2] },
  ],
};

const show = async (data: unknown = RATE) => {
  const { chat, element } = await showBlock(chart(data));
  await waitUntil(() => element.querySelector('canvas') !== null, 'the chart comes', { timeout: 10_000 });
  return { chat, element, canvas: element.querySelector('canvas') };
};

describe('a chart', () => {
  for (const [name, data] of [
    ['a line', { type: 'line', labels: ['a', 'b'], series: [{ name: 's', data: [1, 1e308] }] }],
    ['text', { type: 'bar', labels: ['a', 'b'], series: [{ name: 's', data: ['1', '-1e308'] }] }],
    [
      'points',
      {
        type: 'scatter',
        series: [
          {
            name: 's',
            data: [
              { x: 1, y: 1 },
              { x: 2, y: 1.7e308 },
            ],
          },
        ],
      },
    ],
  ] as const)
    it(`rule 95: of numbers whose axis would have no end is not drawn: ${name}`, async () => {
      const { element } = await showBlock(chart(data));
      await waitUntil(() => /e\+?308/.test(wordsIn(element)), 'the numbers are shown');
      expect(element.querySelector('canvas')).to.equal(null);
    });

  for (const data of [
    [1, 1e300],
    [-1e300, 1e300],
    [9e299, 9e299 * (1 + 2 ** -52)],
    [5e-324, 1e-323],
    [1e16, 1e16 + 2],
  ])
    it(`rule 95: of extreme numbers is drawn: ${data.join(' and ')}`, async () => {
      const { canvas } = await show({ type: 'scatter', series: [{ name: 's', data: data.map((y) => ({ x: y, y })) }] });
      await waitUntil(() => canvas && Chart.getChart(canvas), 'it is drawn');
      const ticks = canvas ? Object.values(Chart.getChart(canvas)?.scales ?? {}).map((axis) => axis.ticks.length) : [];
      expect(Math.max(...ticks)).to.be.within(1, 20);
    });

  it('rule 7: removes controls of the text direction from the labels and names that it draws', async () => {
    const { canvas } = await show({
      type: 'bar',
      labels: ['\u202egpj.exe', 'b\u200b'],
      series: [
        { name: '\u202egpj.exe', data: [1, 2] },
        { name: 'b', data: [1, 2] },
      ],
    });
    await waitUntil(() => canvas && Chart.getChart(canvas), 'it is drawn');
    const drawn = canvas ? Chart.getChart(canvas)?.data : undefined;
    expect(drawn?.labels).to.deep.equal(['gpj.exe', 'b']);
    expect(drawn?.datasets.map(({ label }) => label)).to.deep.equal(['gpj.exe', 'b']);
  });

  it('rule 60: draws at most 200 characters of a label or a name, and 32 marks on a letter', async () => {
    const stacked = `a${'\u0301'.repeat(150)}`.repeat(6);
    const { canvas } = await show({
      type: 'bar',
      name: stacked,
      labels: [stacked, 'x'.repeat(900)],
      series: [
        { name: 'y'.repeat(900), data: [1, 2] },
        { name: stacked, data: [1, 2] },
      ],
    });
    await waitUntil(() => canvas && Chart.getChart(canvas), 'it is drawn');
    const drawn = canvas ? Chart.getChart(canvas)?.data : undefined;
    const texts = [...((drawn?.labels ?? []) as string[]), ...(drawn?.datasets ?? []).map(({ label = '' }) => label)];
    const limited = `a${'\u0301'.repeat(32)}`.repeat(6);
    expect(texts).to.deep.equal([limited, 'x'.repeat(200), 'y'.repeat(200), limited]);
    expect(canvas?.getAttribute('aria-label')).to.contain(limited).and.not.to.contain('\u0301'.repeat(33));
  });

  it('rule 95: of points far apart is shown in sequence', async () => {
    const { canvas } = await show({
      type: 'scatter',
      series: [
        {
          name: 's',
          data: [
            { x: 1, y: 1 },
            { x: 1e308, y: 2 },
          ],
        },
      ],
    });
    await waitUntil(() => canvas && Chart.getChart(canvas), 'it is drawn');
    expect(canvas && Chart.getChart(canvas)?.scales['x']?.type).to.equal('category');
  });

  it('rule 95: of a thousand slices is a table', async () => {
    const { element } = await showBlock(
      chart({
        type: 'pie',
        labels: Array.from({ length: 1000 }, (_, index) => `a${String(index)}`),
        series: [{ name: 's', data: Array.from({ length: 1000 }, () => 1) }],
      }),
    );
    await waitUntil(() => element.querySelector('table') !== null, 'the table comes', { timeout: 10_000 });
    expect(element.querySelector('canvas')).to.equal(null);
  });

  it('is an image whose name contains all of its numbers', async () => {
    const { element, canvas } = await show();
    expect(element.querySelector('[part="chart"]')?.getAttribute('aria-label')).to.equal('Refund rate');
    expect([canvas?.getAttribute('role'), canvas?.getAttribute('aria-label')]).to.deep.equal([
      'img',
      'Refund rate. This year: Jan 2, Feb 3.4. Last year: Jan 1, Feb 2',
    ]);
  });

  it('changes its colours with the colour scheme', async () => {
    const { chat, canvas } = await show();
    const rendered = () => canvas && Chart.getChart(canvas)?.data.datasets[0]?.borderColor;
    const light = rendered();
    chat.colorScheme = 'dark';
    await waitUntil(() => rendered() !== light, 'it is drawn again');
  });

  it('is drawn in a task of its own where there are several', async () => {
    const { chat } = await show();
    const happened: string[] = [];
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => happened.push('task');
    const plugin = {
      id: 'note',
      afterInit() {
        happened.push('chart');
        port2.postMessage(undefined);
      },
    };
    Chart.register(plugin);
    try {
      chat.messages = [
        { role: 'assistant', blocks: Array.from({ length: 5 }, (_, id) => ({ ...chart(RATE), id: `b${String(id)}` })) },
      ];
      await waitUntil(() => happened.filter((what) => what === 'chart').length === 5, 'all are drawn');
    } finally {
      Chart.unregister(plugin);
      port1.close();
    }
    expect(happened.slice(0, happened.lastIndexOf('chart'))).to.contain('task');
  });

  it('can be switched to a table and back', async () => {
    const { element } = await show();
    const toggle = named<HTMLButtonElement>(element, 'Show as table');
    expect(toggle.getAttribute('aria-pressed')).to.equal('false');
    toggle.click();
    await waitUntil(() => element.querySelector('td') !== null);
    expect([...element.querySelectorAll('tr')].map((row) => [...row.cells].map(wordsIn))).to.deep.equal([
      ['', 'This year', 'Last year'],
      ['Jan', '2', '1'],
      ['Feb', '3.4', '2'],
    ]);
    expect(element.querySelector('canvas')).to.equal(null);
    named(element, 'Show as chart').click();
    await waitUntil(() => element.querySelector('canvas') !== null);
  });

  for (const [type, rendered] of [
    ['line', 'line'],
    ['area', 'line'],
    ['bar', 'bar'],
    ['column', 'bar'],
    ['pie', 'pie'],
    ['doughnut', 'doughnut'],
    ['scatter', 'line'],
    ['radar', 'bar'],
  ] as const) {
    it(`${type} is rendered as ${rendered}, without animation`, async () => {
      const { canvas } = await show({ ...RATE, type });
      const made = canvas && Chart.getChart(canvas);
      expect([(made?.config as { type?: string }).type, made?.options.animation]).to.deep.equal([rendered, false]);
    });
  }

  it('does not rely on colour alone: every other line is dashed', async () => {
    const { canvas } = await show();
    const datasets = (canvas && Chart.getChart(canvas)?.data.datasets) ?? [];
    expect(datasets.map((set) => (set as { borderDash?: number[] }).borderDash?.length)).to.deep.equal([0, 2]);
    expect(new Set(datasets.map(({ borderColor }) => borderColor)).size).to.equal(2);
  });

  it('has a colour of its own for each of eight slices, with a line between them', async () => {
    const values = [1, 2, 3, 4, 5, 6, 7, 8];
    const { canvas } = await show({ type: 'pie', labels: values.map(String), values });
    const [slices] = (canvas && Chart.getChart(canvas)?.data.datasets) ?? [];
    expect(new Set(slices?.backgroundColor as string[]).size).to.equal(8);
    expect(slices?.borderWidth).to.equal(2);
  });

  it('places the points of a scatter chart by their numbers, without lines', async () => {
    const points = [
      { x: 1, y: 2 },
      { x: 10, y: 3 },
    ];
    const { canvas } = await show({ type: 'scatter', data: { datasets: [{ label: 'a', data: points }] } });
    const made = canvas && Chart.getChart(canvas);
    const [dataset] = made?.data.datasets ?? [];
    expect([dataset?.data, (dataset as { showLine?: boolean }).showLine]).to.deep.equal([points, false]);
    expect(made?.scales['x']?.type).to.equal('linear');
  });

  it('writes the value of the highest point within the canvas, also at its edge', async () => {
    const ends: number[] = [];
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (words, x, ...rest) {
      if (words === '1,234,567,890') ends.push(x + this.measureText(words).width / 2);
      fillText.call(this, words, x, ...rest);
    };
    try {
      const { canvas } = await show({ type: 'line', labels: ['Jan', 'Feb'], values: [1, 1_234_567_890] });
      await waitUntil(() => ends.length > 0);
      expect(Math.max(...ends)).to.be.at.most(canvas ? (Chart.getChart(canvas)?.width ?? 0) : 0);
    } finally {
      CanvasRenderingContext2D.prototype.fillText = fillText;
    }
  });

  it('begins at zero where lengths are compared, not where a line shows changes', async () => {
    const lowest = async (type: string): Promise<number | undefined> => {
      const { canvas } = await show({ type, labels: ['Jan', 'Feb'], values: [1688, 1700] });
      return canvas ? Chart.getChart(canvas)?.scales['y']?.min : undefined;
    };
    expect(await lowest('bar')).to.equal(0);
    expect(await lowest('line')).to.be.above(1600);
  });

  it('shows a gap where a value is missing', async () => {
    const { canvas, element } = await show({ ...RATE, series: [{ name: 'This year', data: [2, null] }] });
    expect(canvas && Chart.getChart(canvas)?.data.datasets[0]?.data).to.deep.equal([2, null]);
    expect(canvas?.getAttribute('aria-label')).to.equal('Refund rate. This year: Jan 2, Feb ');
    named(element, 'Show as table').click();
    await waitUntil(() => element.querySelector('td') !== null);
    expect([...element.querySelectorAll('td')].map(wordsIn)).to.deep.equal(['Jan', '2', 'Feb', '']);
  });

  it('renders new numbers in the same canvas', async () => {
    const { chat, element, canvas } = await show();
    update(chat, [chart({ ...RATE, series: [{ name: 'This year', data: [7, 8] }] })]);
    await waitUntil(() => canvas?.getAttribute('aria-label')?.includes('Jan 7'));
    expect(element.querySelector('canvas')).to.equal(canvas);
    expect(canvas && Chart.getChart(canvas)?.data.datasets[0]?.data).to.deep.equal([7, 8]);
  });

  it('releases its canvas when it is removed, and renders again when it is inserted', async () => {
    const { chat, canvas } = await show();
    const container = chat.parentElement;
    chat.remove();
    expect(canvas && Chart.getChart(canvas)).to.equal(undefined);
    container?.append(chat);
    await waitUntil(() => canvas && Chart.getChart(canvas) !== undefined);
  });

  it('shows its numbers as a table until the chart module is loaded', async () => {
    const { dataView } = await import('../../../src/renderers/data/data.ts');
    expect(dataView).to.be.a('function');
    const { element } = await showBlock(chart(RATE));
    expect(element.querySelector('table, canvas')).not.to.equal(null);
  });

  it('shows data that is not a chart as a tree', async () => {
    const { element } = await showBlock(chart({ total: 12 }));
    expect(wordsIn(element)).to.contain('total: 12');
  });

  it('shows hostile names as text', async () => {
    const { element, canvas } = await show({ ...RATE, name: `\u202E${HOSTILE}`, labels: [`\u202E${HOSTILE}`] });
    expect(wordsIn(element.querySelector('b') ?? element)).to.equal(HOSTILE);
    expect(canvas?.getAttribute('aria-label')).to.contain(`${HOSTILE} 1`).and.not.to.contain('\u202E');
    expect(element.querySelector('img')).to.equal(null);
  });
});
