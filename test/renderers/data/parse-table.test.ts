/** Tables and charts in the formats that agents use. */
import { expect } from '@open-wc/testing';
import { parseCellNumber } from '../../../src/primitives/cell-text.ts';
import { toCsv } from '../../../src/primitives/table-cells.ts';
import { chartAsTable, toChart, toTable } from '../../../src/renderers/data/parse-table-chart.ts';

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
  { name: 'no columns', input: { rows: [[1]] }, expected: undefined },
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
    expected: { type: 'line', name: '', labels: ['2024', '2025'], series: [{ name: 'sold', values: [4, 6] }] },
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
    ['a wide sign', '＝1+1', "'＝1+1"],
  ];
  for (const [name, cell, expected] of cells) {
    it(`writes ${name} as a cell`, () => {
      expect(toCsv({ columns: ['c'], rows: [[cell]] })).to.equal(`c\r\n${expected}`);
    });
  }

  it('escapes a formula as a column name', () => {
    expect(toCsv({ columns: ['=1+1', 'b'], rows: [] })).to.equal("'=1+1,b");
  });
});
