/** Returns a language only if it is well-formed. Source: `docs/security.md`, rule 4. */
export const languageName = (language: unknown): string =>
  typeof language === 'string' && /^[\w+#.-]{1,32}$/.test(language) ? language : '';
