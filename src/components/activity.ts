import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { AssistantMessageBlock, BlockOf } from '../model/blocks.ts';
import { icon, type IconName } from '../primitives/icon.ts';
import { LightElement } from '../primitives/light-element.ts';
import type { ViewSettings } from '../renderers/renderer.ts';
import { phaseName, phaseSteps, type PhaseStep } from '../renderers/status.ts';
import type { WorkBlock } from './block-groups.ts';
import { nestedIn, type DrawBlocks } from './draw-groups.ts';
import { Fold } from './fold.ts';

type Row = { readonly key: string; readonly at: number } & (
  | { readonly kind: 'phase'; readonly step: PhaseStep; readonly live: boolean }
  | { readonly kind: 'block'; readonly block: Exclude<WorkBlock, BlockOf<'status'>> }
);

/**
 * A run of thoughts, tools and phases. While it works each is a row; finished, all of it folds into one line, unless the reader
 * is in it. What they have opened or closed stays so.
 */
export class AgentChatActivity extends LightElement {
  static override properties = {
    blocks: { attribute: false },
    within: { attribute: false },
    live: { attribute: false },
    settings: { attribute: false },
    draw: { attribute: false },
  };
  declare blocks: readonly WorkBlock[];
  /** What its sub-agents have said and done, in no order but that of time. */
  declare within: readonly AssistantMessageBlock[];
  /** It is still at work. */
  declare live: boolean;
  declare settings: ViewSettings;
  declare draw: DrawBlocks;
  readonly #fold = new Fold(this);

  protected override willUpdate(changes: PropertyValues<this>): void {
    if (changes.get('live') === true && !this.live) this.#fold.end();
  }

  protected override render(): unknown {
    const rows = this.#rows();
    if (rows.length === 0) return nothing;
    const foldable =
      !this.live &&
      (rows.length > 1 || rows.some((row) => row.kind === 'block' && row.block.type === 'reasoning_content'));
    const { kept } = this.#fold;
    const open = this.#fold.isOpen(!foldable || this.#opensItself());
    return html`<details class="activity ${foldable ? 'folding' : ''} ${kept ? 'kept' : ''}" .open=${open}>
      <summary class="fold" ?hidden=${!foldable} @click=${this.#fold.press}>
        ${foldable ? this.#summary(rows) : nothing}${icon('chevron-down', 'small')}
      </summary>
      <ol class="steps">
        ${repeat(
          rows,
          ({ key }) => key,
          (row) => this.#row(row),
        )}
      </ol>
    </details>`;
  }

  /** All of it in the order of its beginning; what the page hides is left out, but never a failure. */
  #rows(): readonly Row[] {
    const { showReasoning, showTools } = this.settings;
    return this.blocks
      .flatMap((block): readonly Row[] => {
        if (block.type === 'status') {
          const steps = phaseSteps(block);
          const running = this.live && block.status === 'loading';
          return steps.flatMap((step, index) =>
            !this.live && step.phase === 'completed'
              ? []
              : [
                  {
                    kind: 'phase',
                    // (Two of one name may begin in the same moment.)
                    key: `${block.id} ${String(index)}`,
                    step,
                    at: step.start,
                    live: running && index === steps.length - 1,
                  },
                ],
          );
        }
        const hidden =
          block.type === 'reasoning_content'
            ? showReasoning === 'hidden'
            : showTools === 'hidden' && !hasFailed(block, this.within);
        return hidden ? [] : [{ kind: 'block', key: block.id, block, at: block.timestamp }];
      })
      .sort((left, right) => left.at - right.at);
  }

  #opensItself(): boolean {
    const { showReasoning, showTools } = this.settings;
    const has = (type: WorkBlock['type']): boolean => this.blocks.some((block) => block.type === type);
    return (showReasoning === 'open' && has('reasoning_content')) || (showTools === 'open' && has('tool_call'));
  }

  #row(row: Row): TemplateResult {
    if (row.kind === 'phase') {
      return html`<li class="step" data-state=${row.live ? 'running' : 'success'}>
        ${icon(row.live ? 'running' : 'done', 'small')}
        <span class="phase clip" part="phase" dir="auto">${phaseName(row.step, this.settings)}</span>
      </li>`;
    }
    const { block } = row;
    return block.type === 'tool_call' ? this.#tool(block) : this.#thought(block);
  }

  #tool(block: BlockOf<'tool_call'>): TemplateResult {
    const running = this.live && block.status === 'loading';
    const symbol: IconName = running
      ? 'running'
      : block.status === 'error'
        ? 'failed'
        : block.status === 'success'
          ? 'done'
          : 'open';
    return html`<li class="step" data-state=${running ? 'running' : block.status}>
      ${icon(symbol, 'small')}
      <div>
        ${this.#show(block)}${nestedIn(block, this.within, { live: running, settings: this.settings, draw: this.draw })}
      </div>
    </li>`;
  }

  #thought(block: BlockOf<'reasoning_content'>): TemplateResult {
    const { localize, showReasoning } = this.settings;
    const thinking = this.live && block === this.blocks.findLast((other) => other.type !== 'status');
    const start = block.reasoning_time?.start ?? block.timestamp;
    const words = thinking
      ? html`<span class="pulse breathing"></span>${localize('activity.thinking')},
          <agent-chat-elapsed .since=${start} .localize=${localize}></agent-chat-elapsed>`
      : html`${thoughtFor(block, localize)}`;
    return html`<li class="step thinking" data-state=${thinking ? 'running' : 'success'}>
      ${icon('thought', 'small')}
      <details .open=${(!this.live && !this.#fold.kept) || showReasoning === 'open'}>
        <summary class="fold">${words}${icon('chevron-down', 'small')}</summary>
        ${this.#show(block)}
      </details>
    </li>`;
  }

  #show(block: WorkBlock): unknown {
    return this.draw.show(block, this.live && block === this.blocks.at(-1));
  }

  #summary(rows: readonly Row[]): TemplateResult {
    const { localize } = this.settings;
    const blocks = rows.flatMap((row) => (row.kind === 'block' ? [row.block] : []));
    const thoughts = blocks.filter((block) => block.type === 'reasoning_content');
    const tools = blocks.filter((block) => block.type === 'tool_call');
    const failed = [...tools, ...this.within].filter(isFailed).length;
    const parts = [
      ...(thoughts.length > 0 ? [thoughtFor(thoughts, localize)] : []),
      ...(tools.length > 0 ? [localize('activity.tools', { count: tools.length })] : []),
    ];
    if (parts.length === 0) parts.push(localize('activity.steps', { count: rows.length }));
    return html`<span class="clip"
      >${parts.join(' · ')}${
        failed > 0 ? html` · <span class="bad">${localize('activity.failed', { count: failed })}</span>` : nothing
      }</span
    >`;
  }
}

const isFailed = ({ type, status }: AssistantMessageBlock): boolean => type === 'tool_call' && status === 'error';

/** The call itself, or one of whoever was called by it. */
const hasFailed = (block: BlockOf<'tool_call'>, within: readonly AssistantMessageBlock[]): boolean =>
  isFailed(block) || within.some((other) => other.parentId === block.id && (isFailed(other) || other.type === 'error'));

type Thought = BlockOf<'reasoning_content'>;

/** How long was thought, where that was long enough to say. */
function thoughtFor(thoughts: Thought | readonly Thought[], localize: ViewSettings['localize']): string {
  const list = 'type' in thoughts ? [thoughts] : thoughts;
  const time = list.reduce((sum, { reasoning_time: at }) => sum + (at ? at.end - at.start : 0), 0);
  return time >= 1000
    ? localize('activity.thought-for', { time: localize.duration(time) })
    : localize('activity.thought');
}
