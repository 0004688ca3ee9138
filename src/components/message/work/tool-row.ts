import { html, type TemplateResult } from 'lit';
import type { BlockOf } from '../../../model/blocks.ts';
import { lazyIcon } from '../../../primitives/lazy-icons.ts';
import { toolIcon } from '../../../renderers/tools/tool-state.ts';

interface ToolRowProps {
  readonly content: unknown;
  /** The rendered work of the sub-agent that the call has started. */
  readonly nested: unknown;
  /** Whether it runs now. */
  readonly live: boolean;
}

/** The row of a tool call, with an icon for its state. */
export const toolRow = (call: BlockOf<'tool_call'>, { content, nested, live }: ToolRowProps): TemplateResult =>
  html`<li class="step" data-state=${live ? 'running' : call.status}>
    ${lazyIcon(toolIcon(call, live), 'small')}
    <div>${content}${nested}</div>
  </li>`;
