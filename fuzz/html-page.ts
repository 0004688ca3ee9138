/** Runs in the page: compares our tokenizer with the browser's parser on random HTML. */
import { ALLOWED_ELEMENTS, DROPPED_WITH_CONTENT, isAllowedAttribute } from '../src/safety/allowed-html.ts';
import { filterHtml } from '../src/safety/filter-html.ts';
import { randomFrom, type Random } from './random.ts';

export interface Difference {
  readonly input: string;
  readonly reason: string;
  /** Whether disallowed markup passed. Otherwise both only read broken markup differently. */
  readonly unsafe: boolean;
}

/** Elements that the parser inserts where they stand: others move, or close the elements around them. */
const PLAIN = ['span', 'sub', 'sup', 'kbd', 'mark', 'abbr', 'cite', 'q', 'bdi', 'del', 'ins', 'time', 'var', 'x-y'];
/**
 * Elements whose content is raw text. For `template` and `svg`, whose content is markup, the tokenizer takes the first end
 * tag, even inside a nested script. That shows more text, but no more markup.
 */
const DROPPED = ['script', 'style', 'iframe', 'noembed', 'textarea', 'xmp'];
const MARKUP = [
  ...['<', '>', '/', '</', '/>', '"', "'", '=', ' ', '\n', '\t', '\f', '!', '?', '-', '--', '<!--', '-->', '--!>'],
  ...['<!', '<?', '<!>', '</ >', '<![CDATA[', ']]>', '&lt;', '&amp', '&#60;', '&#x3c', '`', '\\', '\0', ';', '<>'],
];
const ATTRIBUTES = [
  ...[' title="a"', " lang='b'", ' dir=ltr', ' title', ' onclick="x()"', ' style=y', ' TITLE=">"', ' =x', ' a"b=c'],
  ...[
    ' title="&quot;"',
    " title='<kbd>'",
    '/title=1',
    ' title="',
    " title='",
    ' title=a/',
    ' xlink:href=z',
    ' title=a"b',
  ],
];
const ALL = [...ALLOWED_ELEMENTS, ...DROPPED_WITH_CONTENT, 'form', 'input', 'base', 'meta', 'link', 'image', 'x-y'];

/** Compares inputs, starting with this seed. */
export function compareMany(seed: number, count: number): readonly Difference[] {
  const differences: Difference[] = [];
  for (let offset = 0; offset < count; offset++) {
    const random = randomFrom(seed + offset);
    const plain = random.below(2) === 0;
    const input = randomHtml(random, plain ? [...PLAIN, ...DROPPED] : ALL);
    const leak = escaped(input);
    const reason = leak ?? (plain ? differs(input) : undefined);
    if (reason !== undefined) differences.push({ input, reason, unsafe: leak !== undefined });
  }
  return differences;
}

function randomHtml(random: Random, names: readonly string[]): string {
  let html = '';
  for (let pieces = 1 + random.below(12); pieces > 0; pieces--) html += randomPiece(random, names);
  return html;
}

function randomPiece(random: Random, names: readonly string[]): string {
  const name = random.one(names) ?? '';
  const spelled = random.below(6) === 0 ? name.toUpperCase() : name;
  switch (random.below(6)) {
    case 0:
    case 1:
      return `<${spelled}${random.one(ATTRIBUTES) ?? ''}${random.below(4) === 0 ? (random.one(ATTRIBUTES) ?? '') : ''}>`;
    case 2:
      return `</${spelled}>`;
    case 3:
      return random.one(['a', 'word ', 'x<y', '5 > 3', 'ü', '\u{1f600}']) ?? '';
    default:
      return random.one([...MARKUP, ...ATTRIBUTES, spelled]) ?? '';
  }
}

/** Disallowed markup that the parser finds in filtered HTML. */
function escaped(input: string): string | undefined {
  const filtered = filterHtml(input);
  for (const element of parse(filtered).querySelectorAll('*')) {
    const name = element.localName;
    if (!ALLOWED_ELEMENTS.has(name)) return `<${name}> came through: ${filtered}`;
    if (element.namespaceURI !== 'http://www.w3.org/1999/xhtml') return `<${name}> is no HTML: ${filtered}`;
    const bad = element.getAttributeNames().find((attribute) => !isAllowedAttribute(name, attribute));
    if (bad !== undefined) return `${bad} came through on <${name}>: ${filtered}`;
  }
  return undefined;
}

/** An incomplete tag is held back on purpose, because the text may still grow. */
const UNFINISHED = /<\/?$/;

/** Whether both find the same start tags, attributes and text in the same order. */
function differs(input: string): string | undefined {
  if (UNFINISHED.test(input)) return undefined;
  const [ours, theirs] = [merge(tokens(parse(filterHtml(input)))), merge(tokens(parse(input)))];
  return ours === theirs ? undefined : `ours ${ours}\n  parser ${theirs}`;
}

type Token = { readonly tag: string } | { readonly text: string };

function* tokens(root: Node): Generator<Token> {
  for (const node of root.childNodes) {
    if (node instanceof Text) yield { text: node.data };
    if (!(node instanceof Element) || DROPPED_WITH_CONTENT.has(node.localName)) continue;
    if (ALLOWED_ELEMENTS.has(node.localName)) {
      const allowed = [...node.attributes].filter(({ name }) => isAllowedAttribute(node.localName, name));
      yield {
        tag: describe(
          node.localName,
          allowed.map(({ name, value }) => [name, value]),
        ),
      };
    }
    yield* tokens(node);
  }
}

const describe = (name: string, attributes: readonly (readonly string[])[]): string =>
  `<${[name, ...attributes.map(([key, value]) => `${key ?? ''}=${JSON.stringify(clean(value ?? ''))}`)].sort().join(' ')}>`;

function merge(list: Iterable<Token>): string {
  let merged = '';
  for (const token of list) merged += 'tag' in token ? `\u0001${token.tag}\u0001` : clean(token.text);
  return JSON.stringify(merged.replaceAll('\u0001', '|'));
}

/** The parser drops or replaces null characters by context, and line ends are one character. */
const clean = (text: string): string => text.replaceAll(/[\0\ufffd]/g, '').replaceAll(/\r\n?/g, '\n');

function parse(html: string): DocumentFragment {
  const template = document.createElement('template');
  template.innerHTML = html;
  return template.content;
}
