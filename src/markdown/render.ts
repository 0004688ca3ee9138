/** Tokens to what is shown, a function a token type: text can't become markup. */
import type { Token, Tokens } from 'marked';
import { directionOfWords } from '../locales/direction-of-words.ts';
import { decodeEntities } from '../safety/entities.ts';
import { textOfHtml } from '../safety/html-tags.ts';
import { splitMarks, withoutMarks } from './citation-marks.ts';
import { readFence } from './fence.ts';
import { InlineBuilder } from './inline-html.ts';
import { shownLink } from './link.ts';
import type { MathToken } from './math.ts';
import type { ParsedMarkdown } from './parse.ts';
import type { RunToken } from './runs.ts';
import { box, inGroups, several, type Attributes, type Box, type Growth, type Shown } from './shown.ts';
import type { MarkdownView } from './view.ts';
import { words } from './words.ts';

/**
 * Blocks, items, rows and lines are gathered in groups that the browser lays out and skips as one; see `docs/decisions`.
 */
const GROUP = 32;
/** Runs of words: about 8 KB of them. */
const RUNS = 16;

/** The columns of a table are measured by a first row that is whole: one that has so long a cell is not waited for. */
const LONG_CELL = 120;

/** What is known about the place of a block. */
interface Place {
  readonly view: MarkdownView;
  /** The code that is still being written. */
  readonly growing?: Token | undefined;
  /** How many parts of the block stay as they are. */
  readonly settled: number;
}

/** Blocks in groups. What is finished costs nothing any more. */
export function renderBlocks({ finished, open, again }: ParsedMarkdown, view: MarkdownView): Growth {
  return inGroups(
    {
      count: finished.length + open.length,
      settled: finished.length,
      key: [finished, view],
      again,
      at(index) {
        const block = finished[index] ?? open[index - finished.length];
        return block ? renderBlock(block.token, { ...block, view }) : nothing;
      },
    },
    GROUP,
    (content, { whole }) => box('div', [content], { class: whole ? 'prose-group whole' : 'prose-group' }),
  );
}

type Renderers<Context> = Readonly<Record<string, ((token: never, context: Context) => Shown) | undefined>>;

const nothing = several([]);
/** Its words say in which direction they go. */
const auto = { dir: 'auto' };

const blockRenderers: Renderers<Place> = {
  paragraph: ({ tokens }: Tokens.Paragraph, place) => box('p', [wordsIn(tokens, place)], auto),
  heading: ({ depth, tokens }: Tokens.Heading, { view }) => box(`h${String(depth)}`, inline(tokens, view), auto),
  code: (token: Tokens.Code, place) => code(token, place),
  blockquote: ({ tokens }: Tokens.Blockquote, place) => box('blockquote', innerBlocks(tokens, place), auto),
  list: (token: Tokens.List, place) => list(token, place),
  table: (token: Tokens.Table, place) => table(token, place),
  // As in a paragraph, which it becomes when words come behind it.
  math: (token: MathToken, place) => box('p', [wordsIn([token], place)], auto),
  hr: () => box('hr', []),
  html: ({ raw }: Tokens.HTML, { view }) => ({
    ...element('agent-chat-html', { source: withoutMarks(raw), view }),
    attributes: auto,
  }),
  // A tight list's item, or a text that was too deep to be parsed.
  text: (token: Tokens.Text, { view }) =>
    token.tokens ? several(inline(token.tokens, view)) : words(token.text, view),
  def: () => nothing,
  space: () => nothing,
  checkbox: (token: Tokens.Checkbox, { view }) => checkbox(token.checked, view),
};

function renderBlock(token: Token, place: Place): Shown {
  const renderer = Object.hasOwn(blockRenderers, token.type) ? blockRenderers[token.type] : undefined;
  // TypeScript cannot tie the key to the token; the types of the table above do.
  return renderer ? renderer(token as never, place) : words(token.raw, place.view);
}

/** The blocks in a quote or an item. The last one may be growing in parts of its own. */
const innerBlocks = (tokens: readonly Token[], place: Place): readonly Shown[] =>
  tokens.map((token) => renderBlock(token, place));

/** The place of a part in the place of the block. */
const inside = ({ settled, ...place }: Place, index: number): Place => ({
  ...place,
  settled: index < settled ? Number.POSITIVE_INFINITY : 0,
});

/** The words of a paragraph. One that is longer than a screen is broken into boxes, each of which ends its last line. */
function wordsIn(tokens: readonly Token[], { view, settled }: Place): Shown {
  const isLong = tokens[0]?.type === 'run';
  return inGroups(
    {
      count: isLong ? tokens.length : 1,
      settled: isLong ? settled : 0,
      key: [tokens, view],
      at: (index) => several(inline(isLong ? tokens.slice(index, index + 1) : tokens, view)),
    },
    RUNS,
    (content, { index, whole }) =>
      index === 0 ? content : box('span', [content], { class: whole ? 'part whole' : 'part' }),
  );
}

/** An element that draws itself. */
const element = (tag: string, properties: Readonly<Record<string, unknown>>): Box => ({ ...box(tag, []), properties });

function code(token: Tokens.Code, { view, growing }: Place): Shown {
  const { text, lang = '' } = token;
  const fence = readFence(withoutMarks(lang));
  return element('agent-chat-code', {
    ...fence,
    drawing: view.drawing?.(fence.language),
    code: withoutMarks(text),
    whole: token !== growing && isWhole(token.raw),
    localize: view.localize,
  });
}

/** A fence without its end is still being written. */
function isWhole(raw: string): boolean {
  const fence = /^ {0,3}(`{3,}|~{3,})/.exec(raw)?.[1];
  return fence === undefined || new RegExp(`\\n {0,3}${fence}[\`~]*[ \\t]*\\n*$`).test(raw);
}

function list({ ordered, start, items }: Tokens.List, place: Place): Shown {
  const first = typeof start === 'number' ? start : 1;
  const content = inGroups(
    {
      count: items.length,
      settled: place.settled,
      key: [items, place.view],
      at: (index) => {
        const item = items[index];
        // Where boxes keep the count of their items to themselves, each begins with its number.
        const value = ordered && index >= GROUP && index % GROUP === 0 ? String(first + index) : undefined;
        return box('li', innerBlocks(item?.tokens ?? [], inside(place, index)), {
          ...auto,
          class: item?.task ? 'task' : undefined,
          value,
        });
      },
    },
    GROUP,
    (group, { index, whole }) =>
      index === 0 ? group : box('div', [group], { class: whole ? 'part whole' : 'part', role: 'none' }),
  );
  // In a list with boxes in it the items are those of the list only where it says that it is one.
  const role = items.length > GROUP ? 'list' : undefined;
  return box(ordered ? 'ol' : 'ul', [content], { role, start: ordered && first !== 1 ? String(first) : undefined });
}

/** A table. Behind the first rows each group of them is a box with a table of its own, which is one with the first for everybody. */
function table(token: Tokens.Table, place: Place): Shown {
  const { header, rows } = token;
  const { view, settled } = place;
  const cell = (tag: 'td' | 'th', { tokens, align }: Tokens.TableCell, attributes: Attributes): Shown =>
    box(tag, inline(tokens, view), { ...auto, class: align ?? undefined, ...attributes });
  const isGrowing = Number.isFinite(settled);
  const head = box('thead', [
    box(
      'tr',
      header.map((one) => cell('th', one, { scope: 'col' })),
    ),
  ]);
  const content = inGroups(
    {
      count: Math.max(1, rows.length),
      settled,
      key: [rows, view],
      at(index) {
        const cells = rows[index];
        if (!cells) return nothing;
        const boxed = index >= GROUP;
        const last = isGrowing && index === rows.length - 1 ? cells.findLast(({ text }) => text !== '') : undefined;
        return box(
          'tr',
          cells.map((one) => {
            const role = boxed ? 'cell' : undefined;
            return cell('td', one, one === last ? { role, class: formingClass(one) } : { role });
          }),
          { role: boxed ? 'row' : undefined },
        );
      },
    },
    GROUP,
    (group, { index, whole }) => {
      if (index === 0) return box('table', [head, box('tbody', [group])], { role: boxes > 0 ? 'none' : undefined });
      const body = box('tbody', [group], { role: 'rowgroup' });
      return box('div', [box('table', [body], { role: 'none' })], {
        class: whole ? 'part whole' : 'part',
        role: 'none',
      });
    },
  );
  const boxes = content.count - 1;
  const attributes = {
    class: 'table-scroll',
    tabindex: '0',
    // Its columns go as its head reads. Cells have directions of their own, so that `auto` would find no words here.
    dir: directionOfWords(withoutMarks(header.map(({ text }) => text).join(' '))),
    role: boxes > 0 ? 'table' : 'group',
    'aria-label': view.localize('table.scroll'),
    boxes: boxes > 0 ? String(boxes) : undefined,
    growing: isGrowing ? (isMeasurable(token) ? '' : 'first') : undefined,
  };
  return {
    ...box('agent-chat-rows', [content], attributes),
    properties: { shows: { token, localize: view.localize } },
  };
}

/** The class of a cell that is still being written. What does not begin at its start would move with each letter. */
const formingClass = ({ align }: Tokens.TableCell): string | undefined =>
  align === 'right' || align === 'center' ? `${align} forming` : (align ?? undefined);

/** Its first row is whole, or long enough to be shown before it is. */
const isMeasurable = ({ rows: [first, second] }: Tokens.Table): boolean =>
  second !== undefined || (first?.some(({ text }) => text.length > LONG_CELL) ?? false);

const checkbox = (checked: boolean, { localize }: MarkdownView): Shown =>
  several([
    {
      ...box('input', [], {
        type: 'checkbox',
        disabled: '',
        'aria-label': localize(checked ? 'task.done' : 'task.open'),
      }),
      properties: { checked },
    },
    ' ',
  ]);

/** What stands in a line. Tags of raw HTML open and close around the tokens between them. */
function inline(tokens: readonly Token[], view: MarkdownView): readonly Shown[] {
  const builder = new InlineBuilder(view);
  for (const token of tokens) {
    if (token.type === 'html') builder.addHtml(withoutMarks(token.raw));
    else builder.add(renderInline(token, view), builder.inTag ? wordsOf(token) : '');
  }
  return builder.end();
}

/** What a reader reads of a token. */
function wordsOf(token: Token): string {
  if (token.type === 'html') return textOfHtml(withoutMarks(token.raw));
  // marked's token of any type leaves all its fields untyped.
  const { tokens, text = '' } = token as Partial<Tokens.Text>;
  if (tokens) return tokens.map(wordsOf).join('');
  return token.type === 'codespan' || token.type === 'math' ? withoutMarks(text) : plain(text);
}

const inlineRenderers: Renderers<MarkdownView> = {
  run: ({ tokens }: RunToken, view) => several(inline(tokens, view)),
  text: ({ text, tokens }: Tokens.Text, view) => (tokens ? several(inline(tokens, view)) : words(text, view)),
  escape: ({ text }: Tokens.Escape, view) => words(text, view),
  strong: ({ tokens }: Tokens.Strong, view) => box('strong', inline(tokens, view)),
  em: ({ tokens }: Tokens.Em, view) => box('em', inline(tokens, view)),
  del: ({ tokens }: Tokens.Del, view) => box('del', inline(tokens, view)),
  codespan: ({ text }: Tokens.Codespan, view) => several([box('code', [withoutMarks(text)]), ...marksOf(text, view)]),
  math: ({ text, raw, display }: MathToken, view) => {
    const formula = { formula: withoutMarks(text), source: withoutMarks(raw).trim(), display };
    return several([element('agent-chat-math', formula), ...marksOf(raw, view)]);
  },
  br: () => box('br', []),
  link: ({ href, title, tokens }: Tokens.Link, view) => {
    const words = tokens.map(wordsOf).join('');
    return several([shownLink(plain(href), inline(tokens, view), plain(title ?? ''), words), ...marksOf(href, view)]);
  },
  image: ({ href, text }: Tokens.Image, view) =>
    several([view.image(plain(href), plain(text)), ...marksOf(href, view)]),
  checkbox: (token: Tokens.Checkbox, view) => checkbox(token.checked, view),
};

/** A text for a place where no mark can be shown. */
const plain = (text: string): string => decodeEntities(withoutMarks(text));

function renderInline(token: Token, view: MarkdownView): Shown {
  const renderer = Object.hasOwn(inlineRenderers, token.type) ? inlineRenderers[token.type] : undefined;
  return renderer ? renderer(token as never, view) : words(token.raw, view);
}

/** The marks of a text that can't show them inside: they stand behind it. */
const marksOf = (text: string, view: MarkdownView): readonly Shown[] =>
  splitMarks(text).flatMap((piece) => (typeof piece === 'number' ? citation(piece, view) : []));

function citation(number: number, view: MarkdownView): readonly Shown[] {
  const mark = view.cite?.(number);
  return mark ? [mark] : [];
}
