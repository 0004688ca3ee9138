/**
 * Converts A2UI 0.8 messages to the format of later versions. Source: A2UI 0.8, the standard catalog; 0.9's evolution
 * guide.
 */
import { isRecord } from '../../model/json.ts';
import { own } from './data-model.ts';

type Props = Readonly<Record<string, unknown>>;

const RENAMED: Readonly<Record<string, string>> = {
  usageHint: 'variant',
  textFieldType: 'variant',
  altText: 'description',
  distribution: 'justify',
  alignment: 'align',
  tabItems: 'tabs',
  entryPointChild: 'trigger',
  contentChild: 'content',
  selections: 'value',
  minValue: 'min',
  maxValue: 'max',
};

/** The type and the properties of a component that was sent as `{Name: {…}}`. */
export function fromV08(wrapped: Props): { readonly type: string; readonly props: Props } | undefined {
  const [entry] = Object.entries(wrapped);
  if (!entry || !isRecord(entry[1])) return undefined;
  const [name, properties] = entry;
  const renamed = Object.fromEntries(
    Object.entries(properties).map(([key, value]) => [
      Object.hasOwn(RENAMED, key) ? (RENAMED[key] ?? key) : key,
      value,
    ]),
  );
  const props = { ...renamed, children: childrenOf(properties['children']), action: actionOf(properties['action']) };
  switch (name) {
    case 'Heading':
      return { type: 'Text', props: { ...props, variant: `h${textOf(own(properties, 'level')) || '2'}` } };
    case 'TextField':
      return { type: name, props: { ...props, value: own(properties, 'text'), ...patternCheck(properties) } };
    case 'Button':
      return { type: name, props: { ...props, ...(properties['primary'] === true && { variant: 'primary' }) } };
    case 'MultipleChoice':
      return {
        type: 'ChoicePicker',
        props: {
          ...props,
          displayStyle: own(properties, 'variant') ?? own(properties, 'type'),
          variant: properties['maxAllowedSelections'] === 1 ? 'mutuallyExclusive' : 'multipleSelection',
        },
      };
    default:
      return { type: name, props };
  }
}

/** `validationRegexp` allows an empty value: 0.8 has no required inputs. */
function patternCheck({ text, validationRegexp: pattern }: Props): Props {
  if (typeof pattern !== 'string') return {};
  const values = [
    { call: 'not', args: { value: { call: 'required', args: { value: text } } } },
    { call: 'regex', args: { value: text, pattern } },
  ];
  return { checks: [{ condition: { call: 'or', args: { values } } }] };
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

function childrenOf(children: unknown): unknown {
  const template = own(children, 'template');
  if (isRecord(template)) return { componentId: template['componentId'], path: template['dataBinding'] };
  return own(children, 'explicitList') ?? children;
}

function actionOf(action: unknown): unknown {
  const context = own(action, 'context');
  if (!Array.isArray(context)) return isRecord(action) && 'name' in action ? { event: action } : action;
  const entries = (context as unknown[]).flatMap((item) => {
    const key = own(item, 'key');
    return typeof key === 'string' ? [[key, own(item, 'value')] as const] : [];
  });
  return { event: { name: own(action, 'name'), context: Object.fromEntries(entries) } };
}

const VALUES = ['valueString', 'valueNumber', 'valueBoolean'];
const MAX_DEPTH = 16;

/** Converts `contents`, a list of keys with typed values, to an object. */
export function fromContents(contents: unknown, depth = 0): unknown {
  if (!Array.isArray(contents)) return contents;
  const entries = (contents as unknown[]).flatMap((item) => {
    const key = own(item, 'key');
    if (typeof key !== 'string' || depth > MAX_DEPTH) return [];
    const map = own(item, 'valueMap') ?? own(item, 'valueArray');
    const name = VALUES.find((kind) => own(item, kind) !== undefined);
    return [[key, map === undefined ? name && own(item, name) : fromContents(map, depth + 1)] as const];
  });
  return Object.fromEntries(entries);
}
