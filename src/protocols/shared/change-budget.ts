/** With fewer changes, none is refused. */
const MIN_CHANGES = 100;
/** Maximum number of changes, multiplied by the characters of JSON that the document has. */
const MAX_WORK = 200_000_000;

/**
 * Whether so many changes may be applied to a document at once. Each copies the lists and objects on its path, so thousands
 * of short changes of a large document would take minutes.
 */
export const isAffordable = (document: unknown, changes: number): boolean =>
  changes < MIN_CHANGES || changes * JSON.stringify(document ?? null).length <= MAX_WORK;
