/** Fewer changes than this are always applied. */
const MIN_CHANGES = 100;
/** Maximum cost: the number of changes, multiplied by the length of the document as JSON. */
const MAX_COST = 200_000_000;

/**
 * Whether this number of changes may be applied to a document in one batch. Each copies the lists and objects on its path,
 * so thousands of short changes of a large document would take minutes.
 */
export const isAffordable = (document: unknown, changes: number): boolean =>
  changes < MIN_CHANGES || changes * JSON.stringify(document ?? null).length <= MAX_COST;
