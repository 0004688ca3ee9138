import { isLossless } from '../../model/text/is-lossless.ts';

/** Whether parsing changes no value: no number is rounded, and no name occurs twice in an object. Other text counts as exact. */
export function isExactJson(text: string): boolean {
  try {
    return isLossless(text, JSON.parse(text) as unknown);
  } catch {
    return true;
  }
}
