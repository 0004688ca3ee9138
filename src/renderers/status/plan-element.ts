import { html, type TemplateResult } from 'lit';
import type { PlanEntry } from '../../model/blocks.ts';
import type { IconName } from '../../primitives/icon.ts';
import { lazyIcon } from '../../primitives/lazy-icons.ts';
import { LightElement } from '../../primitives/light-dom-element.ts';
import { showMore } from '../../primitives/show-more.ts';
import { asText, recordsOf } from '../core/block-extra.ts';
import type { ViewSettings } from '../core/renderer.ts';
import { shortText } from '../core/short-text.ts';

const SYMBOLS: Readonly<Record<PlanEntry['state'], IconName>> = {
  done: 'done',
  active: 'running',
  pending: 'open',
  failed: 'failed',
};

/** Maximum number of steps before the list is expanded. */
const SHOWN_STEPS = 200;

const step = ({ title, state }: Pick<PlanEntry, 'title' | 'state'>): TemplateResult =>
  html`<li data-state=${state} aria-current=${state === 'active' ? 'step' : 'false'}>
    ${lazyIcon(SYMBOLS[state], 'small')}<span dir="auto">${shortText(title)}</span>
  </li>`;

/** A plan, validated for rendering. */
const entriesOf = (plan: unknown): readonly Pick<PlanEntry, 'title' | 'state'>[] =>
  recordsOf(plan).map(({ title, state }) => ({
    title: asText(title),
    state: typeof state === 'string' && Object.hasOwn(SYMBOLS, state) ? (state as PlanEntry['state']) : 'pending',
  }));

/**
 * The agent's plan and its progress. The summary line stays in view while the work continues below. A click on it
 * collapses the steps, or scrolls to them when they are off-screen.
 */
export class AgentChatPlan extends LightElement {
  static override properties = {
    plan: { attribute: false },
    live: { attribute: false },
    settings: { attribute: false },
    folded: { state: true },
  };
  declare plan: readonly PlanEntry[];
  /** Whether the agent is still working on the plan. */
  declare live: boolean;
  declare settings: ViewSettings;
  declare protected folded: boolean;

  constructor() {
    super();
    this.folded = false;
  }

  protected override render(): TemplateResult {
    const { localize } = this.settings;
    const plan = entriesOf(this.plan);
    const done = plan.filter(({ state }) => state === 'done').length;
    const active = plan.find(({ state }) => state === 'active');
    const failed = plan.some(({ state }) => state === 'failed');
    const summaryState = done === plan.length ? 'done' : 'open';
    const symbol = this.live && active ? 'running' : failed ? 'failed' : summaryState;
    return html`<button
        type="button"
        class="plan-line ${this.live ? 'live' : ''}"
        aria-expanded=${this.folded ? 'false' : 'true'}
        @click=${this.#press}
      >
        ${lazyIcon(symbol, 'small')}<b>${localize('plan.title')}</b>
        <span class="tabular">${localize('plan.progress', { done, count: plan.length })}</span>
        <span class="clip grow"><span dir="auto">${active ? shortText(active.title) : ''}</span></span>
        ${lazyIcon('chevron-down', 'small')}
      </button>
      <ol class="plan" part="block block-plan" ?hidden=${this.folded}>
        ${showMore({ items: plan, step: SHOWN_STEPS, localize, draw: step, around: (button) => html`<li>${button}</li>` })}
      </ol>`;
  }

  readonly #press = (event: Event): void => {
    const line = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const list = this.querySelector('.plan');
    if (list && !this.folded && list.getBoundingClientRect().bottom <= line.bottom) {
      list.scrollIntoView({ block: 'nearest' });
    } else this.folded = !this.folded;
  };
}
