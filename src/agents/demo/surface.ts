/** A small form in A2UI 0.9. */
const components = [
  { id: 'root', component: 'Card', child: 'form' },
  { id: 'form', component: 'Column', children: ['title', 'name', 'guests', 'vegetarian', 'send'] },
  { id: 'title', component: 'Text', variant: 'h3', text: 'Harbor Grill, Friday at 19:00' },
  { id: 'name', component: 'TextField', label: 'Name for the booking', value: { path: '/name' } },
  { id: 'guests', component: 'Slider', label: 'Guests', min: 2, max: 16, value: { path: '/guests' } },
  { id: 'vegetarian', component: 'CheckBox', label: 'Vegetarian menu for all', value: { path: '/vegetarian' } },
  {
    id: 'send',
    component: 'Button',
    variant: 'primary',
    child: 'send-label',
    action: { event: { name: 'request_table', context: { name: { path: '/name' }, guests: { path: '/guests' } } } },
  },
  { id: 'send-label', component: 'Text', text: 'Request the table' },
];

export const surface = {
  kind: 'a2ui',
  messages: [
    { version: 'v0.9', createSurface: { surfaceId: 'table' } },
    { version: 'v0.9', updateComponents: { surfaceId: 'table', components } },
    { version: 'v0.9', updateDataModel: { surfaceId: 'table', value: { name: '', guests: 4, vegetarian: false } } },
  ],
};
