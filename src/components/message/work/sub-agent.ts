import { html, type PropertyValues, type TemplateResult } from 'lit';
import type { AssistantMessageBlock, BlockOf } from '../../../model/blocks.ts';
import { icon } from '../../../primitives/icon.ts';
import { LightElement } from '../../../primitives/light-dom-element.ts';
import { blockStyles } from '../../../renderers/core/block-styles.ts';
import type { ViewSettings } from '../../../renderers/core/renderer.ts';
import { senderName } from '../../../renderers/core/author-name.ts';
import { adoptStylesheet } from '../../../theme/stylesheet.ts';
import { groupBlocks, reuseIfUnchanged, type BlockGroup } from '../group-blocks.ts';
import { renderGroups, type BlockRendering } from '../render-groups.ts';
import { hueOf } from '../author-hue.ts';
import { KeptOpen } from './kept-open.ts';

/** Blocks that are nested deeper are shown at this depth: browsers fail at a document of thousands of levels. */
const MAX_DEPTH = 16;

/**
 * The blocks nested in a block: the work and text of a sub-agent in the tool call that started it. Open while the sub-agent is
 * running, one line when it has finished. Deeper levels are nested inside.
 */
export class AgentChatNested extends LightElement {
  static override properties = {
    parent: { attribute: false },
    within: { attribute: false },
    live: { attribute: false },
    settings: { attribute: false },
    draw: { attribute: false },
  };
  declare parent: AssistantMessageBlock;
  /** The blocks nested in `parent`, at any depth, among those nested in its siblings. */
  declare within: readonly AssistantMessageBlock[];
  /** Whether the sub-agent is still running. */
  declare live: boolean;
  declare settings: ViewSettings;
  declare draw: BlockRendering;
  /** The groups of the last render. */
  #groups: readonly BlockGroup[] = [];
  readonly #keptOpen = new KeptOpen(this);
  #depth = 1;

  override connectedCallback(): void {
    super.connectedCallback();
    adoptStylesheet(this, blockStyles);
    const outer = this.parentElement?.closest('agent-chat-nested');
    this.#depth = outer ? outer.#depth + 1 : 1;
  }

  protected override willUpdate(changes: PropertyValues<this>): void {
    if (changes.get('live') === true && !this.live) this.#keptOpen.finish();
  }

  protected override render(): TemplateResult {
    const { live, settings, draw, parent } = this;
    const blocks = descendantsOf(parent, this.within);
    const groups = groupBlocks(blocks, draw.isStandalone, this.#depth >= MAX_DEPTH).map((group, index) =>
      reuseIfUnchanged(group, this.#groups[index]),
    );
    this.#groups = groups;
    const body = html`<div class="nested-body">${renderGroups(groups, { live, settings, draw })}</div>`;
    if (parent.type !== 'tool_call') return html`<div class="nested">${body}</div>`;
    const { localize } = settings;
    const agent = parent.extra?.['agent'];
    const agentId = this.closest('agent-chat-message')?.message.agentId;
    const name =
      typeof agent === 'string' && agent
        ? senderName({ name: agent, agentId }, settings)
        : localize('activity.sub-agent');
    return html`<details class="nested" data-hue=${hueOf(name)} .open=${this.#keptOpen.isOpen(live)}>
      <summary class="fold" @click=${this.#keptOpen.onSummaryClick}>
        <b class="clip" dir="auto">${name}</b><span class="clip">${summaryOf(blocks, parent, settings)}</span>${icon(
          'chevron-down',
          'small',
        )}
      </summary>
      ${body}
    </details>`;
  }
}

/** All blocks nested in a block, at any depth. */
function descendantsOf(
  parent: AssistantMessageBlock,
  within: readonly AssistantMessageBlock[],
): readonly AssistantMessageBlock[] {
  const ids = new Set([parent.id]);
  return within.filter(({ id, parentId }) => {
    const isDescendant = ids.has(parentId ?? '');
    if (isDescendant) ids.add(id);
    return isDescendant;
  });
}

/** The summary of the sub-agent's own work so far, without that of its sub-agents. */
function summaryOf(
  blocks: readonly AssistantMessageBlock[],
  parent: BlockOf<'tool_call'>,
  { localize }: ViewSettings,
): string {
  const own = blocks.filter(({ parentId }) => parentId === parent.id);
  const tools = own.filter(({ type }) => type === 'tool_call').length;
  const steps = own.filter(({ type }) => type === 'reasoning_content' || type === 'status').length;
  if (tools > 0) return localize('activity.tools', { count: tools });
  return steps > 0 ? localize('activity.steps', { count: steps }) : '';
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-nested': AgentChatNested;
  }
}
