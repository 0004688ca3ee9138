import type { Strings } from '../locales/en.ts';
import { makeLocalize, type Localize } from '../locales/make-localize.ts';
import { ENGLISH, locales } from '../locales/registry.ts';

/** English as far as an element has words: what other languages lack is said in it. */
export interface EnglishWords {
  readonly words: Strings;
  /** The same for all, so that an element that begins with it and stays with it is drawn once. */
  readonly localize: Localize;
}

/** The texts for an element: of the language it asks for, else the nearest `lang`, else the browser's, else English. */
export async function findLocalize(
  element: Element,
  { locale, strings }: { readonly locale: string | undefined; readonly strings: Strings },
  english: EnglishWords,
): Promise<Localize> {
  const nearest = element.closest('[lang]')?.getAttribute('lang');
  const wanted = [locale ?? '', nearest ?? '', ...navigator.languages].filter((tag) => tag !== '');
  const found = locales.match(wanted);
  const tag = regionOf(found, wanted);
  const source = locales.get(found) ?? ENGLISH;
  const usual = tag === 'en' || tag === 'en-US';
  if (source === ENGLISH && usual && Object.keys(strings).length === 0) return english.localize;
  const texts = { own: strings, english: english.words };
  try {
    return makeLocalize(tag, { ...texts, catalogue: typeof source === 'function' ? await source() : source });
  } catch {
    // A language that can't be fetched is better read in English than not at all.
    return makeLocalize('en', texts);
  }
}

/** The tag that a language was found for: in `en-GB` the words are English, but a day has 24 hours. */
function regionOf(found: string, wanted: readonly string[]): string {
  const [language] = found.split('-');
  return wanted.find((tag) => tag.split('-')[0]?.toLowerCase() === language && locales.match([tag]) === found) ?? found;
}
