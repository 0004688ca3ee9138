/**
 * Marks a question with a yes-or-no field in its `extra`: a message that the user sends meanwhile does not answer it.
 * Most agents would read any text as a yes.
 */
export const needsChoice = (schema: unknown): { readonly needsChoice?: true } =>
  schema !== undefined && JSON.stringify(schema).includes('"boolean"') ? { needsChoice: true } : {};
