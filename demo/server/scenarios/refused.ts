import type { Step } from '../step.ts';

/** An error that cannot be retried; its data have the reason. */
export const refused: readonly Step[] = [
  { type: 'think', stage: 'analyzing', text: 'A month is closed when nothing in it is open. I look for what is.' },
  {
    type: 'tool',
    id: 'period',
    name: 'check_period',
    description: 'Check the period',
    server: 'books',
    arguments: { period: '2026-05' },
    paces: 25,
    outcome: { result: { period: '2026-05', open: 2 } },
    summary: '2 items are open',
  },
  { type: 'text', text: 'Two things are still open in May, so the ledger does not let me close it.\n\n' },
  {
    type: 'record',
    name: 'period_check',
    description: 'What is open in May',
    value: {
      period: '2026-05',
      closable: false,
      open: [
        { kind: 'invoice', id: 'INV-2207', amount: '480.00 EUR', customer: 'Alder Hut' },
        { kind: 'payout', id: 'PO-3340', amount: '71.00 EUR', waits_for: 'bank statement' },
      ],
      checked: { invoices: 1044, payouts: 22, by: 'ledger' },
    },
  },
  {
    type: 'error',
    kind: 'validation',
    code: 'PERIOD_OPEN',
    message: 'The ledger refuses to close May 2026 while invoice INV-2207 and payout PO-3340 are open.',
    recoverable: false,
    details: { context: { period: '2026-05', rule: 'no_open_items' } },
  },
];
