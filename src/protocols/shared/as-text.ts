/**
 * Converts a value from a response to the text that a block stores: strings unchanged, null and undefined as an empty
 * string, everything else as JSON.
 */
export const asText = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
