/**
 * Converts the results of an A2A agent to events. Source: `docs/protocols/a2a.md`; A2A specification, "Task" and "Artifact".
 */
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import { isCardUrl, type A2aAgent } from './card.ts';
import {
  partContent,
  partsOfMessage,
  a2aTaskState,
  textOfParts,
  type A2aResult,
  type WireArtifact,
  type WireMessage,
  type WireStatus,
} from './reply-schema.ts';
import { errorMessage } from '../shared/error-message.ts';
import { a2uiMessages } from '../shared/a2ui-messages.ts';
import { isSamePart, snapshotEvents, type Part } from '../shared/snapshot.ts';
import { currentMetadata } from '../shared/last-metadata.ts';
import type { AdapterEvent, DecodeContext } from '../core/adapter.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;
type Context = DecodeContext<A2aAgent>;
type ResultOf<Kind> = Extract<A2aResult, { readonly kind: Kind }>;
type Metadata = Readonly<Record<string, string>>;

const isSpace = (character: string): boolean => character !== '' && character.trim() === '';

/**
 * The state of one reply, and what a result changes in it. Each artifact and each agent message is a message of the reply,
 * with the server's id. A complete one replaces what was emitted for that id before, also after a broken connection.
 */
export class A2aReply {
  readonly #context: Context;
  /** The artifacts in their order: the accumulated artifact and the parts emitted for it. */
  readonly #artifacts = new Map<string, { readonly artifact: WireArtifact; readonly parts: readonly Part[] }>();
  readonly #partsById = new Map<string, readonly Part[]>();
  #status: WireStatus = {};
  #history: readonly WireMessage[] = [];
  /** The text of all progress, and the id of its latest message. */
  #progress: { readonly text: string; readonly id: string; readonly endsInSpace: boolean } | undefined;
  /** Whether a message has come, which is the complete answer of an agent without tasks. */
  #hasAnswered = false;
  #isOver = false;
  #lastMetadata = '';
  #lastPhase = '';
  /** The id of the first message, to which phases and metadata are attached. */
  #firstId: string | undefined;
  /** The id of the last message, to which a question is attached. */
  #lastId: string | undefined;

  constructor(context: Context) {
    this.#context = context;
  }

  take(data: A2aResult, agentMetadata: Metadata): readonly AdapterEvent[] {
    if (this.#isOver) return [];
    const messageId = this.#firstId;
    // TypeScript cannot relate the key to the argument type; the mapped type guarantees it.
    const events = HANDLERS[data.kind](this, data as never);
    if (data.kind === 'error') return events;
    // The metadata comes first, because the `end` event must be the last one.
    return [...this.#identifyTask(data, agentMetadata, messageId), ...events];
  }

  end(): readonly AdapterEvent[] {
    if (this.#isOver) return [];
    const state = a2aTaskState(this.#status);
    if (state !== 'input-required' && state !== 'auth-required')
      return this.#hasAnswered ? this.finish('complete') : [];
    // Any message continues the task. A surface is its form: a question next to it would treat the surface's button as text.
    const hasSurface = [...this.#partsById.values()].flat().some(({ kind }) => kind === 'ui');
    return hasSurface && state === 'input-required' ? this.finish('complete') : this.#ask(state);
  }

  takeTask({ history, artifacts, status }: ResultOf<'task'>): readonly AdapterEvent[] {
    this.#history = history ?? [];
    return [
      ...(artifacts ?? []).flatMap((artifact) => this.#putArtifact(artifact, false)),
      ...this.takeStatus(status, false),
    ];
  }

  takeMessage(message: WireMessage): readonly AdapterEvent[] {
    this.#hasAnswered = true;
    this.#context.reportEnd?.();
    return this.#putMessage(message, 'message');
  }

  takeStatus(status: WireStatus, isFinal: boolean): readonly AdapterEvent[] {
    this.#status = status;
    const state = a2aTaskState(status);
    if (state === 'working' && status.message) this.#addProgress(status.message);
    const events = [
      ...this.#showPhase(state),
      ...(status.message && SHOWN_STATES.has(state) ? this.#putMessage(status.message, state) : []),
      this.#shareState(),
      ...(Object.hasOwn(END_HANDLERS, state) ? (END_HANDLERS[state]?.(this, state) ?? []) : []),
    ];
    // An agent that waits for a sign-in (`auth-required`) may keep the stream open and continue.
    if (isFinal || state === 'input-required') this.#context.reportEnd?.();
    return events;
  }

  takeArtifact({ artifact, append, lastChunk }: ResultOf<'artifact-update'>): readonly AdapterEvent[] {
    const events = this.#putArtifact(artifact, append === true);
    return append && !lastChunk ? events : [...events, this.#shareState()];
  }

  takeError({ error }: ResultOf<'error'>): readonly AdapterEvent[] {
    const { turn, url, providerState: agent } = this.#context;
    const code = error.code ?? error.status;
    const text = error.message || 'The agent reports an error.';
    if (!agent || !WRONG_VERSION.has(code ?? '')) return this.#fail(text, code);
    const version = agent.version === '1.0' ? '0.3' : '1.0';
    // The server did nothing for an unknown method, so the request is repeated once per turn in the other version. The
    // version of a card is not changed.
    const isFixed = url === undefined || currentMetadata(turn.messages, 'version') !== undefined || isCardUrl(url);
    if (!isFixed) return [this.#response({ metadata: { version }, paused: true, finish: 'complete' })];
    const advice = `The agent does not support A2A ${agent.version} here; the next message is sent as ${version}.`;
    return [this.#response({ metadata: { version } }), ...this.#fail(`${text} (${advice})`, code)];
  }

  /**
   * Ends the reply of a completed task. If nothing was streamed, the last message of its history is the answer, or all progress: some
   * agents write their answer there.
   */
  completeTask(): readonly AdapterEvent[] {
    return [...(this.#partsById.size === 0 ? this.#lateAnswer() : []), ...this.finish('complete')];
  }

  #lateAnswer(): readonly AdapterEvent[] {
    const last = this.#history.findLast(({ role }) => !isFromUser(role));
    if (last) return this.#putMessage(last, 'history');
    const { id, text } = this.#progress ?? {};
    return id !== undefined && text ? this.#putParts(id, [{ kind: 'text', text }]) : [];
  }

  finish(reason: 'complete' | 'cancelled'): readonly AdapterEvent[] {
    this.#isOver = true;
    const { eventId } = this.#context;
    return [this.#response({ finish: reason }), { type: 'end', data: { eventId, userStop: reason === 'cancelled' } }];
  }

  failTask(state: string): readonly AdapterEvent[] {
    const parts = partsOfMessage(this.#status.message ?? {});
    const reason = textOfParts(parts) || parts.map(({ data }) => errorMessage(data)).find(Boolean);
    return this.#fail(reason || `The agent says that the task is ${state}.`);
  }

  /** Some agents send chunks, others the text so far, or whole sentences. */
  #addProgress(message: WireMessage): void {
    const next = textOfParts(partsOfMessage(message));
    const { text: before, id, endsInSpace } = this.#progress ?? { text: '', id: undefined, endsInSpace: false };
    const isChunk = message.messageId === id || endsInSpace || isSpace(next.charAt(0));
    const text = next.startsWith(before) ? next : `${before}${isChunk ? '' : '\n\n'}${next}`;
    if (next) this.#progress = { text, id: message.messageId || 'working', endsInSpace: isSpace(next.slice(-1)) };
  }

  #response(data: Data): AdapterEvent {
    return { type: 'response', data: { eventId: this.#context.eventId, ...data } };
  }

  #fail(error: string, code?: string | null): readonly AdapterEvent[] {
    this.#isOver = true;
    const { eventId } = this.#context;
    return [{ type: 'error', data: { eventId, error, ...(code && { code }) } }, this.#response({ finish: 'error' })];
  }

  #ask(state: 'input-required' | 'auth-required'): readonly AdapterEvent[] {
    const action_type = state === 'input-required' ? 'question' : 'interrupt';
    const request = { id: this.#status.message?.messageId || state };
    return [
      this.#response({ ...messageRef(this.#lastId), ask: { action_type }, request }),
      this.#response({ finish: 'tool_use' }),
    ];
  }

  /** The ids and the state that later requests need, if they have changed. */
  #identifyTask(
    data: Exclude<A2aResult, { readonly kind: 'error' }>,
    agentMetadata: Metadata,
    messageId: string | undefined,
  ): readonly AdapterEvent[] {
    const taskId = data.kind === 'task' ? data.id : data.taskId;
    const taskState = a2aTaskState(this.#status);
    const metadata = {
      ...agentMetadata,
      ...(data.contextId && { contextId: data.contextId }),
      ...(taskId && { taskId }),
      ...(taskState && { taskState }),
    };
    const key = JSON.stringify(metadata);
    if (key === this.#lastMetadata) return [];
    this.#lastMetadata = key;
    return [this.#response({ ...messageRef(messageId), metadata })];
  }

  /** An unchanged phase is not emitted again. */
  #showPhase(state: string): readonly AdapterEvent[] {
    if (!PHASES.has(state)) return [];
    const { message } = this.#status;
    const text = message && state === 'working' ? textOfParts(partsOfMessage(message)) : '';
    const phase = { name: state.replace('-', '_'), ...(text && { message: text }) };
    const key = JSON.stringify(phase);
    if (key === this.#lastPhase) return [];
    this.#lastPhase = key;
    return [this.#response({ ...messageRef(this.#firstId), phase })];
  }

  #shareState(): AdapterEvent {
    const artifacts = [...this.#artifacts.values()].map(({ artifact }) => artifact);
    return this.#response({ state: { value: { status: this.#status, artifacts } } });
  }

  #putArtifact(next: WireArtifact, append: boolean): readonly AdapterEvent[] {
    const id = next.artifactId || 'artifact';
    const earlier = append ? this.#artifacts.get(id) : undefined;
    const added = partsOfMessage(next);
    const artifact = { ...next, parts: [...partsOfMessage(earlier?.artifact ?? {}), ...added] };
    const parts = earlier
      ? join(earlier.parts, toParts(id, added, earlier.artifact.parts?.length))
      : toParts(id, added);
    this.#artifacts.set(id, { artifact, parts });
    return this.#putParts(id, parts, append);
  }

  #putMessage(message: WireMessage, fallback: string): readonly AdapterEvent[] {
    if (isFromUser(message.role)) return [];
    const id = message.messageId || fallback;
    const parts = toParts(id, partsOfMessage(message));
    return this.#isRepeated(id, parts) ? [] : this.#putParts(id, parts);
  }

  /** Many agents repeat their result as a closing message. */
  #isRepeated(id: string, parts: readonly Part[]): boolean {
    return [...this.#partsById].some(
      ([other, otherParts]) =>
        other !== id &&
        otherParts.length === parts.length &&
        parts.every((part, index) => isSamePart(part, otherParts[index] ?? part)),
    );
  }

  #putParts(id: string, parts: readonly Part[], append = false): readonly AdapterEvent[] {
    const before = this.#partsById.get(id);
    if (!before && parts.length === 0) return [];
    this.#partsById.set(id, parts);
    this.#firstId ??= id;
    this.#lastId = id;
    const message = { id };
    const replacement: readonly Data[] = before || append ? [] : [{ message: { ...message, replace: true } }];
    return [...replacement, ...snapshotEvents(message, before ?? [], parts)].map((data) => this.#response(data));
  }
}

/** What each kind of result does. */
const HANDLERS: {
  readonly [Kind in A2aResult['kind']]: (reply: A2aReply, data: ResultOf<Kind>) => readonly AdapterEvent[];
} = {
  task: (reply, task) => reply.takeTask(task),
  message: (reply, message) => reply.takeMessage(message),
  'status-update': (reply, { status, final }) => reply.takeStatus(status, final === true),
  'artifact-update': (reply, update) => reply.takeArtifact(update),
  error: (reply, error) => reply.takeError(error),
};

/**
 * What each state that ends a task does. A change of these states concerns other files too: `a2a.ts` names the states in which
 * a task runs, `message.ts` those in which it waits for the user.
 */
const END_HANDLERS: Readonly<Record<string, (reply: A2aReply, state: string) => readonly AdapterEvent[]>> = {
  completed: (reply) => reply.completeTask(),
  canceled: (reply) => reply.finish('cancelled'),
  failed: (reply, state) => reply.failTask(state),
  rejected: (reply, state) => reply.failTask(state),
};

/** States that are shown as a phase. */
const PHASES = new Set(['working', 'submitted', 'auth-required']);
/** States whose message is shown to the user. The text of `working` is progress, that of a failure is its reason. */
const SHOWN_STATES = new Set(['input-required', 'auth-required', 'completed']);
/** JSON-RPC error codes: method not found, version not supported. */
const WRONG_VERSION = new Set(['-32601', '-32009']);

const isFromUser = (role: string | null | undefined): boolean => /user/i.test(role ?? '');

const messageRef = (id: string | undefined): Data => (id === undefined ? {} : { message: { id } });

/** Converts wire parts to snapshot parts. `from`: number of parts of the artifact before these. */
function toParts(id: string, list: ReturnType<typeof partsOfMessage>, from = 0): readonly Part[] {
  return list.reduce<readonly Part[]>((parts, item, index) => {
    const content = partContent(item);
    if (!content) return parts;
    if ('text' in content) return join(parts, [{ kind: 'text', text: content.text }]);
    if ('media' in content) return [...parts, { kind: 'media', media: content.media }];
    const messages = a2uiMessages(content.data);
    if (messages && messages.length > 0)
      return join(parts, [{ kind: 'ui', id: `${id}/${String(from + index)}`, messages }]);
    const data = { data_type: 'custom', data: content.data } as const;
    return [...parts, { kind: 'data', id: `${id}/${String(from + index)}`, data }];
  }, []);
}

/** Appends parts; adjacent text, and adjacent messages about surfaces, are merged into one part. */
function join(before: readonly Part[], after: readonly Part[]): readonly Part[] {
  const [last, next] = [before.at(-1), after[0]];
  if (last?.kind === 'ui' && next?.kind === 'ui') {
    return [...before.slice(0, -1), { ...last, messages: [...last.messages, ...next.messages] }, ...after.slice(1)];
  }
  if (last?.kind !== 'text' || next?.kind !== 'text') return [...before, ...after];
  return [...before.slice(0, -1), { kind: 'text', text: last.text + next.text }, ...after.slice(1)];
}
