/** Converts tokens to virtual nodes, with one function per token type: text can never become markup. */
import type { Token, Tokens } from 'marked';
import { enumerate } from '../../enumerate.ts';
import { limitAccents } from '../../limit-accents.ts';
import { loadOnce } from '../../load-once.ts';
import { directionOfWords } from '../../locales/direction-of-words.ts';
import { defineFrom, defineOnce } from '../../primitives/define-once.ts';
import { hasLongWord, parseCellNumber } from '../../primitives/cell-text.ts';
import { createAccentLimiter } from '../../safety/accent-limiter.ts';
import { textsAround, UNREADABLE_CONTENT, type TextAround } from '../../safety/displayed-text.ts';
import { splitCitationPlaceholders, stripCitationPlaceholders } from '../parse/citation-placeholders.ts';
import { renderContainer, renderInlineHtml } from './html-container.ts';
import { parseFenceInfo } from '../parse/fence-info.ts';
import { renderedHtmlEnd } from '../parse/html-limit.ts';
import { InlineBuilder } from './inline-html.ts';
import { linkNode } from './link.ts';
import type { MathToken } from '../parse/math-syntax.ts';
import { nestBlocks, type ContainerToken, type InlineHtmlToken } from '../parse/html-nesting.ts';
import { renderFootnoteReference, renderFootnoteList } from './footnotes.ts';
import type { MarkdownBlock, ParsedMarkdown } from '../parse/incremental-parser.ts';
import type { RunToken } from '../parse/split-paragraph.ts';
import { alertBox } from './alert.ts';
import {
  elementNode,
  groupParts,
  listNode,
  type Attributes,
  type ElementNode,
  type ListNode,
  type VNode,
} from './vnode.ts';
import type { AlertToken } from '../parse/tokenizer.ts';
import type { MarkdownView } from './markdown-context.ts';
import { toPlainText, imageAltText, displayedText } from '../parse/token-text.ts';
import { citedText } from './text-part.ts';

/**
 * Blocks, items, rows and lines are grouped into boxes that the browser lays out and skips as one; see
 * `docs/decisions/markdown.md`.
 */
const GROUP_SIZE = 32;
/** Maximum number of characters in a group. A block counts as `LONG_BLOCK` at most, because it is itself laid out in parts. */
const GROUP_LENGTH = 32_768;
const LONG_BLOCK = 8192;
/** What a block of code, or an item with several blocks, counts as at least: it has many elements, however short it is. */
const MANY_ELEMENTS = 4096;
/** Number of text runs and of characters per group. Each token counts as `TOKEN_LENGTH` more, because it becomes elements. */
const GROUP_RUNS = 16;
const RUNS_LENGTH = 8192;
const TOKEN_LENGTH = 12;
/**
 * After this number of tokens of one paragraph, a run with a token for every few characters is shown as it was written:
 * thousands of elements in one view would delay frames.
 */
const MAX_TOKENS = 1024;
const DENSE_LENGTH = 16;

/** Columns are measured with a complete first row, unless it has a cell longer than this. */
const MAX_AWAITED_CELL = 120;

/** Loaded once, and not with each table: an `import()` of loaded code still takes a task, and many of them delay a frame. */
const loadTableColumns = loadOnce(() => import('./table-columns.ts').then(defineFrom));

/** Longer texts are not numbers written by people. */
const MAX_NUMBER_LENGTH = 40;

/** Rendering state of a block. */
interface BlockState {
  readonly view: MarkdownView;
  /** The code that is still being written. */
  readonly growing?: Token | undefined;
  /** Number of parts of the block that no longer change. */
  readonly settled: number;
  /** Another block follows it, so that no more of it arrives. */
  readonly isEnded?: boolean;
}

/** Renders blocks in groups. Finished groups cost nothing in later updates. `growing`: more text may follow. */
export function renderBlocks(
  { finished, open, reparsed }: ParsedMarkdown,
  view: MarkdownView,
  growing = false,
): ListNode {
  return groupParts(
    {
      count: finished.length + open.length,
      settled: finished.length,
      key: [finished, view],
      changed: reparsed,
      at(index) {
        const block = finished[index] ?? open[index - finished.length];
        return block ? drawBlock(block, view) : nothing;
      },
    },
    {
      size: GROUP_SIZE,
      most: GROUP_LENGTH,
      lengthOf: (index) => blockLength((finished[index] ?? open[index - finished.length])?.token),
    },
    (content, { whole, last }) =>
      elementNode('div', [content], {
        class: whole ? 'prose-group whole' : last && growing ? 'prose-group growing' : 'prose-group',
      }),
  );
}

/** Renders the footnotes after a text. */
export const renderFootnotes = (notes: ParsedMarkdown, view: MarkdownView): VNode =>
  renderFootnoteList(notes, view, {
    size: { size: GROUP_SIZE, most: GROUP_LENGTH },
    blocks: (block) => innerBlocks(innerTokens(block.token) ?? [], { ...block, view }),
  });

const drawBlock = (block: MarkdownBlock, view: MarkdownView): VNode => renderBlock(block.token, { ...block, view });

function blockLength(token: Token | undefined): number {
  const isRich = token?.type === 'code' || (token?.type === 'list_item' && (token.tokens?.length ?? 0) > 1);
  return Math.max(isRich ? MANY_ELEMENTS : 0, Math.min(LONG_BLOCK, token?.raw.length ?? 0));
}

type Renderers<Context> = Readonly<Record<string, ((token: never, context: Context) => VNode) | undefined>>;

const nothing = listNode([]);
/** Whether the text was split into runs because of its length. A task checkbox may precede the text of its item. */
const hasRuns = ([first, second]: readonly Token[]): boolean => first?.type === 'run' || second?.type === 'run';
/** The direction follows the element's own text. */
const auto = { dir: 'auto' };
/** Maximum number of tokens searched for a letter. */
const MAX_SEARCHED_TOKENS = 64;

/**
 * With `dir=auto` the browser searches the first letter again after each change. If many tokens start without a letter,
 * the direction is inherited instead.
 */
function directionOf(tokens: readonly Token[]): Attributes {
  const isLong = tokens.length > MAX_SEARCHED_TOKENS || hasRuns(tokens);
  return isLong && !tokens.slice(0, MAX_SEARCHED_TOKENS).some(hasLetter) ? {} : auto;
}

const innerTokens = (token: Token): readonly Token[] | undefined => ('tokens' in token ? token.tokens : undefined);

/** Elements with their own direction are skipped. */
function hasLetter(token: Token): boolean {
  const { type, raw } = token;
  const tokens = innerTokens(token);
  if (type === 'link' || type === 'image' || type === 'html' || type === 'math' || type === 'note') return false;
  return tokens ? tokens.slice(0, MAX_SEARCHED_TOKENS).some(hasLetter) : /\p{L}/u.test(raw.slice(0, LONG_BLOCK));
}

const blockRenderers: Renderers<BlockState> = {
  paragraph: ({ tokens }: Tokens.Paragraph, state) =>
    elementNode('p', [paragraphContent(tokens, state)], directionOf(tokens)),
  heading: ({ depth, tokens }: Tokens.Heading, state) =>
    elementNode(`h${String(depth)}`, [paragraphContent(tokens, state)], directionOf(tokens)),
  code: (token: Tokens.Code, state) => code(token, state),
  blockquote: ({ tokens, alert }: AlertToken, state) =>
    alert
      ? alertBox(alert, innerBlocks(tokens, state), state.view)
      : elementNode('blockquote', innerBlocks(tokens, state), auto),
  list: (token: Tokens.List, state) => list(token, state),
  table: (token: Tokens.Table, state) => table(token, state),
  // Rendered as a paragraph, which it becomes if text follows.
  math: (token: MathToken, state) => elementNode('p', [paragraphContent([token], state)], auto),
  hr: () => elementNode('hr', []),
  html: ({ raw }: Tokens.HTML, { view }) => {
    const end = renderedHtmlEnd(raw);
    const source = stripCitationPlaceholders(raw.slice(0, end));
    const shown: ElementNode = { ...element('agent-chat-html', { source, view }), attributes: auto };
    return end < raw.length ? listNode([shown, showRestButton(raw.slice(end), view)]) : shown;
  },
  container: (token: ContainerToken, { view }) =>
    renderContainer(token, view, { size: GROUP_SIZE, most: GROUP_LENGTH }, (block) => drawBlock(block, view)),
  phrase: (token: InlineHtmlToken, { view }) => elementNode('div', [renderInlineHtml(token, view)], auto),
  // An item of a tight list, or text that was nested too deeply to be parsed.
  text: (token: Tokens.Text, state) =>
    token.tokens ? paragraphContent(token.tokens, state) : citedText(token.text, state.view),
  def: () => nothing,
  footnote: () => nothing,
  space: () => nothing,
  checkbox: (token: Tokens.Checkbox, { view }) => checkbox(token.checked, view),
};

function renderBlock(token: Token, state: BlockState): VNode {
  const renderer = Object.hasOwn(blockRenderers, token.type) ? blockRenderers[token.type] : undefined;
  // TypeScript cannot relate the key to the token; the types of the table above do.
  return renderer ? renderer(token as never, state) : citedText(token.raw, state.view);
}

/** Renders the blocks in a quote or list item. The last one may have growing parts itself. */
function innerBlocks(tokens: readonly Token[], { view, ...state }: BlockState): readonly VNode[] {
  const blocks = tokens
    .filter(({ type }) => type !== 'space')
    .map((token, index, all) => ({ ...state, token, isEnded: state.isEnded || index < all.length - 1 }));
  const hasHtml = tokens.some(({ type }) => type === 'html');
  return (hasHtml ? nestBlocks(blocks) : blocks).map((block) => drawBlock(block, view));
}

/** Returns the rendering state of a part of a block. */
const childState = ({ settled, ...state }: BlockState, index: number): BlockState => ({
  ...state,
  settled: index < settled ? Number.POSITIVE_INFINITY : 0,
});

/**
 * Renders the inline content of a paragraph. One longer than a screen is split into boxes, each of which ends its last
 * line.
 */
function paragraphContent(tokens: readonly Token[], { view, settled }: BlockState): VNode {
  // Nested like the first run of the first group of a long paragraph, which it may become: its nodes are kept.
  if (!hasRuns(tokens)) return listNode([listNode([listNode([listNode(inline(tokens, view))])])]);
  return groupParts(
    {
      count: tokens.length,
      settled,
      key: [tokens, view],
      at: (index) => {
        const run = tokens[index];
        const isPlain = isDense(run) && tokenCount(tokens.slice(0, index)) > MAX_TOKENS;
        const isLast = index === tokens.length - 1;
        const around: TextAround = [
          isCut(tokens[index - 1]) ? UNREADABLE_CONTENT : '',
          isLast ? '' : isCut(run) ? UNREADABLE_CONTENT : UNKNOWN_WORDS,
        ];
        return listNode(isPlain ? [citedText(run.raw, view)] : inline(run ? [run] : [], { ...view, around }));
      },
    },
    { size: GROUP_RUNS, most: RUNS_LENGTH, lengthOf: (index) => runLength(tokens[index]) },
    (content, { index, whole }) =>
      index === 0 ? content : elementNode('span', [content], { class: whole ? 'part whole' : 'part' }),
  );
}

/** Whether a run ends within a word. The text of the next one is not known when it is rendered. */
const isCut = (run: Token | undefined): boolean => run !== undefined && !/[\s。！？；，、：]$/.test(run.raw);

/** Stands for the unknown text after a run, which may name another host than a link at the end of the run. */
const UNKNOWN_WORDS = ' \u202d';

const tokenCount = (tokens: readonly Token[]): number =>
  tokens.reduce((sum, token) => sum + (innerTokens(token)?.length ?? 0), 0);

const isDense = (run: Token | undefined): run is Token =>
  run !== undefined && tokenCount([run]) * DENSE_LENGTH > run.raw.length;

const runLength = (run: Token | undefined): number =>
  run ? run.raw.length + (run.type === 'run' ? tokenCount([run]) * TOKEN_LENGTH : 0) : 0;

/** An element that renders its own content. */
const element = (tag: string, properties: Readonly<Record<string, unknown>>): ElementNode => ({
  ...elementNode(tag, []),
  properties,
});

function code(token: Tokens.Code, { view, growing }: BlockState): VNode {
  const { text, lang = '' } = token;
  const fence = parseFenceInfo(stripCitationPlaceholders(lang));
  return element('agent-chat-code', {
    ...fence,
    loadDiagram: view.diagramLoader?.(fence.language),
    code: stripCitationPlaceholders(text),
    complete: token !== growing && isClosedFence(token.raw),
    localize: view.localize,
  });
}

/** A fence without its end is still being written. */
function isClosedFence(raw: string): boolean {
  const fence = /^ {0,3}(`{3,}|~{3,})/.exec(raw)?.[1];
  return fence === undefined || new RegExp(`\\n {0,3}${fence}[\`~]*[ \\t]*\\n*$`).test(raw);
}

function list({ ordered, start, items }: Tokens.List, state: BlockState): VNode {
  const first = typeof start === 'number' ? start : 1;
  const content = groupParts(
    {
      count: items.length,
      settled: state.settled,
      key: [items, state.view],
      at: (index, begins) => {
        const item = items[index];
        // CSS containment isolates the counters of each box, so each box starts with an explicit number.
        const value = ordered && index > 0 && begins ? String(first + index) : undefined;
        const inner = { ...childState(state, index), isEnded: state.isEnded || index < items.length - 1 };
        return elementNode('li', innerBlocks(item?.tokens ?? [], inner), {
          ...directionOfItem(item),
          class: item?.task ? 'task' : undefined,
          value,
        });
      },
    },
    { size: GROUP_SIZE, most: GROUP_LENGTH, lengthOf: (index) => blockLength(items[index]) },
    (group, { index, whole }) =>
      index === 0 ? group : elementNode('div', [group], { class: whole ? 'part whole' : 'part', role: 'none' }),
  );
  // In a list that contains boxes, items need an explicit list role.
  const role = content.count > 1 ? 'list' : undefined;
  return elementNode(ordered ? 'ol' : 'ul', [content], {
    role,
    start: ordered && first !== 1 ? String(first) : undefined,
  });
}

function directionOfItem(item: Tokens.ListItem | undefined): Attributes {
  const text = item?.tokens.find(({ type }) => type === 'text');
  const inner = text && innerTokens(text);
  return inner ? directionOf(inner) : auto;
}

/**
 * Renders a table. Groups after the first rows are boxes with their own tables, which together form one table for
 * assistive technology.
 */
function table(token: Tokens.Table, state: BlockState): VNode {
  const { header, rows } = token;
  const { view, settled } = state;
  const cell = (
    tag: 'td' | 'th',
    { tokens, align }: Tokens.TableCell,
    attributes: Attributes,
    forming = false,
  ): VNode =>
    elementNode(tag, [paragraphContent(tokens, { view, settled: 0 })], {
      ...directionOf(tokens),
      class: cellClass(tokens, align, forming),
      ...attributes,
    });
  const isGrowing = Number.isFinite(settled) && !state.isEnded;
  const head = elementNode('thead', [
    elementNode(
      'tr',
      header.map((one) => cell('th', one, { scope: 'col' })),
    ),
  ]);
  const content = groupParts(
    {
      count: Math.max(1, rows.length),
      settled,
      key: [rows, view],
      at(index) {
        const cells = rows[index];
        if (!cells) return nothing;
        const boxed = index >= GROUP_SIZE;
        const last = isGrowing && index === rows.length - 1 ? cells.findLast(({ text }) => text !== '') : undefined;
        return elementNode(
          'tr',
          cells.map((one) => {
            const role = boxed ? 'cell' : undefined;
            return cell('td', one, { role }, one === last);
          }),
          { role: boxed ? 'row' : undefined },
        );
      },
    },
    { size: GROUP_SIZE },
    (group, { index, whole }) => {
      if (index === 0)
        return elementNode('table', [head, elementNode('tbody', [group])], { role: boxes > 0 ? 'none' : undefined });
      const body = elementNode('tbody', [group], { role: 'rowgroup' });
      return elementNode('div', [elementNode('table', [body], { role: 'none' })], {
        class: whole ? 'part whole' : 'part',
        role: 'none',
      });
    },
  );
  const boxes = content.count - 1;
  const attributes = {
    class: 'table-scroll',
    tabindex: '0',
    // The columns follow the direction of the header. Cells have their own direction, so `auto` would find no text
    // here.
    dir: directionOfWords(stripCitationPlaceholders(header.map(({ text }) => text).join(' '))),
    role: boxes > 0 ? 'table' : 'group',
    'aria-label': view.localize('table.scroll'),
    boxed: boxes > 0 ? '' : undefined,
    growing: isGrowing ? (isMeasurable(token) ? '' : 'first') : undefined,
  };
  loadTableColumns().catch(definePlainTable);
  const shown: VNode = {
    ...elementNode('agent-chat-rows', [content], attributes),
    properties: { boxes, shows: { token, localize: view.localize } },
  };
  return 'columns' in token ? listNode([shown, showRestButton(token.raw, view)]) : shown;
}

/** The classes of a cell. Text that is not aligned to the start would move with each letter while it is being written. */
function cellClass(tokens: readonly Token[], align: Tokens.TableCell['align'], forming: boolean): string | undefined {
  const isForming = forming && (align === 'right' || align === 'center');
  const text = tokens.map(displayedText).join('');
  const isFigure = text.length <= MAX_NUMBER_LENGTH && text.trim().includes(' ') && parseCellNumber(text) !== undefined;
  const shape = hasLongWord(text) ? 'long' : isFigure ? 'figure' : '';
  return [align, isForming ? 'forming' : '', shape].filter(Boolean).join(' ') || undefined;
}

/**
 * A button that shows the rest of a content that is too large to lay out at once. The limits: `markdown-directive.ts` (nodes),
 * `parse/html-limit.ts` (HTML), `MAX_COLUMNS` in `parse/table-limit.ts` (columns of a table). Its element is loaded with the first one,
 * because few texts need it.
 */
export function showRestButton(source: string, { localize }: MarkdownView): ElementNode {
  void loadShowRest();
  return element('agent-chat-rest', { source, localize });
}

/** Loads `<agent-chat-rest>`. If that fails, nothing is shown there; copies of the text are complete. */
export const loadShowRest = (): Promise<void> => import('./show-rest.ts').then(defineFrom, ignore);

/** If the chunk of tables fails to load, they stay readable: their columns move while they grow. */
function definePlainTable(): void {
  defineOnce('agent-chat-rows', class extends HTMLElement {});
}

const ignore = (): void => undefined;

/** Whether the first row is complete, or too long to wait for. */
const isMeasurable = ({ rows: [first, second] }: Tokens.Table): boolean =>
  second !== undefined || (first?.some(({ text }) => text.length > MAX_AWAITED_CELL) ?? false);

const checkbox = (checked: boolean, { localize }: MarkdownView): VNode =>
  listNode([
    {
      ...elementNode('input', [], {
        type: 'checkbox',
        disabled: '',
        'aria-label': localize(checked ? 'task.done' : 'task.open'),
      }),
      properties: { checked },
    },
    ' ',
  ]);

/** Renders inline content. Raw HTML tags open and close around the tokens between them. */
function inline(tokens: readonly Token[], outer: MarkdownView): readonly VNode[] {
  // One limiter for all elements: combining marks in neighbouring ones are displayed on the same letter.
  const view = outer.limitAccents ? outer : { ...outer, limitAccents: createAccentLimiter() };
  const builder = new InlineBuilder(view);
  const around = tokens.some(({ raw }) => MAY_LINK.test(raw))
    ? textsAround(tokens.map(displayedText), view.around)
    : [];
  // The text around a run is not that around each of its links.
  const { around: _ofRun, ...withoutAround } = view;
  for (const [index, token] of enumerate(tokens)) {
    const inner: MarkdownView = around[index] ? { ...view, around: around[index] } : withoutAround;
    if (token.type === 'html') builder.addHtml(stripCitationPlaceholders(token.raw), inner.around);
    else builder.add(renderInline(token, inner), builder.hasOpenTag ? displayedText(token) : '');
  }
  return builder.end();
}

const MAY_LINK = /[\]<]/;

const inlineRenderers: Renderers<MarkdownView> = {
  run: ({ tokens }: RunToken, view) => listNode(inline(tokens, view)),
  text: ({ text, tokens }: Tokens.Text, view) => (tokens ? listNode(inline(tokens, view)) : citedText(text, view)),
  escape: ({ text }: Tokens.Escape, view) => citedText(text, view),
  strong: ({ tokens }: Tokens.Strong, view) => elementNode('strong', inline(tokens, view)),
  em: ({ tokens }: Tokens.Em, view) => elementNode('em', inline(tokens, view)),
  del: ({ tokens }: Tokens.Del, view) => elementNode('del', inline(tokens, view)),
  codespan: ({ text }: Tokens.Codespan, view) =>
    listNode([
      elementNode('code', [(view.limitAccents ?? limitAccents)(stripCitationPlaceholders(text))], { translate: 'no' }),
      ...marksOf(text, view),
    ]),
  math: ({ text, raw, display }: MathToken, view) => {
    const formula = {
      formula: stripCitationPlaceholders(text),
      source: stripCitationPlaceholders(raw).trim(),
      display,
    };
    return listNode([element('agent-chat-math', formula), ...marksOf(raw, view)]);
  },
  br: () => elementNode('br', []),
  note: renderFootnoteReference,
  link: ({ href, title, tokens }: Tokens.Link, view) => {
    const linkText = tokens.map(displayedText).join('');
    return listNode([
      linkNode(urlOf(href), inline(tokens, withoutReferences(view)), toPlainText(title ?? ''), linkText, view.around),
      ...marksOf(href, view),
    ]);
  },
  image: ({ href, tokens }: Tokens.Image, view) =>
    listNode([view.image(urlOf(href), tokens.map(imageAltText).join('')), ...marksOf(href, view)]),
  checkbox: (token: Tokens.Checkbox, view) => checkbox(token.checked, view),
};

function renderInline(token: Token, view: MarkdownView): VNode {
  const renderer = Object.hasOwn(inlineRenderers, token.type) ? inlineRenderers[token.type] : undefined;
  return renderer ? renderer(token as never, view) : citedText(token.raw, view);
}

/** A link contains no buttons. */
const withoutReferences = (view: MarkdownView): MarkdownView =>
  view.references ? { ...view, references: undefined } : view;

/** In Markdown a backslash belongs to the URL. A browser would read it as a slash. */
const urlOf = (href: string): string => toPlainText(href).replaceAll('\\', '%5C');

/** The citation marks of a text that cannot contain them; they follow it. */
const marksOf = (text: string, view: MarkdownView): readonly VNode[] =>
  splitCitationPlaceholders(text).flatMap((piece) => (typeof piece === 'number' ? citation(piece, view) : []));

function citation(number: number, view: MarkdownView): readonly VNode[] {
  const mark = view.cite?.(number);
  return mark ? [mark] : [];
}
