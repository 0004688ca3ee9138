/**
 * Tracks the parts of a response's items by the events about them. `content_index` is unreliable: Bedrock counts from
 * 1, and vLLM increases it with every chunk. A part continues until its end event arrives or another part is
 * announced.
 */
interface Part {
  readonly key: string;
  ended: boolean;
}

export function makeItemParts() {
  const partsByPosition = new Map<string, Part[]>();
  const announced = new Set<string>();
  const partsAt = (position: string): Part[] => {
    const parts = partsByPosition.get(position) ?? [];
    partsByPosition.set(position, parts);
    return parts;
  };

  return {
    /** Records that the server has announced a part: the next chunk with its index begins it. */
    announce(position: string, index: number): void {
      announced.add(keyOf(position, index));
    },
    /** Returns the key of the part that a chunk or an end event belongs to. */
    at(position: string, index: number, stage: 'delta' | 'done'): string {
      const parts = partsAt(position);
      const key = keyOf(position, index);
      const open = parts.findLast(({ ended }) => !ended);
      const isAnother = announced.has(key) && !parts.some((part) => part.key === key);
      const finished = stage === 'done' ? parts.findLast((part) => part.key === key) : undefined;
      const part = (isAnother ? undefined : (open ?? finished)) ?? { key: freeKey(parts, key), ended: false };
      if (!parts.includes(part)) parts.push(part);
      part.ended ||= stage === 'done';
      return part.key;
    },
    /**
     * Returns the key of the part at this index of a complete item. If the item has none, that is the part at this index among those
     * whose events have named no item (position `''`).
     */
    inItem(position: string, index: number): string {
      return (partsAt(position)[index] ?? partsAt('')[index])?.key ?? keyOf(position, index);
    },
    /** Returns the key of the newest part, for a citation. `index` is used only if there is no part yet. */
    last(position: string, index: number): string {
      return partsAt(position).at(-1)?.key ?? keyOf(position, index);
    },
  };
}

/**
 * The positions of items, each a text that stands for one item: its index, or its id. An event has an index, an id, or both; some
 * servers leave the index out of some events, so an item keeps the position under which it appeared first.
 */
export function makePositions() {
  const positions = new Map<string, string>();
  return {
    known: (id: string): string | undefined => positions.get(id),
    of(id: string | null | undefined, index: number | null | undefined): string {
      if (!id) return String(index ?? '');
      const known = positions.get(id);
      // Several items may have one id, but not one index: another index replaces a known one.
      if (known !== undefined && (known === id || typeof index !== 'number')) return known;
      const position = String(index ?? id);
      positions.set(id, position);
      return position;
    },
  };
}

const keyOf = (position: string, index: number): string => `${position}/c${String(index)}`;
const freeKey = (parts: readonly Part[], key: string): string =>
  parts.some((part) => part.key === key) ? `${key}+${String(parts.length)}` : key;
