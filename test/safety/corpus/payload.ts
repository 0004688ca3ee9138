/** A hostile text, or a harmless one that must stay readable among them. */
export interface Payload {
  readonly id: string;
  readonly input: string;
  readonly note: string;
  /** It must be rendered: a selector of its element in the shadow tree. */
  readonly shows?: string;
}

type Row = readonly [note: string, input: string, shows?: string];

/** Table rows as payloads, with numbered ids. */
export const payloads = (family: string, rows: readonly Row[]): readonly Payload[] =>
  rows.map(([note, input, shows], index) => ({
    id: `${family}-${String(index + 1).padStart(2, '0')}`,
    input,
    note,
    ...(shows !== undefined && { shows }),
  }));

/** The server of the attacker. It never answers. */
export const EVIL = 'https://evil.example';
/** A hostile script. `watchPage` detects its call. */
export const RUN = 'attacked()';
