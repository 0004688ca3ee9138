import { SCENARIOS, scenarioNames } from '../../choices.ts';
import type { Step } from '../step.ts';

/** The fallback answer: explains that the answers are scripted, and lists them. */
export const hello: readonly Step[] = [
  {
    type: 'text',
    text: `Hello, I am **Harbor**, the billing assistant of Northwind Outdoor. My answers are written down beforehand, and no model is behind them. Ask me for example:

${scenarioNames
  .filter((name) => name !== 'hello')
  .map((name) => `- ${SCENARIOS[name].ask}`)
  .join('\n')}
`,
  },
  { type: 'suggestions', items: [SCENARIOS.answer.ask, SCENARIOS.permission.ask, SCENARIOS['rate-limit'].ask] },
];
