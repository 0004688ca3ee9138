/** Whether a JSON Schema itself states that its value is a password, or another value that the agent never shows again. */
export const isSecret = ({ format, writeOnly }: Readonly<Record<string, unknown>>): boolean =>
  writeOnly === true || (typeof format === 'string' && format.toLowerCase() === 'password');
