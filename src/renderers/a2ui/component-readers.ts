/**
 * The known components and the properties that are read from each; all others are ignored. Source: A2UI's basic
 * catalog, 0.9 and 1.0. Version 0.8 is converted first (`convert-v08.ts`).
 */
import { isRecord } from '../../model/json.ts';
import { own } from './data-model.ts';
import { inputDate } from './format-date.ts';
import {
  ALIGN,
  BUTTON_STYLES,
  FIELDS,
  IMAGE_SIZES,
  JUSTIFY,
  TEXT_STYLES,
  type NodeOf,
  type Option,
  type PressAction,
  type NodeShape,
  type UiNode,
} from './node-types.ts';

/** Access to the properties of a component. */
export interface ComponentProps {
  /** The property as it was sent. */
  raw(name: string): unknown;
  /** The resolved current value. */
  value(name: string): unknown;
  resolve(something: unknown): unknown;
  /** The value as visible text, which counts against the budget. */
  countedText(something: unknown): string;
  text(name: string): string;
  number(name: string, fallback: number): number;
  oneOf<const Value extends string>(name: string, allowed: readonly Value[], fallback: Value): Value;
  child(name: string): UiNode | undefined;
  node(id: unknown, as: string): UiNode | undefined;
  children(name: string): readonly UiNode[];
  /** The value of an input, which the user may have changed. */
  entered(name: string): unknown;
  /** The data path that a property is bound to. */
  path(name: string): string | undefined;
  /** The data path that a value refers to. */
  pointer(reference: unknown): string | undefined;
}

type Reader = (given: ComponentProps) => NodeShape;

const MAX_OPTIONS = 200;
const MAX_TABS = 20;

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
const raw = (given: ComponentProps, name: string): unknown => given.raw(name) ?? given.raw(`@${name}`);

/** The accessible name, if the agent sent one. */
const accessible = (given: ComponentProps): string =>
  given.countedText(given.resolve(own(raw(given, 'accessibility'), 'label')));

/** The message of the first check that fails. Checks that cannot be evaluated here are left to the agent. */
function problemOf(given: ComponentProps): string {
  for (const check of listOf(raw(given, 'checks')).slice(0, 20)) {
    const result = given.resolve(own(check, 'condition') ?? check);
    const failed = result === false || own(result, 'valid') === false;
    if (failed) return given.countedText(own(check, 'message') ?? own(result, 'message')) || ' ';
  }
  return '';
}

const box = (given: ComponentProps) => ({
  children: given.children('children'),
  justify: given.oneOf('justify', JUSTIFY, 'start'),
  align: given.oneOf('align', ALIGN, 'stretch'),
});

const input = (given: ComponentProps, name = 'value') => ({
  label: given.text('label') || accessible(given),
  path: given.path(name),
  problem: problemOf(given),
  required: isRequired(given),
});

const isRequired = (given: ComponentProps): boolean =>
  listOf(raw(given, 'checks')).some((check) => own(own(check, 'condition') ?? check, 'call') === 'required');

function pathsIn(given: ComponentProps, context: unknown): ReadonlyMap<string, string> {
  const paths = new Map<string, string>();
  for (const [name, value] of isRecord(context) ? Object.entries(context) : []) {
    const path = given.pointer(value);
    if (path !== undefined) paths.set(name, path);
  }
  return paths;
}

function pressOf(given: ComponentProps): PressAction {
  const action = given.raw('action');
  const event = own(action, 'event');
  const name = own(event, 'name');
  if (typeof name === 'string') {
    const context = given.resolve(own(event, 'context'));
    return {
      kind: 'event',
      name,
      context: isRecord(context) ? context : {},
      paths: pathsIn(given, own(event, 'context')),
    };
  }
  const call = own(action, 'functionCall') ?? own(action, '@functionCall') ?? action;
  if ((own(call, 'call') ?? own(call, '@call')) === 'openUrl') {
    const url = given.resolve({ call: 'formatString', args: { value: own(own(call, 'args'), 'url') } });
    return { kind: 'link', url: typeof url === 'string' ? url : '' };
  }
  return { kind: 'none' };
}

const optionsOf = (given: ComponentProps): readonly Option[] =>
  listOf(given.value('options'))
    .slice(0, MAX_OPTIONS)
    .flatMap((option) => {
      const value = own(option, 'value');
      return typeof value === 'string' ? [{ value, label: given.countedText(own(option, 'label')) || value }] : [];
    });

function dateKind(given: ComponentProps): NodeOf<'DateTimeInput'>['kind'] {
  const [date, time] = [given.value('enableDate') === true, given.value('enableTime') === true];
  if (date && time) return 'datetime-local';
  return time ? 'time' : 'date';
}

/** The text content of a node, for parts that allow only text, such as the label of a button. */
const wordsOf = (node: UiNode | undefined): string => {
  if (!node) return '';
  if (node.type === 'Text') return node.text.replace(/^#+\s+|[*_`]{1,3}/gm, '');
  if ('label' in node && node.label) return node.label;
  return 'children' in node ? node.children.map(wordsOf).filter(Boolean).join(' ') : '';
};

const iconIn = (node: UiNode | undefined): string => {
  if (node?.type === 'Icon') return node.name;
  return node && 'children' in node ? (node.children.map(iconIn).find(Boolean) ?? '') : '';
};

const media =
  (kind: 'audio' | 'video'): Reader =>
  (given) => ({ type: 'Media', kind, url: given.text('url'), label: given.text('description') });

export const componentReaders: Readonly<Record<string, Reader>> = {
  Text: (given) => ({ type: 'Text', text: given.text('text'), style: given.oneOf('variant', TEXT_STYLES, 'body') }),
  Image: (given) => ({
    type: 'Image',
    url: imageUrl(given),
    alt: given.text('description') || accessible(given),
    size: given.oneOf('variant', IMAGE_SIZES, 'mediumFeature'),
  }),
  Icon: (given) => ({ type: 'Icon', name: given.text('name').slice(0, 40), label: accessible(given) }),
  Video: media('video'),
  AudioPlayer: media('audio'),
  Row: (given) => ({ type: 'Row', ...box(given) }),
  Column: (given) => ({ type: 'Column', ...box(given) }),
  List: (given) => ({
    type: 'List',
    horizontal: given.value('direction') === 'horizontal',
    children: given.children('children'),
  }),
  Card: (given) => {
    const child = given.child('child');
    return { type: 'Card', children: child ? [child] : given.children('children') };
  },
  Divider: (given) => ({ type: 'Divider', vertical: given.value('axis') === 'vertical' }),
  Tabs: (given) => ({
    type: 'Tabs',
    tabs: listOf(given.raw('tabs'))
      .slice(0, MAX_TABS)
      .map((tab, index) => ({
        title: given.countedText(given.resolve(own(tab, 'title'))),
        child: given.node(own(tab, 'child'), String(index)),
      })),
  }),
  Modal: (given) => ({ type: 'Modal', label: wordsOf(given.child('trigger')), content: given.child('content') }),
  Button: (given) => {
    const child = given.child('child');
    const press = pressOf(given);
    const label = accessible(given) || wordsOf(child) || given.text('label');
    return {
      type: 'Button',
      label: label || iconIn(child) || (press.kind === 'event' ? press.name : ''),
      icon: iconIn(child),
      style: given.oneOf('variant', BUTTON_STYLES, 'default'),
      press,
      problem: problemOf(given),
    };
  },
  TextField: (given) => ({
    type: 'TextField',
    ...input(given),
    value: given.countedText(given.entered('value')),
    placeholder: given.text('placeholder'),
    kind: given.oneOf('variant', FIELDS, 'shortText'),
  }),
  CheckBox: (given) => ({ type: 'CheckBox', ...input(given), value: given.entered('value') === true }),
  DateTimeInput: (given) => {
    const kind = dateKind(given);
    const sent = given.countedText(given.entered('value'));
    return {
      type: 'DateTimeInput',
      ...input(given),
      kind,
      sent,
      value: inputDate(sent, kind),
      min: inputDate(given.text('min'), kind),
      max: inputDate(given.text('max'), kind),
    };
  },
  ChoicePicker: (given) => {
    const value = given.entered('value');
    return {
      type: 'ChoicePicker',
      ...input(given),
      value: (typeof value === 'string' ? [value] : listOf(value)).filter((item) => typeof item === 'string'),
      options: optionsOf(given),
      several: given.value('variant') === 'multipleSelection',
    };
  },
  Slider: (given) => {
    const min = given.number('min', 0);
    const max = Math.max(min, given.number('max', 100));
    const entered = given.entered('value');
    const steps = given.number('steps', 0);
    return {
      type: 'Slider',
      ...input(given),
      min,
      max,
      step: steps > 0 ? (max - min) / steps : undefined,
      value: typeof entered === 'number' && Number.isFinite(entered) ? entered : min,
    };
  },
};

/** An image URL may be long, because it may be a `data:` URL. */
const imageUrl = (given: ComponentProps): string => {
  const url = given.value('url');
  return typeof url === 'string' ? url : '';
};
