import { expect } from '@open-wc/testing';
import { applyWidgetUpdate, toWidgetSurface } from '../../../src/protocols/chatkit/widget.ts';

type Json = Readonly<Record<string, unknown>>;

const partsOf = (widget: Json): readonly Json[] => {
  const [, update] = toWidgetSurface('s', widget);
  return (update?.['updateComponents'] as { components: readonly Json[] }).components;
};
/** The text and the kinds, in the order of creation. */
const seen = (widget: Json): readonly string[] =>
  partsOf(widget).map(({ component, text, label }) => [component, text ?? label].filter(Boolean).join(' '));

const form: Json = {
  type: 'Card',
  children: [
    {
      type: 'Form',
      onSubmitAction: { type: 'book', payload: { place: 7, day: 'kept' } },
      children: [
        { type: 'Label', value: 'Your name', fieldName: 'name' },
        // Has the fields of a label without being one.
        { type: 'Caption', fieldName: 'name' },
        { type: 'Input', name: 'name', required: true, defaultValue: 'Mara' },
        { type: 'Select', name: 'day', options: [{ value: 'mo', label: 'Monday' }], defaultValue: 'mo' },
        { type: 'Checkbox', name: 'sure', label: 'Sure' },
        { type: 'Button', label: 'Book', submit: true },
      ],
    },
  ],
  confirm: { label: 'Yes', action: { type: 'yes' } },
  cancel: { label: 'No', action: { type: 'no' } },
};

describe('chatkit, widgets', () => {
  const rows: readonly (readonly [string, Json, readonly string[]])[] = [
    [
      'words in a card',
      {
        type: 'Card',
        children: [
          { type: 'Title', value: 'Order 7' },
          { type: 'Text', value: 'On its way' },
        ],
      },
      ['Text Order 7', 'Text On its way', 'Column', 'Card', 'Column'],
    ],
    [
      'a list whose entries can be pressed',
      {
        type: 'ListView',
        children: [
          { type: 'ListViewItem', onClickAction: { type: 'open' }, children: [{ type: 'Text', value: 'Tent' }] },
        ],
      },
      ['Text Tent', 'Text Tent', 'Button', 'Column', 'Column', 'Column'],
    ],
    [
      'one child without a list',
      { type: 'Basic', children: { type: 'Caption', value: 'Small' } },
      ['Text Small', 'Column', 'Column'],
    ],
    ['a part that nobody knows shows its words', { type: 'Sparkle', value: 'Hi' }, ['Text Hi', 'Column', 'Column']],
    ['a button that does nothing is none', { type: 'Row', children: [{ type: 'Button', label: 'x' }] }, ['Column']],
  ];
  for (const [name, widget, expected] of rows) {
    it(name, () => {
      expect(seen(widget)).to.deep.equal(expected);
    });
  }

  it('a form: its fields, their values, and the payloads of its buttons', () => {
    expect(toWidgetSurface('s', form).at(-1)).to.deep.equal({
      version: 'v0.9',
      updateDataModel: { surfaceId: 's', value: { name: 'Mara', day: ['mo'], sure: false } },
    });
    expect(seen(form)).to.deep.equal([
      'TextField Your name',
      'ChoicePicker day',
      'CheckBox Sure',
      'Text Book',
      'Button',
      'Column',
      'Text No',
      'Button',
      'Text Yes',
      'Button',
      'Row',
      'Column',
      'Card',
      'Column',
    ]);
    const actions = partsOf(form).flatMap(({ component, action }) => (component === 'Button' ? [action] : []));
    const literal = { type: 'book', payload: { place: 7, day: 'kept' }, single: ['day'] };
    expect(actions).to.deep.equal([
      {
        event: {
          name: 'book',
          context: {
            'chatkit action': { literal },
            name: { path: '/name' },
            day: { path: '/day' },
            sure: { path: '/sure' },
          },
        },
      },
      { event: { name: 'no', context: { 'chatkit action': { literal: { type: 'no' } } } } },
      { event: { name: 'yes', context: { 'chatkit action': { literal: { type: 'yes' } } } } },
    ]);
  });

  it('grows and changes in its parts', () => {
    const widget = { type: 'Card', children: [{ type: 'Text', id: 't', value: 'Hel' }] };
    const grown = applyWidgetUpdate(widget, {
      type: 'widget.streaming_text.value_delta',
      component_id: 't',
      delta: 'lo',
    });
    expect(grown).to.deep.equal({ type: 'Card', children: [{ type: 'Text', id: 't', value: 'Hello' }] });
    const other = { type: 'Badge', label: 'New' };
    const changed = applyWidgetUpdate(widget, {
      type: 'widget.component.updated',
      component_id: 't',
      component: other,
    });
    expect(changed).to.deep.equal({ type: 'Card', children: [other] });
  });

  it('an endless tree is truncated', () => {
    let deep: Json = { type: 'Text', value: 'deep' };
    for (let index = 0; index < 5000; index++) deep = { type: 'Col', children: [deep] };
    expect(seen(deep)).to.deep.equal(['Column']);
  });

  it('rule 95: an update keeps a limited number of nodes, which every chunk of a text reads', () => {
    const children = Array.from({ length: 10_000 }, () => ({ type: 'Text', value: 'x' }));
    const changed = applyWidgetUpdate(undefined, { type: 'widget.root.updated', widget: { type: 'Card', children } });
    expect(changed?.['children']).to.have.length(2000);
  });
});
