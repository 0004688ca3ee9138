/** Helpers for the requests of all formats. */
export interface Body extends Readonly<Record<string, unknown>> {
  readonly messages: readonly Readonly<Record<string, unknown>>[];
  readonly permissions?: unknown;
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Simulates work. */
export const pause = (milliseconds = 20): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Yields a text in chunks, as a model sends it. */
export const chunksOf = (text: string): readonly string[] => text.match(/\s*\S+\s*/g) ?? [];
