import { html, type PropertyValues, type TemplateResult } from 'lit';
import type { AssistantMessageBlock, BlockOf } from '../model/blocks.ts';
import { icon } from '../primitives/icon.ts';
import { LightElement } from '../primitives/light-element.ts';
import type { ViewSettings } from '../renderers/renderer.ts';
import { withoutBidi } from '../safety/urls.ts';
import { groupBlocks, same, type Group } from './block-groups.ts';
import { drawGroups, type DrawBlocks } from './draw-groups.ts';
import { hueOf } from './hue.ts';
import { Fold } from './fold.ts';

/**
 * What belongs to another block: the work and the words of a sub-agent, in the call that has called it. Open while it is at work,
 * one line when it is done. What belongs to anything else stands below that, a step further in.
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
  /** Blocks of which some belong to it: others belong to those, or to its neighbours. */
  declare within: readonly AssistantMessageBlock[];
  /** It is still at work. */
  declare live: boolean;
  declare settings: ViewSettings;
  declare draw: DrawBlocks;
  /** As they were drawn last. */
  #groups: readonly Group[] = [];
  readonly #fold = new Fold(this);

  protected override willUpdate(changes: PropertyValues<this>): void {
    if (changes.get('live') === true && !this.live) this.#fold.end();
  }

  protected override render(): TemplateResult {
    const { live, settings, draw, parent } = this;
    const blocks = belongingTo(parent, this.within);
    const groups = groupBlocks(blocks, draw.standsAlone).map((group, index) => same(group, this.#groups[index]));
    this.#groups = groups;
    const body = html`<div class="nested-body">${drawGroups(groups, { live, settings, draw })}</div>`;
    if (parent.type !== 'tool_call') return html`<div class="nested">${body}</div>`;
    const { localize } = settings;
    const agent = parent.extra?.['agent'];
    const name = withoutBidi(typeof agent === 'string' && agent ? agent : localize('activity.sub-agent'));
    return html`<details class="nested" data-hue=${hueOf(name)} .open=${this.#fold.isOpen(live)}>
      <summary class="fold" @click=${this.#fold.press}>
        <b class="clip" dir="auto">${name}</b><span class="clip">${summaryOf(blocks, parent, settings)}</span>${icon(
          'chevron-down',
          'small',
        )}
      </summary>
      ${body}
    </details>`;
  }
}

/** Those that belong to a block, and those that belong to them. */
function belongingTo(
  parent: AssistantMessageBlock,
  within: readonly AssistantMessageBlock[],
): readonly AssistantMessageBlock[] {
  const ids = new Set([parent.id]);
  return within.filter(({ id, parentId }) => {
    const belongs = ids.has(parentId ?? '');
    if (belongs) ids.add(id);
    return belongs;
  });
}

/** What it has done itself, so far. */
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
