/** A minimal PNG encoder: true colour, no filter, one data chunk. Source: https://www.w3.org/TR/png/ */
import { deflateSync } from 'node:zlib';

/** Red, green and blue, 0 to 255. */
export type Colour = readonly [number, number, number];

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const TRUE_COLOUR = 2;
/** Samples per pixel in both directions, for smooth edges. */
const SAMPLES = 2;

export function encodePng({
  width,
  height,
  colourAt,
}: {
  readonly width: number;
  readonly height: number;
  colourAt(x: number, y: number): Colour;
}): Buffer {
  // A row is its filter, 0, and three bytes a pixel.
  const rows = Buffer.alloc(height * (1 + 3 * width));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const colour = meanColour(x, y, colourAt);
      rows.set(colour, y * (1 + 3 * width) + 1 + 3 * x);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, TRUE_COLOUR, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function meanColour(x: number, y: number, colourAt: (x: number, y: number) => Colour): readonly number[] {
  const sum = [0, 0, 0];
  for (let sample = 0; sample < SAMPLES * SAMPLES; sample++) {
    const [right, down] = [sample % SAMPLES, Math.floor(sample / SAMPLES)];
    const colour = colourAt(x + (right + 0.5) / SAMPLES, y + (down + 0.5) / SAMPLES);
    for (const [index, value] of colour.entries()) sum[index] = (sum[index] ?? 0) + value;
  }
  return sum.map((value) => Math.round(value / (SAMPLES * SAMPLES)));
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

/** CRC-32, bit by bit: it runs once over a few thousand bytes, and only newer Nodes have it in `zlib`. */
function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
