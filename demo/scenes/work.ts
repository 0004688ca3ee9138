/** Agents that call sub-agents by a plan, and their artifacts. */
import type { MessageInput } from 'agent-chat-element';
import type { SceneEvent } from './scene.ts';

const say = (data: Readonly<Record<string, unknown>>): SceneEvent => ({
  type: 'response',
  data: { eventId: 'reply', ...data },
});
const call = (id: string, name: string, params: object, more: object = {}): SceneEvent =>
  say({
    tool_call: 'start',
    tool_call_id: id,
    tool_call_name: name,
    tool_call_params: JSON.stringify(params),
    tool_call_remote: true,
    ...more,
  });
const end = (id: string, response: string, more: object = {}): SceneEvent =>
  say({ tool_call: 'end', tool_call_id: id, tool_call_response: response, tool_call_duration: 1800, ...more });

const SCOUT = { parent: { tool_call_id: 'scout', name: 'Ledger scout' } };
const WRITER = { parent: { tool_call_id: 'writer', name: 'Letter writer' } };

/** A plan, a sub-agent that is done and one that is working. */
export const subAgents: readonly SceneEvent[] = [
  say({
    plan: [
      { title: 'Find the orders of batch TR40-0326', state: 'done' },
      { title: 'Write to the customers', state: 'active' },
      { title: 'Take the batch off sale', state: 'pending' },
    ],
  }),
  say({ reasoning_content: 'Two things to look at. I give each to an agent of its own.' }),
  call('scout', 'delegate', { task: 'Find the orders of batch TR40-0326' }),
  call('query', 'query_orders', { batch: 'TR40-0326', refunded: false }, SCOUT),
  end('query', '1,062 rows', SCOUT),
  say({ content: 'There are **1,062** orders that nobody has asked a refund for.', ...SCOUT }),
  end('scout', 'done'),
  call('writer', 'delegate', { task: 'Write to the customers' }),
  call('template', 'read_template', { name: 'recall' }, WRITER),
  end('template', 'ok', WRITER),
  say({ content: 'Dear customer, the buckle of your *Trail 40* can open under load. You need not send', ...WRITER }),
];

const letter = (words: string): MessageInput => ({
  role: 'assistant',
  blocks: [
    { type: 'content', content: 'Here is the letter.' },
    {
      type: 'content',
      content: words,
      artifact: { identifier: 'letter', title: 'Letter to 1,062 customers', type: 'text/markdown' },
    },
  ],
});

/** A document in two versions. */
export const letters: readonly MessageInput[] = [
  { role: 'user', text: 'Write to the customers who have not asked for a refund.' },
  letter('# The buckle of your Trail 40\n\nDear customer, please send the backpack back.'),
  { role: 'user', text: 'They should not have to send it back.' },
  letter(
    `# The buckle of your Trail 40

Dear customer,

the buckle of your *Trail 40* can open under load. We will send you another one, with a drawing of how to change it. You need
not send anything back.

| What | When |
| :-- | :-- |
| The new buckle | within 5 days |
| A refund, if you prefer one | at once |

Yours, Harbor`,
  ),
];
