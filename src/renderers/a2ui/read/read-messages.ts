/**
 * Parses A2UI messages into the surfaces that they describe. Source: A2UI 0.8 to 1.0, "Envelope message structure".
 * Other messages, such as function calls by the agent, are ignored.
 */
import { isRecord } from '../../../model/json.ts';
import { own, putAt, stepsOf } from './data-model.ts';
import { fromContents, fromV08 } from './convert-v08.ts';

export interface Component {
  readonly id: string;
  readonly type: string;
  readonly props: Readonly<Record<string, unknown>>;
}

export interface Surface {
  readonly id: string;
  /** The id of the root component. */
  readonly root: string;
  readonly components: ReadonlyMap<string, Component>;
  readonly data: unknown;
  /** Whether the agent wants the complete data model with every action. */
  readonly sendsData: boolean;
  /** The version of A2UI that the agent speaks: `v0.8`, `v0.9`, … Empty if it is unknown. */
  readonly version: string;
  /** The primary colour of the theme as `#rgb` or `#rrggbb`; empty if there is none. */
  readonly color: string;
  /** The name of the agent or tool in the theme. */
  readonly agentName: string;
  readonly deleted: boolean;
}

/** A value that the user entered. A later update of the agent overrides it. */
export interface Edit {
  readonly surface: string;
  readonly path: string;
  readonly value: unknown;
  /** The number of messages of the surface at that time. */
  readonly messageCount: number;
}

const MAX_SURFACES = 20;
/** A surface with a longer id is not read (characters): the id is a part of the names of all its nodes. */
const MAX_ID = 1000;
const MAX_MESSAGES = 10_000;
const MAX_COMPONENTS = 10_000;

interface Draft {
  readonly id: string;
  root: string;
  readonly components: Map<string, Component>;
  data: unknown;
  sendsData: boolean;
  version: string;
  color: string;
  agentName: string;
  deleted: boolean;
}

const empty = (id: string): Draft => ({
  id,
  root: 'root',
  components: new Map(),
  data: {},
  sendsData: false,
  version: '',
  color: '',
  agentName: '',
  deleted: false,
});

export function readSurfaces(messages: readonly unknown[], edits: readonly Edit[] = []): readonly Surface[] {
  const surfaces = new Map<string, Draft>();
  messages.slice(0, MAX_MESSAGES).forEach((message, index) => {
    for (const [kind, apply] of KINDS) {
      const body = own(message, kind);
      const id = surfaceIdIn(body);
      if (!isRecord(body) || id === undefined) continue;
      const known = surfaces.get(id);
      if (!known && surfaces.size >= MAX_SURFACES) continue;
      const surface = known && !(known.deleted && kind === 'createSurface') ? known : empty(id);
      surfaces.set(id, surface);
      surface.version = versionOf(message, kind) || surface.version;
      apply(surface, body);
    }
    for (const edit of edits) if (edit.messageCount === index + 1) setValue(surfaces.get(edit.surface), edit);
  });
  return [...surfaces.values()];
}

export function surfaceIdIn(body: unknown): string | undefined {
  const id = own(body, 'surfaceId');
  return typeof id === 'string' && id.length <= MAX_ID ? id : undefined;
}

function setValue(surface: Draft | undefined, { path, value }: Edit): void {
  const steps = stepsOf(path);
  if (surface && steps) surface.data = putAt(surface.data, steps, copyOf(value));
}

type Apply = (surface: Draft, body: Readonly<Record<string, unknown>>) => void;

const addComponents = (surface: Draft, list: unknown): void => {
  for (const item of Array.isArray(list) ? (list as unknown[]) : []) {
    const component = readComponent(item);
    if (component && (surface.components.size < MAX_COMPONENTS || surface.components.has(component.id))) {
      surface.components.set(component.id, component);
    }
  }
};

const putData = (surface: Draft, path: unknown, value: unknown): void => {
  const steps = stepsOf(typeof path === 'string' ? path : '/');
  if (steps) surface.data = putAt(surface.data, steps, copyOf(value) ?? undefined) ?? {};
};

/** A copy, because the data of a surface are changed in place and blocks are immutable. */
function copyOf(value: unknown): unknown {
  try {
    return structuredClone(value);
  } catch {
    // A message set by the page may contain invalid data.
    return undefined;
  }
}

const V08 = ['beginRendering', 'surfaceUpdate', 'dataModelUpdate'];

function versionOf(message: unknown, kind: string): string {
  const version = own(message, 'version');
  if (typeof version === 'string') return version.slice(0, 20);
  return V08.includes(kind) ? 'v0.8' : '';
}

/** Only a colour and a name: everything else looks like the widget. */
function readTheme(surface: Draft, theme: unknown): void {
  const [color, name] = [own(theme, 'primaryColor'), own(theme, 'agentDisplayName')];
  if (typeof color === 'string' && /^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(color)) surface.color = color;
  if (typeof name === 'string') surface.agentName = name.trim().slice(0, 100);
}

/** How each kind of message changes a surface. `surface-instances.ts` lists the same kinds. */
const KINDS: readonly (readonly [kind: string, apply: Apply])[] = [
  [
    'createSurface',
    (surface, { components, dataModel, sendDataModel, theme }) => {
      surface.sendsData = sendDataModel === true;
      readTheme(surface, theme);
      addComponents(surface, components);
      if (isRecord(dataModel)) surface.data = copyOf(dataModel) ?? {};
    },
  ],
  [
    'beginRendering',
    (surface, { root, styles }) => {
      readTheme(surface, styles);
      if (typeof root === 'string') surface.root = root;
    },
  ],
  [
    'updateComponents',
    (surface, { components }) => {
      addComponents(surface, components);
    },
  ],
  [
    'surfaceUpdate',
    (surface, { components }) => {
      addComponents(surface, components);
    },
  ],
  [
    'updateDataModel',
    (surface, { path, value }) => {
      putData(surface, path, value);
    },
  ],
  [
    'dataModelUpdate',
    (surface, { path, contents }) => {
      putData(surface, path, fromContents(contents));
    },
  ],
  [
    'deleteSurface',
    (surface) => {
      surface.deleted = true;
    },
  ],
];

function readComponent(value: unknown): Component | undefined {
  const id = own(value, 'id');
  const component = own(value, 'component');
  if (typeof id !== 'string' || !isRecord(value)) return undefined;
  if (typeof component === 'string') return { id, type: component, props: value };
  const read = isRecord(component) ? fromV08(component) : undefined;
  return read && { id, type: read.type, props: { ...read.props, weight: value['weight'] } };
}
