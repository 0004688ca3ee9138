/** A2UI surfaces, written by hand in the formats of its versions. */

export const create = (surfaceId = 's', more: object = {}) => ({
  version: 'v0.9',
  createSurface: { surfaceId, ...more },
});
export const components = (list: readonly object[], surfaceId = 's') => ({
  version: 'v0.9',
  updateComponents: { surfaceId, components: list },
});
export const data = (path: string, value?: unknown, surfaceId = 's') => ({
  version: 'v0.9',
  updateDataModel: { surfaceId, path, ...(value !== undefined && { value }) },
});
export const remove = (surfaceId = 's') => ({ version: 'v0.9', deleteSurface: { surfaceId } });

/** A surface of some components, with the first one as its root. */
export const surface = (...list: readonly object[]) => [
  create(),
  components(list.map((item, index) => ({ ...(index === 0 && { id: 'root' }), ...item }))),
];

export const column = (...children: readonly string[]) => ({ component: 'Column', children });
export const text = (id: string, words: unknown, variant = 'body') => ({ id, component: 'Text', text: words, variant });

/** A booking form with most kinds of components. */
export const booking = [
  create('booking'),
  components(
    [
      { id: 'root', component: 'Card', child: 'form' },
      { id: 'form', ...column('title', 'name', 'when', 'guests', 'seat', 'news', 'send') },
      text('title', { path: '/title' }, 'h3'),
      { id: 'name', component: 'TextField', label: 'Name', value: { path: '/name' }, checks: [nameCheck()] },
      { id: 'when', component: 'DateTimeInput', label: 'When', value: { path: '/when' }, enableDate: true },
      { id: 'guests', component: 'Slider', label: 'Guests', min: 1, max: 8, value: { path: '/guests' } },
      {
        id: 'seat',
        component: 'ChoicePicker',
        label: 'Seat',
        value: { path: '/seat' },
        options: [
          { label: 'Window', value: 'w' },
          { label: 'Garden', value: 'g' },
        ],
      },
      { id: 'news', component: 'CheckBox', label: 'Send me news', value: { path: '/news' } },
      text('label', 'Book the table'),
      {
        id: 'send',
        component: 'Button',
        child: 'label',
        variant: 'primary',
        checks: [nameCheck()],
        action: {
          event: {
            name: 'book',
            context: { name: { path: '/name' }, guests: { path: '/guests' }, seat: { path: '/seat' } },
          },
        },
      },
    ],
    'booking',
  ),
  data('/', { title: 'Harbor Grill', name: '', when: '2026-08-01', guests: 2, seat: ['w'] }, 'booking'),
];

function nameCheck() {
  return { condition: { call: 'required', args: { value: { path: '/name' } } }, message: 'A name is needed.' };
}
