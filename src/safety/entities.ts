import { trustedPolicy } from './policy.ts';

const REFERENCE = /&(?:#x[\da-f]{1,6}|#\d{1,7}|[a-z][\da-z]{1,31});/gi;

const known = new Map<string, string>();
/** Size limit of the cache, because an agent can send any number of names; there are fewer real ones. */
const MOST_KNOWN = 4000;

/**
 * Decodes character references. The browser's own parser looks them up: it gets nothing but references, all of a text
 * at once, because one document for each of 20,000 would take a second.
 */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  const unknown = [...new Set(text.match(REFERENCE))].filter((reference) => !known.has(reference));
  if (unknown.length > 0) learn(unknown);
  return text.replace(REFERENCE, (reference) => known.get(reference) ?? reference);
}

function learn(references: readonly string[]): void {
  if (known.size + references.length > MOST_KNOWN) known.clear();
  // A parser drops whitespace before the body, and would move decoded whitespace there too.
  const markup = `<body>${references.map((reference) => `<i>${reference}</i>`).join('')}`;
  // The DOM types expect a string where a page may require TrustedHTML.
  const html = trustedPolicy()?.createHTML(markup) ?? markup;
  const { children } = new DOMParser().parseFromString(html, 'text/html').body;
  let index = 0;
  for (const child of children) known.set(references[index++] ?? '', child.textContent);
}
