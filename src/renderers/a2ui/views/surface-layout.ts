/** How wide the parts of a surface are: a row of controls wraps, and any other row cuts off what is too wide for it. */
import type { UiNode } from '../read/node-types.ts';

/** The width of a surface in a narrow widget (characters). */
export const SURFACE_WIDTH = 40;
/** The width that the frame of a card takes away (characters). */
export const CARD_FRAME = 5;
/** Longest label of a button (characters). */
export const MAX_LABEL = 100;
/** The width of a button without its label (characters). */
const BUTTON_FRAME = 4;
/** The width of an image that may be large, as `surface.css` limits it in a row (characters). */
const IMAGE_WIDTH = 18;
/** The width of a player (characters). */
const PLAYER_WIDTH = 30;
/** The width of the words with which an unknown component is named (characters). */
const UNKNOWN_WIDTH = 16;

/** Controls keep a usable width: a row of them wraps. All other rows stay on one line. */
export const wraps = (nodes: readonly UiNode[]): boolean =>
  nodes.some((node) => 'required' in node || (node.type === 'Column' && wraps(node.children))) ||
  nodes.every(({ type }) => type === 'Button');

/** The width that a node needs (characters). A row cuts off what is too wide for it. */
export function widthOf(node: UiNode): number {
  switch (node.type) {
    case 'Text':
      return longestWord(node.text);
    case 'Icon':
      return 3;
    case 'Image':
      return node.size === 'icon' || node.size === 'avatar' ? 6 : IMAGE_WIDTH;
    case 'Media':
      return PLAYER_WIDTH;
    case 'Button':
      return node.image ? SURFACE_WIDTH : 6;
    case 'Row':
      return wraps(node.children) ? widest(node.children) : sum(node.children.map(widthInRow));
    case 'Card':
      return widest(node.children) + CARD_FRAME;
    case 'Column':
    case 'List':
      return widest(node.children);
    case 'Tabs':
      return Math.max(
        ...node.tabs.map(({ title, child }) => Math.max(title.length + BUTTON_FRAME, child ? widthOf(child) : 0)),
      );
    case 'Modal': {
      // The text that opens it stays on one line; the label of a button does not.
      const { trigger, label, content } = node;
      const opener = trigger && trigger.type !== 'Text' ? widthOf(trigger) : label.length + BUTTON_FRAME;
      return Math.max(opener, content ? widthOf(content) : 0);
    }
    case 'Unknown':
      // Its children stand beside its name.
      return sum([Math.max(UNKNOWN_WIDTH, longestWord(node.name)), ...node.children.map(widthInRow)]);
    case 'Divider':
      return 1;
    default:
      return Math.max(6, longestWord(node.label));
  }
}

/** In a row, a button has the width of its label: it does not shrink. One with a weight does. */
const widthInRow = (node: UiNode): number =>
  node.type === 'Button' && !node.image && !(node.weight > 0)
    ? Math.min(node.label.length, MAX_LABEL) + BUTTON_FRAME
    : widthOf(node);

const sum = (widths: readonly number[]): number => widths.reduce((total, width) => total + width + 1, 0);
const widest = (nodes: readonly UiNode[]): number => Math.max(0, ...nodes.map(widthOf));
const longestWord = (text: string): number =>
  text.split(/\s/).reduce((longest, { length }) => Math.max(longest, length), 0);
