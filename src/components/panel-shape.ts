/** Where a panel may be and how large, as arithmetic: pixels of the window, from its top left corner. */
import type { PanelPlace } from './open-state.ts';

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}
export interface Size {
  readonly width: number;
  readonly height: number;
}
/** Which edges are pulled, as compass points: `nw` is the top left corner. */
export const EDGES = ['n', 'e', 's', 'w', 'ne', 'se', 'sw', 'nw'] as const;
export type Edge = (typeof EDGES)[number];

/** The narrowest column that the widget is made for, and a height in which the composer leaves room to read. */
export const LEAST: Size = { width: 280, height: 320 };
/** Stays free around it. */
const MARGIN = 8;

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(value, most));

/** The box somewhere else, whole in the window. */
export const moved = (box: Box, right: number, down: number, view: Size): Box => ({
  ...box,
  left: clamp(box.left + right, MARGIN, Math.max(MARGIN, view.width - box.width - MARGIN)),
  top: clamp(box.top + down, MARGIN, Math.max(MARGIN, view.height - box.height - MARGIN)),
});

/** The box with some of its edges elsewhere; the others stay where they are. */
export function resized(box: Box, edge: Edge, right: number, down: number, view: Size): Box {
  const ends = { left: box.left, top: box.top, right: box.left + box.width, bottom: box.top + box.height };
  if (edge.includes('w')) ends.left = clamp(ends.left + right, MARGIN, ends.right - LEAST.width);
  if (edge.includes('e')) ends.right = clamp(ends.right + right, ends.left + LEAST.width, view.width - MARGIN);
  if (edge.includes('n')) ends.top = clamp(ends.top + down, MARGIN, ends.bottom - LEAST.height);
  if (edge.includes('s')) ends.bottom = clamp(ends.bottom + down, ends.top + LEAST.height, view.height - MARGIN);
  return { left: ends.left, top: ends.top, width: ends.right - ends.left, height: ends.bottom - ends.top };
}

/** The edges that are free while the panel keeps to its corner. */
export const freeCorner = (side: 'left' | 'right'): Edge => (side === 'right' ? 'nw' : 'ne');

/** What is to be kept of a box, beside what was kept before: only what has changed, so that the page's own sizes go on to count for the rest. */
export function placeOf(box: Box, before: Box, side: 'left' | 'right', view: Size, kept: PanelPlace): PanelPlace {
  const inline = (of: Box): number => Math.round(side === 'right' ? view.width - of.left - of.width : of.left);
  const block = (of: Box): number => Math.round(view.height - of.top - of.height);
  return {
    ...kept,
    ...(box.width !== before.width && { width: Math.round(box.width) }),
    ...(box.height !== before.height && { height: Math.round(box.height) }),
    ...(inline(box) !== inline(before) && { inline: inline(box) }),
    ...(block(box) !== block(before) && { block: block(box) }),
  };
}
