/**
 * What a stream has said, as the wire's own messages: they go back as they came, and a snapshot of the conversation is
 * compared with them. Source: `ag-ui.md`, "MESSAGES_SNAPSHOT" and "Next turn".
 */
import type { LLMAgentEventData } from '../../model/agent-events.ts';
import type { WireCall, WireMessage } from './wire.ts';
import { asText } from '../shared/as-text.ts';
import { snapshotEvents, type Part } from '../shared/snapshot.ts';

/** Who says it: the id under which the reducer keeps one message of ours. */
export type SpeakerId = string;

interface Entry {
  readonly speaker: SpeakerId;
  readonly message: WireMessage;
}

/** What the streams before this one have said. */
interface Before {
  /** The ids of all of it. */
  readonly ids: ReadonlySet<string>;
  /** Whose words this stream may go on with, and what they were. */
  readonly speaker: SpeakerId | undefined;
  readonly parts: readonly Part[];
}

export function gatherMessages(earlier: Before) {
  /** By id; thoughts apart, since some servers give them the id of the text behind them. */
  let entries = new Map<string, Entry>();

  const results = (): ReadonlyMap<string, WireMessage> =>
    new Map(
      [...entries.values()].flatMap(({ message }) =>
        message.role === 'tool' && message.toolCallId ? [[message.toolCallId, message]] : [],
      ),
    );
  const partsBySpeaker = (): ReadonlyMap<SpeakerId, readonly Part[]> => {
    const answers = results();
    const parts = new Map<SpeakerId, readonly Part[]>();
    const withAnswer = (part: Part): Part =>
      part.kind === 'tool' ? { ...part, ...answerOf(answers.get(part.id)) } : part;
    if (earlier.speaker !== undefined) parts.set(earlier.speaker, earlier.parts.map(withAnswer));
    for (const { speaker, message } of entries.values()) {
      const said = parts.get(speaker) ?? [];
      parts.set(speaker, [...said, ...partsOf(message).map(withAnswer)]);
    }
    return parts;
  };
  const callOf = (id: string): { readonly entry: Entry; readonly call: WireCall } | undefined => {
    for (const entry of entries.values()) {
      const call = entry.message.toolCalls?.find((known) => known.id === id);
      if (call) return { entry, call };
    }
    return undefined;
  };
  return {
    speakerOf: (id: string, role = ''): SpeakerId | undefined => entries.get(keyOf({ id, role }))?.speaker,
    callOf,
    /** A message that begins; a known one is gone on with. */
    open(id: string, role: string, speaker: SpeakerId, name?: string | null): void {
      const key = keyOf({ id, role });
      if (!entries.has(key)) entries.set(key, { speaker, message: { id, role, ...(name && { name }) } });
    },
    say(id: string, delta: string, role = ''): void {
      const message = entries.get(keyOf({ id, role }))?.message;
      if (message) message.content = (typeof message.content === 'string' ? message.content : '') + delta;
    },
    call(messageId: string, id: string, name: string): void {
      const message = entries.get(messageId)?.message;
      if (!message) return;
      const call: WireCall = { id, type: 'function', function: { name, arguments: '' } };
      message.toolCalls = [...(message.toolCalls ?? []), call];
    },
    addArguments(id: string, delta: string): void {
      const made = callOf(id)?.call.function;
      if (made) made.arguments += delta;
    },
    answer(id: string, toolCallId: string, content: string, speaker: SpeakerId): void {
      entries.set(id, { speaker, message: { id, role: 'tool', toolCallId, content } });
    },
    /** Of a thought, a message, a call or its result. A thought may be all encrypted, and unknown so far. */
    encrypt(id: string, encryptedValue: string, speaker: SpeakerId): void {
      const key = keyOf({ id, role: 'reasoning' });
      const known = entries.get(key)?.message ?? callOf(id)?.call ?? entries.get(id)?.message;
      if (known) known['encryptedValue'] = encryptedValue;
      else entries.set(key, { speaker, message: { id, role: 'reasoning', content: '', encryptedValue } });
    },
    /** The calls that nobody has answered. */
    openCalls(): readonly string[] {
      const answers = results();
      return [...entries.values()].flatMap(({ message }) =>
        (message.toolCalls ?? []).filter(({ id }) => !answers.has(id)).map(({ id }) => id),
      );
    },
    /** What each speaker has said, to be sent back. */
    itemsBySpeaker(): ReadonlyMap<SpeakerId, readonly WireMessage[]> {
      const items = new Map<SpeakerId, WireMessage[]>();
      for (const { speaker, message } of structuredClone([...entries.values()])) {
        items.set(speaker, [...(items.get(speaker) ?? []), message]);
      }
      return items;
    },
    /** The server tells the whole conversation: what has to be told so that this reply is what it says. */
    replaceAll(snapshot: readonly WireMessage[], speaker: SpeakerId): readonly Omit<LLMAgentEventData, 'eventId'>[] {
      const before = partsBySpeaker();
      entries = merge(entries, snapshot, earlier.ids, speaker);
      const after = partsBySpeaker();
      return [...new Set([...before.keys(), ...after.keys()])].flatMap((id) =>
        snapshotEvents({ id }, before.get(id) ?? [], after.get(id) ?? []),
      );
    },
  };
}

const keyOf = ({ id, role }: Pick<WireMessage, 'id' | 'role'>): string => (role === 'reasoning' ? `thought ${id}` : id);

/** Thoughts are kept where the snapshot has none: most servers leave them out, and the others give them other ids. */
function merge(
  entries: ReadonlyMap<string, Entry>,
  snapshot: readonly WireMessage[],
  earlier: ReadonlySet<string>,
  speaker: SpeakerId,
): Map<string, Entry> {
  const turn = snapshot.findLastIndex(({ role }) => role === 'user');
  const said = snapshot
    .slice(turn + 1)
    .filter(({ id, role }) => !earlier.has(id) && ['assistant', 'reasoning', 'tool'].includes(role));
  const thoughts = snapshot.some(({ role }) => role === 'reasoning')
    ? []
    : [...entries].filter(([, { message }]) => message.role === 'reasoning');
  const order = [...entries.keys()];
  const merged = new Map<string, Entry>();
  const keepThoughts = (end: number): void => {
    for (const [key, entry] of thoughts) if (order.indexOf(key) < end) merged.set(key, entry);
  };
  let by = speaker;
  let behindWords = false;
  for (const message of said) {
    const key = keyOf(message);
    const known = entries.get(key);
    const words = isWords(message);
    // As in a stream: words right behind others are a message of their own.
    if (known) {
      keepThoughts(order.indexOf(key));
      by = known.speaker;
    } else if (words && behindWords) by = message.id;
    behindWords = words;
    merged.set(key, { speaker: by, message: sameArguments(message, known?.message) });
  }
  keepThoughts(order.length);
  return merged;
}

const isWords = ({ role, content, toolCalls }: WireMessage): boolean =>
  role === 'assistant' && Boolean(content) && !toolCalls?.length;

/** Arguments that are known stay as they came: written in another way they are no other ones. */
function sameArguments(message: WireMessage, known: WireMessage | undefined): WireMessage {
  const before = new Map(known?.toolCalls?.map((call) => [call.id, call.function.arguments]));
  const toolCalls = message.toolCalls?.map((call) => {
    const args = before.get(call.id);
    return args ? { ...call, function: { ...call.function, arguments: args } } : call;
  });
  return toolCalls ? { ...message, toolCalls } : message;
}

function partsOf(message: WireMessage): readonly Part[] {
  if (message.role === 'tool') return [];
  const { content } = message;
  const kind = message.role === 'reasoning' ? 'reasoning' : 'text';
  const words: Part[] = typeof content === 'string' && content ? [{ kind, text: content }] : [];
  const calls = (message.toolCalls ?? []).map(({ id, function: { name, arguments: params } }): Part => ({
    kind: 'tool',
    id,
    name,
    params,
  }));
  return [...words, ...calls];
}

const answerOf = (answer: WireMessage | undefined): { readonly response?: string; readonly failed?: boolean } =>
  answer ? { response: asText(answer.content), failed: Boolean(answer.error) } : {};
