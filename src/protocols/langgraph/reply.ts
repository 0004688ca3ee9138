/**
 * What a run has said so far. Pieces are told as they come; what the server then tells whole (a finished message, the state
 * of the graph) is compared with them, so that nothing stands there twice. Source: `langgraph.md`, "Request", "Framing".
 */
import type { LLMAgentEventData } from '../../model/agent-events.ts';
import type { ChatMessage } from '../../model/message.ts';
import type { DecodeContext } from '../adapter.ts';
import { addPart, isSame, mergeWhole, partsOf, piecesOf, resultText, type LangMessage } from './messages.ts';
import { snapshotEvents, type Part } from '../shared/snapshot.ts';
import { toldParts } from '../shared/told-parts.ts';

export type Data = Omit<LLMAgentEventData, 'eventId'>;
type Usage = NonNullable<Data['totalUsage']>;

interface Entry {
  /** The id of our message. */
  readonly speaker: string;
  parts: readonly Part[];
  usage?: Usage;
  /** Calls by their index. */
  readonly calls: Map<number, string>;
}

/** A call that nobody has answered. */
export interface OpenCall {
  readonly id: string;
  readonly name: string;
  readonly params: string;
}

export function gatherReply({ turn, newId }: Pick<DecodeContext, 'turn' | 'newId'>) {
  const before = turn.messages.at(-1)?.role === 'assistant' ? turn.messages.at(-1) : undefined;
  const shown = toldParts(before);
  /** What the streams before this one have told. */
  const earlier = idsOf(turn.messages);
  let entries = new Map<string, Entry>();
  /** What the state of the graph has told whole: pieces of it may still be on their way. */
  const settled = new Set<string>();
  const results = new Map<string, { readonly response: string; readonly failed: boolean }>();
  const own = before?.metadata?.['messageId'];
  const first = typeof own === 'string' ? own : undefined;
  let speaker = first;
  let name = before?.name;
  let told: string | undefined;
  let lastId: string | undefined;
  let counted = '';

  const tell = (by: string, data: Data): Data => {
    const same = told === by;
    told = by;
    return same ? data : { message: { id: by }, ...data };
  };
  const here = (): string => (speaker ??= newId());
  const partsBySpeaker = (): ReadonlyMap<string, readonly Part[]> => {
    const parts = new Map<string, readonly Part[]>();
    if (first !== undefined) parts.set(first, shown.parts.map(withResult));
    for (const entry of entries.values()) {
      parts.set(entry.speaker, [...(parts.get(entry.speaker) ?? []), ...entry.parts.map(withResult)]);
    }
    return parts;
  };
  const withResult = (part: Part): Part => (part.kind === 'tool' ? { ...part, ...results.get(part.id) } : part);
  const change = (next: Map<string, Entry>): readonly Data[] => {
    const [old, parts] = [partsBySpeaker(), ((entries = next), partsBySpeaker())];
    return [...new Set([...old.keys(), ...parts.keys()])].flatMap((id) => {
      const events = snapshotEvents({ id }, old.get(id) ?? [], parts.get(id) ?? []);
      told = events.length > 0 ? id : told;
      const again = id === first && events.some(({ message }) => message?.replace) ? shown.others : [];
      return [...events, ...again];
    });
  };
  /** Words behind other words would run into them: they are a message of their own, and so is what another agent says. */
  const newSpeaker = (id: string, by: string | undefined, words: boolean, others: Map<string, Entry>): string => {
    const last = [...others.values()].findLast((entry) => entry.speaker === speaker)?.parts.at(-1);
    if (speaker !== undefined && by === name && !(words && last?.kind === 'text')) return speaker;
    name = by;
    return (speaker = id);
  };
  const open = (id: string, by: string | undefined, words: boolean): { entry: Entry; events: readonly Data[] } => {
    const known = entries.get(id);
    if (known) return { entry: known, events: [] };
    const voice = newSpeaker(id, by ?? name, words, entries);
    const entry: Entry = { speaker: voice, parts: [], calls: new Map() };
    entries.set(id, entry);
    const named = voice === id && name !== undefined ? { message: { id, name } } : undefined;
    if (named) told = id;
    return {
      entry,
      events: [
        ...(named ? [named] : []),
        // Told as it begins: a stream that is picked up again has to know it.
        tell(voice, { metadata: { messageIds: [...idsOf(before ? [before] : []), ...entries.keys()] } }),
      ],
    };
  };
  const setCall = (entry: Entry, call: OpenCall, whole: boolean): readonly Data[] => {
    const known = entry.parts.find((part) => part.kind === 'tool' && part.id === call.id);
    const id = { tool_call_id: call.id, tool_call_name: call.name };
    if (known?.kind !== 'tool') {
      entry.parts = [...entry.parts, { kind: 'tool', ...call }];
      return [
        tell(entry.speaker, { tool_call: 'start', ...id, ...(call.params && { tool_call_params: call.params }) }),
      ];
    }
    const params = whole ? call.params : known.params + call.params;
    if (params === known.params || (whole && isSame(params, known.params))) return [];
    entry.parts = entry.parts.map((part) => (part === known ? { ...known, params } : part));
    return [
      {
        tool_call: 'update',
        ...id,
        ...(whole ? { tool_call_params_complete: params } : { tool_call_params: call.params }),
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
      entry.usage = adds ? sum([entry.usage ?? NONE, now]) : now;
    }
    const used = [...entries.values()].flatMap((item) => item.usage ?? []);
    const total = sum(used);
    if (used.length === 0 || JSON.stringify(total) === counted) return [];
    counted = JSON.stringify(total);
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
    const response = resultText(value);
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
    here: (data: Data): Data => tell(here(), data),
    answer,
    /** A piece of a message. */
    append(message: LangMessage, agent?: string): readonly Data[] {
      if (message.type === 'tool') return answerWith(message);
      const id = (lastId = message.id || lastId || newId());
      if (settled.has(id)) return entries.get(id)?.usage ? [] : count(id, message.usage_metadata, true);
      const pieces = piecesOf(message);
      const chunks = message.tool_call_chunks ?? [];
      const calls = chunks.length > 0 ? [] : partsOf({ ...message, id, content: null, additional_kwargs: null });
      if (pieces.length + chunks.length + calls.length === 0) return count(id, message.usage_metadata, true);
      const { entry, events } = open(id, agent, pieces[0]?.kind === 'text');
      const said = pieces.map((piece) => {
        const parts = [...entry.parts];
        addPart(parts, piece);
        entry.parts = parts;
        if (piece.kind === 'media') return tell(entry.speaker, { media: piece.media });
        return tell(entry.speaker, piece.kind === 'text' ? { content: piece.text } : { reasoning_content: piece.text });
      });
      const called = chunks.flatMap(({ index, id: callId, name: tool, args }) => {
        if (callId) entry.calls.set(index ?? 0, callId);
        const at = entry.calls.get(index ?? 0) ?? openCalls().at(-1)?.id;
        return at === undefined ? [] : setCall(entry, { id: at, name: tool ?? '', params: args ?? '' }, false);
      });
      const whole = calls.flatMap((part) => (part.kind === 'tool' ? setCall(entry, part, true) : []));
      return [...events, ...said, ...called, ...whole, ...count(id, message.usage_metadata, true)];
    },
    /** A call with all of its arguments so far. */
    call(messageId: string, call: OpenCall): readonly Data[] {
      const { entry, events } = open(messageId, undefined, false);
      return [...events, ...setCall(entry, call, true)];
    },
    /** A message as it is now. */
    put(message: LangMessage, agent?: string): readonly Data[] {
      if (message.type === 'tool') return answerWith(message);
      if (message.type !== 'ai' || !message.id || earlier.has(message.id)) return [];
      const parts = partsOf(message);
      const { entry, events } = open(message.id, agent, parts[0]?.kind === 'text');
      const next = new Map(entries).set(message.id, { ...entry, parts: mergeWhole(entry.parts, parts) });
      return [...events, ...change(next), ...count(message.id, message.usage_metadata, false)];
    },
    /** The messages of the graph's state: what they do not have was not meant to be said. */
    reconcile(list: readonly LangMessage[]): readonly Data[] {
      const turnAt = list.findLastIndex(({ type }) => type === 'human');
      const said = turnAt < 0 ? list.filter(({ id }) => id && entries.has(id)) : list.slice(turnAt + 1);
      const messages = said.filter(({ type, id }) => type === 'ai' && id && !earlier.has(id));
      const ids = new Set(messages.map(({ id }) => id));
      const orphans = new Map([...entries].filter(([id]) => !ids.has(id) && !earlier.has(id)));
      // A stream that was picked up again goes on with a message that it has not begun.
      const next = new Map([...entries].filter(([id]) => earlier.has(id)));
      const begun: Data[] = [];
      for (const message of messages) {
        const id = message.id ?? '';
        const parts = partsOf(message);
        // A node that makes a message anew gives it another id.
        const same = [...orphans].find(([, entry]) => isSameSaid(entry.parts, parts));
        settled.add(id);
        if (same) orphans.delete(same[0]);
        const known = entries.get(id) ?? same?.[1];
        const voice = known?.speaker ?? newSpeaker(id, name, parts[0]?.kind === 'text', next);
        next.set(id, {
          speaker: voice,
          calls: known?.calls ?? new Map<number, string>(),
          ...(known?.usage && { usage: known.usage }),
          parts: mergeWhole(known?.parts ?? [], parts),
        });
      }
      if (messages.length > 0) {
        begun.push(...change(next));
        const messageIds = [...idsOf(before ? [before] : []), ...entries.keys()];
        if (begun.length > 0) begun.push({ metadata: { messageIds } });
      }
      return [
        ...begun,
        ...said.filter(({ type }) => type === 'tool').flatMap(answerWith),
        ...messages.flatMap(({ id, usage_metadata: usage }) => count(id ?? '', usage, false)),
      ];
    },
    /** Messages that the graph takes back; without ids all of them. */
    remove(id: string): readonly Data[] {
      const all = id === '__remove_all__';
      return entries.has(id) || all ? change(new Map(all ? [] : [...entries].filter(([known]) => known !== id))) : [];
    },
    openCalls: (): readonly OpenCall[] => openCalls(),
    /** Those that an earlier stream has asked for. */
    olderCalls: (): readonly OpenCall[] => unanswered(shown.parts),
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
export type GatheredReply = ReturnType<typeof gatherReply>;

const NONE: Usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
const sum = (list: readonly Usage[]): Usage =>
  list.reduce(
    (left, right) => ({
      prompt_tokens: left.prompt_tokens + right.prompt_tokens,
      completion_tokens: left.completion_tokens + right.completion_tokens,
      total_tokens: left.total_tokens + right.total_tokens,
    }),
    NONE,
  );

const isSameSaid = (left: readonly Part[], right: readonly Part[]): boolean => {
  const words = (parts: readonly Part[]): string =>
    parts.map((part) => (part.kind === 'text' ? part.text : part.kind === 'tool' ? `\n${part.id}\n` : '')).join('');
  return words(left) !== '' && words(left) === words(right);
};

/** The wire's ids of what replies have said. */
const idsOf = (messages: readonly ChatMessage[]): ReadonlySet<string> =>
  new Set(
    messages.flatMap(({ metadata }) =>
      Array.isArray(metadata?.['messageIds']) ? (metadata['messageIds'] as readonly string[]) : [],
    ),
  );
