import type { MessageInput } from 'agent-chat-element';

/** An image of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const PROSE = `# Refunds rose because of one product

The refund rate went from **2.1 %** to **3.4 %**, almost all of it from the *Trail 40* backpack. ~~Volume~~ is not the cause.

## What changed

- 212 of 287 extra refunds name the buckle as the reason.
- The supplier has confirmed batch \`TR40-0326\` as faulty.
  1. Checked in March
  2. Confirmed in April

- [x] Table
- [ ] Chart

> It is the buckle.

| Product | Orders | March |
| :-- | --: | --: |
| Trail 40 backpack | 1,310 | 18.9 % |
| Ridge tent | 842 | 2.0 % |

\`\`\`sql
select count(*) from refunds where refunded_at >= '2026-01-01' -- this year
\`\`\`

<details><summary>More</summary><p>Raw <b onclick="x()" style="color:red">HTML</b>, cleaned.</p></details>

A link to [the log](https://ops.northwind.example/log "title") and a picture: ![Weekly curve](https://charts.example/a.png)
`;

/** An A2UI surface with all components. */
const SURFACE = [
  {
    version: 'v1.0',
    createSurface: {
      surfaceId: 'booking',
      dataModel: {
        title: 'Harbor Grill',
        guests: 4,
        when: '2026-08-01T19:30',
        seat: ['w'],
        dishes: [{ name: 'Soup' }],
      },
      components: [
        { id: 'root', component: 'Card', child: 'all' },
        {
          id: 'all',
          component: 'Column',
          children: ['head', 'picture', 'film', 'rule', 'tabs', 'dishes', 'more', 'odd', 'foot'],
        },
        { id: 'head', component: 'Row', children: ['mark', 'title', 'star'], align: 'center' },
        { id: 'mark', component: 'Icon', name: 'calendarToday' },
        { id: 'title', component: 'Text', text: { path: '/title' }, variant: 'h2' },
        { id: 'star', component: 'Icon', name: 'star', accessibility: { label: 'Four stars' } },
        { id: 'picture', component: 'Image', url: 'https://charts.example/b.png', description: 'The terrace' },
        { id: 'film', component: 'Video', url: 'https://media.example/b.mp4' },
        { id: 'rule', component: 'Divider' },
        {
          id: 'tabs',
          component: 'Tabs',
          tabs: [
            { title: 'Booking', child: 'form' },
            { title: 'Notes', child: 'notes' },
          ],
        },
        { id: 'form', component: 'Column', children: ['who', 'when', 'guests', 'seat', 'news', 'pin'] },
        {
          id: 'who',
          component: 'TextField',
          label: 'Name',
          value: { path: '/name' },
          checks: [
            { condition: { call: 'required', args: { value: { path: '/name' } } }, message: 'A name is needed.' },
          ],
        },
        {
          id: 'when',
          component: 'DateTimeInput',
          label: 'When',
          value: { path: '/when' },
          enableDate: true,
          enableTime: true,
        },
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
        { id: 'news', component: 'CheckBox', label: 'Send me news', value: false },
        { id: 'pin', component: 'TextField', label: 'PIN', variant: 'obscured' },
        { id: 'notes', component: 'Text', text: '**Bring** a coat.' },
        { id: 'dishes', component: 'List', children: { componentId: 'dish', path: '/dishes' } },
        { id: 'dish', component: 'Text', text: { path: 'name' }, variant: 'caption' },
        { id: 'more', component: 'Modal', trigger: 'terms', content: 'notes' },
        { id: 'terms', component: 'Text', text: 'Terms' },
        { id: 'odd', component: 'Hologram', depth: 3 },
        { id: 'foot', component: 'Row', children: ['map', 'send'], justify: 'end' },
        {
          id: 'map',
          component: 'Button',
          child: 'map-label',
          action: { functionCall: { call: 'openUrl', args: { url: 'https://maps.example/grill' } } },
        },
        { id: 'map-label', component: 'Text', text: 'Map' },
        {
          id: 'send',
          component: 'Button',
          child: 'send-label',
          variant: 'primary',
          action: { event: { name: 'book', context: { guests: { path: '/guests' } } } },
        },
        { id: 'send-label', component: 'Text', text: 'Book the table' },
      ],
    },
  },
];

/** Every block type in every state that users see. */
export const everyBlock: readonly MessageInput[] = [
  { role: 'user', text: 'Why did our refund rate go up in March? Please check the numbers.' },
  {
    role: 'assistant',
    name: 'Analyst',
    blocks: [
      {
        type: 'status',
        status: 'success',
        phase: 'completed',
        extra: {
          steps: [
            { phase: 'thinking', message: 'Looking at the question', start: 1 },
            { phase: 'tool_calling', start: 2 },
          ],
        },
      },
      {
        type: 'reasoning_content',
        content: 'Refunds grew or **orders** fell.',
        reasoning_time: { start: 1000, end: 7000 },
      },
      {
        type: 'tool_call',
        status: 'success',
        duration: 800,
        tool_call: { id: 't1', name: 'query_orders', params: '{"month":["Feb","Mar"]}', response: '{"rows":2}' },
      },
      {
        type: 'tool_call',
        status: 'error',
        description: 'Post to Slack',
        error: { message: 'The bot is not a member of #finance.' },
        tool_call: {
          id: 't2',
          name: 'post',
          params: '{"channel":"#finance"}',
          response: 'The bot is not a member of #finance.',
        },
      },
      {
        type: 'content',
        content: PROSE,
        citations: [
          {
            id: 'a',
            url: 'https://ops.northwind.example/a',
            title: 'Change log',
            quote: 'The buckle was changed.',
            end: 96,
          },
          { id: 'b', title: 'Mara', quote: 'It is the buckle.' },
        ],
      },
      { type: 'content', format: 'text', content: 'Plain *text* <b>as it is</b>.' },
      {
        type: 'content',
        format: 'html',
        content: '<p>Written as <strong style="color:red" onclick="x()">HTML</strong>.</p><script>x()</script>',
      },
    ],
    suggestions: [{ label: 'Draft the note', prompt: 'Draft the note to finance' }],
  },
  {
    role: 'assistant',
    name: 'Writer',
    blocks: [
      {
        type: 'data',
        data: {
          data_type: 'dataframe',
          data: {
            name: 'Refunds',
            columns: ['Order', 'Product'],
            rows: Array.from({ length: 14 }, (_, row) => [10_480 + row, 'Trail 40']),
          },
          metadata: { description: 'March' },
        },
      },
      {
        type: 'data',
        data: {
          data_type: 'chart',
          data: { name: 'Rate', type: 'line', labels: ['Jan', 'Feb'], series: [{ name: 'This year', data: [2, 3.4] }] },
        },
      },
      { type: 'data', data: { data_type: 'image', data: { name: 'Pixel', data: PIXEL, mimeType: 'image/png' } } },
      { type: 'data', data: { data_type: 'custom', data: { total: 12, open: [1, 2], note: null } } },
      { type: 'image', image_data: { data: PIXEL, mimeType: 'image/png' }, name: 'Pixel' },
      { type: 'image', status: 'error', extra: { reason: 'type' } },
      { type: 'audio', url: 'https://media.example/a.mp3', name: 'Spoken summary' },
      { type: 'video', url: 'https://media.example/a.mp4' },
      { type: 'file', name: 'refunds.csv', url: 'https://files.example/refunds.csv', size: 48_000 },
      { type: 'code', code: { language: 'python', content: 'print(1 + 1)', output: '2' } },
      {
        type: 'command_result',
        status: 'error',
        commandResult: { success: false, output: 'missing script', exitCode: 1 },
      },
      { type: 'progress', progress: { current: 744, total: 1204, message: '744 of 1,204 rows' } },
      {
        type: 'plan',
        plan: [
          { title: 'Collect the figures', state: 'done' },
          { title: 'Lay out the report', state: 'active' },
        ],
      },
      {
        type: 'search',
        content: 'refund policy',
        extra: { total: 1, pages: [{ title: 'Policy', url: 'https://shop.example/policy' }] },
      },
      {
        type: 'content',
        content: '# Report\n\nAll figures agree.',
        artifact: { identifier: 'r', title: 'Refund report', type: 'text/markdown' },
      },
      { type: 'ui', ui: { kind: 'card' } },
      { type: 'ui', ui: { kind: 'a2ui', messages: SURFACE } },
      { type: 'ui', ui: { kind: 'mcp-app', uri: 'ui://shop/cart', mimeType: 'text/html', text: '<p>Cart</p>' } },
      {
        type: 'action',
        action_type: 'tool_call_permission',
        status: 'granted',
        tool_call: { id: 'p0', name: 'export_refunds' },
        extra: { decided: 1_736_985_600_000 },
      },
      {
        type: 'action',
        action_type: 'rate_limit',
        status: 'success',
        extra: { providerId: 'openai', qpsLimit: 1, currentQps: 1.5, queueLength: 3, estimatedWaitTime: 2000 },
      },
      {
        type: 'error',
        status: 'error',
        content: 'Provider disconnected',
        extra: { code: 'server_error', recoverable: true },
      },
    ],
  },
];

/** All actions that wait for the user, and an artifact. */
export const asking: readonly MessageInput[] = [
  { role: 'user', text: 'Undo the double order, please.' },
  {
    role: 'assistant',
    blocks: [
      {
        type: 'action',
        action_type: 'tool_call_permission',
        status: 'pending',
        content: 'To undo the double order.',
        tool_call: { id: 'p1', name: 'delete_order', params: `{"id":7,"why":"${'It was sent twice. '.repeat(8)}"}` },
        extra: { serverName: 'shop', permissionType: 'write', editable: true },
      },
      {
        type: 'action',
        action_type: 'confirmation',
        status: 'pending',
        content: 'Send the mail now?',
        extra: { options: [{ label: 'Send' }, { label: 'Later' }] },
      },
      {
        type: 'action',
        action_type: 'question',
        status: 'pending',
        content: 'Which backpack is it?',
        extra: { options: [{ label: 'Trail 40', description: 'The blue one' }, { label: 'Ridge' }] },
      },
      {
        type: 'action',
        action_type: 'question',
        status: 'pending',
        content: 'Where shall it go?',
        extra: {
          schema: JSON.stringify({
            properties: {
              name: { type: 'string', title: 'Name' },
              parcels: { type: 'integer', title: 'Parcels', minimum: 1, default: 1 },
              day: { type: 'string', format: 'date', title: 'Earliest day', description: 'Not on Sundays' },
              call: { type: 'boolean', title: 'Call before delivery' },
              place: { enum: ['Front door', 'Back door'], title: 'Place' },
              extras: { type: 'array', items: { enum: ['Gift wrap', 'Card'] }, title: 'Extras' },
            },
            required: ['name', 'parcels', 'place'],
          }),
        },
      },
      { type: 'action', action_type: 'maximum_tool_calls_reached', status: 'pending' },
      {
        type: 'action',
        action_type: 'rate_limit',
        status: 'pending',
        extra: { providerId: 'openai', qpsLimit: 1, currentQps: 1.5, queueLength: 3, estimatedWaitTime: 3_600_000 },
      },
      {
        type: 'action',
        action_type: 'rate_limit',
        status: 'error',
        extra: { providerId: 'other', qpsLimit: 1, currentQps: 1.5, queueLength: 3, estimatedWaitTime: 3_600_000 },
      },
    ],
  },
];
