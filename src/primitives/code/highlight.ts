/**
 * Highlights code without changing its nodes: ranges over its text nodes, with the CSS Custom Highlight API. A
 * selection stays, and browsers without the API show plain code.
 */
import type { LanguageFn } from 'highlight.js';
import { createLowlight } from 'lowlight';
import { growsTooFast } from './grows-too-fast.ts';

/** Lowlight is highlight.js with a syntax tree as its result instead of HTML. */
const lowlight = createLowlight();

type Grammar = () => Promise<{ readonly default: LanguageFn }>;

/** Each grammar is its own chunk. */
const grammars: Readonly<Record<string, Grammar>> = {
  bash: () => import('highlight.js/lib/languages/bash'),
  c: () => import('highlight.js/lib/languages/c'),
  cpp: () => import('highlight.js/lib/languages/cpp'),
  csharp: () => import('highlight.js/lib/languages/csharp'),
  css: () => import('highlight.js/lib/languages/css'),
  diff: () => import('highlight.js/lib/languages/diff'),
  dockerfile: () => import('highlight.js/lib/languages/dockerfile'),
  go: () => import('highlight.js/lib/languages/go'),
  graphql: () => import('highlight.js/lib/languages/graphql'),
  ini: () => import('highlight.js/lib/languages/ini'),
  java: () => import('highlight.js/lib/languages/java'),
  javascript: () => import('highlight.js/lib/languages/javascript'),
  json: () => import('highlight.js/lib/languages/json'),
  kotlin: () => import('highlight.js/lib/languages/kotlin'),
  lua: () => import('highlight.js/lib/languages/lua'),
  makefile: () => import('highlight.js/lib/languages/makefile'),
  markdown: () => import('highlight.js/lib/languages/markdown'),
  perl: () => import('highlight.js/lib/languages/perl'),
  php: () => import('highlight.js/lib/languages/php'),
  python: () => import('highlight.js/lib/languages/python'),
  r: () => import('highlight.js/lib/languages/r'),
  ruby: () => import('highlight.js/lib/languages/ruby'),
  rust: () => import('highlight.js/lib/languages/rust'),
  scala: () => import('highlight.js/lib/languages/scala'),
  shell: () => import('highlight.js/lib/languages/shell'),
  sql: () => import('highlight.js/lib/languages/sql'),
  swift: () => import('highlight.js/lib/languages/swift'),
  typescript: () => import('highlight.js/lib/languages/typescript'),
  xml: () => import('highlight.js/lib/languages/xml'),
  yaml: () => import('highlight.js/lib/languages/yaml'),
};

const aliases: Readonly<Record<string, string>> = {
  'c#': 'csharp',
  'c++': 'cpp',
  console: 'shell',
  cs: 'csharp',
  docker: 'dockerfile',
  html: 'xml',
  js: 'javascript',
  jsx: 'javascript',
  kt: 'kotlin',
  make: 'makefile',
  md: 'markdown',
  pl: 'perl',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'bash',
  svg: 'xml',
  toml: 'ini',
  ts: 'typescript',
  tsx: 'typescript',
  vue: 'xml',
  yml: 'yaml',
  zsh: 'bash',
};

/** The four colours of `code-tools.css` (`::highlight(agent-chat-…)`), by highlight.js scope. */
const colours: Readonly<Record<string, string>> = {
  keyword: 'keyword',
  built_in: 'keyword',
  tag: 'keyword',
  name: 'keyword',
  selector: 'keyword',
  section: 'keyword',
  meta: 'keyword',
  string: 'string',
  regexp: 'string',
  addition: 'string',
  'attr-value': 'string',
  attr: 'keyword',
  attribute: 'keyword',
  number: 'number',
  literal: 'number',
  symbol: 'number',
  variable: 'number',
  deletion: 'number',
  comment: 'comment',
  quote: 'comment',
  doctag: 'comment',
};

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly properties?: { readonly className?: unknown };
  readonly children?: readonly Node[];
}

/**
 * Highlights the code in consecutive text nodes, unless its grammar takes too long for it: some take quadratic time, even
 * for plain words.
 *
 * @returns a function that removes the highlighting
 */
export async function highlightCode(texts: readonly Text[], language: string): Promise<(() => void) | undefined> {
  const lower = language.toLowerCase();
  const name = Object.hasOwn(aliases, lower) ? (aliases[lower] ?? lower) : lower;
  const grammar = Object.hasOwn(grammars, name) ? grammars[name] : undefined;
  if (!grammar || typeof Highlight === 'undefined') return undefined;
  if (!lowlight.registered(name)) lowlight.register(name, (await grammar()).default);

  const code = texts.map(({ data }) => data).join('');
  let tree: Node | undefined;
  const measure = (start: number, end: number): number => {
    const startTime = performance.now();
    tree = lowlight.highlight(name, code.slice(start, end));
    return performance.now() - startTime;
  };
  if ((await growsTooFast(code.length, measure, nextTask)) || !tree) return undefined;

  const ranges: { readonly highlight: Highlight; readonly range: StaticRange }[] = [];
  const pointOf = pointsIn(texts);
  let offset = 0;
  const visit = (node: Node, colour: string | undefined): void => {
    if (node.value !== undefined) {
      const end = offset + node.value.length;
      if (colour !== undefined && end > offset) {
        const [startContainer, startOffset] = pointOf(offset, 'start');
        const [endContainer, endOffset] = pointOf(end, 'end');
        const range = new StaticRange({ startContainer, startOffset, endContainer, endOffset });
        ranges.push({ highlight: highlightOf(colour), range });
      }
      offset = end;
      return;
    }
    const own = colourOf(node) ?? colour;
    for (const child of node.children ?? []) visit(child, own);
  };
  visit(tree, undefined);
  if (offset !== code.length || texts.map(({ data }) => data).join('') !== code) return undefined;
  for (const { highlight, range } of ranges) highlight.add(range);
  return () => {
    for (const { highlight, range } of ranges) highlight.delete(range);
  };
}

const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** Returns a function that converts an offset in the code to a node and an offset in it. Call it with ascending offsets. */
function pointsIn(texts: readonly Text[]): (offset: number, side: 'start' | 'end') => readonly [Text, number] {
  let index = 0;
  let before = 0;
  return (offset, side) => {
    let text = texts[index] ?? new Text();
    // At a node boundary a range starts in the second node, and ends in the first.
    const isBehind = (length: number): boolean =>
      side === 'start' ? offset - before >= length : offset - before > length;
    while (isBehind(text.length) && index < texts.length - 1) {
      before += text.length;
      text = texts[++index] ?? text;
    }
    return [text, offset - before];
  };
}

function colourOf({ properties }: Node): string | undefined {
  const [name] = Array.isArray(properties?.className) ? (properties.className as unknown[]) : [];
  const scope = typeof name === 'string' ? name.replace(/^hljs-/, '').replace(/^(selector)-.*/, '$1') : '';
  return Object.hasOwn(colours, scope) ? colours[scope] : undefined;
}

/** Returns the document's highlight for a colour; all widgets on the page share it. */
function highlightOf(colour: string): Highlight {
  const name = `agent-chat-${colour}`;
  const known = CSS.highlights.get(name);
  if (known) return known;
  const made = new Highlight();
  CSS.highlights.set(name, made);
  return made;
}
