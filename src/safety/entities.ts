import { trustedPolicy } from './policy.ts';

const known = new Map<string, string>();

/**
 * Character references as the characters they are. A name is looked up by the browser's own parser, which is given nothing
 * but that reference.
 */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#x[\da-f]{1,6}|#\d{1,7}|[a-z][\da-z]{1,31});/gi, (reference) => {
    let character = known.get(reference);
    if (character === undefined) {
      // (A parser drops blanks in front of the body.)
      const markup = `<body>${reference}`;
      // The types of the DOM ask for a string where a page may ask for trusted HTML.
      const html = trustedPolicy()?.createHTML(markup) ?? markup;
      character = new DOMParser().parseFromString(html, 'text/html').body.textContent;
      known.set(reference, character);
    }
    return character;
  });
}
