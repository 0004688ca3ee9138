/** Seeded random numbers, so that failures can be reproduced. */
export interface Random {
  /** Returns an integer from 0 to below `limit`. */
  below(limit: number): number;
  one<T>(list: readonly T[]): T | undefined;
}

/** Mulberry32. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
  return { below, one: (list) => list[below(list.length)] };
}
