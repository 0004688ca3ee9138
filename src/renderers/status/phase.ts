import { html, type TemplateResult } from 'lit';
import type { BlockOf } from '../../model/blocks.ts';
import { lazyIcon } from '../../primitives/lazy-icons.ts';
import { maskDisplayedText } from '../../safety/sent-secrets.ts';
import { recordsOf } from '../core/block-extra.ts';
import type { RenderContext, ViewSettings } from '../core/renderer.ts';
import { shortText } from '../core/short-text.ts';

/** A phase of the reply. */
export interface PhaseStep {
  /** The technical name, such as `searching`. */
  readonly phase: string;
  /** The agent's own text. */
  readonly message?: string;
  /** Milliseconds since the epoch. */
  readonly start: number;
}

/** The phases so far, in order. An imported block may have only the current one. */
export const phaseSteps = ({ extra, phase, message, timestamp }: BlockOf<'status'>): readonly PhaseStep[] =>
  Array.isArray(extra?.['steps'])
    ? recordsOf(extra['steps']).flatMap(parseStep)
    : [{ phase, start: timestamp, ...(message !== undefined && { message }) }];

/** An invalid phase is dropped. */
const parseStep = ({ phase, message, start }: Readonly<Record<string, unknown>>): readonly PhaseStep[] =>
  typeof phase === 'string'
    ? [{ phase, start: typeof start === 'number' ? start : 0, ...(typeof message === 'string' && { message }) }]
    : [];

/** The label of a phase: the agent's own text, otherwise a localized one for known phases, otherwise its name. */
export function phaseLabel({ phase, message }: PhaseStep, { localize }: ViewSettings): string {
  const key = `phase.${phase}`;
  return shortText(maskDisplayedText(message ?? (localize.has(key) ? localize(key) : phase.replace(/_/g, ' '))));
}

/**
 * The phases as a list, for a page whose own renderer delegates a status block. Otherwise `<agent-chat-activity>` shows
 * them.
 */
export function phasesView({
  block,
  context: { settings, message },
}: {
  readonly block: BlockOf<'status'>;
  readonly context: RenderContext;
}): TemplateResult {
  const labels = phaseSteps(block).map((step) => phaseLabel(step, settings));
  const live = block.status === 'loading' && message.status === 'streaming';
  return html`<ol part="block block-status phase" class="steps">
    ${labels.map(
      (label, index) =>
        html`<li class="step" data-state=${live && index === labels.length - 1 ? 'running' : 'success'}>
          ${lazyIcon(live && index === labels.length - 1 ? 'running' : 'done', 'small')}<span dir="auto">${label}</span>
        </li>`,
    )}
  </ol>`;
}
