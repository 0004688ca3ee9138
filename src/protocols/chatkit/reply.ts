/** Converts the stream of a ChatKit server to events. Source: openai/chatkit-python, `chatkit/server.py`. */
import type { LLMAgentEvent, LLMAgentEventData } from '../../model/agent-events.ts';
import type { Frame } from '../../transport/frame.ts';
import type { DecodeContext } from '../core/adapter.ts';
import { waitingMetadata } from '../shared/pending-calls.ts';
import { planOfItems, itemEvents, updateEvents, type ItemState } from './items.ts';
import type { ChatKitItem, ChatKitEvent } from './wire.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;

/** Messages for errors that have only a code. */
const ERROR_MESSAGES: Readonly<Record<string, string>> = {
  'stream.error': 'The server failed to answer.',
};

/** Items that are not shown to the user. */
const HIDDEN_ITEMS = new Set(['end_of_turn', 'hidden_context_item', 'sdk_hidden_context', 'user_message']);

export function makeChatKitDecoder({ eventId, report, turn }: Pick<DecodeContext, 'eventId' | 'report' | 'turn'>) {
  const last = turn.messages.at(-1);
  const openReply = last?.role === 'assistant' && last.blocks.length > 0 ? last : undefined;
  let messageId = openReply?.metadata?.['messageId'];
  const items = new Map<string, ItemState>();
  const sources = new Set<string>();
  let plan = '';
  const effects: object[] = [];
  let failed = false;

  const response = (data: Data): LLMAgentEvent => ({ type: 'response', data: { eventId, ...data } });
  const emit = (events: readonly Data[]): readonly LLMAgentEvent[] =>
    events
      .filter(({ citation }) => {
        // A citation arrives while streaming, and again with the complete text.
        const key = citation && JSON.stringify(citation);
        if (key === undefined || !sources.has(key)) {
          if (key !== undefined) sources.add(key);
          return true;
        }
        return false;
      })
      .map(response);
  const emitPlan = (): readonly LLMAgentEvent[] => {
    const entries = planOfItems(items.values());
    const serialized = JSON.stringify(entries);
    if (entries.length === 0 || serialized === plan) return [];
    plan = serialized;
    return [response({ plan: entries })];
  };
  /** Emits the id of the message with its first item, and the ids of all items. */
  const emitIds = (item: ChatKitItem): readonly LLMAgentEvent[] => {
    if (item.type === 'user_message') return [response({ metadata: { chatKitUserItem: item.id } })];
    if (HIDDEN_ITEMS.has(item.type)) return [];
    const isFirst = messageId === undefined;
    messageId ??= item.id;
    const ids = [...items.values()].map(({ item: { id } }) => id);
    const storedItems = openReply?.metadata?.['chatKitItems'];
    const all = [...new Set([...(Array.isArray(storedItems) ? (storedItems as unknown[]) : []), ...ids])];
    return [response({ ...(isFirst && { message: { id: item.id } }), metadata: { chatKitItems: all } })];
  };
  /** Emits everything again, because already rendered content has changed. The output of an earlier stream stays. */
  const emitAll = (): readonly LLMAgentEvent[] => {
    if (openReply || typeof messageId !== 'string') return [];
    sources.clear();
    plan = '';
    for (const shown of items.values()) shown.texts = [];
    return [
      response({ message: { id: messageId, replace: true } }),
      ...[...items.values()].flatMap((shown) => emit(itemEvents(shown))),
      ...emitPlan(),
    ];
  };
  const putItem = (item: ChatKitItem, done: boolean): readonly LLMAgentEvent[] => {
    const existing = items.get(item.id);
    if (!existing) {
      if (HIDDEN_ITEMS.has(item.type)) return emitIds(item);
      const shown: ItemState = { item, texts: [], done };
      items.set(item.id, shown);
      return [...emitIds(item), ...emit(itemEvents(shown)), ...emitPlan()];
    }
    const { texts } = existing;
    const isSame =
      item.type === existing.item.type && texts.every((text, index) => textAt(item, index).startsWith(text));
    const wasCall = item.type === 'client_tool_call';
    Object.assign(existing, { item, done });
    if (!isSame) return emitAll();
    const events = itemEvents(existing);
    return [...emit(wasCall ? events.filter(({ tool_call }) => tool_call !== 'start') : events), ...emitPlan()];
  };
  const fail = (error: string, code: string | null | undefined, recoverable: boolean): readonly LLMAgentEvent[] => {
    failed = true;
    return [
      { type: 'error', data: { eventId, error, recoverable, ...(code && code !== 'custom' && { code }) } },
      response({ finish: 'error' }),
    ];
  };
  const openCalls = (): readonly string[] =>
    [...items.values()].flatMap(({ item }) =>
      item.type === 'client_tool_call' && item.status !== 'completed' ? [item.call_id ?? item.id] : [],
    );
  const isAsking = (): boolean =>
    [...items.values()].some(
      ({ item }) => item.type === 'structured_input' && (item.status === 'pending' || item.status === undefined),
    );

  return {
    take(event: ChatKitEvent, frame: Frame): readonly LLMAgentEvent[] {
      if (failed) return [];
      switch (event.type) {
        case 'thread.created':
        case 'thread.updated':
          return [response({ metadata: { chatKitThread: event.thread.id } })];
        case 'thread.item.added':
          return putItem(event.item, false);
        case 'thread.item.done':
        case 'thread.item.replaced':
          return putItem(event.item, true);
        case 'thread.item.updated': {
          const shown = items.get(event.item_id);
          if (shown) return [...emit(updateEvents(shown, event.update)), ...emitPlan()];
          report({ kind: 'malformed', detail: `There is no item "${event.item_id}".`, frame });
          return [];
        }
        case 'thread.item.removed':
          return items.delete(event.item_id) ? emitAll() : [];
        case 'stream_options':
          return [];
        case 'progress_update':
          return [response({ phase: { name: event.text, message: event.text } })];
        case 'client_effect':
          effects.push({ name: event.name, data: event.data ?? {} });
          return [response({ metadata: { clientEffects: [...effects] } })];
        case 'notice': {
          const notice = [event.title && `**${event.title}**`, event.message].filter(Boolean).join(' ');
          return [response({ content: `> ${notice.replaceAll('\n', '\n> ')}`, content_begins: true })];
        }
        case 'error':
          return fail(
            event.message || (ERROR_MESSAGES[event.code ?? ''] ?? 'The server reports an error.'),
            event.code,
            event.allow_retry ?? false,
          );
      }
    },
    end(): readonly LLMAgentEvent[] {
      if (failed) return [];
      // An unfinished message means that the stream was cut off.
      if ([...items.values()].some(({ item, done }) => !done && item.type === 'assistant_message')) return [];
      const calls = openCalls();
      return [
        response({ metadata: waitingMetadata(calls) }),
        response({ finish: calls.length > 0 || isAsking() ? 'tool_use' : 'complete' }),
      ];
    },
  };
}

const textAt = ({ content, workflow, task }: ChatKitItem, index: number): string =>
  content?.[index]?.text ?? workflow?.tasks?.[index]?.content ?? (index === 0 ? (task?.content ?? '') : '');
