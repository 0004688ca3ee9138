/**
 * Parts of one kind that a server streams side by side, each by its id: the first one that is open is told as it comes, the
 * others wait for their turn, since a reader has one place where words grow.
 */
export function inTurn<Part>() {
  interface Entry {
    readonly id: string;
    readonly part: Part;
    waiting: string;
    open: boolean;
  }
  let entries: readonly Entry[] = [];
  const find = (id: string): Entry | undefined => {
    const [first] = entries;
    // No two that are open have the same id.
    return first?.open && first.id === id ? first : entries.findLast((entry) => entry.open && entry.id === id);
  };
  /** What may be told now that some have ended. */
  const advance = (): string => {
    const first = entries.findIndex(({ open }) => open);
    const free = first < 0 ? entries : entries.slice(0, first + 1);
    const text = free.map(({ waiting }) => waiting).join('');
    for (const entry of free) entry.waiting = '';
    entries = first < 0 ? [] : entries.slice(first);
    return text;
  };
  return {
    /** @returns what may be told: a known id that begins again has ended. */
    begin(id: string, part: Part): string {
      const same = find(id);
      if (same) same.open = false;
      entries = [...entries, { id, part, waiting: '', open: true }];
      return advance();
    },
    find: (id: string): Part | undefined => find(id)?.part,
    /** @returns what of it may be told. */
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
