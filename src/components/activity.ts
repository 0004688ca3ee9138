import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { AssistantMessageBlock, BlockOf } from '../model/blocks.ts';
import { icon, type IconName } from '../primitives/icon.ts';
import { LightElement } from '../primitives/light-element.ts';
import type { ViewSettings } from '../renderers/renderer.ts';
import { phaseName, phaseSteps, type PhaseStep } from '../renderers/status.ts';
import { selectedRange } from './selected-range.ts';

/** The blocks that are work, not words. */
export type WorkBlock = BlockOf<'reasoning_content'> | BlockOf<'tool_call'> | BlockOf<'status'>;

export const isWork = (block: AssistantMessageBlock): block is WorkBlock =>
  block.type === 'reasoning_content' || block.type === 'tool_call' || block.type === 'status';

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
    live: { attribute: false },
    settings: { attribute: false },
    show: { attribute: false },
  };
  declare blocks: readonly WorkBlock[];
  /** It is still at work. */
  declare live: boolean;
  declare settings: ViewSettings;
  /** Draws one block; `growing` as in a renderer's context. */
  declare show: (block: WorkBlock, growing: boolean) => unknown;
  /** The reader's own choice, once they have made one. */
  #chosen: boolean | undefined;
  /** The reader was in it when its work was done: it stays as it was. */
  #kept = false;

  protected override willUpdate(changes: PropertyValues<this>): void {
    if (changes.get('live') === true && !this.live) this.#kept = this.#isInUse();
  }

  protected override render(): unknown {
    const rows = this.#rows();
    if (rows.length === 0) return nothing;
    const foldable =
      !this.live &&
      (rows.length > 1 || rows.some((row) => row.kind === 'block' && row.block.type === 'reasoning_content'));
    const open = this.#chosen ?? (!foldable || this.#kept || this.#opensItself());
    return html`<details class="activity ${foldable ? 'folding' : ''} ${this.#kept ? 'kept' : ''}" .open=${open}>
      <summary class="fold" ?hidden=${!foldable} @click=${this.#choose}>
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
            : showTools === 'hidden' && block.status !== 'error';
        return hidden ? [] : [{ kind: 'block', key: block.id, block, at: block.timestamp }];
      })
      .sort((left, right) => left.at - right.at);
  }

  #opensItself(): boolean {
    const { showReasoning, showTools } = this.settings;
    const has = (type: WorkBlock['type']): boolean => this.blocks.some((block) => block.type === type);
    return (showReasoning === 'open' && has('reasoning_content')) || (showTools === 'open' && has('tool_call'));
  }

  /** The reader has the focus in it, has selected words of it, or has opened a part of it. */
  #isInUse(): boolean {
    const selected = selectedRange(this.getRootNode());
    return (
      this.matches(':focus-within') ||
      this.contains(selected?.startContainer ?? null) ||
      this.contains(selected?.endContainer ?? null) ||
      this.querySelector('.steps details[open]') !== null
    );
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
      <div>${this.#show(block)}</div>
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
      <details .open=${(!this.live && !this.#kept) || showReasoning === 'open'}>
        <summary class="fold">${words}${icon('chevron-down', 'small')}</summary>
        ${this.#show(block)}
      </details>
    </li>`;
  }

  #show(block: WorkBlock): unknown {
    return this.show(block, this.live && block === this.blocks.at(-1));
  }

  #summary(rows: readonly Row[]): TemplateResult {
    const { localize } = this.settings;
    const blocks = rows.flatMap((row) => (row.kind === 'block' ? [row.block] : []));
    const thoughts = blocks.filter((block) => block.type === 'reasoning_content');
    const tools = blocks.filter((block) => block.type === 'tool_call');
    const failed = tools.filter((block) => block.status === 'error').length;
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

  /** A press on its line, of a key too. (The event of opening is no sign of it: the element opens and closes by itself as well.) */
  readonly #choose = (event: Event): void => {
    const details = (event.currentTarget as HTMLElement).parentElement;
    if (details instanceof HTMLDetailsElement) this.#chosen = !details.open;
  };
}

type Thought = BlockOf<'reasoning_content'>;

/** How long was thought, where that was long enough to say. */
function thoughtFor(thoughts: Thought | readonly Thought[], localize: ViewSettings['localize']): string {
  const list = 'type' in thoughts ? [thoughts] : thoughts;
  const time = list.reduce((sum, { reasoning_time: at }) => sum + (at ? at.end - at.start : 0), 0);
  return time >= 1000
    ? localize('activity.thought-for', { time: localize.duration(time) })
    : localize('activity.thought');
}
