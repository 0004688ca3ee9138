/** A command or mention that is being typed after `/` or `@`. Offsets are in UTF-16 code units. */
export interface AutocompleteTrigger {
  readonly kind: 'command' | 'mention';
  readonly query: string;
  /** Offset of the `/` or `@`. */
  readonly start: number;
  /** Offset of the caret. What follows it does not belong to the query. */
  readonly end: number;
}

/** What is being typed before the caret: a command at the start of the text, or a mention after white space or `(`. */
export function triggerAt(text: string, caret: number): AutocompleteTrigger | undefined {
  const before = text.slice(0, caret);
  const [, command] = /^\/(\S*)$/.exec(before) ?? [];
  if (command !== undefined) return { kind: 'command', query: command, start: 0, end: caret };
  const [, query] = /(?:^|[\s(])@([^\s@]*)$/.exec(before) ?? [];
  return query === undefined ? undefined : { kind: 'mention', query, start: caret - query.length - 1, end: caret };
}
