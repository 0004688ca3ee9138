/** They display the following characters in another order, so that one command is read and another one is copied. */
const CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;

/** Replaces controls of the text direction by their escapes: `\u202e`. */
export const showDirection = (code: string): string =>
  code.replace(CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16)}`);
