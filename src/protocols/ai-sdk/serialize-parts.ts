/**
 * Serializes parts of one kind that a server streams in parallel, each with its id. The first open part is rendered as
 * it arrives; the others are buffered, because a message renders one streaming text at a time.
 */
export function serializeParts<Part>() {
  interface Entry {
    readonly id: string;
    readonly part: Part;
    waiting: string;
    open: boolean;
  }
  let entries: readonly Entry[] = [];
  const find = (id: string): Entry | undefined => {
    const [first] = entries;
    // Open parts have unique ids.
    return first?.open && first.id === id ? first : entries.findLast((entry) => entry.open && entry.id === id);
  };
  /** Returns the text that may be rendered after parts have ended. */
  const advance = (): string => {
    const first = entries.findIndex(({ open }) => open);
    const released = first < 0 ? entries : entries.slice(0, first + 1);
    const text = released.map(({ waiting }) => waiting).join('');
    for (const entry of released) entry.waiting = '';
    entries = first < 0 ? [] : entries.slice(first);
    return text;
  };
  return {
    /** @returns the text that may be rendered now. A repeated start of an id ends the earlier part. */
    begin(id: string, part: Part): string {
      const same = find(id);
      if (same) same.open = false;
      entries = [...entries, { id, part, waiting: '', open: true }];
      return advance();
    },
    find: (id: string): Part | undefined => find(id)?.part,
    isOpen: (): boolean => entries.some(({ open }) => open),
    /** @returns the part of the text that may be rendered now. */
    grow(id: string, text: string): string {
      const entry = find(id);
      if (entry === entries[0]) return text;
      if (entry) entry.waiting += text;
      return '';
    },
    end(id: string): string {
      const entry = find(id);
      if (entry) entry.open = false;
      return advance();
    },
    endAll(): string {
      for (const entry of entries) entry.open = false;
      return advance();
    },
  };
}
