import type { Localize, TextValues } from '../../locales/localize.ts';
import type { BlockOf } from '../../model/blocks.ts';
import { extraText } from '../core/block-extra.ts';

/** The widget's own sentence for an error whose reason it knows. */
export function errorMessageText(block: BlockOf<'error'>, localize: Localize): string | undefined {
  const key = `error.${extraText(block, 'reason')}`;
  return localize.has(key) ? localize(key, block.extra as TextValues) : undefined;
}
