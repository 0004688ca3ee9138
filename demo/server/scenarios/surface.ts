import type { Step } from '../step.ts';

/** The text that the form's button sends, and so the start of the next turn. */
export const BOOK = 'Request the table';

const components = [
  { id: 'root', component: 'Card', child: 'form' },
  {
    id: 'form',
    component: 'Column',
    children: ['head', 'facts', 'line', 'name', 'places', 'seat', 'vegetarian', 'foot'],
  },
  { id: 'head', component: 'Row', align: 'center', children: ['pin', 'title'] },
  { id: 'pin', component: 'Icon', name: 'locationOn' },
  { id: 'title', component: 'Text', variant: 'h2', text: { path: '/place/name' } },
  { id: 'facts', component: 'Text', variant: 'caption', text: { path: '/place/facts' } },
  { id: 'line', component: 'Divider' },
  {
    id: 'name',
    component: 'TextField',
    label: 'Name for the booking',
    value: { path: '/booking/name' },
    checks: [{ condition: filled('/booking/name'), message: 'A name is needed.' }],
  },
  { id: 'places', component: 'Row', children: ['when', 'guests'] },
  {
    id: 'when',
    component: 'DateTimeInput',
    label: 'When',
    enableDate: true,
    enableTime: true,
    value: { path: '/booking/when' },
    weight: 1,
  },
  {
    id: 'guests',
    component: 'Slider',
    label: 'Guests',
    min: 2,
    max: 16,
    value: { path: '/booking/guests' },
    weight: 1,
  },
  {
    id: 'seat',
    component: 'ChoicePicker',
    label: 'Where',
    options: [
      { label: 'At the window', value: 'window' },
      { label: 'In the garden', value: 'garden' },
    ],
    value: { path: '/booking/seat' },
  },
  { id: 'vegetarian', component: 'CheckBox', label: 'Vegetarian menu for all', value: { path: '/booking/vegetarian' } },
  { id: 'foot', component: 'Row', justify: 'end', align: 'center', children: ['menu', 'send'] },
  {
    id: 'menu',
    component: 'Button',
    child: 'menu-label',
    action: { functionCall: { call: 'openUrl', args: { url: 'https://harborgrill.example/menu' } } },
  },
  { id: 'menu-label', component: 'Text', text: 'See the menu' },
  {
    id: 'send',
    component: 'Button',
    variant: 'primary',
    child: 'send-label',
    checks: [{ condition: filled('/booking/name') }],
    action: {
      event: {
        name: 'request_table',
        context: {
          name: { path: '/booking/name' },
          when: { path: '/booking/when' },
          guests: { path: '/booking/guests' },
          seat: { path: '/booking/seat' },
          vegetarian: { path: '/booking/vegetarian' },
        },
      },
    },
  },
  { id: 'send-label', component: 'Text', text: BOOK },
];

function filled(path: string) {
  return { call: 'required', args: { value: { path } } };
}

/** An A2UI form. */
export const surface: readonly Step[] = [
  {
    type: 'text',
    text: 'Harbor Grill has room on Friday. Tell me how you would like it, and I will ask them for the table.\n\n',
  },
  {
    type: 'surface',
    id: 'table',
    description: 'Name, time, number of guests, window or garden: tell me these in a message.',
    messages: [
      { version: 'v0.9', createSurface: { surfaceId: 'table' } },
      { version: 'v0.9', updateComponents: { surfaceId: 'table', components } },
      {
        version: 'v0.9',
        updateDataModel: {
          surfaceId: 'table',
          value: {
            place: { name: 'Harbor Grill', facts: 'Quay 4 · 600 m from the office · open until 23:00' },
            booking: { name: '', when: '2026-05-15T19:00', guests: 6, seat: ['garden'], vegetarian: false },
          },
        },
      },
    ],
  },
];

/** The answer to the form. */
export const requested: readonly Step[] = [
  {
    type: 'text',
    text: 'I have asked Harbor Grill for the table. They usually answer within the hour, and I will tell you here.\n',
  },
];
