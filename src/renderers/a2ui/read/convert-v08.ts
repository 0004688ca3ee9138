/**
 * Converts A2UI 0.8 messages to the format of later versions. Source: A2UI 0.8, the standard catalog; 0.9's evolution
 * guide.
 */
import { isRecord } from '../../../model/json.ts';
import { own, putAt, stepsOf } from './data-model.ts';

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
  if (!entry) return undefined;
  const [name, properties] = [entry[0], withSlashedPaths(entry[1])];
  if (!isRecord(properties)) return undefined;
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

/**
 * Converts `contents`, a list of keys with typed values, to an object. A key may be a path, `items[0].name`; the only key `.`
 * stands for the value itself.
 */
export function fromContents(contents: unknown, depth = 0): unknown {
  if (!Array.isArray(contents)) return contents;
  const list = contents as unknown[];
  if (list.length === 1 && own(list[0], 'key') === '.') return valueOf(list[0], depth);
  return list.reduce((data, item) => {
    const key = own(item, 'key');
    const steps = typeof key === 'string' && depth <= MAX_DEPTH ? stepsOf(slashedPath(key)) : undefined;
    return steps?.length ? putAt(data, steps, valueOf(item, depth)) : data;
  }, {});
}

function valueOf(item: unknown, depth: number): unknown {
  const map = own(item, 'valueMap') ?? own(item, 'valueArray');
  if (map !== undefined) return fromContents(map, depth + 1);
  const name = VALUES.find((kind) => own(item, kind) !== undefined);
  const value = name && own(item, name);
  return typeof value === 'string' ? parsedList(value) : value;
}

/** 0.8 has no lists: agents send them as a string of JSON. */
function parsedList(value: string): unknown {
  if (!/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** A path of 0.8 may have dots and indexes. */
const slashedPath = (path: string): string =>
  path === '.'
    ? path
    : path
        .replace(/^\.\//, '')
        .replace(/\[(\d+)\]/g, '/$1')
        .replaceAll('.', '/');

function withSlashedPaths(value: unknown, depth = 0): unknown {
  if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withSlashedPaths(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]: [string, unknown]) => [
      key,
      typeof item === 'string' && (key === 'path' || key === 'dataBinding')
        ? slashedPath(item)
        : withSlashedPaths(item, depth + 1),
    ]),
  );
}
