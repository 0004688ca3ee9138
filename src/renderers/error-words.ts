import type { Localize, TextValues } from '../locales/localize.ts';
import type { BlockOf } from '../model/blocks.ts';
import { extraText } from './extra.ts';

/** The widget's own sentence for what went wrong, where it knows the reason. */
export function ownErrorWords(block: BlockOf<'error'>, localize: Localize): string | undefined {
  const key = `error.${extraText(block, 'reason')}`;
  return localize.has(key) ? localize(key, block.extra as TextValues) : undefined;
}
