/**
 * The allow-list for HTML written by a model. Source: `docs/security.md`. It contains no element that runs code, loads,
 * overlays or asks for input, and no attribute that styles, identifies or triggers actions. An inline element that Markdown renders is
 * listed in `markdown/render/inline-html.ts` too, a block in `markdown/parse/html-nesting.ts`.
 */
export const ALLOWED_ELEMENTS: ReadonlySet<string> = new Set(
  [
    'a abbr b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl dt em figcaption figure h1 h2 h3 h4',
    'h5 h6 hr i img ins kbd li mark ol p pre q rp rt ruby s samp small span strong sub summary sup table tbody td tfoot th',
    'thead time tr u ul var wbr',
  ].flatMap((line) => line.split(' ')),
);

/** Attributes by element; `*` applies to all. `href` and `src` must also pass their own policies. */
const ALLOWED_ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  '*': ['title', 'lang', 'dir'],
  a: ['href'],
  // Only `src` and `alt` reach the display.
  img: ['src', 'alt', 'width', 'height'],
  ol: ['start', 'reversed', 'type'],
  li: ['value'],
  ...Object.fromEntries('div p h1 h2 h3 h4 h5 h6'.split(' ').map((name) => [name, ['align']])),
  td: ['colspan', 'rowspan', 'align'],
  th: ['colspan', 'rowspan', 'align', 'scope'],
  col: ['span'],
  colgroup: ['span'],
  details: ['open'],
  time: ['datetime'],
  abbr: ['title'],
  q: ['cite'],
};

/** Elements dropped with their content, because it is code or data rather than text. */
export const DROPPED_WITH_CONTENT: ReadonlySet<string> = new Set(
  'script style template iframe object embed noscript noembed noframes svg math title textarea select option xmp plaintext'.split(
    ' ',
  ),
);

/** Void elements, which have no content. */
export const VOID_ELEMENTS: ReadonlySet<string> = new Set(['br', 'hr', 'img', 'wbr', 'col']);

export const isAllowedAttribute = (element: string, attribute: string): boolean =>
  ALLOWED_ATTRIBUTES['*']?.includes(attribute) === true ||
  (Object.hasOwn(ALLOWED_ATTRIBUTES, element) && ALLOWED_ATTRIBUTES[element]?.includes(attribute) === true);

/** All allowed attributes, for a sanitizer that takes one list. */
export const allowedAttributes: readonly string[] = [...new Set(Object.values(ALLOWED_ATTRIBUTES).flat())];
