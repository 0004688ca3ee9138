import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { AssistantMessageBlock, BlockOf } from '../../../model/blocks.ts';
import { lazyIcon } from '../../../primitives/lazy-icons.ts';
import { LightElement } from '../../../primitives/light-dom-element.ts';
import { blockStyles } from '../../../renderers/core/block-styles.ts';
import { showMore } from '../../../primitives/show-more.ts';
import type { ViewSettings } from '../../../renderers/core/renderer.ts';
import { phaseLabel, phaseSteps, type PhaseStep } from '../../../renderers/status/phase.ts';
import { adoptStylesheet } from '../../../theme/stylesheet.ts';
import type { WorkBlock } from '../group-blocks.ts';
import { toolTitle } from '../../../renderers/tools/tool-call.ts';
import { toolProblem } from '../../../renderers/tools/tool-state.ts';
import { renderNested, type BlockRendering } from '../render-groups.ts';
import { KeptOpen } from './kept-open.ts';
import { reasoningLabel, reasoningRow } from './reasoning-row.ts';
import { toolRow } from './tool-row.ts';

type ActivityRow = { readonly key: string; readonly at: number } & (
  | { readonly kind: 'phase'; readonly step: PhaseStep; readonly live: boolean }
  | { readonly kind: 'block'; readonly block: Exclude<WorkBlock, BlockOf<'status'>> }
);

/** Number of rows shown at first: the last ones. A button shows the others. */
const MAX_ROWS = 100;

/** Maximum number of failed calls listed below a collapsed group. Its summary line has the number of all. */
const MAX_FAILURES = 3;

/**
 * Successive reasoning, tool calls and phases. Each is a row while the work is in progress. When it ends, the rows collapse into
 * one line unless the user is interacting with them. What the user has opened or closed stays so.
 */
export class AgentChatActivity extends LightElement {
  static override properties = {
    blocks: { attribute: false },
    within: { attribute: false },
    live: { attribute: false },
    streaming: { attribute: false },
    settings: { attribute: false },
    draw: { attribute: false },
  };
  declare blocks: readonly WorkBlock[];
  /** Blocks of its sub-agents, ordered only by time. */
  declare within: readonly AssistantMessageBlock[];
  /** Whether the work is in progress. `renderGroups()` ends it as soon as another block follows, such as the text of the answer. */
  declare live: boolean;
  /** Whether the reply is still streaming, also after this work: then its last phase is the current one. */
  declare streaming: boolean;
  declare settings: ViewSettings;
  declare draw: BlockRendering;
  readonly #keptOpen = new KeptOpen(this);

  override connectedCallback(): void {
    super.connectedCallback();
    adoptStylesheet(this, blockStyles);
  }

  protected override willUpdate(changes: PropertyValues<this>): void {
    if (changes.get('live') === true && !this.live) this.#keptOpen.finish();
  }

  protected override render(): unknown {
    const rows = this.#rows();
    if (rows.length === 0) return nothing;
    const foldable =
      !this.live &&
      (rows.length > 1 || rows.some((row) => row.kind === 'block' && row.block.type === 'reasoning_content'));
    const { wasInUse } = this.#keptOpen;
    const current = currentPhase(rows);
    const isLonePhase = !this.live && rows.length === 1 && rows[0]?.kind === 'phase';
    const open = this.#keptOpen.isOpen(!foldable || this.#isOpenByDefault());
    return html`<details
        class="activity ${foldable ? 'folding' : ''} ${wasInUse ? 'kept' : ''} ${current ? 'current' : ''} ${isLonePhase ? 'lone' : ''}"
        .open=${open}
      >
        <summary class="fold" ?hidden=${!foldable} @click=${this.#keptOpen.onSummaryClick}>
          ${foldable ? this.#summary(rows) : nothing}${lazyIcon('chevron-down', 'small')}
        </summary>
        <ol class="steps">
          ${showMore({
            items: rows,
            step: MAX_ROWS,
            localize: this.settings.localize,
            draw: (row) => this.#row(row),
            key: ({ key }) => key,
            fromEnd: true,
            around: (button) => html`<li class="step">${button}</li>`,
          })}
        </ol>
      </details>
      ${foldable ? this.#failures() : nothing}`;
  }

  /** The failed calls of finished work. They stay visible while it is collapsed. */
  #failures(): unknown {
    const failed = this.blocks.filter((block) => block.type === 'tool_call').filter(isFailed);
    if (failed.length === 0) return nothing;
    return html`<ul class="failures">
      ${failed.slice(0, MAX_FAILURES).map(
        (block) =>
          html`<li>
            ${lazyIcon('failed', 'small')}
            <span class="clip" dir="auto"
              >${toolTitle(block, this.settings)}
              <span class="problem">${toolProblem(block, this.settings)}</span></span
            >
          </li>`,
      )}
    </ul>`;
  }

  /** The rows ordered by start time. Kinds that the host page hides are left out, but failed tool calls are always shown. */
  #rows(): readonly ActivityRow[] {
    const { showReasoning, showTools } = this.settings;
    return this.blocks
      .flatMap((block): readonly ActivityRow[] => {
        if (block.type === 'status') {
          const steps = phaseSteps(block);
          const running = this.streaming && block.status === 'loading';
          return steps.map((step, index) => ({
            kind: 'phase',
            // (Two phases with the same name may start at the same time.)
            key: `${block.id} ${String(index)}`,
            step,
            at: step.start,
            live: running && index === steps.length - 1,
          }));
        }
        const hidden =
          block.type === 'reasoning_content'
            ? showReasoning === 'hidden'
            : showTools === 'hidden' && !hasFailed(block, this.within);
        return hidden ? [] : [{ kind: 'block', key: block.id, block, at: block.timestamp }];
      })
      .sort((left, right) => left.at - right.at);
  }

  #isOpenByDefault(): boolean {
    const { showReasoning, showTools } = this.settings;
    const has = (type: WorkBlock['type']): boolean => this.blocks.some((block) => block.type === type);
    return (showReasoning === 'open' && has('reasoning_content')) || (showTools === 'open' && has('tool_call'));
  }

  #row(row: ActivityRow): TemplateResult {
    if (row.kind === 'phase') {
      return html`<li class="step" data-state=${row.live ? 'running' : 'success'}>
        ${lazyIcon(row.live ? 'running' : 'done', 'small')}
        <span class="phase clip" part="phase" dir="auto">${phaseLabel(row.step, this.settings)}</span>
      </li>`;
    }
    const { block } = row;
    const content = this.#show(block);
    if (block.type === 'tool_call') {
      const live = this.live && block.status === 'loading';
      const nested = renderNested(block, this.within, { live, settings: this.settings, draw: this.draw });
      return toolRow(block, { content, nested, live });
    }
    return reasoningRow(block, {
      content,
      settings: this.settings,
      live: this.live && block === this.blocks.findLast((other) => other.type !== 'status'),
      open: (!this.live && !this.#keptOpen.wasInUse) || this.settings.showReasoning === 'open',
    });
  }

  #show(block: WorkBlock): unknown {
    return this.draw.render(block, this.live && block === this.blocks.at(-1));
  }

  /** The summary of work that has only phases: the phase `completed` if it is the last one, otherwise their number. */
  #phaseSummary(rows: readonly ActivityRow[]): string {
    const last = rows.at(-1);
    return last?.kind === 'phase' && last.step.phase === 'completed'
      ? phaseLabel(last.step, this.settings)
      : this.settings.localize('activity.steps', { count: rows.length });
  }

  /**
   * One line for all rows. While the reply is streaming, the line is the current phase if nothing has begun after it: the phases
   * of a reply are one block, so a phase that begins after text is in the group before the text.
   */
  #summary(rows: readonly ActivityRow[]): TemplateResult {
    const { localize } = this.settings;
    const current = currentPhase(rows);
    const blocks = rows.flatMap((row) => (row.kind === 'block' ? [row.block] : []));
    const reasoning = blocks.filter((block) => block.type === 'reasoning_content');
    const tools = blocks.filter((block) => block.type === 'tool_call');
    const failed = [...tools, ...this.within].filter(isFailed).length;
    const parts = current
      ? [phaseLabel(current, this.settings)]
      : [
          ...(reasoning.length > 0 ? [reasoningLabel(reasoning, localize)] : []),
          ...(tools.length > 0 ? [localize('activity.tools', { count: tools.length })] : []),
        ];
    if (parts.length === 0) parts.push(this.#phaseSummary(rows));
    return html`<span class="clip"
      >${parts.join(' · ')}${
        failed > 0 ? html` · <span class="bad">${localize('activity.failed', { count: failed })}</span>` : nothing
      }</span
    >`;
  }
}

/** The phase that the agent is in, if nothing has begun after it. */
function currentPhase(rows: readonly ActivityRow[]): PhaseStep | undefined {
  const last = rows.at(-1);
  return last?.kind === 'phase' && last.live ? last.step : undefined;
}

const isFailed = ({ type, status }: AssistantMessageBlock): boolean => type === 'tool_call' && status === 'error';

/** Whether the tool call, or a call directly nested in it, has failed, or an error is directly nested in it. */
const hasFailed = (block: BlockOf<'tool_call'>, within: readonly AssistantMessageBlock[]): boolean =>
  isFailed(block) || within.some((other) => other.parentId === block.id && (isFailed(other) || other.type === 'error'));
