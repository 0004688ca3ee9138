import type { Catalogue } from '../text.ts';

/** English texts for moving and resizing a floating panel. They are loaded when it opens. */
export const enPanel = {
  'place.larger': 'Larger',
  'place.smaller': 'Smaller',
  'place.cross': 'Move to other side',
  'place.move': 'Move with arrow keys',
  'place.reset': 'Reset size and position',
  'place.keys': 'Arrow keys to move, Shift to resize, Enter to finish.',
  'place.width': 'Width',
} as const satisfies Catalogue;
