import { html, type TemplateResult } from 'lit';
import type { BlockOf } from '../../../model/blocks.ts';
import type { IconName } from '../../../primitives/icon.ts';
import { lazyIcon } from '../../../primitives/lazy-icons.ts';

/** The icon of a call with a result. Others wait for something, or were cancelled. */
const icons: Readonly<Record<string, IconName | undefined>> = { success: 'done', error: 'failed' };

interface ToolRowProps {
  readonly content: unknown;
  /** The rendered work of the sub-agent that the call has started. */
  readonly nested: unknown;
  /** Whether it runs now. */
  readonly live: boolean;
}

/** The row of a tool call, with an icon for its state. */
export const toolRow = ({ status }: BlockOf<'tool_call'>, { content, nested, live }: ToolRowProps): TemplateResult =>
  html`<li class="step" data-state=${live ? 'running' : status}>
    ${lazyIcon(live ? 'running' : (icons[status] ?? 'open'), 'small')}
    <div>${content}${nested}</div>
  </li>`;
