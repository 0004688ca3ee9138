/** A small image, generated here instead of stored as base64: a tent in front of hills, as a customer might send it. */
import { encodePng, type Colour } from '../png.ts';

const WIDTH = 480;
const HEIGHT = 270;

const SKY: Colour = [0xf6, 0xe3, 0xcf];
const SUN: Colour = [0xf4, 0xb8, 0x6a];
const HILLS: readonly Colour[] = [
  [0xc9, 0xc3, 0xc4],
  [0x8f, 0xa3, 0xa8],
  [0x5b, 0x7b, 0x7a],
];
const MEADOW: Colour = [0x38, 0x57, 0x4e];
const CANVAS: Colour = [0xd9, 0x6b, 0x3c];
const SHADE: Colour = [0xb8, 0x52, 0x2c];
const INSIDE: Colour = [0x2b, 0x2f, 0x33];

/** The height of a hill at `x`; nearer hills are lower and steeper. */
const hillAt = (x: number, hill: number): number =>
  HEIGHT * (0.42 + 0.13 * hill) - 16 * Math.sin(x / (70 - 12 * hill) + 2 * hill) - 9 * Math.sin(x / 23 + hill * 5);

function colourAt(x: number, y: number): Colour {
  const ground = HEIGHT * 0.84 + 4 * Math.sin(x / 60);
  // The tent: two triangles of cloth, and a dark one for its door.
  const [left, top, right] = [170, HEIGHT * 0.52, 330];
  const height = ground + 6 - top;
  const down = (y - top) / height;
  if (down > 0 && down < 1) {
    const ridge = 235;
    if (x > ridge - (ridge - left) * down && x < ridge + (right - ridge) * down) {
      const door = x > ridge - 26 * down && x < ridge + 18 * down;
      return door ? INSIDE : x < ridge ? CANVAS : SHADE;
    }
  }
  if (y > ground) return MEADOW;
  const hill = HILLS.findLastIndex((_, index) => y > hillAt(x, index));
  const found = HILLS[hill];
  if (found) return found;
  return Math.hypot(x - 372, y - 74) < 30 ? SUN : SKY;
}

export const tentPicture = {
  mimeType: 'image/png',
  data: encodePng({ width: WIDTH, height: HEIGHT, colourAt }).toString('base64'),
} as const;
