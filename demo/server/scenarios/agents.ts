import type { Step } from '../step.ts';

/** Three agents with their own names: a planner, a bookkeeper and a writer. */
export const agents: readonly Step[] = [
  { type: 'speaker', name: 'Planner', role: 'Splits the work' },
  { type: 'think', stage: 'planning', text: 'The complaint is about money and about tone. Facts first, then words.' },
  {
    type: 'text',
    text: 'Two steps:\n\n1. **Ledger** looks up what Alder Hut paid and what they got back.\n2. **Quill** writes the reply.\n',
  },
  { type: 'speaker', name: 'Ledger', role: 'Knows the books' },
  {
    type: 'tool',
    id: 'account',
    name: 'get_account',
    description: 'Look up the account',
    server: 'books',
    arguments: { customer: 'Alder Hut', since: '2026-01-01' },
    paces: 35,
    outcome: { result: { invoices: 3, paid: '4,260.00 EUR', refunded: '0.00 EUR', open_claim: '355.00 EUR' } },
    summary: '3 invoices, 4,260.00 EUR paid, 355.00 EUR claimed',
  },
  {
    type: 'text',
    text: 'Alder Hut has paid three invoices, **4,260.00 EUR** in all. They claim 355.00 EUR for five Trail 40 packs, and they are right: all five are from the faulty batch.\n',
  },
  { type: 'speaker', name: 'Quill', role: 'Finds the words' },
  {
    type: 'think',
    stage: 'reasoning',
    text: 'They were kept waiting for nine days. An apology first, the money second, no excuses.',
  },
  {
    type: 'text',
    text: `Here is the draft:

> Dear Alder Hut team,
>
> you have waited nine days for an answer, and we are sorry for that. You are right about the buckles: all five packs are from a batch that we have stopped selling. The 355.00 EUR are on their way to you, and five new buckles are too, in case you want to keep the packs.

`,
  },
  { type: 'speaker', name: 'Planner', role: 'Splits the work' },
  { type: 'text', text: 'That is complete. Shall I send it, or do you want to read it with somebody first?\n' },
];
