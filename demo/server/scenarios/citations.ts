import type { Source, Step } from '../step.ts';

const sources: readonly Source[] = [
  {
    id: '431',
    title: 'Mara Lind in #warehouse',
    url: 'https://chat.northwind.example/warehouse/431',
    text: 'two of ten packs from the new batch open under load',
    sender: 'Mara Lind',
    senderId: 'mlind',
    timestamp: Date.UTC(2026, 2, 9, 7, 50),
  },
  {
    id: '436',
    title: 'Jon Aske in #warehouse',
    url: 'https://chat.northwind.example/warehouse/436',
    // Paraphrased in the answer, so that its position can't be found by its text.
    text: 'I have put the rest of the pallet into row 14 and locked it.',
    sender: 'Jon Aske',
    senderId: 'jaske',
    timestamp: Date.UTC(2026, 2, 9, 8, 20),
  },
  {
    id: '440',
    title: 'Mara Lind in #warehouse',
    url: 'https://chat.northwind.example/warehouse/440',
    text: 'the old buckle held in every one of the fifty tests',
    sender: 'Mara Lind',
    senderId: 'mlind',
    timestamp: Date.UTC(2026, 2, 10, 15, 5),
  },
];

/** Three cited messages: two are quoted literally, one is paraphrased. */
export const citations: readonly Step[] = [
  { type: 'think', stage: 'reasoning', text: 'The warehouse talks in its own channel. I will look there first.' },
  {
    type: 'tool',
    id: 'channel',
    name: 'search_messages',
    description: 'Search messages in #warehouse',
    server: 'workspace',
    arguments: { channel: 'warehouse', query: 'buckle', limit: 100 },
    paces: 40,
    outcome: { result: { found: ['431', '436', '440'] } },
    summary: '3 messages of 2 people',
    sources,
  },
  {
    type: 'text',
    text: `The warehouse tested the new buckle on 9 March. Mara Lind found that two of ten packs from the new batch open under load[cite:431], so the pallet was set aside and closed off the same morning[cite:436], before more of it was sent out.

For comparison, the old buckle held in every one of the fifty tests[cite:440]. Nobody has said yet what happens to the packs that are with customers already.
`,
  },
  { type: 'suggestions', items: ['Why did our refund rate go up in March?', 'Who has to be told?'] },
];
