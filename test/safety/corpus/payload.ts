/** One hostile text, or a harmless one that must stay readable among them. */
export interface Payload {
  readonly id: string;
  readonly input: string;
  readonly note: string;
  /** It must be shown: a selector of what it becomes in the shadow tree. */
  readonly shows?: string;
}

type Row = readonly [note: string, input: string, shows?: string];

/** Rows of a table as payloads, with ids that are counted. */
export const payloads = (family: string, rows: readonly Row[]): readonly Payload[] =>
  rows.map(([note, input, shows], index) => ({
    id: `${family}-${String(index + 1).padStart(2, '0')}`,
    input,
    note,
    ...(shows !== undefined && { shows }),
  }));

/** Where hostile texts send things. Nobody answers there. */
export const EVIL = 'https://evil.example';
/** What a hostile script does: the watch over the page knows the name. */
export const RUN = 'attacked()';
