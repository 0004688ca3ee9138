/**
 * The known components and the properties that are read from each; all others are ignored. Source: A2UI's basic
 * catalog, 0.9 and 1.0. Version 0.8 is converted first (`convert-v08.ts`).
 */
import { isRecord } from '../../../model/json.ts';
import { own } from './data-model.ts';
import { accessibleName, listOf, problemOf, type ComponentProps, type Reader } from './component-props.ts';
import { inputReaders } from './read-inputs.ts';
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
/** Maximum number of entries of an action's context; `MAX_ENTRIES` in `resolve-values.ts` is the same. */
const MAX_CONTEXT = 500;

const box = (props: ComponentProps) => ({
  children: withAriaNames(props.children('children')),
  justify: props.oneOf('justify', JUSTIFY, 'start'),
  align: props.oneOf('align', ALIGN, 'stretch'),
});

/** An input without a label is announced with the text before it, which looks like its label. */
const withAriaNames = (nodes: readonly UiNode[]): readonly UiNode[] =>
  nodes.map((node, index) => {
    const before = nodes[index - 1];
    if (!('required' in node) || node.label || node.ariaName || before?.type !== 'Text') return node;
    return { ...node, ariaName: textIn(before) };
  });

function pathsIn(props: ComponentProps, context: unknown): ReadonlyMap<string, string> {
  const paths = new Map<string, string>();
  for (const [name, value] of isRecord(context) ? Object.entries(context).slice(0, MAX_CONTEXT) : []) {
    const path = props.pointer(value);
    if (path !== undefined) paths.set(name, path);
  }
  return paths;
}

function pressOf(props: ComponentProps): PressAction {
  const action = props.raw('action');
  const event = own(action, 'event');
  const name = own(event, 'name');
  if (typeof name === 'string') {
    const context = props.resolve(own(event, 'context'));
    return {
      kind: 'event',
      name,
      context: isRecord(context) ? context : {},
      // Without a context, the limits of the surface are reached: its paths would cost as much.
      paths: pathsIn(props, isRecord(context) ? own(event, 'context') : undefined),
    };
  }
  const call = own(action, 'functionCall') ?? own(action, '@functionCall') ?? action;
  if ((own(call, 'call') ?? own(call, '@call')) === 'openUrl') {
    const url = props.resolve({ call: 'formatString', args: { value: own(own(call, 'args'), 'url') } });
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
export const readable = (name: string): string =>
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
  (props) => ({
    type: 'Media',
    kind,
    url: props.text('url'),
    poster: props.text('posterUrl'),
    label: props.text('description') || accessibleName(props),
  });

/** An icon as SVG path data. Only the characters of path data are allowed: they can form neither a reference nor a URL. */
const pathDataOf = (props: ComponentProps): string => {
  const path = props.resolve(own(props.raw('name'), 'svgPath') ?? own(props.raw('name'), 'path'));
  return typeof path === 'string' &&
    path.length <= MAX_DRAWING &&
    /^M[\d\s,.eE+\-MmZzLlHhVvCcSsQqTtAa]+$/.test(path.trim())
    ? path.trim()
    : '';
};

export const componentReaders: Readonly<Record<string, Reader>> = {
  ...inputReaders,
  Text: (props) => {
    const text = props.text('text');
    return {
      type: 'Text',
      text,
      style: props.oneOf('variant', TEXT_STYLES, 'body'),
      isPlain: !props.takeMarkdown(text),
    };
  },
  Image: (props) => ({
    type: 'Image',
    url: imageUrl(props),
    alt: props.text('description') || accessibleName(props),
    size: props.oneOf('variant', IMAGE_SIZES, 'mediumFeature'),
    // 0.8 uses the CSS spelling.
    fit: props.value('fit') === 'scale-down' ? 'scaleDown' : props.oneOf('fit', IMAGE_FITS, 'default'),
  }),
  Icon: (props) => {
    const drawing = pathDataOf(props);
    return {
      type: 'Icon',
      name: drawing ? '' : props.text('name').slice(0, 40),
      drawing,
      label: accessibleName(props),
    };
  },
  Video: media('video'),
  AudioPlayer: media('audio'),
  Row: (props) => ({ type: 'Row', ...box(props) }),
  Column: (props) => ({ type: 'Column', ...box(props) }),
  List: (props) => ({
    type: 'List',
    horizontal: props.value('direction') === 'horizontal',
    align: props.oneOf('align', ALIGN, 'stretch'),
    children: props.children('children'),
  }),
  Card: (props) => {
    const child = props.child('child');
    return { type: 'Card', children: child ? [child] : props.children('children') };
  },
  Divider: (props) => ({ type: 'Divider', vertical: props.value('axis') === 'vertical' }),
  Tabs: (props) => ({
    type: 'Tabs',
    tabs: listOf(props.raw('tabs'))
      .slice(0, MAX_TABS)
      .filter(() => props.takePart())
      .map((tab, index) => ({
        title: props.countedText(props.resolve(own(tab, 'title'))),
        child: props.node(own(tab, 'child'), String(index)),
      })),
  }),
  Modal: (props) => {
    const trigger = props.child('trigger');
    return {
      type: 'Modal',
      trigger,
      label: textIn(trigger) || nameIn(trigger),
      content: props.child('content'),
    };
  },
  Button: (props) => {
    const child = props.child('child');
    const press = pressOf(props);
    const label = textIn(child) || props.text('label');
    const icon = iconIn(child);
    const name = accessibleName(props) || nameIn(child) || (press.kind === 'event' ? readable(press.name) : '');
    return {
      type: 'Button',
      label: label || (icon.icon || icon.drawing ? '' : name),
      ariaName: label ? '' : name,
      ...icon,
      image: child?.type === 'Image' ? child : undefined,
      style: props.oneOf('variant', BUTTON_STYLES, 'default'),
      press,
      problem: problemOf(props),
    };
  },
};

/** The URL of an image without the length limit of texts, because it may be a `data:` URL. */
const imageUrl = (props: ComponentProps): string => {
  const url = props.value('url');
  return typeof url === 'string' ? url : '';
};
