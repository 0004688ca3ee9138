import { seeded } from './random.ts';

/** Splits a text into tokens of 1 to 7 UTF-16 code units without splitting a character. */
export function tokensOf(text: string, seed = 11): readonly string[] {
  const random = seeded(seed);
  const tokens: string[] = [];
  for (let start = 0; start < text.length;) {
    let end = Math.min(text.length, start + random.integer(1, 7));
    if (isLowSurrogate(text.charCodeAt(end))) end++;
    tokens.push(text.slice(start, end));
    start = end;
  }
  return tokens;
}

const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;
