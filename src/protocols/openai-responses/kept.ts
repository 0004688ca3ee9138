/** What a response goes back as. Source: `openai-responses.md`, "Next turn". */
import type { OutputItem } from './calls.ts';

/** The finished items of a response, as they came, by their place. */
export function keepItems() {
  const begun = new Map<string, string>();
  const items: { readonly place: number; readonly item: OutputItem }[] = [];
  return {
    begin(place: string, { id }: OutputItem): void {
      if (id) begun.set(place, id);
    },
    take(place: string | number, item: OutputItem): void {
      const before = begun.get(String(place));
      // An id that changes with every event is nobody's; sealed thoughts have theirs inside.
      const nameless = before !== undefined && before !== item.id && !item['encrypted_content'];
      const { id: _id, ...rest } = item;
      items.push({ place: Number(place), item: nameless ? rest : item });
    },
    empty: () => items.length === 0,
    items: (): readonly OutputItem[] =>
      items.toSorted((left, right) => left.place - right.place || 0).map(({ item }) => item),
  };
}

/** What goes back. `stored`: the server may remember thoughts that it sent without their content. */
export const goBack = (items: readonly OutputItem[], stored: boolean): readonly object[] =>
  items
    .filter((item) => stored || item.type !== 'reasoning' || hasThoughts(item))
    // A picture stands in its block already, and is large.
    .map((item) => (item.type === 'image_generation_call' ? { ...item, result: null } : item));

const hasThoughts = (item: OutputItem): boolean =>
  Boolean(item['encrypted_content']) || (Array.isArray(item['content']) && item['content'].length > 0);
