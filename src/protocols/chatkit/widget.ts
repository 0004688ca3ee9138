/**
 * Converts ChatKit's widgets to A2UI surfaces: text, fields and buttons in the look of the chat. Sizes, colours and icons
 * are left out. Source: openai/chatkit-python, `chatkit/widgets.py` and its guide
 * "Build interactive responses with widgets".
 */
import { isRecord } from '../../model/json.ts';
import type { ChatKitUpdate } from './wire.ts';

type Json = Readonly<Record<string, unknown>>;

/** The action of a button, sent back to the server unchanged. */
interface WidgetAction {
  readonly type: string;
  readonly payload?: unknown;
  /** Fields whose value is a list in the surface, while the server expects a single value. */
  readonly single?: readonly string[];
}

/**
 * The value of a button's event that contains its action. A press takes it along: it may be sent much later, and the widget
 * may have other buttons by then.
 */
export const ACTION = 'chatkit action';

/** Limits of nesting and of the number of components; the rest is not shown. */
const MAX_DEPTH = 24;
const MAX_PARTS = 500;
/** Nodes of a widget that are kept: each chunk of a text in it reads all of them. */
const MAX_NODES = 2000;
const MAX_ROWS = 200;

/** Returns the A2UI messages. */
export function toWidgetSurface(surfaceId: string, widget: Json): readonly Json[] {
  const components: Json[] = [];
  const data: Record<string, unknown> = {};
  let count = 0;

  const add = (component: Json, id = `p${String(++count)}`): string => {
    if (components.length < MAX_PARTS) components.push({ ...component, id });
    return id;
  };
  const text = (content: unknown, variant?: string): readonly string[] =>
    typeof content === 'string' && content !== ''
      ? [add({ component: 'Text', text: content, ...(variant && { variant }) })]
      : [];
  const button = (label: string, action: unknown, form: Form | undefined, primary = false): readonly string[] => {
    if (!isRecord(action) || typeof action['type'] !== 'string') return [];
    const [child = ''] = text(label);
    const fields = (form?.fields ?? []).filter((name) => name !== ACTION);
    const single = fields.filter((name) => form?.single.has(name));
    const literal: WidgetAction = {
      type: action['type'],
      ...(action['payload'] !== undefined && { payload: action['payload'] }),
      ...(single.length > 0 && { single }),
    };
    const values = fields.map((name) => [name, { path: pathOf(name) }] as const);
    return [
      add({
        component: 'Button',
        child,
        ...(primary && { variant: 'primary' }),
        action: {
          event: { name: action['type'], context: Object.fromEntries<unknown>([[ACTION, { literal }], ...values]) },
        },
      }),
    ];
  };
  const field = (node: Json, component: Json, value: unknown): readonly string[] => {
    const name = stringIn(node, 'name');
    if (!name) return [];
    data[name] = value;
    const label =
      stringIn(node, 'label') ||
      stringIn(node, 'ariaLabel') ||
      labels.get(name) ||
      stringIn(node, 'placeholder') ||
      name;
    const required = { condition: { call: 'required', args: { value: { path: pathOf(name) } } } };
    return [
      add({
        label,
        value: { path: pathOf(name) },
        ...component,
        ...(node['required'] === true && { checks: [required] }),
      }),
    ];
  };
  const labels = new Map<string, string>();
  walk(widget, (node) => {
    if (node['type'] === 'Label') labels.set(stringIn(node, 'fieldName'), stringIn(node, 'value'));
  });

  const showAll = (nodes: unknown, form: Form | undefined, depth: number): readonly string[] =>
    listOf(nodes).flatMap((node) => show(node, form, depth + 1));
  const box = (component: 'Row' | 'Column', children: readonly string[], more: Json = {}): readonly string[] =>
    children.length > 0 ? [add({ component, children, ...more })] : [];

  const show = (node: unknown, outer: Form | undefined, depth: number): readonly string[] => {
    if (!isRecord(node) || depth > MAX_DEPTH) return [];
    const { type, children } = node;
    const isForm = type === 'Form' || node['asForm'] === true;
    const form = isForm ? formOf(node) : outer;
    switch (type) {
      case 'Card': {
        const inner = [...text(statusOf(node), 'caption'), ...showAll(children, form, depth)];
        const buttons = ['cancel', 'confirm'].flatMap((name) => {
          const { [name]: definition } = node;
          return isRecord(definition)
            ? button(stringIn(definition, 'label'), definition['action'], form, name === 'confirm')
            : [];
        });
        return box('Column', [...inner, ...box('Row', buttons, { justify: 'end' })]).map((child) =>
          add({ component: 'Card', child }),
        );
      }
      case 'ListViewItem': {
        const inner = showAll(children, form, depth);
        const label = firstText(node);
        return box('Column', [...inner, ...button(label, node['onClickAction'], form)]);
      }
      case 'Row':
        return box('Row', showAll(children, form, depth), { align: 'center' });
      case 'Box':
        return box(node['direction'] === 'row' ? 'Row' : 'Column', showAll(children, form, depth));
      case 'Title':
        return text(node['value'], 'h3');
      case 'Caption':
        return text(node['value'], 'caption');
      case 'Badge':
        return text(node['label'], 'caption');
      case 'Text': {
        const { editable } = node;
        return isRecord(editable)
          ? field({ ...editable }, { component: 'TextField' }, stringIn(node, 'value'))
          : text(node['value']);
      }
      case 'Markdown':
        return text(node['value']);
      case 'Label':
        // The label is shown with its field.
        return [];
      case 'Divider':
        return [add({ component: 'Divider' })];
      case 'Image':
        return [add({ component: 'Image', url: stringIn(node, 'src'), description: stringIn(node, 'alt') })];
      case 'Button': {
        const action = node['onClickAction'] ?? (node['submit'] === true ? form?.submit : undefined);
        const primary = node['submit'] === true || node['style'] === 'primary';
        return node['disabled'] === true ? [] : button(stringIn(node, 'label') || '›', action, form, primary);
      }
      case 'Input':
      case 'Textarea': {
        const kind = type === 'Textarea' ? 'longText' : TEXT_KINDS[stringIn(node, 'inputType')];
        return field(node, { component: 'TextField', ...(kind && { variant: kind }) }, stringIn(node, 'defaultValue'));
      }
      case 'Checkbox':
        return field(node, { component: 'CheckBox' }, node['defaultChecked'] === true);
      case 'DatePicker':
        return field(
          node,
          { component: 'DateTimeInput', enableDate: true },
          stringIn(node, 'defaultValue').slice(0, DATE),
        );
      case 'Select':
      case 'RadioGroup': {
        const selected = stringIn(node, 'defaultValue');
        const options = listOf(node['options'])
          .slice(0, MAX_ROWS)
          .filter((option) => isRecord(option) && option['disabled'] !== true);
        const picker = { component: 'ChoicePicker', variant: 'mutuallyExclusive', options };
        return field(node, picker, selected ? [selected] : []);
      }
      case 'Chart':
        return listOf(node['data'])
          .slice(0, MAX_ROWS)
          .flatMap((row) => text(rowOf(row)));
      default:
        return box('Column', [...text(node['value'] ?? node['label']), ...showAll(children, form, depth)]);
    }
  };

  const root = show(widget, undefined, 0);
  add({ component: 'Column', children: root }, 'root');
  return [
    { version: 'v0.9', createSurface: { surfaceId } },
    { version: 'v0.9', updateComponents: { surfaceId, components } },
    ...(Object.keys(data).length > 0 ? [{ version: 'v0.9', updateDataModel: { surfaceId, value: data } }] : []),
  ];
}

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
const TEXT_KINDS: Readonly<Record<string, string>> = { number: 'number', password: 'obscured' };

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
