/**
 * Stores the output items of a response for the next request. What the user sees of an item is decided in `calls.ts` (tool
 * calls) and `reply.ts`. Source: `docs/protocols/openai-responses.md`.
 */
import type { OutputItem } from './calls.ts';

/** Collects the finished items of a response, unchanged, by position. */
export function makeItemStore() {
  const announcedIds = new Map<string, string>();
  const items: { readonly position: number; readonly item: OutputItem }[] = [];
  return {
    begin(position: string, { id }: OutputItem): void {
      if (id) announcedIds.set(position, id);
    },
    take(position: string | number, item: OutputItem): void {
      const announcedId = announcedIds.get(String(position));
      // An id that changes with every event is not valid; encrypted reasoning contains its own id.
      const hasUnstableId = announcedId !== undefined && announcedId !== item.id && !item['encrypted_content'];
      const { id: _id, ...rest } = item;
      items.push({ position: Number(position), item: hasUnstableId ? rest : item });
    },
    empty: () => items.length === 0,
    items: (): readonly OutputItem[] =>
      items.toSorted((left, right) => left.position - right.position || 0).map(({ item }) => item),
  };
}

/** The items for the next request. `stored`: the server may have stored reasoning that it sent without content. */
export const toInputItems = (items: readonly OutputItem[], stored: boolean): readonly object[] =>
  items
    .filter((item) => stored || item.type !== 'reasoning' || hasReasoning(item))
    // An image is already stored in its block, and it is large.
    .map((item) => (item.type === 'image_generation_call' ? { ...item, result: null } : item));

const hasReasoning = (item: OutputItem): boolean =>
  Boolean(item['encrypted_content']) || (Array.isArray(item['content']) && item['content'].length > 0);
