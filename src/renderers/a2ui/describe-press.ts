/**
 * Describes a button press of a surface for the conversation: the labels and choices that the user saw, not the data
 * for the agent.
 */
import type { Localize } from '../../locales/localize.ts';
import { withoutInvisible } from '../../safety/urls.ts';
import { readable } from './read/component-readers.ts';
import { parseDate } from './read/format-date.ts';
import { surfaceIcon } from './views/icons.ts';
import type { NodeOf, UiNode } from './read/node-types.ts';
import { inputsIn, isInput, type InputNode } from './read/walk-tree.ts';
import { CARD_FRAME, MAX_LABEL, SURFACE_WIDTH, widthOf } from './views/surface-layout.ts';

export type EventPress = Extract<NodeOf<'Button'>['press'], { readonly kind: 'event' }>;

/** Maximum length of the description (characters). */
const MAX_DESCRIPTION = 2000;
/** Longest value that the line of an input shows (characters). */
const MAX_LINE = 40;
/** The lines that a text area shows. */
const AREA_LINES = 3;
/** Narrower parts are illegible (characters). */
const MIN_ROOM = 10;

/** The inputs that are visible at first, without closed parts. `room`: the width that the node has (characters). */
function visibleInputsIn(node: UiNode | undefined, room = SURFACE_WIDTH): readonly InputNode[] {
  if (!node) return [];
  if (isInput(node)) return [node];
  if (node.type === 'Tabs') return visibleInputsIn(node.tabs[0]?.child, room);
  return visibleChildren(node, room).flatMap(([child, childRoom]) => visibleInputsIn(child, childRoom));
}

/** The visible children with the width that each has: a list that runs sideways scrolls after its first item. */
function visibleChildren(node: UiNode, room: number): readonly (readonly [UiNode, number])[] {
  if (!('children' in node) || (node.type === 'Row' && widthOf(node) > room)) return [];
  const childRoom = node.type === 'Card' ? room - CARD_FRAME : room;
  const children = node.type === 'List' && node.horizontal ? node.children.slice(0, 1) : node.children;
  return childRoom < MIN_ROOM ? [] : children.map((child) => [child, childRoom]);
}

/**
 * Markdown that hides text: comments, addresses and titles of links, the language of code, surplus cells of tables, and
 * code and tables, which scroll. Struck text says the opposite. Deeply nested lists and quotes leave no room for text.
 */
const HIDING = /[<\]|\t]|`{3}|~[^~]*~| {4}|(?:(?:[*+-]|\d{1,9}[.)]) {1,3}|> {0,3}){5}/;
/** Formulas with commands (`\phantom`) or comments, which may hide text too. */
const FORMULA = /\${2}|\\[a-z([]|\$[^$%]*%[^$]*\$/i;

/** Text in one line, in which spaces and line ends are displayed as one space. */
const collapsed = (text: string): string => text.replace(/[ \t\r\n\f]+/g, ' ').trim();
const shownLabel = (label: string): string => collapsed(label.slice(0, MAX_LABEL));

/** The paragraphs and headings of a text, one in a line. A single line break is displayed as a space. */
function displayedText({ text, style }: NodeOf<'Text'>): string {
  const source = text.replace(/\r\n?/g, '\n');
  if (HIDING.test(source) || FORMULA.test(source)) return '';
  if (style !== 'body') return collapsed(source);
  const withBreaks = source.includes('`') ? source : source.replace(/(?: {2}|(?<!\\)\\)\n/g, '\n\n');
  return withBreaks
    .replace(/^ {0,3}#{1,6} .*$/gm, '\n$&\n')
    .split(/\n *\n/)
    .map(collapsed)
    .join('\n');
}

/** The text that is visible without any interaction. */
function visibleTextIn(node: UiNode | undefined, room = SURFACE_WIDTH): string {
  if (!node) return '';
  switch (node.type) {
    case 'Text':
      return displayedText(node);
    case 'Tabs':
      return visibleTextIn(node.tabs[0]?.child, room);
    case 'Modal':
      if (node.trigger?.type !== 'Text') return visibleTextIn(node.trigger, room);
      // A text that opens a modal stays on one line, which cuts it off.
      return node.label.length > SURFACE_WIDTH ? '' : collapsed(node.label);
    case 'Button':
      return node.image ? '' : shownLabel(node.label);
    case 'Icon':
    case 'Media':
      return '';
    default:
      if ('label' in node) return shownLabel(node.label);
      return visibleChildren(node, room)
        .map(([child, childRoom]) => visibleTextIn(child, childRoom))
        .join('\n');
  }
}

/** The text of a line without the marks of Markdown and the punctuation at its end. */
const lineOf = (text: string): string =>
  text
    .replace(/[*_`#>~]/g, '')
    .trim()
    .replace(/[.:;!?]$/, '');
const spaced = (text: string): string => ` ${text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()} `;

/** Whether a surface shows a text: as complete lines, or up to three words anywhere. A longer part of a sentence may say something else. */
function isShown(text: string, visibleText: string): boolean {
  const words = text.match(/\p{L}{2,}/gu) ?? [];
  if (words.length <= 3 && !LONG_WORD.test(text))
    return visibleText.includes(text) && spaced(visibleText).includes(spaced(text));
  const lines = new Set(visibleText.split('\n').map(lineOf));
  return text.split('\n').every((line) => lines.has(lineOf(line)));
}

/** The visible label of an input, which may be the text before it; empty if only assistive technology reads its name. */
function labelOf({ type, label, ariaName }: InputNode, visibleText: string): string {
  const shown = label || (type === 'CheckBox' || isShown(ariaName, visibleText) ? ariaName : '');
  return withoutInvisible(collapsed(shown));
}

/**
 * The visible label of a button. For an icon or image it is the name of the icon or the action, because the accessible name
 * may say anything.
 */
function pressedLabel({ label, ariaName, icon, drawing, image }: PressedButton, { name }: EventPress): string {
  const isDrawn = drawing || surfaceIcon(icon);
  if (!image && (label || !isDrawn)) return shownLabel(label || ariaName);
  return readable([drawing ? '' : icon, name].find(isIdentifier) ?? '…');
}
type PressedButton = Pick<NodeOf<'Button'>, 'label' | 'ariaName' | 'icon' | 'drawing' | 'image'>;

/**
 * Whether a text is an identifier, which agents that read only text need. It must not pass for the user's own words: at most
 * three words, and no sentence in a script without spaces.
 */
const isIdentifier = (text: string): boolean =>
  /^[\p{L}\p{N}_.-]{1,40}$/u.test(text) &&
  text === withoutInvisible(text) &&
  !LONG_WORD.test(text) &&
  (UUID.test(text) || text.split(WORD_END).filter(({ length }) => length > 1).length <= 3);
/** A word that is so long that it may be a sentence without spaces. */
const LONG_WORD = /\p{L}{21}|\p{Lo}{7}/u;
const WORD_END = /[^\p{L}]+|(?<=\p{Ll})(?=\p{Lu})/u;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Whether an input shows all of its value before the user has used it: a filtered list or text area scrolls, and a line is cut off. */
const showsAll = (input: InputNode, valueText: string): boolean =>
  input.type === 'ChoicePicker' && input.style !== 'drop-down'
    ? !input.filterable
    : valueText.length <= MAX_LINE && valueText.split('\n').length <= AREA_LINES;

/**
 * The label of the button, and a line for each submitted value. Empty values have no line. It is sent as the user's own
 * message, so it contains only visible text; the agent gets the other values as data.
 */
export function describePress(
  button: PressedButton,
  press: EventPress,
  {
    root,
    localize,
    secrets,
    entered,
  }: {
    readonly root: UiNode | undefined;
    readonly localize: Localize;
    /** The names of the values that contain a password. */
    readonly secrets: readonly string[];
    /** What the user has entered, by path. The agent may have replaced the values since. */
    readonly entered: ReadonlyMap<string | undefined, Entered>;
  },
): string {
  const { context, paths } = press;
  const inputs = inputsIn(root);
  const visibleInputs = visibleInputsIn(root);
  const visibleText = visibleTextIn(root);
  const lines = Object.entries(context).flatMap(([name, value]) => {
    const bound = inputs.filter(({ path }) => path !== undefined && path === paths.get(name));
    // Of several inputs with one path, the user may have seen only some, and their labels may differ.
    const input = bound.find((one) => visibleInputs.includes(one)) ?? (bound.length > 1 ? undefined : bound[0]);
    const isSecret = secrets.includes(name) && value !== '';
    const valueText = isSecret ? SECRET : input ? textOfInput(input, localize) : textOfValue(value, localize);
    const isVisible = input !== undefined && visibleInputs.includes(input);
    const own = entered.get(input?.path);
    const isEntered =
      own !== undefined && JSON.stringify(own.value) === JSON.stringify(value) && (own.isCurrent || isVisible);
    const inputLabel = input && (isVisible || isEntered) ? labelOf(input, visibleText) : '';
    const isSeen =
      typeof value === 'number' ||
      typeof value === 'boolean' ||
      (isVisible && showsAll(input, valueText)) ||
      isEntered ||
      isIdentifier(valueText) ||
      isShown(valueText, visibleText);
    return valueText === '' || !isSeen || !(inputLabel || isIdentifier(name))
      ? []
      : `${inputLabel || name}: ${withoutInvisible(valueText)}`;
  });
  return [withoutInvisible(pressedLabel(button, press)), ...lines].join('\n').slice(0, MAX_DESCRIPTION);
}

/** A value of the user, and whether the agent has changed nothing of the surface since: it could be that of another label now. */
interface Entered {
  readonly value: unknown;
  readonly isCurrent: boolean;
}

/** In place of a password. */
export const SECRET = '••••••';

const DATES: Readonly<Record<NodeOf<'DateTimeInput'>['kind'], Intl.DateTimeFormatOptions>> = {
  date: { dateStyle: 'long' },
  time: { timeStyle: 'short' },
  'datetime-local': { dateStyle: 'long', timeStyle: 'short' },
};

function textOfInput(node: InputNode, localize: Localize): string {
  switch (node.type) {
    case 'CheckBox':
      return localize(node.value ? 'ask.yes' : 'ask.no');
    case 'Slider':
      return localize.number(node.value);
    case 'ChoicePicker':
      return node.options
        .filter(({ value }) => node.value.includes(value))
        .map(({ label }) => withoutInvisible(collapsed(label)))
        .join(', ');
    case 'DateTimeInput':
      return dateText(node.value, node.kind, localize);
    case 'TextField':
      if (node.kind === 'obscured') return node.value && SECRET;
      if (node.kind === 'date') return dateText(node.value, 'date', localize);
      // An input shows its text in one line, without the line ends.
      return node.kind === 'longText' ? node.value : node.value.replace(/[\r\n]+/g, '');
  }
}

function dateText(value: string, kind: NodeOf<'DateTimeInput'>['kind'], { locale }: Localize): string {
  // A time without a date needs any date to be formatted.
  const date = parseDate(kind === 'time' ? `2000-01-01T${value}` : value);
  return date ? new Intl.DateTimeFormat(locale, DATES[kind]).format(date) : '';
}

/** The text of a value without an input: data that the agent gets back. */
function textOfValue(value: unknown, localize: Localize): string {
  if (typeof value === 'boolean') return localize(value ? 'ask.yes' : 'ask.no');
  if (typeof value === 'number') return localize.number(value);
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value ?? '').replace(/^""$/, '');
}
