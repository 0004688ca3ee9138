import { DEFAULT_CHUNK_DELAY_MS, MAX_CHUNK_DELAY_MS } from '../choices.ts';

/** The milliseconds between two chunks of text, as a page has chosen them. */
export function speedOf(text: string | null): number {
  const speed = Number(text ?? DEFAULT_CHUNK_DELAY_MS);
  return Number.isFinite(speed) ? Math.min(MAX_CHUNK_DELAY_MS, Math.max(0, speed)) : DEFAULT_CHUNK_DELAY_MS;
}
