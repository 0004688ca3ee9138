import type { Step } from '../step.ts';

/** A rate limit of the payment provider, after which the answer continues. */
export const rateLimit: readonly Step[] = [
  { type: 'think', stage: 'planning', text: 'Five payouts this week. I compare each with the orders in it.' },
  { type: 'rateLimit', providerId: 'Northpay', qpsLimit: 10, currentQps: 14, queueLength: 4, paces: 150 },
  {
    type: 'tool',
    id: 'payouts',
    name: 'list_payouts',
    description: 'List payouts',
    server: 'payments',
    arguments: { week: '2026-W14' },
    paces: 30,
    outcome: { result: { payouts: 5, sum: '48,120.35 EUR' } },
    summary: '5 payouts, 48,120.35 EUR',
  },
  { type: 'text', text: 'Four of the five payouts agree with their orders to the cent. One does not:\n\n' },
  {
    type: 'table',
    name: 'Payouts, week 14',
    description: 'Payouts of week 14 against the orders in them',
    columns: ['Payout', 'Paid out', 'Orders', 'Difference'],
    rows: [
      ['PO-3318', '9,870.10', '9,870.10', '0.00'],
      ['PO-3319', '11,204.00', '11,204.00', '0.00'],
      ['PO-3320', '8,012.75', '8,083.75', '71.00'],
      ['PO-3321', '10,411.20', '10,411.20', '0.00'],
      ['PO-3322', '8,622.30', '8,622.30', '0.00'],
    ],
  },
  {
    type: 'text',
    text: 'The 71.00 EUR in **PO-3320** are the refund of order NW-48213, which was booked a day later. It evens out in the next payout; there is nothing to do.\n',
  },
];
