/** A command or mention that is being typed after `/` or `@`. Offsets are in UTF-16 code units. */
export interface AutocompleteTrigger {
  readonly kind: 'command' | 'mention';
  readonly query: string;
  /** Offset of the `/` or `@`, and the end of the query. */
  readonly start: number;
  readonly end: number;
}

/** The trigger before the caret: a command only at the start of the text, a mention at the start of any word. */
export function triggerAt(text: string, caret: number): AutocompleteTrigger | undefined {
  const before = text.slice(0, caret);
  const [, query] = /^\/(\S*)$/.exec(before) ?? [];
  if (query !== undefined) return { kind: 'command', query, start: 0, end: caret };
  const [, name] = /(?:^|[\s(])@([^\s@]*)$/.exec(before) ?? [];
  return name === undefined ? undefined : { kind: 'mention', query: name, start: caret - name.length - 1, end: caret };
}
