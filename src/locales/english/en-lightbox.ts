import type { Catalogue } from '../text.ts';

/** English texts of an enlarged image, which load with it. */
export const enLightbox = {
  'image.large': 'Image',
  'image.larger': 'Zoom in',
  'image.smaller': 'Zoom out',
  'image.zoom': '{percent} %',
  'image.save': 'Save image',
  'image.open': 'Open image in a new tab',
  'image.close': 'Close image',
} as const satisfies Catalogue;
