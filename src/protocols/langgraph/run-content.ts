/**
 * The content of a run so far. Chunks are emitted as they arrive. Complete messages and graph states that the server
 * sends later are compared with them, so that nothing is rendered twice. Source: `docs/protocols/langgraph.md`.
 */
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import type { ChatMessage } from '../../model/message.ts';
import type { DecodeContext } from '../core/adapter.ts';
import { replyEnd } from '../core/finish-reasons.ts';
import {
  addPart,
  endReason,
  sameArguments,
  mergeComplete,
  messageParts,
  messageChunks,
  toolResultText,
  type LangMessage,
} from './messages.ts';
import { snapshotEvents, type Part } from '../shared/snapshot.ts';
import { emittedParts } from '../shared/emitted-parts.ts';
import { parseRunLocation } from './run-location.ts';

export type Data = Omit<LLMAgentEventData, 'eventId'>;
type Usage = NonNullable<Data['totalUsage']>;

interface Entry {
  /** The id of the widget's message. */
  readonly messageId: string;
  parts: readonly Part[];
  usage?: Usage;
  /** Call ids by index. */
  readonly calls: Map<number, string>;
}

/** What belongs to a tool's result besides its value. */
interface Answer {
  readonly failed: boolean;
  readonly name?: string | null | undefined;
  readonly raw?: unknown;
}

/** A call without a result. */
export interface OpenCall {
  readonly id: string;
  readonly name: string;
  readonly params: string;
}

/** What a run has emitted so far, and what a message changes in it. */
export class RunContent {
  readonly #newId: () => string;
  readonly #previousReply: ChatMessage | undefined;
  readonly #previousContent: ReturnType<typeof emittedParts>;
  /** Message ids that earlier streams emitted. */
  readonly #earlierIds: ReadonlySet<string>;
  /** Those of them that belong to a reply which this one replaces. */
  readonly #replacedIds: ReadonlySet<string>;
  #entries = new Map<string, Entry>();
  /** Messages that the graph's state contained completely; chunks of them may still arrive. */
  readonly #settled = new Set<string>();
  readonly #results = new Map<string, { readonly response: string; readonly failed: boolean }>();
  /** The id of the widget's message that the run continues. */
  readonly #continuedId: string | undefined;
  /** The id of the widget's current message, and the name of its agent. */
  #messageId: string | undefined;
  #name: string | undefined;
  /** The id of the widget's message that the last event belongs to. Events without an id belong to it, too. */
  #lastEmitted: string | undefined;
  /** The server's id of the last chunk's message. */
  #lastId: string | undefined;
  #lastUsage = '';
  /** Why the model has ended its last message, with the server's id of that message. */
  #ending: { readonly id: string; readonly reason?: string | undefined } | undefined;

  constructor({ turn, newId, url }: Pick<DecodeContext, 'turn' | 'newId' | 'url'>) {
    this.#newId = newId;
    const last = turn.messages.at(-1);
    this.#previousReply = last?.role === 'assistant' ? last : undefined;
    this.#previousContent = emittedParts(this.#previousReply);
    // The thread of an address keeps the answer that the user has replaced. Any other thread is new, without that answer.
    const replacedReply = url !== undefined && parseRunLocation(url).threadId !== undefined && turn.fork?.reply;
    this.#replacedIds = replacedReply ? idsOf([replacedReply]) : new Set();
    this.#earlierIds = new Set([...idsOf(turn.messages), ...this.#replacedIds]);
    const previousId = this.#previousReply?.metadata?.['messageId'];
    this.#continuedId = typeof previousId === 'string' ? previousId : undefined;
    this.#messageId = this.#continuedId;
    this.#name = this.#previousReply?.name;
  }

  /** Adds data to the current message. */
  here(data: Data): Data {
    return this.#withMessage((this.#messageId ??= this.#newId()), data);
  }

  answer(id: string, value: unknown, { failed, name, raw }: Answer): readonly Data[] {
    if (this.#results.has(id)) return [];
    const response = toolResultText(value);
    this.#results.set(id, { response, failed });
    return [
      {
        tool_call: failed ? 'error' : 'end',
        tool_call_id: id,
        ...(name && { tool_call_name: name }),
        tool_call_response: response,
        tool_call_remote: true,
        ...(raw !== undefined && raw !== null && { tool_call_response_raw: raw }),
      },
    ];
  }

  /** Appends a chunk of a message. */
  append(message: LangMessage, agent?: string): readonly Data[] {
    if (message.type === 'tool') return this.#answerWith(message);
    const id = (this.#lastId = message.id || this.#lastId || this.#newId());
    this.endMessage(id, endReason(message));
    const usage = message.usage_metadata;
    if (this.#settled.has(id)) return this.#entries.get(id)?.usage ? [] : this.#count(id, usage, true);
    const contentParts = messageChunks(message);
    const chunks = message.tool_call_chunks ?? [];
    const calls = chunks.length > 0 ? [] : messageParts({ ...message, id, content: null, additional_kwargs: null });
    if (contentParts.length + chunks.length + calls.length === 0) return this.#count(id, usage, true);
    const { entry, events } = this.#open(id, agent, contentParts[0]?.kind === 'text');
    return [
      ...events,
      ...contentParts.map((part) => this.#appendPart(entry, part)),
      ...chunks.flatMap((chunk) => this.#appendCall(entry, chunk)),
      ...calls.flatMap((part) => (part.kind === 'tool' ? this.#setCall(entry, part, true) : [])),
      ...this.#count(id, usage, true),
    ];
  }

  /** Sets a call with all of its arguments so far. */
  call(messageId: string, call: OpenCall): readonly Data[] {
    const { entry, events } = this.#open(messageId, undefined, false);
    return [...events, ...this.#setCall(entry, call, true)];
  }

  /** Replaces a message with its current state. */
  put(message: LangMessage, agent?: string): readonly Data[] {
    if (message.type === 'tool') return this.#answerWith(message);
    if (message.type !== 'ai' || !message.id || this.#earlierIds.has(message.id)) return [];
    this.endMessage(message.id, endReason(message));
    const parts = messageParts(message);
    const { entry, events } = this.#open(message.id, agent, parts[0]?.kind === 'text');
    const next = new Map(this.#entries).set(message.id, { ...entry, parts: mergeComplete(entry.parts, parts) });
    return [...events, ...this.#change(next), ...this.#count(message.id, message.usage_metadata, false)];
  }

  /** Reconciles with the messages of the graph's state: messages that it does not contain are removed. */
  reconcile(list: readonly LangMessage[]): readonly Data[] {
    const lastUser = list.findLastIndex(({ type }) => type === 'human');
    // Without a message of the user, only messages of this run are known to belong to the turn.
    const relevant = lastUser < 0 ? list.filter(({ id }) => id && this.#entries.has(id)) : list.slice(lastUser + 1);
    const messages = relevant.filter(({ type, id }) => type === 'ai' && id && !this.#earlierIds.has(id));
    const last = messages.at(-1);
    if (last?.id) this.endMessage(last.id, endReason(last));
    const events = messages.length > 0 ? this.#change(this.#reconciled(messages)) : [];
    return [
      ...events,
      ...(events.length > 0 ? [this.#messageIds()] : []),
      ...relevant.filter(({ type }) => type === 'tool').flatMap((message) => this.#answerWith(message)),
      ...messages.flatMap(({ id, usage_metadata: usage }) => this.#count(id ?? '', usage, false)),
    ];
  }

  /** Removes a message, or all messages. */
  remove(id: string): readonly Data[] {
    if (id === '__remove_all__') return this.#change(new Map());
    return this.#entries.has(id) ? this.#change(new Map([...this.#entries].filter(([known]) => known !== id))) : [];
  }

  /** Notes that the model adds to a message, and why it ends the message, once it says so. */
  endMessage(id: string, reason: string | undefined): void {
    if (reason !== undefined || this.#ending?.id !== id) this.#ending = { id, reason };
  }

  /** How the model has ended its last message, if not in the usual way. */
  get end(): 'max_tokens' | 'filtered' | undefined {
    const end = replyEnd(this.#ending?.reason);
    return end === 'max_tokens' || end === 'filtered' ? end : undefined;
  }

  openCalls(): readonly OpenCall[] {
    return this.#unanswered([...this.#entries.values()].flatMap(({ parts }) => parts));
  }

  /** Calls that an earlier stream requested. */
  olderCalls(): readonly OpenCall[] {
    return this.#unanswered(this.#previousContent.parts);
  }

  #unanswered(parts: readonly Part[]): readonly OpenCall[] {
    return parts.flatMap((part) =>
      part.kind === 'tool' && part.response === undefined && !this.#results.has(part.id) ? [part] : [],
    );
  }

  #withMessage(id: string, data: Data): Data {
    const isSameMessage = this.#lastEmitted === id;
    this.#lastEmitted = id;
    return isSameMessage ? data : { message: { id }, ...data };
  }

  #answerWith({ tool_call_id: id, content, status, name, artifact: raw }: LangMessage): readonly Data[] {
    return id ? this.answer(id, content, { failed: status === 'error', name, raw }) : [];
  }

  #appendPart(entry: Entry, part: ReturnType<typeof messageChunks>[number]): Data {
    const parts = [...entry.parts];
    addPart(parts, part);
    entry.parts = parts;
    if (part.kind === 'media') return this.#withMessage(entry.messageId, { media: part.media });
    const data = part.kind === 'text' ? { content: part.text } : { reasoning_content: part.text };
    return this.#withMessage(entry.messageId, data);
  }

  #appendCall(
    entry: Entry,
    { index, id, name, args }: NonNullable<LangMessage['tool_call_chunks']>[number],
  ): readonly Data[] {
    if (id) entry.calls.set(index ?? 0, id);
    const callId = entry.calls.get(index ?? 0) ?? this.openCalls().at(-1)?.id;
    if (callId === undefined) return [];
    return this.#setCall(entry, { id: callId, name: name ?? '', params: args ?? '' }, false);
  }

  #setCall(entry: Entry, call: OpenCall, isComplete: boolean): readonly Data[] {
    const known = entry.parts.find((part) => part.kind === 'tool' && part.id === call.id);
    const id = { tool_call_id: call.id, tool_call_name: call.name };
    if (known?.kind !== 'tool') {
      entry.parts = [...entry.parts, { kind: 'tool', ...call }];
      const params = call.params && { tool_call_params: call.params };
      return [this.#withMessage(entry.messageId, { tool_call: 'start', ...id, ...params })];
    }
    const params = isComplete ? call.params : known.params + call.params;
    if (params === known.params || (isComplete && sameArguments(params, known.params))) return [];
    entry.parts = entry.parts.map((part) => (part === known ? { ...known, params } : part));
    const change = isComplete ? { tool_call_params_complete: params } : { tool_call_params: call.params };
    return [{ tool_call: 'update', ...id, ...change }];
  }

  #open(
    id: string,
    agent: string | undefined,
    hasText: boolean,
  ): { readonly entry: Entry; readonly events: readonly Data[] } {
    const known = this.#entries.get(id);
    if (known) return { entry: known, events: [] };
    const messageId = this.#chooseMessage(id, agent ?? this.#name, hasText, this.#entries);
    const entry: Entry = { messageId, parts: [], calls: new Map() };
    this.#entries.set(id, entry);
    const named = messageId === id && this.#name !== undefined ? { message: { id, name: this.#name } } : undefined;
    if (named) this.#lastEmitted = id;
    // The ids are emitted at the start, because a resumed stream needs them.
    return { entry, events: [...(named ? [named] : []), this.#withMessage(messageId, this.#messageIds())] };
  }

  /**
   * Returns the id of the widget's message for a message of the server. Consecutive texts would run together, so each
   * becomes a separate message, as does the text of another agent.
   */
  #chooseMessage(id: string, name: string | undefined, hasText: boolean, others: ReadonlyMap<string, Entry>): string {
    const current = this.#messageId;
    const last = [...others.values()].findLast(({ messageId }) => messageId === current)?.parts.at(-1);
    if (current !== undefined && name === this.#name && !(hasText && last?.kind === 'text')) return current;
    this.#name = name;
    return (this.#messageId = id);
  }

  #messageIds(): Data {
    const earlier = idsOf(this.#previousReply ? [this.#previousReply] : []);
    return { metadata: { messageIds: [...this.#replacedIds, ...earlier, ...this.#entries.keys()] } };
  }

  /** The entries of the messages in the graph's state, with what was emitted for each. */
  #reconciled(messages: readonly LangMessage[]): Map<string, Entry> {
    const ids = new Set(messages.map(({ id }) => id));
    const unmatched = new Map([...this.#entries].filter(([id]) => !ids.has(id) && !this.#earlierIds.has(id)));
    // A resumed stream continues a message that it did not start.
    const next = new Map([...this.#entries].filter(([id]) => this.#earlierIds.has(id)));
    for (const message of messages) {
      const id = message.id ?? '';
      const parts = messageParts(message);
      // A node that recreates a message gives it another id.
      const match = [...unmatched].find(([, entry]) => hasSameText(entry.parts, parts));
      this.#settled.add(id);
      if (match) unmatched.delete(match[0]);
      const known = this.#entries.get(id) ?? match?.[1];
      const messageId = known?.messageId ?? this.#chooseMessage(id, this.#name, parts[0]?.kind === 'text', next);
      next.set(id, {
        messageId,
        calls: known?.calls ?? new Map<number, string>(),
        ...(known?.usage && { usage: known.usage }),
        parts: mergeComplete(known?.parts ?? [], parts),
      });
    }
    return next;
  }

  #change(next: Map<string, Entry>): readonly Data[] {
    const before = this.#partsByMessage();
    this.#entries = next;
    const after = this.#partsByMessage();
    return [...new Set([...before.keys(), ...after.keys()])].flatMap((id) => {
      const events = snapshotEvents({ id }, before.get(id) ?? [], after.get(id) ?? []);
      if (events.length > 0) this.#lastEmitted = id;
      const isReplaced = id === this.#continuedId && events.some(({ message }) => message?.replace);
      return isReplaced ? [...events, ...this.#previousContent.others] : events;
    });
  }

  #partsByMessage(): ReadonlyMap<string, readonly Part[]> {
    // A result that a function of the page has returned stays.
    const withResult = (part: Part): Part =>
      part.kind === 'tool' && part.response === undefined ? { ...part, ...this.#results.get(part.id) } : part;
    const parts = new Map<string, readonly Part[]>();
    if (this.#continuedId !== undefined) parts.set(this.#continuedId, this.#previousContent.parts.map(withResult));
    for (const entry of this.#entries.values()) {
      parts.set(entry.messageId, [...(parts.get(entry.messageId) ?? []), ...entry.parts.map(withResult)]);
    }
    return parts;
  }

  /** @param adds - whether the usage is that of a chunk, which is added to the usage of the message's other chunks */
  #count(id: string, usage: LangMessage['usage_metadata'], adds: boolean): readonly Data[] {
    const entry = this.#entries.get(id);
    if (entry && usage) {
      const [prompt, completion] = [usage.input_tokens ?? 0, usage.output_tokens ?? 0];
      const total = usage.total_tokens ?? prompt + completion;
      const now = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total };
      entry.usage = adds ? sum([entry.usage ?? NO_USAGE, now]) : now;
    }
    const used = [...this.#entries.values()].flatMap((item) => item.usage ?? []);
    const total = sum(used);
    if (used.length === 0 || JSON.stringify(total) === this.#lastUsage) return [];
    this.#lastUsage = JSON.stringify(total);
    return [{ totalUsage: total }];
  }
}

const NO_USAGE: Usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
const sum = (list: readonly Usage[]): Usage =>
  list.reduce(
    (left, right) => ({
      prompt_tokens: left.prompt_tokens + right.prompt_tokens,
      completion_tokens: left.completion_tokens + right.completion_tokens,
      total_tokens: left.total_tokens + right.total_tokens,
    }),
    NO_USAGE,
  );

const hasSameText = (left: readonly Part[], right: readonly Part[]): boolean => {
  const textOf = (parts: readonly Part[]): string =>
    parts.map((part) => (part.kind === 'text' ? part.text : part.kind === 'tool' ? `\n${part.id}\n` : '')).join('');
  return textOf(left) !== '' && textOf(left) === textOf(right);
};

/** The server's message ids that the replies contain. */
const idsOf = (messages: readonly ChatMessage[]): ReadonlySet<string> =>
  new Set(
    messages.flatMap(({ metadata }) =>
      Array.isArray(metadata?.['messageIds']) ? (metadata['messageIds'] as readonly string[]) : [],
    ),
  );
