import type { Step } from '../step.ts';

/** A short answer with suggestions for the next question. */
export const suggestions: readonly Step[] = [
  { type: 'think', stage: 'reasoning', text: 'The handbook has a rule for tents: section 4.' },
  {
    type: 'tool',
    id: 'policy',
    name: 'search_handbook',
    description: 'Search the handbook',
    server: 'wiki',
    arguments: { query: 'return used tent' },
    paces: 20,
    outcome: { result: { section: '4.2', title: 'Tents and sleeping bags' } },
    summary: 'Section 4.2, tents and sleeping bags',
  },
  {
    type: 'text',
    text: 'Yes, within **30 days**, when the tent is dry and clean and its poles are whole. Once used, it goes to the outlet, so we pay back *80 %* of the price. A fault is always paid back in full, used or not.\n',
  },
  {
    type: 'suggestions',
    items: ['What counts as clean?', 'Please refund order NW-48213.', 'Why did our refund rate go up in March?'],
  },
];
