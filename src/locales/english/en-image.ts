import type { Catalogue } from '../text.ts';

/** English texts of an image and its placeholder, which load with them. */
export const enImage = {
  'image.blocked': 'Image not loaded',
  'image.host': 'Image from {host}',
  'image.load': 'Load image',
  'image.enlarge': 'Enlarge image',
  'image.enlarge-named': 'Enlarge image: {name}',
} as const satisfies Catalogue;
