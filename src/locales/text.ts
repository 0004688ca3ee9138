/** One text, or its plural forms. */
export type Text = string | ({ readonly other: string } & Partial<Record<Intl.LDMLPluralRule, string>>);
/** Texts by their keys. */
export type Catalogue = Readonly<Record<string, Text>>;
