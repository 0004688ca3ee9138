import { expect } from '@open-wc/testing';
import type { UiNode } from '../../../../src/renderers/a2ui/read/node-types.ts';
import { readSurfaces, type Edit } from '../../../../src/renderers/a2ui/read/read-messages.ts';
import { buildTree, type Tree } from '../../../../src/renderers/a2ui/read/build-tree.ts';
import { column, components, create, data, remove, surface, text } from '../../support/surfaces.ts';

const treeOf = (messages: readonly unknown[], edits: readonly Edit[] = []): Tree => {
  const [first] = readSurfaces(messages, edits);
  if (!first) throw new Error('There is no surface.');
  return buildTree(first, { locale: 'en' });
};
/** A tree in one line: `Column(Text "a")`. */
const lineOf = (node: UiNode | undefined): string => {
  if (!node) return '';
  const words = 'text' in node ? ` "${node.text}"` : 'label' in node && node.label ? ` "${node.label}"` : '';
  const inside = 'children' in node && node.children.length > 0 ? `(${node.children.map(lineOf).join(' ')})` : '';
  return `${node.type}${words}${inside}`;
};
const line = (messages: readonly unknown[]): string => lineOf(treeOf(messages).root);
const v08 = (id: string, component: object) => ({ id, component });

describe('buildTree()', () => {
  const rows: readonly { name: string; messages: readonly unknown[]; expected: string }[] = [
    { name: '0.9', messages: surface(column('a'), text('a', 'A')), expected: 'Column(Text "A")' },
    {
      name: '1.0, in one message',
      messages: [
        create('s', { components: [{ id: 'root', ...column('a') }, text('a', { path: '/a' })], dataModel: { a: 'A' } }),
      ],
      expected: 'Column(Text "A")',
    },
    {
      name: '0.8, with its own field names',
      messages: [
        {
          surfaceUpdate: {
            surfaceId: 's',
            components: [
              v08('top', { Column: { children: { explicitList: ['t', 'm', 'b'] } } }),
              v08('t', { Text: { text: { path: '/t' }, usageHint: 'h1' } }),
              v08('m', {
                MultipleChoice: {
                  selections: { literalArray: ['x'] },
                  options: [{ label: { literalString: 'X' }, value: 'x' }],
                },
              }),
              v08('b', { Button: { child: 'l', primary: true, action: { name: 'go' } } }),
              v08('l', { Text: { text: { literalString: 'Go' } } }),
            ],
          },
        },
        { dataModelUpdate: { surfaceId: 's', contents: [{ key: 't', valueString: 'T' }] } },
        { beginRendering: { surfaceId: 's', root: 'top' } },
      ],
      expected: 'Column(Text "T" ChoicePicker Button "Go")',
    },
    {
      name: 'a path of an item that names nothing in the whole data is read in the item',
      messages: [
        ...surface(
          { component: 'List', children: { componentId: 'c', path: '/people' } },
          { id: 'c', ...column('n', 'f', 's') },
          text('n', { path: '/name' }),
          text('f', { call: 'formatString', args: { value: '${/town}!' } }),
          text('s', { path: '/street' }),
        ),
        data('/', { people: [{ name: 'Ada', town: 'London' }, { town: 'Bonn' }], street: 'One' }),
      ],
      expected: 'List(Column(Text "Ada" Text "London!" Text "One") Column(Text "" Text "Bonn!" Text "One"))',
    },
    {
      name: 'a list repeats its template for each item',
      messages: [
        ...surface({ component: 'List', children: { componentId: 'i', path: '/people' } }, text('i', { path: 'name' })),
        data('/people', [{ name: 'A' }, { name: 'B' }]),
      ],
      expected: 'List(Text "A" Text "B")',
    },
    {
      name: 'a list of 0.8 iterates over a map',
      messages: [
        {
          surfaceUpdate: {
            surfaceId: 's',
            components: [
              v08('root', { List: { children: { template: { componentId: 'i', dataBinding: '/people' } } } }),
              v08('i', { Text: { text: { path: 'name' } } }),
            ],
          },
        },
        {
          dataModelUpdate: {
            surfaceId: 's',
            contents: [{ key: 'people', valueMap: [{ key: 'a', valueMap: [{ key: 'name', valueString: 'A' }] }] }],
          },
        },
      ],
      expected: 'List(Text "A")',
    },
    {
      name: 'a list of 0.8 that was sent as JSON, and one whose keys are paths',
      messages: [
        {
          surfaceUpdate: {
            surfaceId: 's',
            components: [
              v08('root', { Column: { children: { explicitList: ['json', 'paths', 'one'] } } }),
              v08('json', { Text: { text: { path: '/days/1/icon' } } }),
              v08('paths', { List: { children: { template: { componentId: 'i', dataBinding: '/chart.items' } } } }),
              v08('i', { Text: { text: { path: './label' } } }),
              v08('one', { Text: { text: { path: '/chart.items[1].label' } } }),
            ],
          },
        },
        {
          dataModelUpdate: {
            surfaceId: 's',
            contents: [
              { key: 'days', valueString: '[{"icon": "sun"}, {"icon": "rain"}]' },
              { key: 'chart.items[0].label', valueString: 'A' },
              { key: 'chart.items[1].label', valueString: '[B' },
            ],
          },
        },
      ],
      expected: 'Column(Text "rain" List(Text "A" Text "[B") Text "[B")',
    },
    {
      name: 'one value of 0.8 at its path',
      messages: [
        { surfaceUpdate: { surfaceId: 's', components: [v08('root', { Text: { text: { path: '/a/b' } } })] } },
        { dataModelUpdate: { surfaceId: 's', path: '/a/b', contents: [{ key: '.', valueString: 'A' }] } },
      ],
      expected: 'Text "A"',
    },
    {
      name: 'components that have not arrived are left out',
      messages: surface(column('a', 'b'), text('a', 'A')),
      expected: 'Column(Text "A")',
    },
    {
      name: 'a later definition wins',
      messages: [...surface(text('root', 'A')), components([text('root', 'B')])],
      expected: 'Text "B"',
    },
    { name: 'nothing without a root', messages: [create(), components([text('a', 'A')])], expected: '' },
    {
      name: 'an unknown component keeps its position, its children and its text',
      messages: surface({ component: 'Hologram', child: 'a', depth: 3 }, text('a', 'A')),
      expected: 'Unknown(Text "A")',
    },
    {
      name: 'the name of an inherited property is an unknown component',
      messages: surface({ component: 'constructor' }),
      expected: 'Unknown',
    },
    {
      name: 'a component inside itself is cut off',
      messages: surface(column('a'), { id: 'a', ...column('root', 'b') }, text('b', 'B')),
      expected: 'Column(Column(Text "B"))',
    },
    {
      name: 'invalid messages are ignored',
      messages: [null, 'x', 7, { updateComponents: 'x' }, { createSurface: {} }, ...surface(text('root', 'A'))],
      expected: 'Text "A"',
    },
    {
      name: 'invalid components are left out',
      messages: [create(), components([text('root', 'A'), {}, { id: 7 }, { id: 'b' }])],
      expected: 'Text "A"',
    },
  ];
  for (const { name, messages, expected } of rows) {
    it(name, () => {
      expect(line(messages)).to.equal(expected);
    });
  }

  it('a deleted surface is marked as deleted, and a new one with its name starts empty', () => {
    const messages = [...surface(text('root', 'A')), remove()];
    expect(readSurfaces(messages)[0]?.deleted).to.equal(true);
    expect(line([...messages, ...surface(text('root', 'B'))])).to.equal('Text "B"');
  });

  it('surfaces with different names are separate', () => {
    const messages = [
      create('a'),
      create('b'),
      components([text('root', 'A')], 'a'),
      components([text('root', 'B')], 'b'),
    ];
    expect(readSurfaces(messages).map((one) => lineOf(buildTree(one, { locale: 'en' }).root))).to.deep.equal([
      'Text "A"',
      'Text "B"',
    ]);
  });

  it('keeps the user’s input until the agent sets another value there', () => {
    const messages = [...surface(text('root', { path: '/name' })), data('/name', 'Agent')];
    const edit = { surface: 's', path: '/name', value: 'Reader', messageCount: messages.length };
    expect(lineOf(treeOf(messages, [edit]).root)).to.equal('Text "Reader"');
    expect(lineOf(treeOf([...messages, data('/other', 1)], [edit]).root)).to.equal('Text "Reader"');
    expect(lineOf(treeOf([...messages, data('/name', 'Again')], [edit]).root)).to.equal('Text "Again"');
  });

  it('does not change the messages', () => {
    const messages = [...surface(text('root', 'A')), data('/', { a: { b: 1 } }), data('/a/b', 2)];
    const before = JSON.stringify(messages);
    treeOf(messages, [{ surface: 's', path: '/a/b', value: 3, messageCount: 4 }]);
    expect(JSON.stringify(messages)).to.equal(before);
  });
});

const count = (node: UiNode | undefined): number =>
  node ? 1 + ('children' in node ? node.children.reduce((sum, child) => sum + count(child), 0) : 0) : 0;
const depthOf = (node: UiNode | undefined): number =>
  node ? 1 + ('children' in node ? Math.max(0, ...node.children.map(depthOf)) : 0) : 0;
/** What a node and those inside of it have of options and titles of tabs, of signs that Markdown may make elements of, and of keys. */
function sizesOf(node: UiNode | undefined): Readonly<Record<'parts' | 'marks' | 'keys', number>> {
  if (!node) return { parts: 0, marks: 0, keys: 0 };
  const inner = 'children' in node ? node.children.map(sizesOf) : [];
  const sum = (name: 'parts' | 'marks' | 'keys'): number => inner.reduce((total, sizes) => total + sizes[name], 0);
  const own = node.type === 'ChoicePicker' ? node.options : node.type === 'Tabs' ? node.tabs : [];
  const isMarkdown = node.type === 'Text' && !node.isPlain;
  return {
    parts: sum('parts') + own.length,
    marks: sum('marks') + (isMarkdown ? (node.text.match(/[|\n]/g)?.length ?? 0) : 0),
    keys: sum('keys') + node.key.length,
  };
}
const ids = (length: number): string[] => Array.from({ length }, (_, index) => `c${String(index)}`);

describe('a hostile surface', () => {
  const rows: readonly { name: string; messages: readonly unknown[] }[] = [
    {
      name: '10,000 components',
      messages: surface(column(...ids(10_000)), ...ids(10_000).map((id) => text(id, id))),
    },
    {
      name: 'a thousand levels',
      messages: surface(column('c0'), ...ids(1000).map((id, index) => ({ id, ...column(`c${String(index + 1)}`) }))),
    },
    {
      name: 'levels that double',
      messages: surface(
        column('c0', 'c0'),
        ...ids(23).map((id, index) => ({ id, ...column(`c${String(index + 1)}`, `c${String(index + 1)}`) })),
      ),
    },
    {
      name: 'nested lists',
      messages: [
        ...surface(
          { component: 'List', children: { componentId: 'a', path: '/x' } },
          { id: 'a', component: 'List', children: { componentId: 'b', path: '/x' } },
          { id: 'b', component: 'List', children: { componentId: 'c', path: '/x' } },
          text('c', { path: '/x' }),
        ),
        data('/x', ids(1000)),
      ],
    },
    {
      name: 'a very long text',
      messages: surface(column(...ids(400)), ...ids(400).map((id) => text(id, 'x'.repeat(100_000)))),
    },
    {
      name: 'a formatted number, many times in every text',
      messages: surface(
        column(...ids(400)),
        ...ids(400).map((id) =>
          text(id, { call: 'formatString', args: { value: '${formatNumber(value:1)} '.repeat(500) } }),
        ),
      ),
    },
    {
      name: 'a costly pattern, many times in every text',
      messages: surface(
        column(...ids(400)),
        ...ids(400).map((id) =>
          text(id, {
            call: 'formatString',
            args: { value: `\${regex(pattern:'^(a+)+$',value:'${'a'.repeat(30)}!')} `.repeat(300) },
          }),
        ),
      ),
    },
    {
      name: 'names of thousands of items in every list',
      messages: [
        ...surface(
          column(...ids(400)),
          ...ids(400).map((id) => ({ id, component: 'List', children: { componentId: 'x', path: '/x' } })),
        ),
        data('/x', Object.fromEntries(ids(5000).map((id) => [id, 1]))),
      ],
    },
    {
      name: 'a long text that is searched in another, in every text',
      messages: [
        ...surface(
          column(...ids(400)),
          ...ids(400).map((id) =>
            text(id, { call: 'contains', args: { string: { path: '/text' }, substring: { path: '/part' } } }),
          ),
        ),
        data('/', { text: 'a'.repeat(20_000), part: `${'a'.repeat(9500)}b${'a'.repeat(9500)}` }),
      ],
    },
    {
      name: 'ids of missing components, many times in every list',
      messages: [
        ...surface(
          { component: 'List', children: { componentId: 'c', path: '/x' } },
          { id: 'c', ...column(...ids(10_000)) },
        ),
        data('/x', ids(400)),
      ],
    },
    {
      name: 'a long id of a component with many others in it',
      messages: surface(
        column('a', 'b'.repeat(20_000)),
        text('a', 'A'),
        {
          id: 'b'.repeat(20_000),
          ...column(...ids(400)),
        },
        ...ids(400).map((id) => text(id, 'x')),
      ),
    },
    {
      name: 'long names of items in lists in each other',
      messages: [
        ...surface(
          column('a', 'l'),
          text('a', 'A'),
          { id: 'l', component: 'List', children: { componentId: 'l0', path: '/' } },
          ...[0, 1, 2, 3, 4, 5].map((level) => ({
            id: `l${String(level)}`,
            component: 'List',
            children: { componentId: `l${String(level + 1)}`, path: '/' },
          })),
          { id: 'l6', component: 'List', children: { componentId: 'x', path: '/list' } },
          text('x', 'x'),
        ),
        data('/', { ['n'.repeat(900)]: 1, list: ids(400) }),
      ],
    },
    {
      name: 'options of a choice, many times',
      messages: [
        ...surface(
          column(...ids(400)),
          ...ids(400).map((id) => ({ id, component: 'ChoicePicker', value: { path: '/v' }, options: { path: '/o' } })),
        ),
        data('/', { v: [], o: ids(200).map((value) => ({ label: 'a', value })) }),
      ],
    },
    {
      name: 'options of a choice with long values',
      messages: surface({
        component: 'ChoicePicker',
        options: ids(200).map((id) => ({ label: '', value: id.repeat(2000) })),
      }),
    },
    {
      name: 'titles of tabs, many times',
      messages: [
        ...surface(
          { component: 'List', children: { componentId: 'c', path: '/x' } },
          { id: 'c', component: 'Tabs', tabs: ids(20).map((title) => ({ title, child: 'none' })) },
        ),
        data('/x', ids(400)),
      ],
    },
    {
      name: 'a table of Markdown, many times',
      messages: [
        ...surface(
          { component: 'List', children: { componentId: 'c', path: '/x' } },
          text('c', `|a|b|c|d|\n|-|-|-|-|\n${'|1|2|3|4|\n'.repeat(40)}`),
        ),
        data('/x', ids(400)),
      ],
    },
    {
      name: 'a table of Markdown with empty rows, many times',
      messages: [
        ...surface(
          { component: 'List', children: { componentId: 'c', path: '/x' } },
          text('c', `${'|a'.repeat(20)}|\n${'|-'.repeat(20)}|\n${'|\n'.repeat(40)}`),
        ),
        data('/x', ids(60)),
      ],
    },
    {
      name: 'all of the data in every text',
      messages: [
        ...surface(column(...ids(400)), ...ids(400).map((id) => text(id, { path: '/' }))),
        data('/', { x: ids(450) }),
      ],
    },
  ];
  for (const { name, messages } of rows) {
    it(`${name}: is rendered up to the limits and marked as cut`, () => {
      const { root, isTruncated: cut } = treeOf(messages);
      expect(cut).to.equal(true);
      expect(count(root)).to.be.within(1, 500);
      const { parts, marks, keys } = sizesOf(root);
      expect(parts, 'options and tabs').to.be.at.most(2000);
      expect(marks, 'signs that Markdown reads').to.be.at.most(30_000);
      expect(keys, 'characters of keys').to.be.at.most(2_000_000);
      expect(depthOf(root)).to.be.at.most(24);
      const withoutKeys = JSON.stringify(root, (name, value: unknown) => (name === 'key' ? '' : value));
      expect(withoutKeys.length).to.be.lessThan(450_000);
    });
  }

  it('prototype names reach nothing', () => {
    const polluted = JSON.parse('{"__proto__":{"hit":1},"constructor":{"prototype":{"hit":1}}}') as object;
    const messages = [
      ...surface(
        column('a', 'b', '__proto__'),
        text('a', { path: '/__proto__/hit' }),
        text('b', { path: '/constructor/name' }),
      ),
      data('/', polluted),
      data('/__proto__/hit', 1),
      data('/constructor/prototype/hit', 1),
      components([{ id: '__proto__', component: '__proto__' }]),
      create('__proto__'),
      {
        dataModelUpdate: {
          surfaceId: 's',
          path: '/m',
          contents: [{ key: '__proto__', valueMap: [{ key: 'hit', valueNumber: 1 }] }],
        },
      },
    ];
    expect(line(messages)).to.equal('Column(Text "" Text "" Unknown)');
    expect(({} as { hit?: unknown }).hit).to.equal(undefined);
  });
});
