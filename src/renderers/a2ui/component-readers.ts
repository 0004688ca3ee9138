/**
 * The known components and the properties that are read from each; all others are ignored. Source: A2UI's basic
 * catalog, 0.9 and 1.0. Version 0.8 is converted first (`convert-v08.ts`).
 */
import { isRecord } from '../../model/json.ts';
import { own } from './data-model.ts';
import { accessibleName, listOf, problemOf, type ComponentProps, type Reader } from './component-props.ts';
import { inputReaders } from './input-readers.ts';
import {
  ALIGN,
  BUTTON_STYLES,
  IMAGE_FITS,
  IMAGE_SIZES,
  JUSTIFY,
  TEXT_STYLES,
  type PressAction,
  type UiNode,
} from './node-types.ts';

const MAX_TABS = 20;
const MAX_DRAWING = 4000;
/** Entries of the context of an action, as many as are resolved. */
const MAX_CONTEXT = 500;

const box = (given: ComponentProps) => ({
  children: withAriaNames(given.children('children')),
  justify: given.oneOf('justify', JUSTIFY, 'start'),
  align: given.oneOf('align', ALIGN, 'stretch'),
});

/** An input without a label is announced with the text before it, which looks like its label. */
const withAriaNames = (nodes: readonly UiNode[]): readonly UiNode[] =>
  nodes.map((node, index) => {
    const before = nodes[index - 1];
    if (!('required' in node) || node.label || node.ariaName || before?.type !== 'Text') return node;
    return { ...node, ariaName: textIn(before) };
  });

function pathsIn(given: ComponentProps, context: unknown): ReadonlyMap<string, string> {
  const paths = new Map<string, string>();
  for (const [name, value] of isRecord(context) ? Object.entries(context).slice(0, MAX_CONTEXT) : []) {
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

/** The text content of a node, for parts that allow only text, such as the label of a button. */
function textIn(node: UiNode | undefined): string {
  if (!node) return '';
  if (node.type === 'Text') return node.text.replace(/^#+\s+|[*_`]{1,3}/gm, '');
  if ('children' in node) return node.children.map(textIn).filter(Boolean).join(' ');
  return node.type === 'Button' ? node.label : '';
}

/** A name for a node without text: that of its icon or image. */
function nameIn(node: UiNode | undefined): string {
  if (!node) return '';
  if (node.type === 'Icon') return node.label || readable(node.name);
  if (node.type === 'Image') return node.alt;
  if (node.type === 'Button') return node.ariaName;
  return 'children' in node ? (node.children.map(nameIn).find(Boolean) ?? '') : '';
}

/** `shoppingCart` and `add_to_cart` as separate words. */
const readable = (name: string): string =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .trim()
    .toLowerCase()
    .replace(/^./u, (first) => first.toUpperCase());

const iconIn = (node: UiNode | undefined): NodeIcon => {
  if (node?.type === 'Icon') return { icon: node.name, drawing: node.drawing };
  const inner = node && 'children' in node ? node.children.map(iconIn) : [];
  return inner.find(({ icon, drawing }) => icon || drawing) ?? { icon: '', drawing: '' };
};
interface NodeIcon {
  readonly icon: string;
  readonly drawing: string;
}

const media =
  (kind: 'audio' | 'video'): Reader =>
  (given) => ({
    type: 'Media',
    kind,
    url: given.text('url'),
    poster: given.text('posterUrl'),
    label: given.text('description') || accessibleName(given),
  });

/** The only letters and punctuation in path data: a match can contain neither a reference nor a URL. */
const drawingOf = (given: ComponentProps): string => {
  const path = given.resolve(own(given.raw('name'), 'svgPath') ?? own(given.raw('name'), 'path'));
  return typeof path === 'string' &&
    path.length <= MAX_DRAWING &&
    /^M[\d\s,.eE+\-MmZzLlHhVvCcSsQqTtAa]+$/.test(path.trim())
    ? path.trim()
    : '';
};

export const componentReaders: Readonly<Record<string, Reader>> = {
  ...inputReaders,
  Text: (given) => ({ type: 'Text', text: given.text('text'), style: given.oneOf('variant', TEXT_STYLES, 'body') }),
  Image: (given) => ({
    type: 'Image',
    url: imageUrl(given),
    alt: given.text('description') || accessibleName(given),
    size: given.oneOf('variant', IMAGE_SIZES, 'mediumFeature'),
    // 0.8 uses the CSS spelling.
    fit: given.value('fit') === 'scale-down' ? 'scaleDown' : given.oneOf('fit', IMAGE_FITS, 'default'),
  }),
  Icon: (given) => {
    const drawing = drawingOf(given);
    return {
      type: 'Icon',
      name: drawing ? '' : given.text('name').slice(0, 40),
      drawing,
      label: accessibleName(given),
    };
  },
  Video: media('video'),
  AudioPlayer: media('audio'),
  Row: (given) => ({ type: 'Row', ...box(given) }),
  Column: (given) => ({ type: 'Column', ...box(given) }),
  List: (given) => ({
    type: 'List',
    horizontal: given.value('direction') === 'horizontal',
    align: given.oneOf('align', ALIGN, 'stretch'),
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
  Modal: (given) => {
    const trigger = given.child('trigger');
    return {
      type: 'Modal',
      trigger,
      label: textIn(trigger) || nameIn(trigger),
      content: given.child('content'),
    };
  },
  Button: (given) => {
    const child = given.child('child');
    const press = pressOf(given);
    const label = textIn(child) || given.text('label');
    const icon = iconIn(child);
    const name = accessibleName(given) || nameIn(child) || (press.kind === 'event' ? readable(press.name) : '');
    return {
      type: 'Button',
      label: label || (icon.icon || icon.drawing ? '' : name),
      ariaName: label ? '' : name,
      ...icon,
      image: child?.type === 'Image' ? child : undefined,
      style: given.oneOf('variant', BUTTON_STYLES, 'default'),
      press,
      problem: problemOf(given),
    };
  },
};

/** An image URL may be long, because it may be a `data:` URL. */
const imageUrl = (given: ComponentProps): string => {
  const url = given.value('url');
  return typeof url === 'string' ? url : '';
};
