/** Geometry of the panel. All values are pixels from the top left corner of the window. For drags and keys see `panel-position.ts`. */
import type { PanelPosition } from './persisted-panel-state.ts';

export interface PanelRect {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}
export interface PanelSize {
  readonly width: number;
  readonly height: number;
}
/** Resize handles as compass points: `nw` is the top left corner. */
export const RESIZE_EDGES = ['n', 'e', 's', 'w', 'ne', 'se', 'sw', 'nw'] as const;
export type ResizeEdge = (typeof RESIZE_EDGES)[number];

/** Minimum size: the narrowest supported width, and a height that leaves room for messages above the composer. */
export const MIN_SIZE: PanelSize = { width: 280, height: 320 };
/** Distance to the edges of the window (px). */
const MARGIN = 8;

const clamp = (value: number, min: number, max: number): number => Math.max(min, Math.min(value, max));

/** Moves a box; it stays completely in the window. */
export const moveRect = (box: PanelRect, right: number, down: number, view: PanelSize): PanelRect => ({
  ...box,
  left: clamp(box.left + right, MARGIN, Math.max(MARGIN, view.width - box.width - MARGIN)),
  top: clamp(box.top + down, MARGIN, Math.max(MARGIN, view.height - box.height - MARGIN)),
});

/** Resizes a box at the given edges; the other edges stay. */
export function resizeRect(box: PanelRect, edge: ResizeEdge, right: number, down: number, view: PanelSize): PanelRect {
  const edges = { left: box.left, top: box.top, right: box.left + box.width, bottom: box.top + box.height };
  if (edge.includes('w')) edges.left = clamp(edges.left + right, MARGIN, edges.right - MIN_SIZE.width);
  if (edge.includes('e')) edges.right = clamp(edges.right + right, edges.left + MIN_SIZE.width, view.width - MARGIN);
  if (edge.includes('n')) edges.top = clamp(edges.top + down, MARGIN, edges.bottom - MIN_SIZE.height);
  if (edge.includes('s')) edges.bottom = clamp(edges.bottom + down, edges.top + MIN_SIZE.height, view.height - MARGIN);
  return { left: edges.left, top: edges.top, width: edges.right - edges.left, height: edges.bottom - edges.top };
}

/** The corner to resize at while the panel stays in its corner of the window. */
export const freeCorner = (side: 'left' | 'right'): ResizeEdge => (side === 'right' ? 'nw' : 'ne');

/** Merges a changed box into the stored position. Only changed values are added, so that the page's sizes still apply to the others. */
export function mergePosition(
  box: PanelRect,
  before: PanelRect,
  side: 'left' | 'right',
  view: PanelSize,
  stored: PanelPosition,
): PanelPosition {
  const inline = (of: PanelRect): number => Math.round(side === 'right' ? view.width - of.left - of.width : of.left);
  const block = (of: PanelRect): number => Math.round(view.height - of.top - of.height);
  return {
    ...stored,
    ...(box.width !== before.width && { width: Math.round(box.width) }),
    ...(box.height !== before.height && { height: Math.round(box.height) }),
    ...(inline(box) !== inline(before) && { inline: inline(box) }),
    ...(block(box) !== block(before) && { block: block(box) }),
  };
}
