import { isOneOf, scenarioNames, scenarioOf, type ScenarioName } from '../choices.ts';
import { agents } from './scenarios/agents.ts';
import { answer } from './scenarios/answer.ts';
import { chinese } from './scenarios/chinese.ts';
import { citations } from './scenarios/citations.ts';
import { error } from './scenarios/error.ts';
import { failingTool } from './scenarios/failing-tool.ts';
import { formulas } from './scenarios/formulas.ts';
import { hello } from './scenarios/hello.ts';
import { pageTools } from './scenarios/page-tools.ts';
import { permission } from './scenarios/permission.ts';
import { rateLimit } from './scenarios/rate-limit.ts';
import { refused } from './scenarios/refused.ts';
import { suggestions } from './scenarios/suggestions.ts';
import { BOOK, requested, surface } from './scenarios/surface.ts';
import { toolLimit } from './scenarios/tool-limit.ts';
import { waits, type Step, type WaitingStep } from './step.ts';
import type { Turn } from './turn.ts';

const scripts: Readonly<Record<ScenarioName, readonly Step[]>> = {
  answer,
  citations,
  permission,
  'rate-limit': rateLimit,
  'tool-limit': toolLimit,
  agents,
  'failing-tool': failingTool,
  error,
  refused,
  suggestions,
  surface,
  'page-tools': pageTools,
  formulas,
  chinese,
  hello,
};

/**
 * Selects the script: the named scenario, else the one that matches the user's text. A turn that answers a question
 * continues after it; the position comes from the request or from `memory.ts`.
 */
export function scriptFor(
  name: string | null,
  turn: Turn,
): { readonly steps: readonly Step[]; readonly answered: ReadonlySet<string> } {
  if (turn.question.startsWith(BOOK)) return { steps: requested, answered: new Set() };
  const steps = scripts[isOneOf(scenarioNames, name) ? name : (scenarioOf(turn.question) ?? 'hello')];
  const questionIndex = steps.findIndex(waits);
  const waiting = steps[questionIndex];
  if (!turn.answer || !waiting || !waits(waiting)) return { steps, answered: new Set() };
  return {
    steps: [...branchOf(waiting, turn.answer), ...steps.slice(questionIndex + 1)],
    answered: new Set(waiting.type === 'permission' ? [waiting.call.id] : []),
  };
}

const branchOf = (waiting: WaitingStep, answer: NonNullable<Turn['answer']>): readonly Step[] =>
  answer !== 'unknown' ? waiting[answer] : waiting.type === 'pageTools' ? waiting.unknown : waiting.granted;
