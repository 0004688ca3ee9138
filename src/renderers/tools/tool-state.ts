/** What is shown of the state of a tool call: its icon, and the text of a problem. */
import type { BlockOf } from '../../model/blocks.ts';
import type { IconName } from '../../primitives/icon.ts';
import { maskDisplayedText } from '../../safety/sent-secrets.ts';
import { withoutInvisible } from '../../safety/urls.ts';
import { inSentence } from '../core/in-sentence.ts';
import type { ViewSettings } from '../core/renderer.ts';

/** Maximum length of an error in the row (characters); the result shows the complete error. */
const PROBLEM_LENGTH = 300;

/** The icon of a call with a result. A call without one waits for something, or was cancelled. */
const icons: Readonly<Record<string, IconName | undefined>> = { success: 'done', error: 'failed' };

/** @param live - whether the call runs now */
export const toolIcon = ({ status }: BlockOf<'tool_call'>, live: boolean): IconName =>
  live ? 'running' : (icons[status] ?? 'open');

/** The text of a state without a result: the reason why there is none. Empty while a call runs, and if it has a result. */
export function toolProblem({ status, error, tool_call }: BlockOf<'tool_call'>, { localize }: ViewSettings): string {
  if (status === 'cancel') return localize('tool.cancelled');
  if (status !== 'error') return '';
  if (error?.code === 'no-handler')
    return localize('tool.no-handler', {
      name: inSentence(withoutInvisible(maskDisplayedText(tool_call.name ?? '', PROBLEM_LENGTH))),
    });
  if (error?.code === 'denied') return localize('tool.denied');
  return maskDisplayedText(error?.message ?? tool_call.response ?? '', PROBLEM_LENGTH);
}

/** The agent's own error code, or none: the widget's codes have a text, see `toolProblem`. */
export const agentErrorCode = ({ error, status }: BlockOf<'tool_call'>): readonly string[] =>
  status === 'error' && error?.code && error.code !== 'no-handler' && error.code !== 'denied'
    ? [withoutInvisible(maskDisplayedText(error.code, PROBLEM_LENGTH))]
    : [];
