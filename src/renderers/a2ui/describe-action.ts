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

const isInput = (node: UiNode): node is InputNode => 'required' in node;

/** The inputs inside a node. */
function inputsIn(node: UiNode | undefined): readonly InputNode[] {
  if (!node) return [];
  if (isInput(node)) return [node];
  if (node.type === 'Tabs') return node.tabs.flatMap(({ child }) => inputsIn(child));
  if (node.type === 'Modal') return inputsIn(node.content);
  return 'children' in node ? node.children.flatMap(inputsIn) : [];
}

/** The label of the button, and a line for each submitted value. Empty values have no line. */
export function describePress(
  label: string,
  { context, paths }: EventPress,
  { root, localize }: { readonly root: UiNode | undefined; readonly localize: Localize },
): string {
  const inputs = inputsIn(root);
  const lines = Object.entries(context).flatMap(([name, value]) => {
    const input = inputs.find(({ path }) => path !== undefined && path === paths.get(name));
    const valueText = input ? wordsOfInput(input, localize) : wordsOfValue(value, localize);
    return valueText === ''
      ? []
      : `${withoutInvisible(input ? input.label || input.ariaName : '') || name}: ${valueText}`;
  });
  return [withoutInvisible(label), ...lines].join('\n').slice(0, MAX_WORDS);
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

function wordsOfInput(node: InputNode, localize: Localize): string {
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
      return node.kind === 'date' ? dateWords(node.value, 'date', localize) : node.value;
  }
}

function dateWords(value: string, kind: NodeOf<'DateTimeInput'>['kind'], { locale }: Localize): string {
  // A time without a date needs any date to be formatted.
  const date = parseDate(kind === 'time' ? `2000-01-01T${value}` : value);
  return date ? new Intl.DateTimeFormat(locale, DATES[kind]).format(date) : value;
}

/** A value without an input: data that the agent wants back. */
function wordsOfValue(value: unknown, localize: Localize): string {
  if (typeof value === 'boolean') return localize(value ? 'ask.yes' : 'ask.no');
  if (typeof value === 'number') return localize.number(value);
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value ?? '').replace(/^""$/, '');
}
