/** Converts the items of a ChatKit thread to events while they stream. Source: openai/chatkit-python, `chatkit/types.py`. */
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import type { PlanEntry } from '../../model/blocks.ts';
import { asText } from '../shared/as-text.ts';
import { surfaceData } from '../shared/a2ui-messages.ts';
import { parseDataUrl } from '../shared/files/data-url.ts';
import { structuredQuestion } from './structured-input.ts';
import type * as Widgets from './widget.ts';
import {
  toChatKitCitation,
  type ChatKitContent,
  type ChatKitItem,
  type ChatKitTask,
  type ChatKitUpdate,
} from './reply-schema.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;

/** The state of a streaming item. */
export interface ItemState {
  item: ChatKitItem;
  /** The text emitted so far, by content index. */
  texts: string[];
  done: boolean;
  /** The module of the widgets. It is loaded on demand, since most answers have none. */
  readonly widgets: WidgetModule | undefined;
}

export type WidgetModule = typeof Widgets;

/** A structured input without a status is pending too. */
export const isPending = ({ status }: ChatKitItem): boolean => status === 'pending' || status === undefined;

/** Returns the events of an item, without the text that `shown` has already emitted. */
export function itemEvents(shown: ItemState): readonly Data[] {
  const { item } = shown;
  switch (item.type) {
    case 'assistant_message':
      return (item.content ?? []).flatMap((content, index) => contentEvents(shown, index, content));
    case 'client_tool_call': {
      const call = { tool_call_id: item.call_id ?? item.id, ...(item.name && { tool_call_name: item.name }) };
      const { output } = item;
      return [
        { ...call, tool_call: 'start', tool_call_params_complete: JSON.stringify(item.arguments ?? {}) },
        ...(item.status === 'completed'
          ? [{ ...call, tool_call: 'end' as const, tool_call_response_complete: asText(output) }]
          : []),
      ];
    }
    case 'widget':
      return item.widget ? widgetEvents(shown, item.widget) : [];
    case 'generated_image':
      return item.image ? [imageEvent(item.id, item.image.url)] : [];
    case 'structured_input':
      return isPending(item) ? [structuredQuestion(item)] : [];
    case 'task':
      return item.task ? taskEvents(shown, 0, item.task) : [];
    case 'workflow':
      return (item.workflow?.tasks ?? []).flatMap((task, index) => taskEvents(shown, index, task));
    default:
      return [];
  }
}

/** Returns the events of an update. */
export function updateEvents(shown: ItemState, update: ChatKitUpdate): readonly Data[] {
  const { item } = shown;
  const index = update.content_index ?? 0;
  switch (update.type) {
    case 'assistant_message.content_part.added':
    case 'assistant_message.content_part.done':
      return update.content ? contentEvents(shown, index, update.content) : [];
    case 'assistant_message.content_part.text_delta':
      return textEvents(shown, index, update.delta ?? '');
    case 'assistant_message.content_part.annotation_added': {
      const origin = update.annotation?.source;
      return origin ? [{ citation: toChatKitCitation(origin) }] : [];
    }
    case 'generated_image.updated':
      return update.image ? [imageEvent(item.id, update.image.url)] : [];
    case 'workflow.task.added':
    case 'workflow.task.updated': {
      const tasks = [...(item.workflow?.tasks ?? [])];
      const position = Math.min(tasks.length, Math.max(0, update.task_index ?? tasks.length));
      if (!update.task) return [];
      tasks[position] = update.task;
      item.workflow = { ...item.workflow, tasks };
      return taskEvents(shown, position, update.task);
    }
    default: {
      const next = shown.widgets?.applyWidgetUpdate(item.widget ?? undefined, update);
      if (!next) return [];
      item.widget = next;
      return widgetEvents(shown, next);
    }
  }
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

function widgetEvents({ item, widgets }: ItemState, widget: NonNullable<ChatKitItem['widget']>): readonly Data[] {
  const id = surfaceId(item.id);
  return widgets ? [surfaceData(widgets.toWidgetSurface(id, widget), id)] : [];
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
      const title = task.title ?? task.title_query ?? task.queries?.join(', ') ?? task.content;
      if (task.type === 'thought' || !title) return [];
      return [{ title, state: done ? 'done' : (STATES[task.status_indicator ?? ''] ?? 'pending') }];
    });
  });
