import type { Step } from '../step.ts';

/** A retryable error in the middle of the answer. */
export const error: readonly Step[] = [
  { type: 'think', stage: 'planning', text: 'A whole year is twelve files. I begin with January.' },
  {
    type: 'tool',
    id: 'export',
    name: 'export_ledger',
    description: 'Export the ledger',
    server: 'books',
    arguments: { year: 2025, format: 'csv' },
    paces: 40,
    progress: [{ share: 0.33, message: '4 of 12 months' }],
    outcome: { failure: { message: 'The ledger database did not answer within 30 seconds.', code: 'LEDGER_TIMEOUT' } },
    summary: 'No answer',
  },
  { type: 'text', text: 'January to April are exported, but then the ledger stopped answering' },
  {
    type: 'error',
    kind: 'timeout',
    code: 'LEDGER_TIMEOUT',
    message: 'The ledger is being backed up and does not answer. It is usually back within a minute.',
    recoverable: true,
    details: { stack_trace: 'TimeoutError: ledger.read (30000 ms)', context: { month: '2025-05' } },
  },
];
