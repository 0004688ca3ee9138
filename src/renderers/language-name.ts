/** A language is used only when it looks like one. Source: `security/README.md`, rule 4. */
export const languageName = (language: unknown): string =>
  typeof language === 'string' && /^[\w+#.-]{1,32}$/.test(language) ? language : '';
