import { html, type TemplateResult } from 'lit';
import type { BlockOf } from '../../model/blocks.ts';
import { icon } from '../../primitives/icon.ts';
import { withoutInvisible } from '../../safety/urls.ts';
import { recordsOf } from '../core/block-extra.ts';
import type { RenderContext, ViewSettings } from '../core/renderer.ts';

/** One phase of a run. */
export interface PhaseStep {
  readonly phase: string;
  readonly message?: string;
  /** Milliseconds since the epoch. */
  readonly start: number;
}

/** The phases of a run so far, in order. */
export const phaseSteps = ({ extra, phase, message, timestamp }: BlockOf<'status'>): readonly PhaseStep[] =>
  Array.isArray(extra?.['steps'])
    ? recordsOf(extra['steps']).flatMap(toStep)
    : [{ phase, start: timestamp, ...(message !== undefined && { message }) }];

const toStep = ({ phase, message, start }: Readonly<Record<string, unknown>>): readonly PhaseStep[] =>
  typeof phase === 'string'
    ? [{ phase, start: typeof start === 'number' ? start : 0, ...(typeof message === 'string' && { message }) }]
    : [];

/** The label of a phase: the agent's own text, else a localized one for known phases, else its name. */
export function phaseName({ phase, message }: PhaseStep, { localize }: ViewSettings): string {
  const key = `phase.${phase}`;
  return withoutInvisible(message ?? (localize.has(key) ? localize(key) : phase.replace(/_/g, ' ')));
}

/** The phases as a list; in a conversation they are part of the run's steps. */
export function phasesView({
  block,
  context: { settings, message },
}: {
  readonly block: BlockOf<'status'>;
  readonly context: RenderContext;
}): TemplateResult {
  const steps = phaseSteps(block).map((step) => phaseName(step, settings));
  const live = block.status === 'loading' && message.status === 'streaming';
  return html`<ol part="block block-status phase" class="steps">
    ${steps.map(
      (name, index) =>
        html`<li class="step" data-state=${live && index === steps.length - 1 ? 'running' : 'success'}>
          ${icon(live && index === steps.length - 1 ? 'running' : 'done', 'small')}<span dir="auto">${name}</span>
        </li>`,
    )}
  </ol>`;
}
