import { html, nothing } from 'lit';
import type { AssistantMessageBlock } from '../../model/blocks.ts';
import { showMore } from '../../primitives/show-more.ts';
import type { ViewSettings } from '../../renderers/core/renderer.ts';
import { groupKeyOf, type BlockGroup } from './group-blocks.ts';

/** How a message renders its blocks. Always the same object for one message. */
export interface BlockRendering {
  /** Renders one block. `growing` is as in the context of a renderer. */
  render(block: AssistantMessageBlock, growing: boolean): unknown;
  /** Whether the host page has a renderer for the block. */
  isStandalone(block: AssistantMessageBlock): boolean;
}

export interface GroupsContext {
  /** Whether the message is still streaming. */
  readonly live: boolean;
  /** Whether another message of the reply has followed: then only calls without a result are still running in this one. */
  readonly isEarlier?: boolean;
  readonly settings: ViewSettings;
  readonly draw: BlockRendering;
}

/** Number of groups shown at first: the last ones. A message may have thousands of tables, charts or questions. */
const MAX_GROUPS = 500;

/** Renders the groups of a message or of a sub-agent in it. */
export const renderGroups = (groups: readonly BlockGroup[], view: GroupsContext): unknown =>
  showMore({
    items: groups,
    step: MAX_GROUPS,
    localize: view.settings.localize,
    key: groupKeyOf,
    fromEnd: true,
    draw: (group) => drawGroup(group, group === groups.at(-1), view),
  });

function drawGroup(group: BlockGroup, last: boolean, view: GroupsContext): unknown {
  const { live, isEarlier, settings, draw } = view;
  if ('work' in group) {
    return html`<agent-chat-activity
      .blocks=${group.work}
      .within=${group.within}
      .live=${live && ((last && !isEarlier) || isRunning(group, isEarlier))}
      .streaming=${live}
      .settings=${settings}
      .draw=${draw}
    ></agent-chat-activity>`;
  }
  const content = draw.render(group.block, live && last);
  return group.within.length === 0 ? content : [content, renderNested(group.block, group.within, view)];
}

/**
 * Whether work before the last group is still running: that of a sub-agent while the calling agent streams the answer, or any call
 * while the next message begins.
 */
const isRunning = ({ within, work }: Extract<BlockGroup, { work: unknown }>, isEarlier = false): boolean =>
  (isEarlier || within.length > 0) && work.some(({ status }) => status === 'loading');

/** Renders the blocks nested in a block, selected from all nested blocks of its group. */
export function renderNested(
  block: AssistantMessageBlock,
  within: readonly AssistantMessageBlock[],
  { live, settings, draw }: GroupsContext,
): unknown {
  if (!within.some(({ parentId }) => parentId === block.id)) return nothing;
  return html`<agent-chat-nested
    .parent=${block}
    .within=${within}
    .live=${live}
    .settings=${settings}
    .draw=${draw}
  ></agent-chat-nested>`;
}
