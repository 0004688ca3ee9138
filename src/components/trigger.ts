/** A name that is being written behind `/` or `@`. Offsets are in UTF-16 code units. */
export interface Trigger {
  readonly kind: 'command' | 'mention';
  readonly query: string;
  /** Where its sign stands, and where the name ends so far. */
  readonly start: number;
  readonly end: number;
}

/** What stands before the caret: a command only at the very beginning, a mention at the beginning of any word. */
export function triggerAt(text: string, caret: number): Trigger | undefined {
  const before = text.slice(0, caret);
  const [, query] = /^\/(\S*)$/.exec(before) ?? [];
  if (query !== undefined) return { kind: 'command', query, start: 0, end: caret };
  const [, name] = /(?:^|[\s(])@([^\s@]*)$/.exec(before) ?? [];
  return name === undefined ? undefined : { kind: 'mention', query: name, start: caret - name.length - 1, end: caret };
}
