/**
 * Builds the node tree of a surface: looks up components by id, repeats lists and resolves values, all within limits.
 */
import { enumerate } from '../../../enumerate.ts';
import { own, stepsIn, stepsOf, valueAt, type Steps } from './data-model.ts';
import { accessibleDescription, accessibleName, type ComponentProps } from './component-props.ts';
import { componentReaders } from './component-readers.ts';
import { ITEMS_PER_UNIT } from './functions.ts';
import { markdownCost } from './markdown-cost.ts';
import type { UiNode } from './node-types.ts';
import type { Component, Surface } from './read-messages.ts';
import { pointerOf, resolve, valueToText, type ResolveScope } from './resolve-values.ts';

/** Maximum number of nodes of one surface. */
const MAX_NODES = 500;
const MAX_DEPTH = 24;
/** Maximum number of characters of one surface. */
const MAX_CHARACTERS = 200_000;
/**
 * Maximum length of the key of a node (characters). It contains the ids of its ancestors, and names of the data: long ones
 * would be copied and compared hundreds of times.
 */
const MAX_KEY = 4000;
/** Maximum number of options and titles of tabs of one surface: a list may repeat those of one component. */
const MAX_PARTS = 2000;
/** Maximum number of signs of one surface that Markdown may make elements of. */
const MAX_MARKS = 5000;
/** The budget for resolving the values of one surface, see `ResolveScope.work`. */
const MAX_WORK = 100_000;

export interface TreeOptions {
  readonly locale: string;
  /** Values of inputs that the agent bound to no path, by input key. */
  readonly unboundValues?: ReadonlyMap<string, unknown>;
}

export interface Tree {
  /** Undefined until the root component has arrived. */
  readonly root: UiNode | undefined;
  /** Whether a limit cut the tree. */
  readonly isTruncated: boolean;
}

export function buildTree(surface: Surface, { locale, unboundValues = new Map() }: TreeOptions): Tree {
  const build: Build = {
    surface,
    unboundValues,
    nodes: MAX_NODES,
    characters: MAX_CHARACTERS,
    parts: MAX_PARTS,
    marks: MAX_MARKS,
    isTruncated: false,
  };
  const scope = { data: surface.data, at: [], locale, work: { left: MAX_WORK } };
  const root = toNode(surface.root, { build, scope, ancestors: [], key: '' });
  return { root, isTruncated: build.isTruncated || scope.work.left < 0 };
}

interface Build {
  readonly surface: Surface;
  readonly unboundValues: ReadonlyMap<string, unknown>;
  /** The remaining budget. */
  nodes: number;
  characters: number;
  parts: number;
  marks: number;
  isTruncated: boolean;
}

interface NodePosition {
  readonly build: Build;
  readonly scope: ResolveScope;
  /** Ids of the ancestors: a component inside itself is not rendered again. */
  readonly ancestors: readonly string[];
  readonly key: string;
}

function toNode(id: string, position: NodePosition): UiNode | undefined {
  const { build, ancestors } = position;
  const component = build.surface.components.get(id);
  // A missing component is rendered once it arrives.
  if (!component) return undefined;
  const key = `${position.key}/${id}`;
  const isTooDeep = ancestors.length >= MAX_DEPTH || key.length > MAX_KEY;
  if (isTooDeep || ancestors.includes(id) || build.nodes <= 0) {
    build.isTruncated = true;
    return undefined;
  }
  build.nodes -= 1;
  const componentProps = componentPropsOf(component, { ...position, key, ancestors: [...ancestors, id] });
  const read = Object.hasOwn(componentReaders, component.type) ? componentReaders[component.type] : undefined;
  const weight = componentProps.number('weight', 0);
  const [ariaName, ariaHint] = [accessibleName(componentProps), accessibleDescription(componentProps)];
  return { key, id, weight, ariaName, ariaHint, ...(read?.(componentProps) ?? unknown(component, componentProps)) };
}

/** An unknown component: its name, its children and all of its text. */
const unknown = ({ type, props }: Component, componentProps: ComponentProps) => {
  const { id: _id, component: _component, ...rest } = props;
  const children = [
    ...componentProps.children('children'),
    componentProps.child('child'),
    componentProps.child('content'),
  ];
  return {
    type: 'Unknown',
    name: type.slice(0, 100),
    props: rest,
    children: children.filter((node) => node !== undefined),
  } as const;
};

/** Accessors for the properties of a component. */
function componentPropsOf({ props }: Component, position: NodePosition): ComponentProps {
  const { build, scope, key } = position;
  const value = (name: string): unknown => resolve(own(props, name), scope);
  const visibleText = (something: unknown): string => {
    const text = valueToText(something, scope);
    if (text.length > build.characters) build.isTruncated = true;
    const part = text.slice(0, Math.max(0, build.characters));
    build.characters -= text.length;
    return part;
  };
  /** Takes what something costs of one of the limits. Returns false if that limit is reached. */
  const take = (limit: 'parts' | 'marks', cost: number): boolean => {
    const isLeft = build[limit] > 0;
    if (!isLeft) build.isTruncated = true;
    build[limit] -= cost;
    return isLeft;
  };
  const number = (name: string, fallback: number): number => {
    const resolved = value(name);
    return typeof resolved === 'number' && Number.isFinite(resolved) ? resolved : fallback;
  };
  return {
    raw: (name) => own(props, name),
    value,
    resolve: (something) => resolve(something, scope),
    countedText: visibleText,
    takePart: () => take('parts', 1),
    takeMarkdown: (text) => {
      const cost = markdownCost(text);
      return cost === 0 || take('marks', cost);
    },
    text: (name) => visibleText(resolve(own(props, name), { ...scope, namesUnknown: true })),
    number,
    oneOf: (name, allowed, fallback) => allowed.find((option) => option === value(name)) ?? fallback,
    child: (name) => {
      const id = own(props, name);
      return typeof id === 'string' ? toNode(id, { ...position, key: `${key}.${name}` }) : undefined;
    },
    node: (id, as) => (typeof id === 'string' ? toNode(id, { ...position, key: `${key}.${as}` }) : undefined),
    children: (name) => childrenOf(own(props, name), position),
    entered: (name) => (build.unboundValues.has(key) ? build.unboundValues.get(key) : value(name)),
    path: (name) => pointerTo(own(props, name), scope),
    pointer: (reference) => pointerTo(reference, scope),
  };
}

function pointerTo(reference: unknown, scope: ResolveScope): string | undefined {
  const path = pointerOf(reference);
  const steps = path === undefined ? undefined : stepsIn(scope.data, path, scope.at);
  return steps && pointer(steps);
}

const pointer = (steps: Steps): string =>
  steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** A list of ids, or one component for every item of a list in the data. */
function childrenOf(children: unknown, position: NodePosition): readonly UiNode[] {
  const { build, scope, key } = position;
  if (Array.isArray(children)) {
    const nodes: (UiNode | undefined)[] = [];
    // A position in the list would not be stable: another component may come before it.
    const counts = new Map<string, number>();
    for (const id of children as unknown[]) {
      // Components that have not arrived are no nodes, but cost time.
      scope.work.left -= 1 / ITEMS_PER_UNIT;
      if (build.nodes <= 0) build.isTruncated = true;
      if (build.nodes <= 0 || scope.work.left < 0) break;
      if (typeof id !== 'string') continue;
      const count = counts.get(id) ?? 0;
      counts.set(id, count + 1);
      nodes.push(toNode(id, { ...position, key: `${key}.${String(count)}` }));
    }
    return nodes.filter((node) => node !== undefined);
  }
  const id = own(children, 'componentId');
  const path = pointerOf(children);
  const at = path === undefined ? undefined : stepsIn(scope.data, path, scope.at);
  if (typeof id !== 'string' || !at) return [];
  const items = valueAt(scope.data, at);
  const names = namesIn(items, scope);
  const nodes: (UiNode | undefined)[] = [];
  for (const [index, name] of enumerate(names)) {
    if (build.nodes <= 0) build.isTruncated = true;
    if (build.nodes <= 0) break;
    const steps = stepsOf(name.replaceAll('~', '~0').replaceAll('/', '~1'), at);
    if (steps) nodes.push(toNode(id, { ...position, key: `${key}.${name}`, scope: { ...scope, at: steps, index } }));
  }
  return nodes.filter((node) => node !== undefined);
}

/** The indexes of a list, or the names in an object. Names reduce the budget, because each list component reads all of them. */
function namesIn(items: unknown, { work }: ResolveScope): readonly string[] {
  if (typeof items !== 'object' || items === null || work.left < 0) return [];
  // No more items than nodes can be shown.
  if (Array.isArray(items)) return [...Array(Math.min(items.length, MAX_NODES + 1)).keys()].map(String);
  const names = Object.keys(items);
  work.left -= names.length;
  return names;
}
