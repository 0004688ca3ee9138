/**
 * Describes a button press of a surface for the conversation: the labels and choices that the user saw, not the data
 * for the agent.
 */
import type { Localize } from '../../locales/localize.ts';
import { withoutInvisible } from '../../safety/urls.ts';
import { parseDate } from './format-date.ts';
import type { NodeOf, UiNode } from './node-types.ts';

type InputNode = NodeOf<'TextField' | 'CheckBox' | 'DateTimeInput' | 'ChoicePicker' | 'Slider'>;
type EventPress = Extract<NodeOf<'Button'>['press'], { readonly kind: 'event' }>;

const MAX_WORDS = 2000;
/** Longest label in a description (characters), as on the button. A name that is only read aloud is cut earlier. */
export const MAX_LABEL = 100;
const MAX_HIDDEN_LABEL = 40;

const isInput = (node: UiNode): node is InputNode => 'required' in node;

/** The inputs inside a node; only those that are visible at first, without closed parts, if `visible` is set. */
function inputsIn(node: UiNode | undefined, visible = false): readonly InputNode[] {
  if (!node) return [];
  if (isInput(node)) return [node];
  if (node.type === 'Tabs') {
    return (visible ? node.tabs.slice(0, 1) : node.tabs).flatMap(({ child }) => inputsIn(child, visible));
  }
  if (node.type === 'Modal') return visible ? [] : inputsIn(node.content);
  return 'children' in node ? node.children.flatMap((child) => inputsIn(child, visible)) : [];
}

/** Markdown that hides text: comments, addresses and titles of links, and the language of code. */
const HIDING = /[<\]]|`{3}|~{3}/;

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
      return 'children' in node ? node.children.map(visibleTextIn).join('\n') : '';
  }
}

/** A name that only assistive technology reads: its beginning, in one line. */
const spokenName = (name: string): string => name.replace(/\s+/g, ' ').slice(0, MAX_HIDDEN_LABEL);

/** The visible label of an input; otherwise its accessible name, which may be the text before it. */
function labelOf({ type, label, ariaName }: InputNode, visibleText: string): string {
  const name = label || ariaName;
  return withoutInvisible(label || type === 'CheckBox' || visibleText.includes(name) ? name : spokenName(name));
}

/** Agents that read only text need identifiers, which must not appear as the user's own words. */
const isIdentifier = (text: string): boolean => /^[^\s\p{C}]{1,64}$/u.test(text);

/**
 * The label of the button, and a line for each submitted value. Empty values have no line. It is sent as the user's own
 * message, so it contains only visible text; the agent gets the other values as data.
 */
export function describePress(
  { label, ariaName, image }: Pick<NodeOf<'Button'>, 'label' | 'ariaName' | 'image'>,
  { context, paths }: EventPress,
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
  const inputs = inputsIn(root);
  const visibleInputs = inputsIn(root, true);
  const visibleText = visibleTextIn(root);
  const lines = Object.entries(context).flatMap(([name, value]) => {
    const input = inputs.find(({ path }) => path !== undefined && path === paths.get(name));
    const valueText = input ? textOfInput(input, localize) : textOfValue(value, localize);
    const inputLabel = input ? labelOf(input, visibleText) : '';
    const isSeen =
      (input && (visibleInputs.includes(input) || JSON.stringify(entered.get(input.path)) === JSON.stringify(value))) ||
      isIdentifier(valueText) ||
      visibleText.includes(valueText);
    return valueText === '' || !isSeen || !(inputLabel || isIdentifier(name))
      ? []
      : `${inputLabel || name}: ${withoutInvisible(valueText)}`;
  });
  const labelText = label && !image ? label.slice(0, MAX_LABEL) : spokenName(label || ariaName);
  return [withoutInvisible(labelText), ...lines].join('\n').slice(0, MAX_WORDS);
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
  return date ? new Intl.DateTimeFormat(locale, DATES[kind]).format(date) : value;
}

/** A value without an input: data that the agent gets back. */
function textOfValue(value: unknown, localize: Localize): string {
  if (typeof value === 'boolean') return localize(value ? 'ask.yes' : 'ask.no');
  if (typeof value === 'number') return localize.number(value);
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value ?? '').replace(/^""$/, '');
}
