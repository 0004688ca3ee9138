/** Right-to-left languages. `Intl.Locale` knows them too, but its data costs 5 ms when a page uses it first. */
const LANGUAGES = new Set(['ar', 'ckb', 'dv', 'fa', 'he', 'ks', 'nqo', 'ps', 'sd', 'syr', 'ug', 'ur', 'yi']);
const SCRIPTS = new Set(['Adlm', 'Arab', 'Hebr', 'Nkoo', 'Syrc', 'Thaa']);

/**
 * Whether a language is written from right to left. `locale` is a canonical BCP 47 tag. Where only the region
 * determines it (`pa-PK`), the tag has to include the script (`pa-Arab-PK`), or the page sets `dir` on the element.
 */
export function isRightToLeft(locale: string): boolean {
  const [language = '', script = ''] = locale.split('-');
  return script.length === 4 ? SCRIPTS.has(script) : LANGUAGES.has(language);
}
