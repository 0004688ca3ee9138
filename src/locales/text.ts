/** One text, or its plural forms. */
export type Text = string | ({ readonly other: string } & Partial<Record<Intl.LDMLPluralRule, string>>);
export type Catalogue = Readonly<Record<string, Text>>;
