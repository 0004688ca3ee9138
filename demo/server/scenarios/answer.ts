import type { Source, Step } from '../step.ts';
import { tentPicture } from './tent-picture.ts';

const sources: readonly Source[] = [
  {
    id: 'ops-812',
    title: 'Change log: Trail 40, revision C',
    url: 'https://ops.northwind.example/changes/trail-40-c',
    text: 'whose buckle was changed on 3 March',
    sender: 'Ines Marek',
    senderId: 'imarek',
    timestamp: Date.UTC(2026, 2, 3, 9, 12),
  },
  {
    id: 'wiki-77',
    title: 'Seasonal refund baseline, 2023 to 2025',
    url: 'https://wiki.northwind.example/finance/baseline',
    text: 'Spring refunds stay between 2.0 and 2.4 per cent of orders.',
    sender: 'Finance wiki',
    senderId: 'wiki',
    timestamp: Date.UTC(2025, 11, 1, 8, 0),
  },
  {
    id: 'mail-2210',
    title: 'Supplier notice TR40-0326',
    url: 'https://mail.northwind.example/notices/tr40-0326',
    text: 'the supplier has confirmed the batch as faulty',
    sender: 'Hekla Components',
    senderId: 'hekla',
    timestamp: Date.UTC(2026, 3, 2, 14, 40),
  },
];

/** Everything that an answer can contain, in a realistic order. */
export const answer: readonly Step[] = [
  {
    type: 'think',
    stage: 'planning',
    text: 'A higher rate can mean more refunds or fewer orders, so I need both. I will compare February with March per product, then look for a change in the same weeks.',
  },
  {
    type: 'tool',
    id: 'orders',
    name: 'query_orders',
    description: 'Query orders',
    server: 'warehouse',
    arguments: { months: ['2026-02', '2026-03'], group_by: 'product' },
    paces: 35,
    outcome: { result: { products: 3, orders: 8243, refunds: 399, total: '2,418.60 EUR' } },
    summary: '3 products, 8,243 orders, 399 refunds',
  },
  {
    type: 'tool',
    id: 'refunds',
    name: 'export_refunds',
    description: 'Export refunds',
    server: 'warehouse',
    arguments: { month: '2026-03', region: 'all' },
    paces: 60,
    progress: [
      { share: 0.25, message: '301 of 1,204 rows' },
      { share: 0.62, message: '744 of 1,204 rows' },
      { share: 1, message: '1,204 of 1,204 rows' },
    ],
    outcome: { result: { rows: 1204, top_reason: 'buckle', file: 'refunds-2026-03.csv' } },
    summary: '1,204 rows, most frequent reason: buckle',
  },
  {
    type: 'tool',
    id: 'search',
    name: 'search_messages',
    description: 'Search messages',
    server: 'workspace',
    arguments: { query: 'Trail 40 buckle', after: '2026-02-15' },
    paces: 25,
    outcome: { result: { found: ['ops-812', 'wiki-77', 'mail-2210'] } },
    summary: '3 messages',
    sources,
  },
  {
    type: 'think',
    stage: 'analyzing',
    text: 'One product stands out: 248 of its 1,310 orders came back. The other two are where they always are in spring. The buckle was changed on 3 March, which is the week in which the curve steps up.',
  },
  {
    type: 'text',
    text: `## Refunds rose because of one product

The refund rate went from **2.1 %** to **3.4 %**. Almost all of the rise comes from the *Trail 40* backpack, whose buckle was changed on 3 March[cite:ops-812]. Without it the rate would be 2.2 %, which is normal for the season[cite:wiki-77].

### What changed

- 212 of 287 extra refunds name the buckle as the reason.
- Orders grew by 4 %, so volume is not the cause.
- For parcels with label \`TR40-0326\` the supplier has confirmed the batch as faulty[cite:mail-2210].
  - 640 packs of it are still in the warehouse.
  - 95 are on their way to shops.

`,
  },
  {
    type: 'table',
    name: 'Refunds by product',
    description: 'Refunds by product, February and March 2026',
    columns: ['Product', 'Orders', 'Refunds', 'February', 'March'],
    rows: [
      ['Trail 40 backpack', 1310, 248, '2.7 %', '18.9 %'],
      ['Ridge tent', 842, 17, '2.0 %', '2.0 %'],
      ['Merino base layer', 6091, 134, '2.3 %', '2.2 %'],
    ],
  },
  {
    type: 'chart',
    name: 'Refund rate by week',
    description: 'The step comes in the week of 3 March',
    kind: 'line',
    labels: ['W 5', 'W 6', 'W 7', 'W 8', 'W 9', 'W 10', 'W 11', 'W 12', 'W 13'],
    series: [
      { name: 'All products', values: [2.1, 2.2, 2.0, 2.1, 2.2, 2.9, 3.5, 3.7, 3.6] },
      { name: 'Without Trail 40', values: [2.0, 2.1, 2.0, 2.1, 2.1, 2.2, 2.2, 2.3, 2.2] },
    ],
  },
  {
    type: 'text',
    text: `### See it yourself

The same figures, straight from the warehouse:

\`\`\`sql
select date_trunc('week', refunded_at) as week,
       count(*) * 100.0 / sum(orders)  as rate
from refunds
where refunded_at >= '2026-02-01' -- this season only
group by week
order by week;
\`\`\`

And the rule that would have caught it a week earlier:

\`\`\`typescript
interface Week {
  readonly product: string;
  readonly rate: number;
}

/** A product is an outlier when its rate is three times its own median. */
export const outliers = (weeks: readonly Week[], median: (product: string) => number): readonly Week[] =>
  weeks.filter(({ product, rate }) => rate > 3 * median(product));
\`\`\`

One customer put it like this, and sent a picture:

> The buckle opened on the second day. The tent, on the other hand, survived the storm without a drop inside.

`,
  },
  { type: 'image', description: 'The Ridge tent, as the customer photographed it', ...tentPicture },
  {
    type: 'text',
    text: `### What I suggest

1. Stop selling batch \`TR40-0326\` today.
2. Offer a new buckle instead of a refund: it costs **3.10 EUR**, a refund costs 71 EUR.
3. Ask the supplier for the difference.

- [x] Compare February with March
- [x] Find the change behind the rise
- [ ] Tell finance
- [ ] Write to the 95 shops

The rule and the figures are in the [refund handbook](https://wiki.northwind.example/finance/refunds).
`,
  },
  {
    type: 'suggestions',
    items: [
      'Post the refund summary to the finance channel.',
      'Please refund order NW-48213.',
      'Compare with last March',
    ],
  },
];
