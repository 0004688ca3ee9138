/**
 * Gathers the reply as AG-UI messages. They are sent back unchanged, and a snapshot of the conversation is compared with
 * them. Source: `docs/protocols/ag-ui.md`; AG-UI documentation, `concepts/messages`.
 */
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import { isSameArguments } from '../../model/canonical-arguments.ts';
import type { AgUiToolCall, AgUiMessage } from './reply-schema.ts';
import { asText } from '../shared/as-text.ts';
import { snapshotEvents, type Part } from '../shared/snapshot.ts';

/**
 * Id of the widget's message that contains an AG-UI message. Variables of this type are called `speaker`, because each change of
 * the speaking agent starts a message.
 */
export type MessageId = string;

/** Separates the reasoning of two messages, which become one block. */
export const PARAGRAPH = '\n\n';

interface Entry {
  readonly speaker: MessageId;
  readonly message: AgUiMessage;
}

/** The messages of the earlier streams. */
interface EarlierMessages {
  /** The ids of all earlier messages. */
  readonly ids: ReadonlySet<string>;
  /** The message that this stream may continue, and its parts. */
  readonly speaker: MessageId | undefined;
  readonly parts: readonly Part[];
  /** The ids of the calls that already have a result, such as that of a page tool. Such a result never changes. */
  readonly answered: ReadonlySet<string>;
}

/** The messages of one reply, which the events of its stream fill. */
export class AgUiMessages {
  readonly #earlier: EarlierMessages;
  /** By id. Reasoning has its own keys, since some servers give it the id of the text after it. */
  #entries = new Map<string, Entry>();

  constructor(earlier: EarlierMessages) {
    this.#earlier = earlier;
  }

  speakerOf(id: string, role = ''): MessageId | undefined {
    return this.#entries.get(keyOf({ id, role }))?.speaker;
  }

  callOf(id: string): { readonly entry: Entry; readonly call: AgUiToolCall } | undefined {
    // A server may use an id again: what follows is about the last call.
    for (const entry of [...this.#entries.values()].reverse()) {
      const call = entry.message.toolCalls?.findLast((item) => item.id === id);
      if (call) return { entry, call };
    }
    return undefined;
  }

  /** Starts a message, or continues a known one. A text is the agent's, whatever role its server gives it. */
  open(id: string, role: 'assistant' | 'reasoning', speaker: MessageId, name?: string | null): void {
    const key = keyOf({ id, role });
    if (!this.#entries.has(key)) this.#entries.set(key, { speaker, message: { id, role, ...(name && { name }) } });
  }

  appendText(id: string, delta: string, role = ''): void {
    const message = this.#entries.get(keyOf({ id, role }))?.message;
    if (message) message.content = (typeof message.content === 'string' ? message.content : '') + delta;
  }

  call(messageId: string, id: string, name: string): void {
    const message = this.#entries.get(messageId)?.message;
    if (!message) return;
    const call: AgUiToolCall = { id, type: 'function', function: { name, arguments: '' } };
    message.toolCalls = [...(message.toolCalls ?? []), call];
  }

  addArguments(id: string, delta: string): void {
    const known = this.callOf(id)?.call.function;
    if (known) known.arguments += delta;
  }

  /** Adds the result of a call, unless the call already got one in an earlier stream. */
  answer(id: string, toolCallId: string, content: string, speaker: MessageId): void {
    if (this.#earlier.answered.has(toolCallId) && !this.callOf(toolCallId)) return;
    this.#entries.set(id, { speaker, message: { id, role: 'tool', toolCallId, content } });
  }

  /**
   * Stores the encrypted value of a reasoning message, a message, a call or its result. Reasoning may be entirely encrypted,
   * and is then added.
   */
  encrypt(id: string, encryptedValue: string, speaker: MessageId): void {
    const key = keyOf({ id, role: 'reasoning' });
    const known = this.#entries.get(key)?.message ?? this.callOf(id)?.call ?? this.#entries.get(id)?.message;
    if (known) known['encryptedValue'] = encryptedValue;
    else this.#entries.set(key, { speaker, message: { id, role: 'reasoning', content: '', encryptedValue } });
  }

  /** The ids of the calls without a result. */
  openCalls(): readonly string[] {
    const answers = this.#results();
    return [...this.#entries.values()].flatMap(({ message }) =>
      (message.toolCalls ?? []).filter(({ id }) => !answers.has(id)).map(({ id }) => id),
    );
  }

  /** The messages of each speaker, to be sent back. */
  itemsBySpeaker(): ReadonlyMap<MessageId, readonly AgUiMessage[]> {
    const items = new Map<MessageId, AgUiMessage[]>();
    for (const { speaker, message } of structuredClone([...this.#entries.values()]))
      listIn(items, speaker).push(message);
    return items;
  }

  /** Applies a snapshot of the whole conversation. Returns the events that turn the shown reply into it. */
  replaceAll(snapshot: readonly AgUiMessage[], speaker: MessageId): readonly Omit<LLMAgentEventData, 'eventId'>[] {
    const before = this.#partsBySpeaker();
    this.#entries = merge(this.#entries, snapshot, this.#earlier, speaker);
    const after = this.#partsBySpeaker();
    return [...new Set([...before.keys(), ...after.keys()])].flatMap((id) =>
      snapshotEvents({ id }, before.get(id) ?? [], after.get(id) ?? []),
    );
  }

  #results(): ReadonlyMap<string, AgUiMessage> {
    return new Map(
      [...this.#entries.values()].flatMap(({ message }) =>
        message.role === 'tool' && message.toolCallId ? [[message.toolCallId, message]] : [],
      ),
    );
  }

  #partsBySpeaker(): ReadonlyMap<MessageId, readonly Part[]> {
    const answers = this.#results();
    const parts = new Map<MessageId, Part[]>();
    const withAnswer = (part: Part): Part =>
      part.kind === 'tool' && part.response === undefined ? { ...part, ...answerOf(answers.get(part.id)) } : part;
    const earlier = this.#earlier;
    if (earlier.speaker !== undefined) parts.set(earlier.speaker, earlier.parts.map(withAnswer));
    for (const { speaker, message } of this.#entries.values()) {
      const list = listIn(parts, speaker);
      for (const part of partsOf(message)) {
        const isNext = part.kind === 'reasoning' && list.at(-1)?.kind === 'reasoning';
        list.push(isNext ? { ...part, text: PARAGRAPH + part.text } : withAnswer(part));
      }
    }
    return parts;
  }
}

/** The list of a key, which is added if there is none. */
function listIn<Item>(lists: Map<string, Item[]>, key: string): Item[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

const keyOf = ({ id, role }: Pick<AgUiMessage, 'id' | 'role'>): string => (role === 'reasoning' ? `thought ${id}` : id);

/**
 * Merges a snapshot. Reasoning is kept if the snapshot has none: most servers leave it out, and the others change its ids.
 */
function merge(
  entries: ReadonlyMap<string, Entry>,
  snapshot: readonly AgUiMessage[],
  earlier: EarlierMessages,
  speaker: MessageId,
): Map<string, Entry> {
  const turn = snapshot.findLastIndex(({ role }) => role === 'user');
  const listed = snapshot
    .slice(turn + 1)
    .filter(({ id, role }) => !earlier.ids.has(id) && ['assistant', 'reasoning', 'tool'].includes(role));
  const calls = new Set(listed.flatMap(({ toolCalls }) => toolCalls?.map(({ id }) => id) ?? []));
  const replyMessages = listed.filter(
    ({ role, toolCallId: id }) => role !== 'tool' || calls.has(id ?? '') || !earlier.answered.has(id ?? ''),
  );
  const reasoning = snapshot.some(({ role }) => role === 'reasoning')
    ? []
    : [...entries].filter(([, { message }]) => message.role === 'reasoning');
  const order = new Map([...entries.keys()].map((key, index) => [key, index]));
  const merged = new Map<string, Entry>();
  let added = 0;
  const addReasoning = (end: number): void => {
    for (; added < reasoning.length; added++) {
      const [key, entry] = reasoning[added] ?? [];
      if (key === undefined || !entry || (order.get(key) ?? end) >= end) return;
      merged.set(key, entry);
    }
  };
  let currentSpeaker = speaker;
  let afterText = false;
  for (const message of replyMessages) {
    const key = keyOf(message);
    const existing = entries.get(key);
    const isText = isTextMessage(message);
    // As in a stream, text directly after other text is a separate message.
    if (existing) {
      addReasoning(order.get(key) ?? 0);
      currentSpeaker = existing.speaker;
    } else if (isText && afterText) currentSpeaker = message.id;
    afterText = isText;
    merged.set(key, { speaker: currentSpeaker, message: withKnownArguments(message, existing?.message) });
  }
  addReasoning(order.size);
  return merged;
}

const isTextMessage = ({ role, content, toolCalls }: AgUiMessage): boolean =>
  role === 'assistant' && Boolean(content) && !toolCalls?.length;

/** Known arguments keep their original text: other formatting does not make them different. */
function withKnownArguments(message: AgUiMessage, known: AgUiMessage | undefined): AgUiMessage {
  const before = new Map(known?.toolCalls?.map((call) => [call.id, call.function]));
  const toolCalls = message.toolCalls?.map((call) => {
    const { name, arguments: args } = before.get(call.id) ?? {};
    return args && name === call.function.name && isSameArguments(args, call.function.arguments)
      ? { ...call, function: { ...call.function, arguments: args } }
      : call;
  });
  return toolCalls ? { ...message, toolCalls } : message;
}

function partsOf(message: AgUiMessage): readonly Part[] {
  if (message.role === 'tool') return [];
  const { content } = message;
  const kind = message.role === 'reasoning' ? 'reasoning' : 'text';
  const texts: Part[] = typeof content === 'string' && content ? [{ kind, text: content }] : [];
  const calls = (message.toolCalls ?? []).map(({ id, function: { name, arguments: params } }): Part => ({
    kind: 'tool',
    id,
    name,
    params,
  }));
  return [...texts, ...calls];
}

const answerOf = (answer: AgUiMessage | undefined): { readonly response?: string; readonly failed?: boolean } =>
  answer ? { response: asText(answer.content), failed: Boolean(answer.error) } : {};
