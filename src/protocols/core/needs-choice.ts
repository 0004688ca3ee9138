/**
 * Marks a question with a yes-or-no field in its `extra`: a text that the user writes meanwhile is no answer to it. Most
 * agents would read any text as a yes.
 */
export const needsChoice = (schema: unknown): { readonly needsChoice?: true } =>
  schema !== undefined && JSON.stringify(schema).includes('"boolean"') ? { needsChoice: true } : {};
