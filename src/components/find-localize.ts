import { en, type Strings } from '../locales/en.ts';
import { createLocalize, english, type Localize } from '../locales/localize.ts';
import { locales } from '../locales/registry.ts';

/** The texts for an element: of the language it asks for, else the nearest `lang`, else the browser's, else English. */
export async function findLocalize(
  element: Element,
  { locale, strings }: { readonly locale: string | undefined; readonly strings: Strings },
): Promise<Localize> {
  const nearest = element.closest('[lang]')?.getAttribute('lang');
  const wanted = [locale ?? '', nearest ?? '', ...navigator.languages].filter((tag) => tag !== '');
  const found = locales.match(wanted);
  const source = locales.get(found) ?? en;
  if (source === en && found === english.locale && Object.keys(strings).length === 0) return english;
  try {
    return createLocalize(found, typeof source === 'function' ? await source() : source, strings);
  } catch {
    // A language that can't be fetched is better read in English than not at all.
    return createLocalize('en', en, strings);
  }
}
