/** Tables and charts in the formats that agents use. */
import { expect } from '@open-wc/testing';
import { parseCellNumber } from '../../../src/primitives/cell-text.ts';
import { toCsv } from '../../../src/primitives/export-table.ts';
import { chartAsTable, toChart } from '../../../src/renderers/data/parse-chart.ts';
import { toTable } from '../../../src/renderers/data/parse-table.ts';

const tables: readonly { readonly name: string; readonly input: unknown; readonly expected: unknown }[] = [
  {
    name: 'rows as lists',
    input: { name: 'T', columns: ['a', 'b'], rows: [[1, 2]] },
    expected: { name: 'T', columns: ['a', 'b'], rows: [[1, 2]] },
  },
  {
    name: 'rows as records, in the order of the columns',
    input: { columns: ['b', 'a'], rows: [{ a: 1, b: 2 }, { a: 3 }] },
    expected: {
      name: '',
      columns: ['b', 'a'],
      rows: [
        [2, 1],
        [undefined, undefined],
      ].map((row, index) => (index ? [undefined, 3] : row)),
    },
  },
  {
    name: 'records alone',
    input: [{ a: 1 }, { a: 2 }],
    expected: { name: '', columns: ['a'], rows: [[1], [2]] },
  },
  {
    name: 'columns with labels, rows as data, a title',
    input: { title: 'T', columns: [{ field: 'a' }, { name: 'b' }, 3], data: [[1, 2, 3]] },
    expected: { name: 'T', columns: ['a', 'b', '3'], rows: [[1, 2, 3]] },
  },
  {
    name: 'a short row',
    input: { columns: ['a', 'b'], rows: [[1]] },
    expected: { name: '', columns: ['a', 'b'], rows: [[1, undefined]] },
  },
  { name: 'no rows', input: { columns: ['a'], rows: [] }, expected: { name: '', columns: ['a'], rows: [] } },
  {
    name: 'a column with the name of an inherited property',
    input: { columns: ['constructor'], rows: [{}] },
    expected: { name: '', columns: ['constructor'], rows: [[undefined]] },
  },
  {
    name: 'rows without columns, of which the columns are numbered',
    input: { name: 'T', rows: [['x'], ['y', 2]] },
    expected: {
      name: 'T',
      columns: ['1', '2'],
      rows: [
        ['x', undefined],
        ['y', 2],
      ],
    },
  },
  {
    name: 'records with different fields',
    input: { rows: [{ a: 1 }, { a: 2, b: 3 }] },
    expected: {
      name: '',
      columns: ['a', 'b'],
      rows: [
        [1, undefined],
        [2, 3],
      ],
    },
  },
  {
    name: 'columns with a title and the name of their field',
    input: {
      columns: [
        { title: 'Product', dataIndex: 'product' },
        { label: 'Sold', key: 'sold' },
        { headerName: 'Left', field: 'left' },
      ],
      rows: [{ left: 3, sold: 2, product: 'Lamp' }],
    },
    expected: { name: '', columns: ['Product', 'Sold', 'Left'], rows: [['Lamp', 2, 3]] },
  },
  {
    name: 'as many columns as the rows have other names',
    input: { columns: ['Product', 'Sold'], rows: [{ product: 'Lamp', sold: 2 }] },
    expected: { name: '', columns: ['Product', 'Sold'], rows: [['Lamp', 2]] },
  },
  {
    name: 'fewer columns than the rows have other names',
    input: { columns: ['Product'], rows: [{ product: 'Lamp', sold: 2 }] },
    expected: { name: '', columns: ['product', 'sold'], rows: [['Lamp', 2]] },
  },
  {
    name: 'rows that are single cells',
    input: { columns: ['a'], rows: [1, 'x', null] },
    expected: { name: '', columns: ['a'], rows: [[1], ['x'], [null]] },
  },
  { name: 'a list of words', input: ['a', 'b'], expected: undefined },
  { name: 'a word', input: 'x', expected: undefined },
  { name: 'nothing', input: null, expected: undefined },
];

const charts: readonly { readonly name: string; readonly input: unknown; readonly expected: unknown }[] = [
  {
    name: 'named series of numbers, with separate labels',
    input: { type: 'line', name: 'C', labels: ['x', 'y'], series: [{ name: 's', data: [1, '2'] }] },
    expected: { type: 'line', name: 'C', labels: ['x', 'y'], series: [{ name: 's', values: [1, 2] }] },
  },
  {
    name: 'a table, with its first column without numbers as labels',
    input: {
      name: 'C',
      columns: ['sold', 'month', 'note', 'returned'],
      rows: [
        [4, 'May', 'x', '1'],
        [6, 'June', 'y', '2'],
      ],
    },
    expected: {
      type: 'bar',
      name: 'C',
      labelName: 'month',
      labels: ['May', 'June'],
      series: [
        { name: 'sold', values: [4, 6] },
        { name: 'returned', values: [1, 2] },
      ],
    },
  },
  {
    name: 'a table of numbers only, under data, with a type',
    input: { type: 'line', data: { columns: ['year', 'sold'], rows: [[2024, 4], { year: 2025, sold: 6 }] } },
    expected: {
      type: 'line',
      name: '',
      labelName: 'year',
      labels: ['2024', '2025'],
      series: [{ name: 'sold', values: [4, 6] }],
    },
  },
  { name: 'a table without numbers', input: { columns: ['a', 'b'], rows: [['x', 'y']] }, expected: undefined },
  {
    name: 'the shape of Chart.js',
    input: { chartType: 'doughnut', data: { labels: ['x'], datasets: [{ label: 's', data: [1] }] } },
    expected: { type: 'doughnut', name: '', labels: ['x'], series: [{ name: 's', values: [1] }] },
  },
  {
    name: 'pairs of label and value',
    input: {
      chart_type: 'pie',
      data: [
        { label: 'x', value: 1 },
        { label: 'y', value: 2 },
      ],
    },
    expected: { type: 'pie', name: '', labels: ['x', 'y'], series: [{ name: '', values: [1, 2] }] },
  },
  {
    name: 'numbers only, of an unknown type',
    input: { type: 'radar', values: [1, 2] },
    expected: { type: 'bar', name: '', labels: ['1', '2'], series: [{ name: '', values: [1, 2] }] },
  },
  {
    name: 'columns are bars',
    input: { type: 'column', values: [1] },
    expected: { type: 'bar', name: '', labels: ['1'], series: [{ name: '', values: [1] }] },
  },
  {
    name: 'a table with empty cells, which are gaps',
    input: {
      columns: ['year', 'sold', 'returned'],
      rows: [
        [2023, 4, 1],
        [2024, 6, null],
      ],
    },
    expected: {
      type: 'bar',
      name: '',
      labelName: 'year',
      labels: ['2023', '2024'],
      series: [
        { name: 'sold', values: [4, 6] },
        { name: 'returned', values: [1, null] },
      ],
    },
  },
  {
    name: 'a table with an empty column and written numbers',
    input: {
      columns: ['note', 'month', 'sold', 'share'],
      rows: [
        [null, 'May', '1,310', '40 %'],
        ['', 'June', '980', '60 %'],
      ],
    },
    expected: {
      type: 'bar',
      name: '',
      labelName: 'month',
      labels: ['May', 'June'],
      series: [
        { name: 'sold', values: [1310, 980] },
        { name: 'share', values: [40, 60] },
      ],
    },
  },
  {
    name: 'series with gaps',
    input: {
      type: 'line',
      labels: ['x', 'y'],
      series: [
        { name: 's', data: [1, null] },
        { name: 't', data: [null, null] },
      ],
    },
    expected: { type: 'line', name: '', labels: ['x', 'y'], series: [{ name: 's', values: [1, null] }] },
  },
  {
    name: 'a list of records',
    input: [
      { month: 'May', sold: 4 },
      { month: 'June', sold: 6 },
    ],
    expected: {
      type: 'bar',
      name: '',
      labelName: 'month',
      labels: ['May', 'June'],
      series: [{ name: 'sold', values: [4, 6] }],
    },
  },
  {
    name: 'series by their names',
    input: { labels: ['x', 'y'], series: { a: [1, 2], b: [3, 4] } },
    expected: {
      type: 'bar',
      name: '',
      labels: ['x', 'y'],
      series: [
        { name: 'a', values: [1, 2] },
        { name: 'b', values: [3, 4] },
      ],
    },
  },
  {
    name: 'points with positions, which differ between the series',
    input: {
      type: 'scatter',
      data: {
        datasets: [
          {
            label: 'a',
            data: [
              { x: 10, y: 1 },
              { x: 2, y: 2 },
            ],
          },
          {
            label: 'b',
            data: [
              [2, 3],
              [2, 4],
            ],
          },
        ],
      },
    },
    expected: {
      type: 'scatter',
      name: '',
      labels: ['2', '2', '10'],
      series: [
        { name: 'a', values: [2, null, 1] },
        { name: 'b', values: [3, 4, null] },
      ],
    },
  },
  {
    name: 'the options of ECharts',
    input: {
      title: { text: 'C' },
      xAxis: { type: 'category', data: ['x', 'y'] },
      yAxis: { type: 'value' },
      series: [{ name: 's', type: 'line', data: [1, { value: 2 }] }],
    },
    expected: { type: 'line', name: 'C', labels: ['x', 'y'], series: [{ name: 's', values: [1, 2] }] },
  },
  {
    name: 'a pie of ECharts',
    input: {
      series: [
        {
          type: 'pie',
          data: [
            { name: 'x', value: 1 },
            { name: 'y', value: 2 },
          ],
        },
      ],
    },
    expected: { type: 'pie', name: '', labels: ['x', 'y'], series: [{ name: '', values: [1, 2] }] },
  },
  {
    name: 'the options of Highcharts',
    input: {
      chart: { type: 'column' },
      title: { text: 'C' },
      xAxis: { categories: ['x'] },
      series: [{ name: 's', data: [1] }],
    },
    expected: { type: 'bar', name: 'C', labels: ['x'], series: [{ name: 's', values: [1] }] },
  },
  {
    name: 'a figure of Plotly',
    input: { data: [{ type: 'scatter', name: 's', x: ['x', 'y'], y: [1, 2] }], layout: { title: { text: 'C' } } },
    expected: { type: 'line', name: 'C', labels: ['x', 'y'], series: [{ name: 's', values: [1, 2] }] },
  },
  {
    name: 'a pie of Plotly',
    input: { data: [{ type: 'pie', labels: ['x', 'y'], values: [1, 2] }] },
    expected: { type: 'pie', name: '', labels: ['x', 'y'], series: [{ name: '', values: [1, 2] }] },
  },
  {
    name: 'a specification of Vega-Lite',
    input: { mark: { type: 'arc' }, data: { values: [{ month: 'May', sold: 4 }] } },
    expected: { type: 'pie', name: '', labelName: 'month', labels: ['May'], series: [{ name: 'sold', values: [4] }] },
  },
  {
    name: 'types such as bar_chart',
    input: { chart_type: 'Line_Chart', values: [1] },
    expected: { type: 'line', name: '', labels: ['1'], series: [{ name: '', values: [1] }] },
  },
  {
    name: 'objects with a value, and a label under a name of its own',
    input: {
      type: 'line',
      data: [
        { day: 'Mon', value: 4 },
        { day: 'Tue', value: 6 },
      ],
    },
    expected: {
      type: 'line',
      name: '',
      labelName: 'day',
      labels: ['Mon', 'Tue'],
      series: [{ name: 'value', values: [4, 6] }],
    },
  },
  ...[
    { x: 'day', y: 'price' },
    { x: 'day', y: ['price'] },
    { xField: 'day', yField: 'price' },
    { xAxis: { dataKey: 'day' }, series: [{ name: 'Price', dataKey: 'price' }] },
  ].map((chosen) => ({
    name: `columns that are chosen by ${JSON.stringify(chosen)}`,
    input: {
      type: 'bar',
      ...chosen,
      data: [
        { volume: 900, day: 1, price: 4 },
        { volume: 800, day: 2, price: 6 },
      ],
    },
    expected: {
      type: 'bar',
      name: '',
      labelName: 'day',
      labels: ['1', '2'],
      series: [{ name: 'price', values: [4, 6] }],
    },
  })),
  {
    name: 'a table with a column without a name',
    input: { columns: ['', 'sold', 'left'], rows: [[0, 4, 6]] },
    expected: {
      type: 'bar',
      name: '',
      labels: ['0'],
      series: [
        { name: 'sold', values: [4] },
        { name: 'left', values: [6] },
      ],
    },
  },
  ...[
    { type: 'line', name: 'C', month: ['May', 'June'], sold: [4, 6] },
    { type: 'line', name: 'C', data: { month: ['May', 'June'], sold: [4, 6] } },
  ].map((input) => ({
    name: `columns by their names ${JSON.stringify(Object.keys(input))}`,
    input,
    expected: {
      type: 'line',
      name: 'C',
      labelName: 'month',
      labels: ['May', 'June'],
      series: [{ name: 'sold', values: [4, 6] }],
    },
  })),
  ...[
    { type: 'pie', name: 'C', data: { 2025: 4, 2026: 6 } },
    { type: 'pie', name: 'C', values: { 2025: 4, 2026: '6' } },
    { type: 'pie', name: 'C', 2025: 4, 2026: 6 },
  ].map((input) => ({
    name: `numbers by their labels ${JSON.stringify(Object.keys(input))}`,
    input,
    expected: { type: 'pie', name: 'C', labels: ['2025', '2026'], series: [{ name: '', values: [4, 6] }] },
  })),
  { name: 'a graph is no chart', input: { nodes: [{ id: 1 }], edges: [{ from: 1 }], zoom: 2 }, expected: undefined },
  { name: 'values that are not numbers', input: { series: [{ data: ['x'] }] }, expected: undefined },
  { name: 'no values', input: { labels: ['x'] }, expected: undefined },
  { name: 'nothing', input: null, expected: undefined },
];

describe('toTable()', () => {
  for (const { name, input, expected } of tables) {
    it(name, () => {
      expect(toTable(input)).to.deep.equal(expected);
    });
  }
});

describe('parseCellNumber()', () => {
  for (const [cell, expected] of [
    [7, 7],
    ['7', 7],
    [' -7.25 ', -7.25],
    ['1,310', 1310],
    ['1 310,5', 1310.5],
    ['1.310.000', 1310000],
    ["1'310.5", 1310.5],
    ['0,5 %', 0.5],
    ['+3%', 3],
    ['$5', 5],
    ['5 ₹', 5],
    ['007', undefined],
    ['2026-11-22', undefined],
    ['10:30', undefined],
    ['1,31,0', undefined],
    ['0171 555', undefined],
    ['12 kg', undefined],
    ['%', undefined],
    ['', undefined],
    [null, undefined],
    [true, undefined],
  ] as const) {
    it(`reads ${JSON.stringify(cell)}`, () => {
      expect(parseCellNumber(cell)).to.equal(expected);
    });
  }
});

describe('toChart()', () => {
  for (const { name, input, expected } of charts) {
    it(name, () => {
      expect(toChart(input)).to.deep.equal(expected);
    });
  }

  it('takes the type of a table from its metadata', () => {
    const table = { columns: ['month', 'sold'], rows: [['May', 4]] };
    expect(toChart(table, { description: 'Sales', chart_type: 'pie' })?.type).to.equal('pie');
    expect(toChart({ ...table, type: 'line' }, { type: 'pie' })?.type).to.equal('line');
  });

  it('chartAsTable() makes a table of it', () => {
    const chart = toChart({ name: 'C', labels: ['x', 'y'], series: [{ name: 's', data: [1, 2] }, { data: [3] }] });
    expect(chart && chartAsTable(chart, 'Value')).to.deep.equal({
      name: 'C',
      columns: ['', 's', 'Value'],
      rows: [
        ['x', 1, 3],
        ['y', 2, undefined],
      ],
    });
  });
});

describe('the table of a chart', () => {
  const rows = [
    ['May', 4, 'n'],
    ['June', 6, 's'],
  ];
  for (const { name, input, columns } of [
    {
      name: 'keeps the name of the column with the labels',
      input: { columns: ['month', 'sold'], rows },
      columns: ['month', 'sold'],
    },
    {
      name: 'keeps the name of a column that the chart names',
      input: { columns: ['month', 'sold', 'side'], rows, x: 'side' },
      columns: ['side', 'sold'],
    },
    {
      name: 'keeps the name of a field',
      input: [
        { day: 'Mon', sold: 1 },
        { day: 'Tue', sold: 2 },
      ],
      columns: ['day', 'sold'],
    },
    {
      name: 'keeps the name of a list',
      input: { month: ['May', 'June'], sold: [4, 6] },
      columns: ['month', 'sold'],
    },
    { name: 'has no name where the labels have none', input: { May: 4, June: 6 }, columns: ['', 'Value'] },
    { name: 'has no name for numbered rows', input: { columns: ['sold'], rows: [[4], [6]] }, columns: ['', 'sold'] },
  ]) {
    it(name, () => {
      const chart = toChart(input);
      expect(chart && chartAsTable(chart, 'Value').columns).to.deep.equal(columns);
    });
  }
});

describe('rule 88: toCsv()', () => {
  const cells: readonly (readonly [name: string, cell: unknown, expected: string])[] = [
    ['a word', 'x', 'x'],
    ['a comma', 'a,b', '"a,b"'],
    ['quotes', 'a"b', '"a""b"'],
    ['a line end', 'a\nb', '"a\nb"'],
    ['a number', -1.5, '-1.5'],
    ['a number as text', '-1.5', '-1.5'],
    ['nothing', null, ''],
    ['undefined', undefined, ''],
    ['a list', [1, 2], '"[1,2]"'],
    ['a formula', '=1+1', "'=1+1"],
    ['a formula with quotes', '=HYPERLINK("x")', '"\'=HYPERLINK(""x"")"'],
    ['a plus', '+1+cmd', "'+1+cmd"],
    ['a minus', '-1+cmd', "'-1+cmd"],
    ['an at sign', '@SUM(A1)', "'@SUM(A1)"],
    ['a tab', '\t=1', "'\t'=1"],
    ['a carriage return', '\r=1', '"\'\r\'=1"'],
    ['a line feed', '\n=1', '"\'\n\'=1"'],
    ['a formula after a semicolon', 'a;=1+1;b', "a;'=1+1;b"],
    ['a formula after a tab', 'a\t=1+1\tb', "a\t'=1+1\tb"],
    ['a formula in a later line', 'a\n=1+1\nb', '"a\n\'=1+1\nb"'],
    ['a formula in an object', { a: ';=1+1;' }, '"{""a"":"";\'=1+1;""}"'],
    ['negative numbers after semicolons', '1;-2.5;-3', '1;-2.5;-3'],
    ['a formula after a byte order mark', '\ufeff=1+1', "'\ufeff=1+1"],
    ['a formula after invisible characters', '\u200b\u00ad\u202e=1+1', "'\u200b\u00ad\u202e=1+1"],
    ['a formula after a control character', '\u0000=1+1', "'\u0000=1+1"],
    ['a formula after spaces', ' \u00a0=1+1', "' \u00a0=1+1"],
    ['a formula after a semicolon and an invisible character', 'a;\ufeff=1+1', "a;'\ufeff=1+1"],
    ['a formula after a tab and a space', 'a\t =1+1', "a\t' =1+1"],
    // A spreadsheet that splits there reads two quotes as an empty text, and then the rest as it is.
    ['a formula after a semicolon and a quote', 'a;"=1+1', '"a;\'""=1+1"'],
    ['a formula after a semicolon, quotes and spaces', 'a;"" "=1+1', '"a;\'"""" ""=1+1"'],
    ['a negative number after a space', ' -1.5', ' -1.5'],
    ['an email address', 'a@b.example', 'a@b.example'],
    ['a wide sign', '＝1+1', "'＝1+1"],
  ];
  for (const [name, cell, expected] of cells) {
    it(`writes ${name} as a cell`, () => {
      expect(toCsv({ columns: ['c'], rows: [[cell]] })).to.equal(`c\r\n${expected}`);
    });
  }

  it('escapes a formula as a column name', () => {
    expect(toCsv({ columns: ['=1+1', '\ufeff=1', 'b'], rows: [] })).to.equal("'=1+1,'\ufeff=1,b");
  });
});
