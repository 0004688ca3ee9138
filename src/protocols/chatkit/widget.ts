/**
 * Converts ChatKit's widgets to A2UI surfaces: text, fields and buttons in the look of the chat. Sizes, colours and icons
 * are left out. Source: openai/chatkit-python, `chatkit/widgets.py` and its guide
 * "Build interactive responses with widgets".
 */
import { asText } from '../shared/as-text.ts';
import { isRecord } from '../../model/json.ts';
import { ACTION, type ChatKitUpdate } from './reply-schema.ts';

type Json = Readonly<Record<string, unknown>>;

/** The action of a button. A press sends it back to the server, with the values of the form. */
interface WidgetAction {
  readonly type: string;
  readonly payload?: unknown;
  /** Fields whose value is a list in the surface, while the server expects a single value. */
  readonly single?: readonly string[];
}

/** Limits of nesting and of the number of components; the rest is not shown. */
const MAX_DEPTH = 24;
const MAX_PARTS = 500;
/** Limit of the nodes of a widget, because each chunk of a streamed text reads all of them. */
const MAX_NODES = 2000;
/** Limit of the options of a field, and of the rows of a chart. */
const MAX_ROWS = 200;

/** Returns the A2UI messages. */
export function toWidgetSurface(surfaceId: string, widget: Json): readonly Json[] {
  const { components, data } = new WidgetSurface(widget);
  return [
    { version: 'v0.9', createSurface: { surfaceId } },
    { version: 'v0.9', updateComponents: { surfaceId, components } },
    ...(Object.keys(data).length > 0 ? [{ version: 'v0.9', updateDataModel: { surfaceId, value: data } }] : []),
  ];
}

/** Where a node is: in which form, and how deep. */
interface Place {
  readonly form: Form | undefined;
  readonly depth: number;
}

/** Ids of the components that show a node. */
type Ids = readonly string[];

/** The components of a widget, and the values of its fields. */
class WidgetSurface {
  readonly components: Json[] = [];
  readonly data: Record<string, unknown> = {};
  readonly #labels = new Map<string, string>();
  #count = 0;

  constructor(widget: Json) {
    walk(widget, (node) => {
      if (node['type'] === 'Label') this.#labels.set(stringIn(node, 'fieldName'), stringIn(node, 'value'));
    });
    const children = this.show(widget, { form: undefined, depth: 0 });
    this.add({ component: 'Column', children }, 'root');
  }

  show(node: unknown, { form: outer, depth }: Place): Ids {
    if (!isRecord(node) || depth > MAX_DEPTH) return [];
    const isForm = node['type'] === 'Form' || node['asForm'] === true;
    const form = isForm ? formOf(node) : outer;
    const type = asText(node['type']);
    const showNode = Object.hasOwn(NODES, type) ? NODES[type] : undefined;
    return (showNode ?? showUnknown)(this, node, { form, depth });
  }

  children({ children }: Json, { form, depth }: Place): Ids {
    return listOf(children).flatMap((child) => this.show(child, { form, depth: depth + 1 }));
  }

  add(component: Json, id = `p${String(++this.#count)}`): string {
    if (this.components.length < MAX_PARTS) this.components.push({ ...component, id });
    return id;
  }

  box(component: 'Row' | 'Column', children: Ids, layout: Json = {}): Ids {
    return children.length > 0 ? [this.add({ component, children, ...layout })] : [];
  }

  text(content: unknown, variant?: string): Ids {
    if (typeof content !== 'string' || content === '') return [];
    return [this.add({ component: 'Text', text: content, ...(variant && { variant }) })];
  }

  button(label: string, action: unknown, { form }: Place, primary = false): Ids {
    if (!isRecord(action) || typeof action['type'] !== 'string') return [];
    const [child = ''] = this.text(label);
    const fields = (form?.fields ?? []).filter((name) => name !== ACTION);
    const single = fields.filter((name) => form?.single.has(name));
    const literal: WidgetAction = {
      type: action['type'],
      ...(action['payload'] !== undefined && { payload: action['payload'] }),
      ...(single.length > 0 && { single }),
    };
    const values = fields.map((name) => [name, { path: pathOf(name) }] as const);
    const context = Object.fromEntries<unknown>([[ACTION, { literal }], ...values]);
    return [
      this.add({
        component: 'Button',
        child,
        ...(primary && { variant: 'primary' }),
        action: { event: { name: action['type'], context } },
      }),
    ];
  }

  field(node: Json, component: Json, value: unknown = stringIn(node, 'defaultValue')): Ids {
    const name = stringIn(node, 'name');
    if (!name) return [];
    this.data[name] = value;
    const label =
      stringIn(node, 'label') ||
      stringIn(node, 'ariaLabel') ||
      this.#labels.get(name) ||
      stringIn(node, 'placeholder') ||
      name;
    const path = { path: pathOf(name) };
    const checks = [{ condition: { call: 'required', args: { value: path } } }];
    return [this.add({ label, value: path, ...component, ...(node['required'] === true && { checks }) })];
  }
}

type ShowNode = (surface: WidgetSurface, node: Json, place: Place) => Ids;

const showPicker: ShowNode = (surface, node) => {
  const selected = stringIn(node, 'defaultValue');
  const options = listOf(node['options'])
    .slice(0, MAX_ROWS)
    .filter((option) => isRecord(option) && option['disabled'] !== true);
  const picker = { component: 'ChoicePicker', variant: 'mutuallyExclusive', options };
  return surface.field(node, picker, selected ? [selected] : []);
};

const showUnknown: ShowNode = (surface, node, place) =>
  surface.box('Column', [...surface.text(node['value'] ?? node['label']), ...surface.children(node, place)]);

/** How each type of node is shown. */
const NODES: Readonly<Record<string, ShowNode>> = {
  Card(surface, node, place) {
    const inner = [...surface.text(statusOf(node), 'caption'), ...surface.children(node, place)];
    const buttons = ['cancel', 'confirm'].flatMap((name) => {
      const { [name]: button } = node;
      if (!isRecord(button)) return [];
      return surface.button(stringIn(button, 'label'), button['action'], place, name === 'confirm');
    });
    const children = [...inner, ...surface.box('Row', buttons, { justify: 'end' })];
    return surface.box('Column', children).map((child) => surface.add({ component: 'Card', child }));
  },
  ListViewItem(surface, node, place) {
    const inner = surface.children(node, place);
    return surface.box('Column', [...inner, ...surface.button(firstText(node), node['onClickAction'], place)]);
  },
  Row: (surface, node, place) => surface.box('Row', surface.children(node, place), { align: 'center' }),
  Box: (surface, node, place) =>
    surface.box(node['direction'] === 'row' ? 'Row' : 'Column', surface.children(node, place)),
  Title: (surface, { value }) => surface.text(value, 'h3'),
  Caption: (surface, { value }) => surface.text(value, 'caption'),
  Badge: (surface, { label }) => surface.text(label, 'caption'),
  Text(surface, node) {
    const { editable } = node;
    return isRecord(editable)
      ? surface.field(editable, { component: 'TextField' }, stringIn(node, 'value'))
      : surface.text(node['value']);
  },
  Markdown: (surface, { value }) => surface.text(value),
  // The label is shown with its field.
  Label: () => [],
  Divider: (surface) => [surface.add({ component: 'Divider' })],
  Image: (surface, node) => [
    surface.add({ component: 'Image', url: stringIn(node, 'src'), description: stringIn(node, 'alt') }),
  ],
  Button(surface, node, place) {
    if (node['disabled'] === true) return [];
    const submits = node['submit'] === true;
    const action = node['onClickAction'] ?? (submits ? place.form?.submit : undefined);
    return surface.button(stringIn(node, 'label') || '›', action, place, submits || node['style'] === 'primary');
  },
  Input(surface, node) {
    const variant = TEXT_KINDS.get(stringIn(node, 'inputType'));
    return surface.field(node, { component: 'TextField', ...(variant && { variant }) });
  },
  Textarea: (surface, node) => surface.field(node, { component: 'TextField', variant: 'longText' }),
  Checkbox: (surface, node) => surface.field(node, { component: 'CheckBox' }, node['defaultChecked'] === true),
  DatePicker(surface, node) {
    const date = stringIn(node, 'defaultValue').slice(0, DATE);
    return surface.field(node, { component: 'DateTimeInput', enableDate: true }, date);
  },
  Select: showPicker,
  RadioGroup: showPicker,
  Chart: (surface, node) =>
    listOf(node['data'])
      .slice(0, MAX_ROWS)
      .flatMap((row) => surface.text(rowOf(row))),
};

interface Form {
  readonly fields: readonly string[];
  readonly single: ReadonlySet<string>;
  readonly submit: unknown;
}

const FIELDS = new Set(['Input', 'Textarea', 'Checkbox', 'DatePicker', 'Select', 'RadioGroup']);

function formOf(form: Json): Form {
  const fields: string[] = [];
  const single = new Set<string>();
  walk(form, (node) => {
    const { type, editable } = node;
    const name = isRecord(editable) ? stringIn(editable, 'name') : stringIn(node, 'name');
    if (!name || !(isRecord(editable) || FIELDS.has(String(type)))) return;
    fields.push(name);
    if (type === 'Select' || type === 'RadioGroup') single.add(name);
  });
  return { fields, single, submit: form['onSubmitAction'] };
}

function walk(node: unknown, visit: (node: Json) => void, depth = 0): void {
  if (!isRecord(node) || depth > MAX_DEPTH) return;
  visit(node);
  for (const child of listOf(node['children'])) walk(child, visit, depth + 1);
}

/** The widget after an update of its text, a component or all of it. */
export function applyWidgetUpdate(widget: Json | undefined, update: ChatKitUpdate): Json | undefined {
  const next = updated(widget, update);
  return next && limitNodes(next, { left: MAX_NODES });
}

function limitNodes(node: Json, budget: { left: number }): Json {
  if (node['children'] === undefined) return node;
  const children: unknown[] = [];
  for (const child of listOf(node['children'])) {
    if (--budget.left < 0) break;
    children.push(isRecord(child) ? limitNodes(child, budget) : child);
  }
  return { ...node, children };
}

function updated(widget: Json | undefined, update: ChatKitUpdate): Json | undefined {
  if (update.type === 'widget.root.updated') return update.widget ?? undefined;
  if (!widget || !update.component_id) return undefined;
  const id = update.component_id;
  if (update.type === 'widget.component.updated')
    return update.component ? changeComponent(widget, id, () => update.component ?? {}) : undefined;
  if (update.type !== 'widget.streaming_text.value_delta') return undefined;
  return changeComponent(widget, id, (node) => ({ ...node, value: stringIn(node, 'value') + (update.delta ?? '') }));
}

function changeComponent(node: Json, id: string, change: (node: Json) => Json, depth = 0): Json {
  if (node['id'] === id) return change(node);
  if (depth > MAX_DEPTH || node['children'] === undefined) return node;
  const children = listOf(node['children']).map((child) =>
    isRecord(child) ? changeComponent(child, id, change, depth + 1) : child,
  );
  return { ...node, children };
}

/** The length of a date without a time. */
const DATE = 10;
const TEXT_KINDS: ReadonlyMap<string, string> = new Map([
  ['number', 'number'],
  ['password', 'obscured'],
]);

/** A single child may stand without an array. */
const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as unknown[]) : isRecord(value) ? [value] : [];
const stringIn = (node: Json, name: string): string => {
  const { [name]: content } = node;
  return typeof content === 'string' ? content : '';
};
/** An A2UI path is a JSON pointer. */
const pathOf = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

const statusOf = ({ status }: Json): string => (isRecord(status) ? stringIn(status, 'text') : '');

function firstText(node: Json): string {
  let result = '';
  walk(node, (inner) => {
    result ||= stringIn(inner, 'value') || stringIn(inner, 'label');
  });
  return result || '›';
}

const rowOf = (row: unknown): string =>
  isRecord(row)
    ? Object.values(row)
        .filter((value) => typeof value === 'string' || typeof value === 'number')
        .join(' · ')
    : '';
