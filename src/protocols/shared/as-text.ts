/** A value of the wire as a block keeps it: text as it is, anything else as JSON, nothing as no text. */
export const asText = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
