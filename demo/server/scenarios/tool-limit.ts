import type { Step, StepOf } from '../step.ts';

const check = (number: number, found: number): StepOf<'tool'> => ({
  type: 'tool',
  id: `page-${String(number)}`,
  name: 'check_invoices',
  description: `Check invoices, page ${String(number)}`,
  server: 'books',
  arguments: { month: '2026-04', page: number, rule: 'tax_rate' },
  paces: 12,
  outcome: { result: { checked: 100, wrong: found } },
  summary: `100 checked, ${String(found)} wrong`,
});

/** After eight calls the user has to tell the agent to continue. */
export const toolLimit: readonly Step[] = [
  { type: 'text', text: 'There are 1,020 invoices in April. I check them a hundred at a time.\n\n' },
  ...[0, 2, 0, 0, 1, 0, 0, 0].map((found, index) => check(index + 1, found)),
  {
    type: 'toolLimit',
    question: 'I have checked 800 invoices with 8 calls and found 3 wrong ones. Shall I go on? Say **yes** or **no**.',
    granted: [
      check(9, 0),
      check(10, 1),
      {
        type: 'text',
        text: 'All 1,020 invoices are checked. **Four** have the wrong rate: they were sent to Norway with German tax.\n',
      },
    ],
    denied: [
      {
        type: 'text',
        text: 'Stopped after 800 of 1,020 invoices. **Three** of them have the wrong rate: they were sent to Norway with German tax.\n',
      },
    ],
  },
];
