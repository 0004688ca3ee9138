import { html, type TemplateResult } from 'lit';
import type { BlockOf } from '../../../model/blocks.ts';
import { lazyIcon } from '../../../primitives/lazy-icons.ts';
import type { ViewSettings } from '../../../renderers/core/renderer.ts';
import { withoutInvisible } from '../../../safety/urls.ts';

type ReasoningBlock = BlockOf<'reasoning_content'>;

interface ReasoningRowProps {
  readonly content: unknown;
  readonly settings: ViewSettings;
  /** Whether the agent is thinking now. */
  readonly live: boolean;
  /** Whether the text is shown, or only its line. */
  readonly open: boolean;
}

/**
 * The row of a reasoning block: a line with its duration and its stage, and its text, which that line opens. The group of rows collapses
 * when the work ends, see `collapsible-work.ts`.
 */
export function reasoningRow(
  block: ReasoningBlock,
  { content, settings: { localize }, live, open }: ReasoningRowProps,
): TemplateResult {
  const start = block.reasoning_time?.start ?? block.timestamp;
  const stage = stageName(block, localize);
  const label = live
    ? html`<span class="pulse breathing"></span>${stage ?? localize('activity.thinking')},
        <agent-chat-elapsed .since=${start} .localize=${localize}></agent-chat-elapsed>`
    : html`${[reasoningLabel(block, localize), stage].filter(Boolean).join(' · ')}`;
  return html`<li
    class="step thinking ${stage === undefined ? '' : 'staged'}"
    data-state=${live ? 'running' : 'success'}
  >
    ${lazyIcon('thought', 'small')}
    <details .open=${open}>
      <summary class="fold">${label}${lazyIcon('chevron-down', 'small')}</summary>
      ${content}
    </details>
  </li>`;
}

/** The stage of the reasoning as the server names it; undefined for plain reasoning. */
function stageName({ extra }: BlockOf<'reasoning_content'>, localize: ViewSettings['localize']): string | undefined {
  const stage = extra?.['stage'];
  if (typeof stage !== 'string' || !stage || stage === 'reasoning') return undefined;
  const key = `activity.stage.${stage}`;
  return withoutInvisible(localize.has(key) ? localize(key) : stage.replace(/_/g, ' '));
}

/** The label of ended reasoning, with its duration if that was at least a second. */
export function reasoningLabel(
  reasoning: ReasoningBlock | readonly ReasoningBlock[],
  localize: ViewSettings['localize'],
): string {
  const list = 'type' in reasoning ? [reasoning] : reasoning;
  const time = list.reduce((sum, { reasoning_time: at }) => sum + (at ? at.end - at.start : 0), 0);
  return time >= 1000
    ? localize('activity.thought-for', { time: localize.duration(time) })
    : localize('activity.thought');
}
