import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { AssistantMessageBlock } from '../model/blocks.ts';
import type { ViewSettings } from '../renderers/renderer.ts';
import { keyOf, type Group } from './block-groups.ts';

/** How a message draws its blocks. Always the same object for one message. */
export interface DrawBlocks {
  /** Draws one block; `growing` as in a renderer's context. */
  show(block: AssistantMessageBlock, growing: boolean): unknown;
  /** The page draws it. */
  standsAlone(block: AssistantMessageBlock): boolean;
}

export interface GroupsView {
  /** More may come. */
  readonly live: boolean;
  readonly settings: ViewSettings;
  readonly draw: DrawBlocks;
}

/** The groups of a message, or of a sub-agent in it. */
export const drawGroups = (groups: readonly Group[], view: GroupsView): unknown =>
  repeat(groups, keyOf, (group, index) => drawGroup(group, index === groups.length - 1, view));

function drawGroup(group: Group, last: boolean, view: GroupsView): unknown {
  const { live, settings, draw } = view;
  if ('work' in group) {
    return html`<agent-chat-activity
      .blocks=${group.work}
      .within=${group.within}
      .live=${live && (last || isAtWork(group))}
      .settings=${settings}
      .draw=${draw}
    ></agent-chat-activity>`;
  }
  const shown = draw.show(group.block, live && last);
  return group.within.length === 0 ? shown : [shown, nestedIn(group.block, group.within, view)];
}

/** A sub-agent goes on with its work while who has called it goes on with the answer. */
const isAtWork = ({ within, work }: Extract<Group, { work: unknown }>): boolean =>
  within.length > 0 && work.some(({ status }) => status === 'loading');

/** What belongs to a block, of all that belongs into its group. */
export function nestedIn(
  block: AssistantMessageBlock,
  within: readonly AssistantMessageBlock[],
  { live, settings, draw }: GroupsView,
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
