/**
 * The content of a run so far. Chunks are emitted as they arrive. Complete messages and graph states that the server
 * sends later are compared with them, so that nothing is rendered twice. Source: `docs/protocols/langgraph.md`.
 */
import type { LLMAgentEventData } from '../../model/agent-events.ts';
import type { ChatMessage } from '../../model/message.ts';
import type { DecodeContext } from '../core/adapter.ts';
import {
  addPart,
  sameArguments,
  mergeComplete,
  messageParts,
  messageChunks,
  toolResultText,
  type LangMessage,
} from './messages.ts';
import { snapshotEvents, type Part } from '../shared/snapshot.ts';
import { emittedParts } from '../shared/emitted-parts.ts';

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

/** A call without a result. */
export interface OpenCall {
  readonly id: string;
  readonly name: string;
  readonly params: string;
}

export function makeReplyState({ turn, newId }: Pick<DecodeContext, 'turn' | 'newId'>) {
  const previousReply = turn.messages.at(-1)?.role === 'assistant' ? turn.messages.at(-1) : undefined;
  const previousContent = emittedParts(previousReply);
  /** Message ids that earlier streams emitted. */
  const earlierIds = idsOf(turn.messages);
  let entries = new Map<string, Entry>();
  /** Messages that the graph's state contained completely; chunks of them may still arrive. */
  const settled = new Set<string>();
  const results = new Map<string, { readonly response: string; readonly failed: boolean }>();
  const previousId = previousReply?.metadata?.['messageId'];
  const first = typeof previousId === 'string' ? previousId : undefined;
  let messageId = first;
  let name = previousReply?.name;
  let lastEmitted: string | undefined;
  let lastId: string | undefined;
  let lastUsage = '';

  const withMessage = (by: string, data: Data): Data => {
    const isSameMessage = lastEmitted === by;
    lastEmitted = by;
    return isSameMessage ? data : { message: { id: by }, ...data };
  };
  const here = (): string => (messageId ??= newId());
  const partsBySpeaker = (): ReadonlyMap<string, readonly Part[]> => {
    const parts = new Map<string, readonly Part[]>();
    if (first !== undefined) parts.set(first, previousContent.parts.map(withResult));
    for (const entry of entries.values()) {
      parts.set(entry.messageId, [...(parts.get(entry.messageId) ?? []), ...entry.parts.map(withResult)]);
    }
    return parts;
  };
  const withResult = (part: Part): Part => (part.kind === 'tool' ? { ...part, ...results.get(part.id) } : part);
  const change = (next: Map<string, Entry>): readonly Data[] => {
    const [old, parts] = [partsBySpeaker(), ((entries = next), partsBySpeaker())];
    return [...new Set([...old.keys(), ...parts.keys()])].flatMap((id) => {
      const events = snapshotEvents({ id }, old.get(id) ?? [], parts.get(id) ?? []);
      lastEmitted = events.length > 0 ? id : lastEmitted;
      const repeatedBlocks =
        id === first && events.some(({ message }) => message?.replace) ? previousContent.others : [];
      return [...events, ...repeatedBlocks];
    });
  };
  /** Consecutive texts would run together, so each becomes a separate message, as does the text of another agent. */
  const chooseMessage = (id: string, by: string | undefined, hasText: boolean, others: Map<string, Entry>): string => {
    const last = [...others.values()].findLast((entry) => entry.messageId === messageId)?.parts.at(-1);
    if (messageId !== undefined && by === name && !(hasText && last?.kind === 'text')) return messageId;
    name = by;
    return (messageId = id);
  };
  const open = (id: string, by: string | undefined, hasText: boolean): { entry: Entry; events: readonly Data[] } => {
    const known = entries.get(id);
    if (known) return { entry: known, events: [] };
    const targetId = chooseMessage(id, by ?? name, hasText, entries);
    const entry: Entry = { messageId: targetId, parts: [], calls: new Map() };
    entries.set(id, entry);
    const named = targetId === id && name !== undefined ? { message: { id, name } } : undefined;
    if (named) lastEmitted = id;
    return {
      entry,
      events: [
        ...(named ? [named] : []),
        // Emitted at the start, because a resumed stream needs it.
        withMessage(targetId, {
          metadata: { messageIds: [...idsOf(previousReply ? [previousReply] : []), ...entries.keys()] },
        }),
      ],
    };
  };
  const setCall = (entry: Entry, call: OpenCall, isComplete: boolean): readonly Data[] => {
    const known = entry.parts.find((part) => part.kind === 'tool' && part.id === call.id);
    const id = { tool_call_id: call.id, tool_call_name: call.name };
    if (known?.kind !== 'tool') {
      entry.parts = [...entry.parts, { kind: 'tool', ...call }];
      return [
        withMessage(entry.messageId, {
          tool_call: 'start',
          ...id,
          ...(call.params && { tool_call_params: call.params }),
        }),
      ];
    }
    const params = isComplete ? call.params : known.params + call.params;
    if (params === known.params || (isComplete && sameArguments(params, known.params))) return [];
    entry.parts = entry.parts.map((part) => (part === known ? { ...known, params } : part));
    return [
      {
        tool_call: 'update',
        ...id,
        ...(isComplete ? { tool_call_params_complete: params } : { tool_call_params: call.params }),
      },
    ];
  };
  const count = (id: string, usage: LangMessage['usage_metadata'], adds: boolean): readonly Data[] => {
    const entry = entries.get(id);
    if (entry && usage) {
      const [prompt, completion] = [usage.input_tokens ?? 0, usage.output_tokens ?? 0];
      const now = {
        prompt_tokens: prompt,
        completion_tokens: completion,
        total_tokens: usage.total_tokens ?? prompt + completion,
      };
      entry.usage = adds ? sum([entry.usage ?? NO_USAGE, now]) : now;
    }
    const used = [...entries.values()].flatMap((item) => item.usage ?? []);
    const total = sum(used);
    if (used.length === 0 || JSON.stringify(total) === lastUsage) return [];
    lastUsage = JSON.stringify(total);
    return [{ totalUsage: total }];
  };
  const answer = (
    id: string,
    value: unknown,
    failed: boolean,
    tool?: string | null,
    raw?: unknown,
  ): readonly Data[] => {
    if (results.has(id)) return [];
    const response = toolResultText(value);
    results.set(id, { response, failed });
    const state = failed ? 'error' : 'end';
    return [
      {
        tool_call: state,
        tool_call_id: id,
        ...(tool && { tool_call_name: tool }),
        tool_call_response: response,
        tool_call_remote: true,
        ...(raw !== undefined && raw !== null && { tool_call_response_raw: raw }),
      },
    ];
  };
  const answerWith = ({ tool_call_id: id, content, status, name: tool, artifact }: LangMessage): readonly Data[] =>
    id ? answer(id, content, status === 'error', tool, artifact) : [];

  return {
    here: (data: Data): Data => withMessage(here(), data),
    answer,
    /** Appends a chunk of a message. */
    append(message: LangMessage, agent?: string): readonly Data[] {
      if (message.type === 'tool') return answerWith(message);
      const id = (lastId = message.id || lastId || newId());
      if (settled.has(id)) return entries.get(id)?.usage ? [] : count(id, message.usage_metadata, true);
      const contentParts = messageChunks(message);
      const chunks = message.tool_call_chunks ?? [];
      const calls = chunks.length > 0 ? [] : messageParts({ ...message, id, content: null, additional_kwargs: null });
      if (contentParts.length + chunks.length + calls.length === 0) return count(id, message.usage_metadata, true);
      const { entry, events } = open(id, agent, contentParts[0]?.kind === 'text');
      const contentEvents = contentParts.map((part) => {
        const parts = [...entry.parts];
        addPart(parts, part);
        entry.parts = parts;
        if (part.kind === 'media') return withMessage(entry.messageId, { media: part.media });
        return withMessage(
          entry.messageId,
          part.kind === 'text' ? { content: part.text } : { reasoning_content: part.text },
        );
      });
      const callEvents = chunks.flatMap(({ index, id: callId, name: tool, args }) => {
        if (callId) entry.calls.set(index ?? 0, callId);
        const at = entry.calls.get(index ?? 0) ?? openCalls().at(-1)?.id;
        return at === undefined ? [] : setCall(entry, { id: at, name: tool ?? '', params: args ?? '' }, false);
      });
      const completeCalls = calls.flatMap((part) => (part.kind === 'tool' ? setCall(entry, part, true) : []));
      return [...events, ...contentEvents, ...callEvents, ...completeCalls, ...count(id, message.usage_metadata, true)];
    },
    /** Sets a call with all of its arguments so far. */
    call(messageId: string, call: OpenCall): readonly Data[] {
      const { entry, events } = open(messageId, undefined, false);
      return [...events, ...setCall(entry, call, true)];
    },
    /** Replaces a message with its current state. */
    put(message: LangMessage, agent?: string): readonly Data[] {
      if (message.type === 'tool') return answerWith(message);
      if (message.type !== 'ai' || !message.id || earlierIds.has(message.id)) return [];
      const parts = messageParts(message);
      const { entry, events } = open(message.id, agent, parts[0]?.kind === 'text');
      const next = new Map(entries).set(message.id, { ...entry, parts: mergeComplete(entry.parts, parts) });
      return [...events, ...change(next), ...count(message.id, message.usage_metadata, false)];
    },
    /** Reconciles with the messages of the graph's state: messages that it does not contain are removed. */
    reconcile(list: readonly LangMessage[]): readonly Data[] {
      const turnAt = list.findLastIndex(({ type }) => type === 'human');
      const relevant = turnAt < 0 ? list.filter(({ id }) => id && entries.has(id)) : list.slice(turnAt + 1);
      const messages = relevant.filter(({ type, id }) => type === 'ai' && id && !earlierIds.has(id));
      const ids = new Set(messages.map(({ id }) => id));
      const unmatched = new Map([...entries].filter(([id]) => !ids.has(id) && !earlierIds.has(id)));
      // A resumed stream continues a message that it did not start.
      const next = new Map([...entries].filter(([id]) => earlierIds.has(id)));
      const events: Data[] = [];
      for (const message of messages) {
        const id = message.id ?? '';
        const parts = messageParts(message);
        // A node that recreates a message gives it another id.
        const match = [...unmatched].find(([, entry]) => hasSameText(entry.parts, parts));
        settled.add(id);
        if (match) unmatched.delete(match[0]);
        const known = entries.get(id) ?? match?.[1];
        const targetId = known?.messageId ?? chooseMessage(id, name, parts[0]?.kind === 'text', next);
        next.set(id, {
          messageId: targetId,
          calls: known?.calls ?? new Map<number, string>(),
          ...(known?.usage && { usage: known.usage }),
          parts: mergeComplete(known?.parts ?? [], parts),
        });
      }
      if (messages.length > 0) {
        events.push(...change(next));
        const messageIds = [...idsOf(previousReply ? [previousReply] : []), ...entries.keys()];
        if (events.length > 0) events.push({ metadata: { messageIds } });
      }
      return [
        ...events,
        ...relevant.filter(({ type }) => type === 'tool').flatMap(answerWith),
        ...messages.flatMap(({ id, usage_metadata: usage }) => count(id ?? '', usage, false)),
      ];
    },
    /** Removes a message, or all messages. */
    remove(id: string): readonly Data[] {
      const all = id === '__remove_all__';
      return entries.has(id) || all ? change(new Map(all ? [] : [...entries].filter(([known]) => known !== id))) : [];
    },
    openCalls: (): readonly OpenCall[] => openCalls(),
    /** Calls that an earlier stream requested. */
    olderCalls: (): readonly OpenCall[] => unanswered(previousContent.parts),
  };

  function openCalls(): readonly OpenCall[] {
    return unanswered([...entries.values()].flatMap(({ parts }) => parts));
  }
  function unanswered(parts: readonly Part[]): readonly OpenCall[] {
    return parts.flatMap((part) =>
      part.kind === 'tool' && part.response === undefined && !results.has(part.id) ? [part] : [],
    );
  }
}
export type ReplyState = ReturnType<typeof makeReplyState>;

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
