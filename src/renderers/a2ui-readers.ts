/**
 * The components that are known, each with what is read of it: everything else of theirs is left out. Source: A2UI's basic
 * catalog, 0.9 and 1.0; 0.8 comes in the same words (`a2ui-v08.ts`).
 */
import { isRecord } from '../model/json.ts';
import { own } from './a2ui-data.ts';
import { inputDate } from './a2ui-dates.ts';
import {
  ALIGN,
  BUTTON_STYLES,
  FIELDS,
  IMAGE_SIZES,
  JUSTIFY,
  TEXT_STYLES,
  type NodeOf,
  type Option,
  type Press,
  type Shape,
  type UiNode,
} from './a2ui-nodes.ts';

/** A component's properties, as a reader asks for them. */
export interface Given {
  /** As it was sent. */
  raw(name: string): unknown;
  /** The value that it stands for now. */
  value(name: string): unknown;
  resolve(something: unknown): unknown;
  /** As words that are shown, and count. */
  words(something: unknown): string;
  text(name: string): string;
  number(name: string, fallback: number): number;
  oneOf<const Value extends string>(name: string, allowed: readonly Value[], fallback: Value): Value;
  child(name: string): UiNode | undefined;
  node(id: unknown, as: string): UiNode | undefined;
  children(name: string): readonly UiNode[];
  /** The value of an input, which the reader may have changed. */
  entered(name: string): unknown;
  /** The place in the data that a property is bound to. */
  path(name: string): string | undefined;
}

type Reader = (given: Given) => Shape;

const MAX_OPTIONS = 200;
const MAX_TABS = 20;

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
const raw = (given: Given, name: string): unknown => given.raw(name) ?? given.raw(`@${name}`);

/** The name that assistive technology is told, where the agent has given one. */
const accessible = (given: Given): string => given.words(given.resolve(own(raw(given, 'accessibility'), 'label')));

/** The first check that fails, in its own words. A check that can't be made is the agent's to make. */
function problemOf(given: Given): string {
  for (const check of listOf(raw(given, 'checks')).slice(0, 20)) {
    const result = given.resolve(own(check, 'condition') ?? check);
    const failed = result === false || own(result, 'valid') === false;
    if (failed) return given.words(own(check, 'message') ?? own(result, 'message')) || ' ';
  }
  return '';
}

const box = (given: Given) => ({
  children: given.children('children'),
  justify: given.oneOf('justify', JUSTIFY, 'start'),
  align: given.oneOf('align', ALIGN, 'stretch'),
});

const input = (given: Given, name = 'value') => ({
  label: given.text('label') || accessible(given),
  path: given.path(name),
  problem: problemOf(given),
});

function pressOf(given: Given): Press {
  const action = given.raw('action');
  const event = own(action, 'event');
  const name = own(event, 'name');
  if (typeof name === 'string') {
    const context = given.resolve(own(event, 'context'));
    return { kind: 'event', name, context: isRecord(context) ? context : {} };
  }
  const call = own(action, 'functionCall') ?? own(action, '@functionCall') ?? action;
  if ((own(call, 'call') ?? own(call, '@call')) === 'openUrl') {
    const url = given.resolve({ call: 'formatString', args: { value: own(own(call, 'args'), 'url') } });
    return { kind: 'link', url: typeof url === 'string' ? url : '' };
  }
  return { kind: 'none' };
}

const optionsOf = (given: Given): readonly Option[] =>
  listOf(given.value('options'))
    .slice(0, MAX_OPTIONS)
    .flatMap((option) => {
      const value = own(option, 'value');
      return typeof value === 'string' ? [{ value, label: given.words(own(option, 'label')) || value }] : [];
    });

function dateKind(given: Given): NodeOf<'DateTimeInput'>['kind'] {
  const [date, time] = [given.value('enableDate') === true, given.value('enableTime') === true];
  if (date && time) return 'datetime-local';
  return time ? 'time' : 'date';
}

/** The words in a part, for what can only have words: the label of a button. */
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

export const readers: Readonly<Record<string, Reader>> = {
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
        title: given.words(given.resolve(own(tab, 'title'))),
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
    value: given.words(given.entered('value')),
    placeholder: given.text('placeholder'),
    kind: given.oneOf('variant', FIELDS, 'shortText'),
  }),
  CheckBox: (given) => ({ type: 'CheckBox', ...input(given), value: given.entered('value') === true }),
  DateTimeInput: (given) => {
    const kind = dateKind(given);
    return {
      type: 'DateTimeInput',
      ...input(given),
      kind,
      value: inputDate(given.words(given.entered('value')), kind),
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

/** A picture's address is as long as the picture, where it lies in it. */
const imageUrl = (given: Given): string => {
  const url = given.value('url');
  return typeof url === 'string' ? url : '';
};
