/** A surface as the tree that is shown: flat components found by their ids, lists repeated, values looked up, all of it bounded. */
import { own, stepsOf, valueAt, type Steps } from './a2ui-data.ts';
import { readers, type Given } from './a2ui-readers.ts';
import type { UiNode } from './a2ui-nodes.ts';
import type { Component, Surface } from './a2ui-surface.ts';
import { pathOf, resolve, textOf, type Scope } from './a2ui-values.ts';

/** Parts that are shown of one surface. */
const MAX_NODES = 500;
const MAX_DEPTH = 24;
/** Characters that are shown of one surface. */
const MAX_CHARACTERS = 200_000;
const MAX_WORK = 100_000;

export interface TreeOptions {
  readonly locale: string;
  /** What was entered where the agent has named no place for it, by the key of the input. */
  readonly loose?: ReadonlyMap<string, unknown>;
}

export interface Tree {
  /** Undefined as long as the topmost component has not come. */
  readonly root: UiNode | undefined;
  /** There is more than what is shown. */
  readonly cut: boolean;
}

export function buildTree(surface: Surface, { locale, loose = new Map() }: TreeOptions): Tree {
  const build: Build = { surface, loose, nodes: MAX_NODES, characters: MAX_CHARACTERS, cut: false };
  const scope = { data: surface.data, at: [], locale, work: { left: MAX_WORK } };
  const root = toNode(surface.root, { build, scope, ancestors: [], key: '' });
  return { root, cut: build.cut || scope.work.left < 0 };
}

interface Build {
  readonly surface: Surface;
  readonly loose: ReadonlyMap<string, unknown>;
  /** How much more may be shown. */
  nodes: number;
  characters: number;
  cut: boolean;
}

interface Place {
  readonly build: Build;
  readonly scope: Scope;
  /** The ids above: a component inside itself is not shown again. */
  readonly ancestors: readonly string[];
  readonly key: string;
}

function toNode(id: string, place: Place): UiNode | undefined {
  const { build, ancestors } = place;
  const component = build.surface.components.get(id);
  // One that has not come yet is shown when it has.
  if (!component) return undefined;
  if (ancestors.includes(id) || ancestors.length >= MAX_DEPTH || build.nodes <= 0) {
    build.cut = true;
    return undefined;
  }
  build.nodes -= 1;
  const key = `${place.key}/${id}`;
  const given = givenOf(component, { ...place, key, ancestors: [...ancestors, id] });
  const read = Object.hasOwn(readers, component.type) ? readers[component.type] : undefined;
  const weight = given.number('weight', 0);
  return { key, id, weight, ...(read?.(given) ?? unknown(component, given)) };
}

/** A component that is not known: its name, what it holds, and all that it says. */
const unknown = ({ type, props }: Component, given: Given) => {
  const { id: _id, component: _component, ...rest } = props;
  const children = [...given.children('children'), given.child('child'), given.child('content')];
  return {
    type: 'Unknown',
    name: type.slice(0, 100),
    props: rest,
    children: children.filter((node) => node !== undefined),
  } as const;
};

/** The ways in which a reader asks for what a component says. */
function givenOf({ props }: Component, place: Place): Given {
  const { build, scope, key } = place;
  const value = (name: string): unknown => resolve(own(props, name), scope);
  const words = (something: unknown): string => {
    const text = textOf(something, scope);
    if (text.length > build.characters) build.cut = true;
    const shown = text.slice(0, Math.max(0, build.characters));
    build.characters -= text.length;
    return shown;
  };
  const number = (name: string, fallback: number): number => {
    const found = value(name);
    return typeof found === 'number' && Number.isFinite(found) ? found : fallback;
  };
  return {
    raw: (name) => own(props, name),
    value,
    resolve: (something) => resolve(something, scope),
    words,
    text: (name) => words(value(name)),
    number,
    oneOf: (name, allowed, fallback) => allowed.find((option) => option === value(name)) ?? fallback,
    child: (name) => {
      const id = own(props, name);
      return typeof id === 'string' ? toNode(id, { ...place, key: `${key}.${name}` }) : undefined;
    },
    node: (id, as) => (typeof id === 'string' ? toNode(id, { ...place, key: `${key}.${as}` }) : undefined),
    children: (name) => childrenOf(own(props, name), place),
    entered: (name) => (build.loose.has(key) ? build.loose.get(key) : value(name)),
    path: (name) => {
      const path = pathOf(own(props, name));
      const steps = path === undefined ? undefined : stepsOf(path, scope.at);
      return steps && pointer(steps);
    },
  };
}

const pointer = (steps: Steps): string =>
  steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** A list of ids, or one component for every item of a list in the data. */
function childrenOf(children: unknown, place: Place): readonly UiNode[] {
  const { build, scope, key } = place;
  if (Array.isArray(children)) {
    const nodes: (UiNode | undefined)[] = [];
    for (const [index, id] of (children as unknown[]).entries()) {
      if (build.nodes <= 0) build.cut = true;
      if (build.nodes <= 0) break;
      if (typeof id === 'string') nodes.push(toNode(id, { ...place, key: `${key}.${String(index)}` }));
    }
    return nodes.filter((node) => node !== undefined);
  }
  const id = own(children, 'componentId');
  const at = stepsOf(pathOf(children) ?? '', scope.at);
  if (typeof id !== 'string' || !at || pathOf(children) === undefined) return [];
  const items = valueAt(scope.data, at);
  const names = typeof items === 'object' && items !== null ? Object.keys(items) : [];
  const nodes: (UiNode | undefined)[] = [];
  for (const [index, name] of names.entries()) {
    if (build.nodes <= 0) build.cut = true;
    if (build.nodes <= 0) break;
    const steps = stepsOf(name.replaceAll('~', '~0').replaceAll('/', '~1'), at);
    if (steps) nodes.push(toNode(id, { ...place, key: `${key}.${name}`, scope: { ...scope, at: steps, index } }));
  }
  return nodes.filter((node) => node !== undefined);
}
