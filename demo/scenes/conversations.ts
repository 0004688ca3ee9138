/** The conversations of the scenes. */
import type { MessageInput } from 'agent-chat-element';
import type { SceneEvent } from './scene.ts';

const ANSWER = `The refund rate went from **2.1 %** in February to **3.4 %** in March. Almost all of the rise comes from one product.

## What changed

- The *Trail 40* backpack was refunded 248 times, against 31 times in February.
- 212 of those customers name the buckle as the reason.
- Without it the rate would have been 2.0 %, so nothing else is wrong.

| Product | Orders | Refunds | Rate |
| :-- | --: | --: | --: |
| Trail 40 backpack | 1,310 | 248 | 18.9 % |
| Ridge tent | 842 | 17 | 2.0 % |
| Alder stove | 2,104 | 38 | 1.8 % |

The supplier changed the buckle on 24 February. You can list the orders with:

\`\`\`sql
select order_id, reason
from refunds
where product = 'Trail 40' and refunded_at >= '2026-03-01' -- March
order by refunded_at;
\`\`\`

### What I suggest

1. Stop selling batch \`TR40-0326\`.
2. Write to the 1,062 customers who have not asked for a refund yet.

> The buckle opens under load. We have seen it in the store too.`;

/** A question, the work on it, its answer, and a follow-up question. */
export const conversation: readonly MessageInput[] = [
  { role: 'user', text: 'Why did our refund rate go up in March?' },
  {
    role: 'assistant',
    blocks: [
      {
        type: 'reasoning_content',
        content: 'Refunds grew, or orders fell. I compare both months by product.',
        reasoning_time: { start: 1000, end: 5000 },
      },
      {
        type: 'tool_call',
        status: 'success',
        duration: 800,
        description: 'Query orders',
        tool_call: {
          id: 'c1',
          name: 'query_orders',
          params: '{"months":["2026-02","2026-03"]}',
          response: '{"rows":2}',
        },
      },
      {
        type: 'tool_call',
        status: 'success',
        duration: 1400,
        description: 'Search supplier log',
        tool_call: { id: 'c2', name: 'search_log', params: '{"query":"Trail 40"}', response: '{"hits":3}' },
      },
      {
        type: 'content',
        content: ANSWER,
        citations: [
          {
            id: 'log',
            url: 'https://ops.northwind.example/log/24',
            title: 'Change log, 24 February',
            end: ANSWER.indexOf('\n'),
          },
          { id: 'mara', title: 'Mara, warehouse', quote: 'The buckle opens under load.' },
        ],
      },
    ],
    suggestions: [
      { label: 'Draft the note to customers', prompt: 'Draft the note to customers' },
      { label: 'Which stores sell it?', prompt: 'Which stores sell it?' },
    ],
  },
];

export const shortConversation: readonly MessageInput[] = [
  { role: 'user', text: 'Can I send back a tent that was used once?' },
  {
    role: 'assistant',
    text: 'Yes, within **30 days**, as long as it is dry and complete. Shipping back is free.\n\n- Print the label from your order page.\n- Drop the parcel at any post office.',
  },
  { role: 'user', text: 'And without the receipt?' },
  { role: 'assistant', text: 'The order number is enough. It stands in your confirmation mail.' },
];

const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';

/** Content that is difficult for layouts: unbreakable words, wide tables, unexpected names. */
export const unwieldy: readonly MessageInput[] = [
  { role: 'user', text: `${LONG}${LONG} https://example.com/${'path/'.repeat(30)}` },
  {
    role: 'assistant',
    name: LONG,
    blocks: [
      {
        type: 'tool_call',
        status: 'error',
        description: LONG,
        error: { message: `${LONG} ${'x'.repeat(200)}` },
        tool_call: { id: 'w', name: LONG, params: `{"${LONG}":"${'x'.repeat(300)}"}`, response: 'x'.repeat(400) },
      },
      {
        type: 'content',
        content: `# ${LONG}\n\n${LONG}${LONG} and \`${LONG}${LONG}\`.\n\n| ${'Column | '.repeat(12)}\n| ${'--- | '.repeat(12)}\n| ${`${LONG} | `.repeat(12)}\n\n\`\`\`\n${'a very long line of code '.repeat(12)}\n\`\`\`\n\n- ${LONG}${LONG}\n  - ${LONG}${LONG}\n\n> ${LONG}${LONG}`,
        citations: [{ id: 'l', url: `https://${'sub.'.repeat(12)}example.com/`, title: `${LONG} ${LONG}` }],
      },
      { type: 'file', name: `${LONG}.csv`, url: 'https://files.example/x.csv', size: 1 },
      { type: 'plan', plan: [{ title: `${LONG}${LONG}`, state: 'active' }] },
      { type: 'error', status: 'error', content: `${LONG} ${'x'.repeat(200)}` },
    ],
    suggestions: [{ label: `${LONG} ${LONG}`, prompt: 'x' }],
  },
  { role: 'user', text: LONG },
  {
    role: 'assistant',
    name: LONG,
    blocks: [
      {
        type: 'action',
        action_type: 'tool_call_permission',
        status: 'pending',
        content: `${LONG} ${LONG}`,
        tool_call: { id: 'q', name: LONG, params: `{"${LONG}":"${LONG}","b":"${'x'.repeat(200)}"}` },
        extra: { serverName: LONG },
      },
    ],
  },
];

/** Right-to-left scripts and scripts without spaces. */
export const otherScripts: readonly MessageInput[] = [
  { role: 'user', text: 'لماذا ارتفع معدل الاسترداد في شهر مارس؟' },
  {
    role: 'assistant',
    text: '## ما الذي تغيّر\n\nارتفع المعدل من **2.1 %** إلى **3.4 %**، وكله تقريبًا بسبب حقيبة `Trail 40`.\n\n1. تم تغيير الإبزيم في 24 فبراير.\n2. يذكر 212 عميلًا الإبزيم سببًا.\n\n> الإبزيم ينفتح تحت الحمل.\n\n| المنتج | الطلبات |\n| :-- | --: |\n| Trail 40 | 1,310 |',
  },
  { role: 'user', text: '三月份的退款率为什么上升了？' },
  {
    role: 'assistant',
    text: '## 原因\n\n退款率从 **2.1 %** 升到 **3.4 %**，几乎全部来自 *Trail 40* 背包：二月二十四日供应商更换了搭扣。\n\n- 248 笔退款中有 212 笔提到搭扣。\n- 其他商品没有变化。',
  },
];

const began: SceneEvent = { type: 'session_start', data: { session_id: 's', request_id: 'r' } };

export const thinking: readonly SceneEvent[] = [
  began,
  { type: 'thinking', data: { content: 'Refunds grew, or orders fell. Both months by product', stage: 'reasoning' } },
];
export const runningTool: readonly SceneEvent[] = [
  began,
  {
    type: 'tool_call_start',
    data: { tool_id: 'a', tool_name: 'query_orders', description: 'Query orders', arguments: { month: 'March' } },
  },
  { type: 'tool_call_end', data: { tool_id: 'a', status: 'success', result: { rows: 2 } } },
  {
    type: 'tool_call_start',
    data: { tool_id: 'b', tool_name: 'read_ledger', description: 'Read the ledger', arguments: { year: 2026 } },
  },
  { type: 'tool_call_progress', data: { tool_id: 'b', progress: 0.62, message: '744 of 1,204 rows' } },
];
export const writing: readonly SceneEvent[] = [
  began,
  {
    type: 'content',
    data: { content: 'Almost all of the rise comes from **one product**.\n\n- The Trail 40 backpack was' },
  },
];
export const refused: readonly SceneEvent[] = [
  began,
  { type: 'content', data: { content: 'I began to export the ledger' } },
  { type: 'error', data: { error_type: 'timeout', message: 'The ledger did not answer in time.', recoverable: true } },
  { type: 'session_end', data: { status: 'error' } },
];
