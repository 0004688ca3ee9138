/** What the requests of the formats have in common. */
export interface Body extends Readonly<Record<string, unknown>> {
  readonly messages: readonly Readonly<Record<string, unknown>>[];
  readonly permissions?: unknown;
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A moment of work. */
export const pause = (milliseconds = 20): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A text in pieces, as a model sends it. */
export const pieces = (text: string): readonly string[] => text.match(/\s*\S+\s*/g) ?? [];
