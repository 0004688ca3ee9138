/** The scripts of today's languages that run from right to left. `Intl.Locale` knows it too, but not in each browser. */
const RIGHT_TO_LEFT: ReadonlySet<string | undefined> = new Set(['Adlm', 'Arab', 'Hebr', 'Nkoo', 'Syrc', 'Thaa']);

/** Whether a language is written from right to left. */
export const isRightToLeft = (locale: string): boolean => RIGHT_TO_LEFT.has(new Intl.Locale(locale).maximize().script);
