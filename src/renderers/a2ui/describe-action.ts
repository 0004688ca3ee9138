/**
 * Describes a button press of a surface for the conversation: the labels and choices that the user saw, not the data
 * for the agent.
 */
import type { Localize } from '../../locales/localize.ts';
import { withoutInvisible } from '../../safety/urls.ts';
import { readable } from './component-readers.ts';
import { parseDate } from './format-date.ts';
import { surfaceIcon } from './icons.ts';
import type { NodeOf, UiNode } from './node-types.ts';

type InputNode = NodeOf<'TextField' | 'CheckBox' | 'DateTimeInput' | 'ChoicePicker' | 'Slider'>;
type EventPress = Extract<NodeOf<'Button'>['press'], { readonly kind: 'event' }>;

const MAX_WORDS = 2000;
/** Longest label in a description (characters), as on the button. */
export const MAX_LABEL = 100;
/** Longest value that the line of an input shows (characters). */
const MAX_LINE = 40;
/** Longest words that fit beside each other in a row (characters). */
const MAX_ROW = 40;

const isInput = (node: UiNode): node is InputNode => 'required' in node;

/** The inputs inside a node; only those that are visible at first, without closed parts, if `visible` is set. */
function inputsIn(node: UiNode | undefined, visible = false): readonly InputNode[] {
  if (!node) return [];
  if (isInput(node)) return [node];
  if (node.type === 'Tabs') {
    return (visible ? node.tabs.slice(0, 1) : node.tabs).flatMap(({ child }) => inputsIn(child, visible));
  }
  if (node.type === 'Modal') return visible ? [] : inputsIn(node.content);
  return 'children' in node ? visibleChildren(node, visible).flatMap((child) => inputsIn(child, visible)) : [];
}

/** A list that runs sideways scrolls after its first item. */
const visibleChildren = (node: Extract<UiNode, { readonly children: unknown }>, visible = true): readonly UiNode[] =>
  visible && node.type === 'List' && node.horizontal ? node.children.slice(0, 1) : node.children;

/** The width that a node needs (characters). A row does not wrap, and what is too wide for it is cut off. */
function widthOf(node: UiNode): number {
  if (node.type === 'Text') return node.text.split(/\s/).reduce((longest, { length }) => Math.max(longest, length), 0);
  if (!('children' in node)) return node.type === 'Icon' ? 3 : 6;
  const widths = node.children.map(widthOf);
  return node.type === 'Row' ? widths.reduce((sum, width) => sum + width + 1, 0) : Math.max(0, ...widths);
}

/**
 * Markdown that hides text: comments, addresses and titles of links, the language of code, surplus cells of tables, and
 * code and tables, which scroll.
 */
const HIDING = /[<\]|\t]|`{3}|~{3}| {4}/;

/** The text that is visible without any interaction. */
function visibleTextIn(node: UiNode | undefined): string {
  if (!node) return '';
  switch (node.type) {
    case 'Text':
      return HIDING.test(node.text) ? '' : node.text;
    case 'Tabs':
      return visibleTextIn(node.tabs[0]?.child);
    case 'Modal':
      return visibleTextIn(node.trigger);
    case 'Button':
      return node.image ? '' : node.label.slice(0, MAX_LABEL);
    case 'Icon':
    case 'Media':
      return '';
    default:
      if ('label' in node) return node.label.slice(0, MAX_LABEL);
      if (!('children' in node) || (node.type === 'Row' && widthOf(node) > MAX_ROW)) return '';
      return visibleChildren(node).map(visibleTextIn).join('\n');
  }
}

/** The visible label of an input, which may be the text before it; empty if its name is only read aloud. */
function labelOf({ type, label, ariaName }: InputNode, visibleText: string): string {
  return withoutInvisible(label || (type === 'CheckBox' || visibleText.includes(ariaName) ? ariaName : ''));
}

/**
 * The visible label of a button. For an icon or image it is the name of the icon or the action, because the accessible name
 * may say anything.
 */
function pressedLabel({ label, ariaName, icon, drawing, image }: PressedButton, { name }: EventPress): string {
  const isDrawn = drawing || surfaceIcon(icon);
  if (!image && (label || !isDrawn)) return (label || ariaName).slice(0, MAX_LABEL);
  return readable([drawing ? '' : icon, name].find(isIdentifier) ?? '…');
}
type PressedButton = Pick<NodeOf<'Button'>, 'label' | 'ariaName' | 'icon' | 'drawing' | 'image'>;

/**
 * Agents that read only text need identifiers, which must not appear as the user's own words: at most three words, and no
 * sentence in a script without spaces.
 */
const isIdentifier = (text: string): boolean =>
  /^[\p{L}\p{N}_.-]{1,40}$/u.test(text) &&
  text === withoutInvisible(text) &&
  !/\p{L}{21}|\p{Lo}{7}/u.test(text) &&
  (UUID.test(text) || text.split(WORD_END).filter(({ length }) => length > 1).length <= 3);
const WORD_END = /[^\p{L}]+|(?<=\p{Ll})(?=\p{Lu})/u;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Whether an input shows all of its value before the user has used it: a filtered list scrolls, and a line is cut off. */
const showsAll = (input: InputNode, valueText: string): boolean =>
  input.type === 'ChoicePicker' && input.style !== 'drop-down' ? !input.filterable : valueText.length <= MAX_LINE;

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
    entered,
  }: {
    readonly root: UiNode | undefined;
    readonly localize: Localize;
    /** The values that the user has entered, by path. The agent may have replaced them since. */
    readonly entered: ReadonlyMap<string | undefined, unknown>;
  },
): string {
  const { context, paths } = press;
  const inputs = inputsIn(root);
  const visibleInputs = inputsIn(root, true);
  const visibleText = visibleTextIn(root);
  const lines = Object.entries(context).flatMap(([name, value]) => {
    const input = inputs.find(({ path }) => path !== undefined && path === paths.get(name));
    const valueText = input ? textOfInput(input, localize) : textOfValue(value, localize);
    const inputLabel = input ? labelOf(input, visibleText) : '';
    const isSeen =
      typeof value === 'number' ||
      typeof value === 'boolean' ||
      (input &&
        ((visibleInputs.includes(input) && showsAll(input, valueText)) ||
          JSON.stringify(entered.get(input.path)) === JSON.stringify(value))) ||
      isIdentifier(valueText) ||
      visibleText.includes(valueText);
    return valueText === '' || !isSeen || !(inputLabel || isIdentifier(name))
      ? []
      : `${inputLabel || name}: ${withoutInvisible(valueText)}`;
  });
  return [withoutInvisible(pressedLabel(button, press)), ...lines].join('\n').slice(0, MAX_WORDS);
}

/** The names of context values that come from a password field. */
export function secretNames({ paths }: EventPress, root: UiNode | undefined): readonly string[] {
  const secret = inputsIn(root).flatMap((node) =>
    node.type === 'TextField' && node.kind === 'obscured' ? node.path : [],
  );
  return [...paths].flatMap(([name, path]) => (secret.includes(path) ? name : []));
}

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
        .map(({ label }) => withoutInvisible(label))
        .join(', ');
    case 'DateTimeInput':
      return dateWords(node.value, node.kind, localize);
    case 'TextField':
      if (node.kind === 'obscured') return node.value && '••••••';
      if (node.kind === 'date') return dateWords(node.value, 'date', localize);
      // An input shows its text in one line, without the line ends.
      return node.kind === 'longText' ? node.value : node.value.replace(/[\r\n]+/g, '');
  }
}

function dateWords(value: string, kind: NodeOf<'DateTimeInput'>['kind'], { locale }: Localize): string {
  // A time without a date needs any date to be formatted.
  const date = parseDate(kind === 'time' ? `2000-01-01T${value}` : value);
  return date ? new Intl.DateTimeFormat(locale, DATES[kind]).format(date) : '';
}

/** A value without an input: data that the agent gets back. */
function textOfValue(value: unknown, localize: Localize): string {
  if (typeof value === 'boolean') return localize(value ? 'ask.yes' : 'ask.no');
  if (typeof value === 'number') return localize.number(value);
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value ?? '').replace(/^""$/, '');
}
