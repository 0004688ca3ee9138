import type { AssistantMessageBlock } from '../model/blocks.ts';

/** A word of a block's `extra`; empty when there is none. */
export function extraText({ extra }: Pick<AssistantMessageBlock, 'extra'>, key: string): string {
  const value = extra?.[key];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** A number of a block's `extra`; 0 when there is none. */
export function extraNumber({ extra }: Pick<AssistantMessageBlock, 'extra'>, key: string): number {
  const value = extra?.[key];
  return typeof value === 'number' ? value : 0;
}
