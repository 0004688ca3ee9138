import type { Call, Step } from '../step.ts';

const refund: Call = {
  id: 'refund',
  name: 'issue_refund',
  description: 'Issue a refund',
  arguments: { order: 'NW-48213', amount: '71.00 EUR', to: 'card ending in 4471', reason: 'Buckle opens under load' },
};

/** A refund that needs the user's approval. */
export const permission: readonly Step[] = [
  { type: 'think', stage: 'reasoning', text: 'The order first: was it delivered, and was it refunded before?' },
  {
    type: 'tool',
    id: 'order',
    name: 'get_order',
    description: 'Look up the order',
    server: 'shop',
    arguments: { order: 'NW-48213' },
    paces: 25,
    outcome: {
      result: {
        order: 'NW-48213',
        item: 'Trail 40 backpack',
        paid: '71.00 EUR',
        delivered: '2026-03-06',
        refunded: false,
      },
    },
    summary: 'Trail 40 backpack, 71.00 EUR, not refunded',
  },
  {
    type: 'text',
    text: 'Order **NW-48213** is a Trail 40 backpack from the faulty batch, delivered on 6 March and not refunded yet. I can send the money back to the card it was paid with.\n\n',
  },
  {
    type: 'permission',
    call: refund,
    server: 'payments',
    access: 'write',
    reason: 'The pack is from batch TR40-0326, for which we refund in full.',
    question: 'May I refund 71.00 EUR to the card ending in 4471? Say **yes** or **no**.',
    granted: [
      {
        type: 'tool',
        ...refund,
        server: 'payments',
        paces: 45,
        outcome: { result: { refund: 'RF-90117', state: 'sent', arrives: '2026-04-09' } },
        summary: 'RF-90117 sent',
      },
      {
        type: 'text',
        text: 'Done. Refund **RF-90117** over 71.00 EUR is on its way and arrives by 9 April. The customer has got a confirmation by mail.\n',
      },
    ],
    denied: [
      {
        type: 'text',
        text: 'All right, nothing was refunded. The order stays as it is; I have only left a note that the batch is faulty.\n',
      },
    ],
  },
];
