/**
 * The one list of what HTML that a model wrote may be. Source: `security/README.md`, rule 2. What is not here is not let
 * through: no element that runs, loads, covers or asks for input, and no attribute that styles, names or acts.
 */
export const ALLOWED_ELEMENTS: ReadonlySet<string> = new Set(
  [
    'a abbr b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl dt em figcaption figure h1 h2 h3 h4',
    'h5 h6 hr i img ins kbd li mark ol p pre q rp rt ruby s samp small span strong sub summary sup table tbody td tfoot th',
    'thead time tr u ul var wbr',
  ].flatMap((line) => line.split(' ')),
);

/** Attributes by element; `*` stands for every one. `href` and `src` are judged by their own policies on top. */
const ALLOWED_ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  '*': ['title', 'lang', 'dir'],
  a: ['href'],
  img: ['src', 'alt', 'width', 'height'],
  ol: ['start', 'reversed', 'type'],
  li: ['value'],
  td: ['colspan', 'rowspan', 'align'],
  th: ['colspan', 'rowspan', 'align', 'scope'],
  col: ['span'],
  colgroup: ['span'],
  details: ['open'],
  time: ['datetime'],
  abbr: ['title'],
  q: ['cite'],
};

/** Elements whose content goes with them: it is code or data, not words. */
export const DROPPED_WITH_CONTENT: ReadonlySet<string> = new Set(
  'script style template iframe object embed noscript noembed noframes svg math title textarea select option xmp plaintext'.split(
    ' ',
  ),
);

/** Elements that have no content. */
export const VOID_ELEMENTS: ReadonlySet<string> = new Set(['br', 'hr', 'img', 'wbr', 'col']);

export const isAllowedAttribute = (element: string, attribute: string): boolean =>
  ALLOWED_ATTRIBUTES['*']?.includes(attribute) === true ||
  (Object.hasOwn(ALLOWED_ATTRIBUTES, element) && ALLOWED_ATTRIBUTES[element]?.includes(attribute) === true);

/** All of them, for a sanitiser that takes one list. */
export const allowedAttributes: readonly string[] = [...new Set(Object.values(ALLOWED_ATTRIBUTES).flat())];
