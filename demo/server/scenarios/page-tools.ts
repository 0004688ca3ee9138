import type { Step } from '../step.ts';

/** Tools that the page runs, one of them only after a confirmation. Their effect is visible. */
export const pageTools: readonly Step[] = [
  { type: 'think', stage: 'planning', text: 'I look at how the page is set, and set its accent.' },
  { type: 'text', text: 'I will look at the page and change its accent. The second needs your permission.' },
  {
    type: 'pageTools',
    calls: [
      { id: 'look', name: 'get_appearance', description: 'Read how the page looks', arguments: {} },
      { id: 'paint', name: 'set_accent', description: 'Set the accent', arguments: { colour: '#2f6b4f' } },
    ],
    question: 'This page offers me no tools, so the accent stays as it is. With `tools` set, I could change it.',
    granted: [
      { type: 'text', text: 'Done: the accent is **forest green**, `#2f6b4f`, the colour of our Ridge tent.\n' },
    ],
    unknown: [
      { type: 'text', text: 'The page has answered. This protocol does not tell me what, so look for yourself.\n' },
    ],
    denied: [{ type: 'text', text: 'All right, the accent stays as it was. I have only looked.\n' }],
  },
];
