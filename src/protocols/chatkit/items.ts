/** Converts the items of a ChatKit thread to events while they stream. Source: openai/chatkit-python, `chatkit/types.py`. */
import type { LLMAgentEventData } from '../../model/agent-events.ts';
import type { PlanEntry } from '../../model/blocks.ts';
import { asText } from '../shared/as-text.ts';
import { surfaceData } from '../shared/a2ui-messages.ts';
import { parseDataUrl } from '../shared/files/data-url.ts';
import { structuredQuestion } from './structured-input.ts';
import { applyWidgetUpdate, toWidgetSurface } from './widget.ts';
import {
  toChatKitCitation,
  type ChatKitContent,
  type ChatKitItem,
  type ChatKitTask,
  type ChatKitUpdate,
} from './wire.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;

/** The state of a streaming item. */
export interface ItemState {
  item: ChatKitItem;
  /** The text emitted so far, by content index. */
  texts: string[];
  done: boolean;
}

/** Returns the events of an item, without the text that `shown` has already emitted. */
export const itemEvents = (shown: ItemState): readonly Data[] =>
  Object.hasOwn(ITEM_HANDLERS, shown.item.type) ? (ITEM_HANDLERS[shown.item.type]?.(shown) ?? []) : [];

/** Returns the events of an update. */
export function updateEvents(shown: ItemState, update: ChatKitUpdate): readonly Data[] {
  const handler = Object.hasOwn(UPDATE_HANDLERS, update.type) ? UPDATE_HANDLERS[update.type] : updateWidget;
  return handler?.(shown, update) ?? [];
}

/** A structured input without a status is pending too. */
export const isPending = ({ status }: ChatKitItem): boolean => status === 'pending' || status === undefined;

/** What each type of item shows. */
const ITEM_HANDLERS: Readonly<Record<string, (shown: ItemState) => readonly Data[]>> = {
  assistant_message: (shown) =>
    (shown.item.content ?? []).flatMap((content, index) => contentEvents(shown, index, content)),
  client_tool_call: ({ item }) => callEvents(item),
  widget: ({ item: { id, widget } }) => (widget ? widgetEvents(id, widget) : []),
  generated_image: ({ item: { id, image } }) => (image ? [imageEvent(id, image.url)] : []),
  structured_input: ({ item }) => (isPending(item) ? [structuredQuestion(item)] : []),
  task: (shown) => (shown.item.task ? taskEvents(shown, 0, shown.item.task) : []),
  workflow: (shown) => (shown.item.workflow?.tasks ?? []).flatMap((task, index) => taskEvents(shown, index, task)),
};

type UpdateHandler = (shown: ItemState, update: ChatKitUpdate) => readonly Data[];

const updateContent: UpdateHandler = (shown, { content, content_index: index }) =>
  content ? contentEvents(shown, index ?? 0, content) : [];

const updateTask: UpdateHandler = (shown, { task, task_index: index }) => {
  if (!task) return [];
  const { item } = shown;
  const tasks = [...(item.workflow?.tasks ?? [])];
  const position = Math.min(tasks.length, Math.max(0, index ?? tasks.length));
  tasks[position] = task;
  item.workflow = { ...item.workflow, tasks };
  return taskEvents(shown, position, task);
};

const updateWidget: UpdateHandler = ({ item }, update) => {
  const next = applyWidgetUpdate(item.widget ?? undefined, update);
  if (!next) return [];
  item.widget = next;
  return widgetEvents(item.id, next);
};

/** What each type of update does. The types that are not listed change a widget. */
const UPDATE_HANDLERS: Readonly<Record<string, UpdateHandler>> = {
  'assistant_message.content_part.added': updateContent,
  'assistant_message.content_part.done': updateContent,
  'assistant_message.content_part.text_delta': (shown, { content_index: index, delta }) =>
    textEvents(shown, index ?? 0, delta ?? ''),
  'assistant_message.content_part.annotation_added': (_, { annotation }) =>
    annotation?.source ? [{ citation: toChatKitCitation(annotation.source) }] : [],
  'generated_image.updated': ({ item }, { image }) => (image ? [imageEvent(item.id, image.url)] : []),
  'workflow.task.added': updateTask,
  'workflow.task.updated': updateTask,
};

function callEvents(item: ChatKitItem): readonly Data[] {
  const call = { tool_call_id: item.call_id ?? item.id, ...(item.name && { tool_call_name: item.name }) };
  return [
    { ...call, tool_call: 'start', tool_call_params_complete: JSON.stringify(item.arguments ?? {}) },
    ...(item.status === 'completed'
      ? [{ ...call, tool_call: 'end' as const, tool_call_response_complete: asText(item['output']) }]
      : []),
  ];
}

function textEvents(shown: ItemState, index: number, chunk: string): readonly Data[] {
  if (!chunk) return [];
  const textBefore = shown.texts[index];
  shown.texts[index] = (textBefore ?? '') + chunk;
  return [{ content: chunk, ...(textBefore === undefined && { content_begins: true }) }];
}

/** Emits the new part of a content, because its end repeats the complete text. Sources arrive once. */
function contentEvents(shown: ItemState, index: number, { text, annotations }: ChatKitContent): readonly Data[] {
  const emitted = shown.texts[index] ?? '';
  const unsent = text.startsWith(emitted) ? text.slice(emitted.length) : '';
  const sources = (annotations ?? []).flatMap((annotation) => (annotation?.source ? [annotation.source] : []));
  return [...textEvents(shown, index, unsent), ...sources.map((from): Data => ({ citation: toChatKitCitation(from) }))];
}

function widgetEvents(id: string, widget: NonNullable<ChatKitItem['widget']>): readonly Data[] {
  const { messages, actions } = toWidgetSurface(surfaceId(id), widget);
  return [surfaceData(messages, surfaceId(id)), { metadata: { [`actions ${id}`]: actions } }];
}

const surfaceId = (itemId: string): string => `${SURFACE}${itemId}`;
/** The item of a surface that this module created; undefined for other surfaces. */
export const itemOfSurface = (id: string): string | undefined =>
  id.startsWith(SURFACE) ? id.slice(SURFACE.length) : undefined;
const SURFACE = 'chatkit ';

function imageEvent(id: string, url: string): Data {
  const inline = parseDataUrl(url);
  return { media: { kind: 'image', ...(inline ?? { url }) }, data_id: id };
}

/** `thought` tasks are reasoning. Other tasks are in the plan, and their sources are shown with the answer. */
function taskEvents(shown: ItemState, index: number, task: ChatKitTask): readonly Data[] {
  if (task.type === 'thought') {
    const emitted = shown.texts[index] ?? '';
    const text = task.content ?? '';
    shown.texts[index] = text;
    const unsent = text.startsWith(emitted) ? text.slice(emitted.length) : text;
    return unsent ? [{ reasoning_content: emitted === '' && index > 0 ? `\n\n${unsent}` : unsent }] : [];
  }
  return (task.sources ?? []).flatMap((from) => (from ? [{ citation: toChatKitCitation(from) }] : []));
}

const STATES: Readonly<Record<string, PlanEntry['state']>> = { loading: 'active', complete: 'done' };

/** The plan: all tasks except thoughts. A finished item counts as done, since a server may leave out the indicator. */
export const planOfItems = (all: Iterable<ItemState>): readonly PlanEntry[] =>
  [...all].flatMap(({ item, done }) => {
    const tasks = item.type === 'workflow' ? (item.workflow?.tasks ?? []) : item.task ? [item.task] : [];
    return tasks.flatMap((task): readonly PlanEntry[] => {
      const title = task.title ?? task.title_query ?? task.queries?.join(', ') ?? task.content ?? '';
      if (task.type === 'thought' || !title) return [];
      return [{ title, state: done ? 'done' : (STATES[task.status_indicator ?? ''] ?? 'pending') }];
    });
  });
