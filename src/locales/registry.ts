import type { Strings } from './en.ts';

/** The texts of a language, or a function that loads them. */
export type LocaleSource = Strings | (() => Promise<Strings>);

/** Empty: English adds nothing to the texts that every widget has. */
export const ENGLISH: Strings = {};

const builtIn: Readonly<Record<string, LocaleSource>> = {
  en: ENGLISH,
  ar: async () => (await import('./ar.ts')).ar,
  de: async () => (await import('./de.ts')).de,
  es: async () => (await import('./es.ts')).es,
  fr: async () => (await import('./fr.ts')).fr,
  it: async () => (await import('./it.ts')).it,
  ja: async () => (await import('./ja.ts')).ja,
  ko: async () => (await import('./ko.ts')).ko,
  'pt-BR': async () => (await import('./pt-BR.ts')).ptBR,
  ru: async () => (await import('./ru.ts')).ru,
  'zh-CN': async () => (await import('./zh-CN.ts')).zhCN,
  'zh-TW': async () => (await import('./zh-TW.ts')).zhTW,
};

/** The registered languages; all but English are loaded on first use. */
export class LocaleRegistry {
  /** Sources by language tag, the newest last, because it may be removed again. */
  readonly #sources = new Map<string, readonly { readonly source: LocaleSource }[]>(
    Object.entries(builtIn).map(([locale, source]) => [locale, [{ source }]]),
  );

  /** Adds a language, or replaces its texts. @returns a function that removes them */
  register(locale: string, source: LocaleSource): () => void {
    const entry = { source };
    this.#sources.set(locale, [...(this.#sources.get(locale) ?? []), entry]);
    return () => {
      const others = this.#sources.get(locale)?.filter((other) => other !== entry) ?? [];
      if (others.length > 0) this.#sources.set(locale, others);
      else this.#sources.delete(locale);
    };
  }

  unregister(locale: string): void {
    this.#sources.delete(locale);
  }

  get(locale: string): LocaleSource | undefined {
    return this.#sources.get(locale)?.at(-1)?.source;
  }

  list(): readonly string[] {
    return [...this.#sources.keys()];
  }

  /** The best registered language for the requested ones; `en` if none matches. */
  match(wanted: readonly string[]): string {
    for (const tag of wanted) {
      const found = this.#find(tag);
      if (found !== undefined) return found;
    }
    return 'en';
  }

  /** Matches the exact tag, then the script of the region, then the language alone. */
  #find(tag: string): string | undefined {
    const known = this.list();
    const exact = known.find((locale) => locale.toLowerCase() === tag.toLowerCase());
    if (exact !== undefined) return exact;
    try {
      const { language, script } = new Intl.Locale(tag).maximize();
      const related = known.filter((locale) => new Intl.Locale(locale).language === language);
      return related.find((locale) => new Intl.Locale(locale).maximize().script === script) ?? related[0];
    } catch {
      return undefined;
    }
  }
}

/** The registry that all widgets of the page share. */
export const locales = new LocaleRegistry();
