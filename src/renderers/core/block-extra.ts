import type { AssistantMessageBlock } from '../../model/blocks.ts';

/** A text value of a block's `extra`; empty if it is missing. */
export function extraText({ extra }: Pick<AssistantMessageBlock, 'extra'>, key: string): string {
  const value = extra?.[key];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Converts a value to text. */
export const asText = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);

/** The objects in a list of unknown values; all other items are left out. */
export const recordsOf = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value)
    ? (value as readonly unknown[]).filter(
        (item): item is Record<string, unknown> => typeof item === 'object' && item !== null,
      )
    : [];

/** A number of a block's `extra`; 0 if it is missing. */
export function extraNumber({ extra }: Pick<AssistantMessageBlock, 'extra'>, key: string): number {
  const value = extra?.[key];
  return typeof value === 'number' ? value : 0;
}
