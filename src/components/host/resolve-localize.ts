import type { Strings } from '../../locales/en.ts';
import { makeLocalize, type Localize } from '../../locales/text-and-date-formats.ts';
import { ENGLISH, locales } from '../../locales/registry.ts';

/** The English texts of an element, used for texts that another language lacks. */
export interface EnglishTexts {
  readonly texts: Strings;
  /** Shared by all elements, so that an English element renders only once. */
  readonly localize: Localize;
}

/** Resolves the texts of an element from `locale`, else the nearest `lang`, else the browser's languages, else English. */
export async function resolveLocalize(
  element: Element,
  { locale, strings }: { readonly locale: string | undefined; readonly strings: Strings },
  english: EnglishTexts,
): Promise<Localize> {
  const inherited = element.closest('[lang]')?.getAttribute('lang');
  const requested = [locale ?? '', inherited ?? '', ...navigator.languages].filter((tag) => tag !== '');
  const language = locales.match(requested);
  const tag = regionOf(language, requested);
  const source = locales.get(language) ?? ENGLISH;
  const isDefault = tag === 'en' || tag === 'en-US';
  if (source === ENGLISH && isDefault && Object.keys(strings).length === 0) return english.localize;
  const texts = { own: strings, english: english.texts };
  try {
    return makeLocalize(tag, { ...texts, catalogue: typeof source === 'function' ? await source() : source });
  } catch {
    // Falls back to English if the language fails to load.
    return makeLocalize('en', texts);
  }
}

/** Returns the requested tag that the language was matched for: `en-GB` uses English texts, but a 24-hour clock. */
function regionOf(matched: string, requested: readonly string[]): string {
  const [language] = matched.split('-');
  return (
    requested.find((tag) => tag.split('-')[0]?.toLowerCase() === language && locales.match([tag]) === matched) ??
    matched
  );
}
