/** Converts the stream of a ChatKit server to events. Source: openai/chatkit-python, `chatkit/server.py`. */
import type { LLMAgentEvent, LLMAgentEventData } from '../../model/events/agent-events.ts';
import type { ChatMessage } from '../../model/message.ts';
import type { Frame } from '../../transport/frame.ts';
import type { DecodeContext } from '../core/adapter.ts';
import type { EventOf, Handlers } from '../shared/handlers.ts';
import { waitingMetadata } from '../shared/pending-calls.ts';
import { isPending, itemEvents, planOfItems, updateEvents, type ItemState, type WidgetModule } from './items.ts';
import type { ChatKitItem, ChatKitEvent } from './reply-schema.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;

/** Messages for errors that have only a code. */
const ERROR_MESSAGES: ReadonlyMap<string, string> = new Map([['stream.error', 'The server failed to answer.']]);

/** Items that are not shown to the user. */
const HIDDEN_ITEMS = new Set(['end_of_turn', 'hidden_context_item', 'sdk_hidden_context', 'user_message']);

type Context = Pick<DecodeContext, 'eventId' | 'report' | 'turn'>;

/** The state of one reply, and what an event changes in it. */
export class ChatKitReply {
  readonly #context: Context;
  /** The reply that continues, with content from an earlier stream. */
  readonly #openReply: ChatMessage | undefined;
  #messageId: unknown;
  #widgets: WidgetModule | undefined;
  readonly #items = new Map<string, ItemState>();
  readonly #displayedSources = new Set<string>();
  #plan = '';
  readonly #effects: object[] = [];
  #hasFailed = false;

  constructor(context: Context) {
    const last = context.turn.messages.at(-1);
    this.#context = context;
    this.#openReply = last?.role === 'assistant' && last.blocks.length > 0 ? last : undefined;
    this.#messageId = this.#openReply?.metadata?.['messageId'];
  }

  take(event: ChatKitEvent, frame: Frame, widgets?: WidgetModule): readonly LLMAgentEvent[] {
    if (this.#hasFailed) return [];
    this.#widgets = widgets;
    if (event.type === 'error') return this.#fail(event);
    // TypeScript cannot relate the key to the argument type; the mapped type guarantees it.
    return this.#respond(HANDLERS[event.type](this, event as never, frame));
  }

  end(): readonly LLMAgentEvent[] {
    if (this.#hasFailed) return [];
    const items = [...this.#items.values()];
    // An unfinished message means that the stream was cut off.
    if (items.some(({ item, done }) => !done && item.type === 'assistant_message')) return [];
    const calls = this.#openCalls().map((item) => item.call_id ?? item.id);
    const isAsking = items.some(({ item }) => item.type === 'structured_input' && isPending(item));
    return this.#respond([
      { metadata: waitingMetadata(calls) },
      { finish: calls.length > 0 || isAsking ? 'tool_use' : 'complete' },
    ]);
  }

  putItem(item: ChatKitItem, done: boolean): readonly Data[] {
    const shown = this.#items.get(item.id);
    return shown ? this.#replaceItem(shown, item, done) : this.#addItem(item, done);
  }

  updateItem({ item_id: id, update }: EventOf<ChatKitEvent, 'thread.item.updated'>, frame: Frame): readonly Data[] {
    const shown = this.#items.get(id);
    if (shown) return this.#showChange(updateEvents(shown, update));
    this.#context.report({ kind: 'malformed', detail: `There is no item "${id}".`, frame });
    return [];
  }

  removeItem(id: string): readonly Data[] {
    return this.#items.delete(id) ? this.#showAll() : [];
  }

  addEffect(name: string, data: unknown): readonly Data[] {
    this.#effects.push({ name, data });
    return [{ metadata: { clientEffects: [...this.#effects] } }];
  }

  #respond(items: readonly Data[]): readonly LLMAgentEvent[] {
    const { eventId } = this.#context;
    return items.map((data) => ({ type: 'response', data: { eventId, ...data } }));
  }

  #fail({ message, code, allow_retry }: EventOf<ChatKitEvent, 'error'>): readonly LLMAgentEvent[] {
    this.#hasFailed = true;
    const { eventId } = this.#context;
    const error = message || (ERROR_MESSAGES.get(code ?? '') ?? 'The server reports an error.');
    const recoverable = allow_retry ?? false;
    return [
      { type: 'error', data: { eventId, error, recoverable, ...(code && code !== 'custom' && { code }) } },
      ...this.#respond([{ finish: 'error' }]),
    ];
  }

  #addItem(item: ChatKitItem, done: boolean): readonly Data[] {
    if (item.type === 'user_message') return [{ metadata: { chatKitUserItem: item.id } }];
    if (HIDDEN_ITEMS.has(item.type)) return [];
    const shown: ItemState = { item, texts: [], done, widgets: this.#widgets };
    const replaced = item.type === 'client_tool_call' ? this.#endCalls() : [];
    this.#items.set(item.id, shown);
    return [this.#shareIds(item), ...this.#showChange([...replaced, ...itemEvents(shown)])];
  }

  /** Ends the open calls with an error: the server takes only the result of its newest call, and deletes the others. */
  #endCalls(): readonly Data[] {
    return this.#openCalls().map((item): Data => {
      item.status = 'completed';
      const message = 'Not run: the server takes the result of one call only, and has made another one since.';
      return {
        tool_call: 'error',
        tool_call_id: item.call_id ?? item.id,
        tool_call_response: message,
        tool_call_error: { message, code: 'not-run' },
      };
    });
  }

  #openCalls(): readonly ChatKitItem[] {
    return [...this.#items.values()].flatMap(({ item }) =>
      item.type === 'client_tool_call' && item.status !== 'completed' ? [item] : [],
    );
  }

  #replaceItem(shown: ItemState, item: ChatKitItem, done: boolean): readonly Data[] {
    const isSame =
      item.type === shown.item.type && shown.texts.every((text, index) => textAt(item, index).startsWith(text));
    Object.assign(shown, { item, done, widgets: this.#widgets });
    if (!isSame) return this.#showAll();
    const events = itemEvents(shown);
    const isCall = item.type === 'client_tool_call';
    return this.#showChange(isCall ? events.filter(({ tool_call }) => tool_call !== 'start') : events);
  }

  /** Emits the id of the message with its first item, and the ids of all items. */
  #shareIds({ id }: ChatKitItem): Data {
    const isFirst = this.#messageId === undefined;
    this.#messageId ??= id;
    const stored = this.#openReply?.metadata?.['chatKitItems'];
    const all = new Set([...(Array.isArray(stored) ? (stored as unknown[]) : []), ...this.#items.keys()]);
    return { ...(isFirst && { message: { id } }), metadata: { chatKitItems: [...all] } };
  }

  #showChange(items: readonly Data[]): readonly Data[] {
    return [...this.#withoutRepeatedSources(items), ...this.#showPlan()];
  }

  /** Emits everything again, because already rendered content has changed. The output of an earlier stream stays. */
  #showAll(): readonly Data[] {
    if (this.#openReply || typeof this.#messageId !== 'string') return [];
    this.#displayedSources.clear();
    this.#plan = '';
    const all = [...this.#items.values()];
    for (const shown of all) shown.texts = [];
    return [{ message: { id: this.#messageId, replace: true } }, ...this.#showChange(all.flatMap(itemEvents))];
  }

  #showPlan(): readonly Data[] {
    const plan = planOfItems(this.#items.values());
    const serialized = JSON.stringify(plan);
    if (plan.length === 0 || serialized === this.#plan) return [];
    this.#plan = serialized;
    return [{ plan }];
  }

  /** A citation arrives while streaming, and again with the complete text. */
  #withoutRepeatedSources(items: readonly Data[]): readonly Data[] {
    return items.filter(({ citation }) => {
      if (!citation) return true;
      const key = JSON.stringify(citation);
      const isNew = !this.#displayedSources.has(key);
      this.#displayedSources.add(key);
      return isNew;
    });
  }
}

type Handler<Type> = (reply: ChatKitReply, event: EventOf<ChatKitEvent, Type>) => readonly Data[];

const shareThread: Handler<'thread.created'> = (_, { thread }) => [{ metadata: { chatKitThread: thread.id } }];
const putComplete: Handler<'thread.item.done'> = (reply, { item }) => reply.putItem(item, true);

/** What each type of event does. */
const HANDLERS: Handlers<ChatKitReply, Exclude<ChatKitEvent, { readonly type: 'error' }>, readonly Data[]> = {
  'thread.created': shareThread,
  'thread.updated': shareThread,
  'thread.item.added': (reply, { item }) => reply.putItem(item, false),
  'thread.item.done': putComplete,
  'thread.item.replaced': putComplete,
  'thread.item.updated': (reply, event, frame) => reply.updateItem(event, frame),
  'thread.item.removed': (reply, { item_id: id }) => reply.removeItem(id),
  stream_options: () => [],
  progress_update: (_, { text }) => [{ phase: { name: text, message: text } }],
  client_effect: (reply, { name, data }) => reply.addEffect(name, data ?? {}),
  notice: (_, { title, message }) => {
    const notice = [title && `**${title}**`, message].filter(Boolean).join(' ');
    return [{ content: `> ${notice.replaceAll('\n', '\n> ')}`, content_begins: true }];
  },
};

const textAt = ({ content, workflow, task }: ChatKitItem, index: number): string =>
  content?.[index]?.text ?? workflow?.tasks?.[index]?.content ?? (index === 0 ? (task?.content ?? '') : '');
