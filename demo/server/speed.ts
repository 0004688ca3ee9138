import { DEFAULT_SPEED, SLOWEST } from '../choices.ts';

/** The milliseconds between two chunks of text, as a page has chosen them. */
export function speedOf(text: string | null): number {
  const speed = Number(text ?? DEFAULT_SPEED);
  return Number.isFinite(speed) ? Math.min(SLOWEST, Math.max(0, speed)) : DEFAULT_SPEED;
}
