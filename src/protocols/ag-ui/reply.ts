/** Converts the events of AG-UI to the events of one reply. Source: `docs/protocols/ag-ui.md`; https://docs.ag-ui.com. */
import { providerRounds, roundsMetadata } from '../../formats/provider-rounds.ts';
import type { LLMAgentEvent, LLMAgentEventData } from '../../model/agent-events.ts';
import type { ChatMessage, FinishReason } from '../../model/message.ts';
import { isToolFailure } from '../../model/tool-failure.ts';
import type { Frame } from '../../transport/frame.ts';
import type { DecodeContext } from '../core/adapter.ts';
import { asText } from '../shared/as-text.ts';
import { emittedParts } from '../shared/emitted-parts.ts';
import type { EventOf, Handlers } from '../shared/handlers.ts';
import { activityEvent } from './activity.ts';
import { agentActionUrl } from './addresses.ts';
import type { AgUiState } from './copilotkit.ts';
import { interruptQuestion, isPageToolCall, legacyInterruptQuestion, type InterruptQuestion } from './interrupts.ts';
import type { ApplyPatch } from './json-patch.ts';
import { AgUiMessages, type MessageId } from './messages.ts';
import { AG_UI, countRuns, newestMetadata } from './run-metadata.ts';
import { agUiMessageSchema, interruptSchema, type AgUiEvent, type AgUiMessage } from './wire.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;
type Events = readonly LLMAgentEvent[];
/** The schema has one object for all events without visible content. */
type VisibleEvent = Exclude<AgUiEvent, EventOf<AgUiEvent, 'RAW'>>;
type Event<Type extends AgUiEvent['type']> = EventOf<AgUiEvent, Type>;

/** Author of a text; the text of another author is a separate message. */
interface Author {
  readonly role: string;
  readonly name: string | undefined;
}
interface Activity {
  readonly author: MessageId;
  readonly type: string;
  readonly content: unknown;
}

interface ShownCall {
  readonly name: string;
  readonly params: string;
}

/** The state of one reply, and what an event changes in it. */
export class AgUiReply {
  readonly #context: DecodeContext<AgUiState>;
  readonly #applyPatch: ApplyPatch;
  /** The message that this stream continues. */
  readonly #openReply: ChatMessage | undefined;
  readonly #emitted: ReturnType<typeof emittedParts>;
  readonly #messages: AgUiMessages;
  /** Activities by message id. */
  readonly #activities = new Map<string, Activity>();
  readonly #openTexts = new Set<string>();
  /** Texts that are not part of the reply: the user's own messages and developer instructions. */
  readonly #hidden = new Set<string>();
  readonly #firstSpeaker: MessageId | undefined;
  #speaker: MessageId | undefined;
  /** Message of the last event. */
  #lastSpeaker: MessageId | undefined;
  #author: Author;
  /** Id of the last text message; undefined if other content has followed it. */
  #lastText: string | undefined;
  #chunkId: string | undefined;
  #callId: string | undefined;
  /** The legacy reasoning events have no ids. */
  #thinkingId: string | undefined;
  #state: unknown;
  #legacyQuestions: unknown[] = [];
  #totalUsage: NonNullable<Data['totalUsage']> | undefined;
  readonly #runs: number;
  /** The run with which the reply begins, in a replay of the thread with its earlier runs. */
  #skipTo: string | undefined;
  #hasBegun = false;
  #finish: FinishReason | undefined;
  /** Whether the run has ended only to run the server's tools. */
  #runsTools = false;
  #hasFailed = false;

  constructor(context: DecodeContext<AgUiState>, applyPatch: ApplyPatch) {
    const { turn, providerState } = context;
    const last = turn.messages.at(-1);
    this.#context = context;
    this.#applyPatch = applyPatch;
    this.#openReply = last?.role === 'assistant' ? last : undefined;
    this.#emitted = emittedParts(this.#openReply);
    this.#speaker = this.#firstSpeaker = this.#openReply?.metadata?.['messageId'] as MessageId | undefined;
    const { parts } = this.#emitted;
    this.#messages = new AgUiMessages({ ids: idsOf(turn.messages), author: this.#firstSpeaker, parts });
    this.#author = { role: 'assistant', name: this.#openReply?.name };
    this.#state = newestMetadata(turn, 'state');
    this.#runs = countRuns(turn) + 1;
    this.#skipTo = providerState?.replayedRun;
  }

  /** Whether a run has ended and no other one has started. */
  get isIdle(): boolean {
    return this.#finish !== undefined && !this.#hasFailed && !this.#runsTools;
  }

  /** Whether the event belongs to an earlier run of a replayed thread. */
  skips(event: AgUiEvent): boolean {
    if (this.#skipTo === undefined) return false;
    if (event.type !== 'RUN_STARTED' || event.runId !== this.#skipTo) return true;
    this.#skipTo = undefined;
    return false;
  }

  /** No event is valid after an error. */
  take(event: AgUiEvent, frame: Frame): Events {
    // TypeScript cannot relate the key to the argument type; the mapped type of the table guarantees it.
    const handlers: Partial<Record<string, (reply: AgUiReply, event: never, frame: Frame) => Events>> = HANDLERS;
    return this.#hasFailed ? [] : (handlers[event.type]?.(this, event as never, frame) ?? []);
  }

  end(): Events {
    const finish = this.#hasFailed ? undefined : this.#finish;
    return [
      ...this.#storeRounds(),
      ...(finish ? [this.response({ finish })] : []),
      ...(finish === 'cancelled'
        ? [{ type: 'end' as const, data: { eventId: this.#context.eventId, userStop: true } }]
        : []),
    ];
  }

  response(data: Data): LLMAgentEvent {
    return { type: 'response', data: { eventId: this.#context.eventId, ...data } };
  }

  startRun({ runId, parentRunId }: Event<'RUN_STARTED'>, frame: Frame): Events {
    this.#finish = undefined;
    const ids = { ...(runId && { runId }), ...(parentRunId && { parentRunId }) };
    const resumePoint = this.#resumePoint(runId, frame);
    return [this.response({ metadata: { interrupts: [], runs: this.#runs, ...ids, ...resumePoint } })];
  }

  endRun({ outcome, usage, result, metadata }: Event<'RUN_FINISHED'>): Events {
    const interrupts = outcome?.interrupts ?? [];
    // TanStack AI ends a run with each request to its model, and then runs the tools, however long they take.
    this.#runsTools = interrupts.length === 0 && metadata?.tanstack?.finishReason === 'tool_calls';
    const questions = this.#questions(interrupts);
    // A call without a result is one of the page's tools.
    const isWaiting = questions.length > 0 || this.#messages.hasOpenCalls();
    this.#finish = outcome?.type === 'cancelled' ? 'cancelled' : isWaiting ? 'tool_use' : 'complete';
    return [
      ...this.#addUsage(usage),
      ...(result === undefined || result === null ? [] : [this.response({ metadata: { result } })]),
      ...this.#ask(questions),
    ];
  }

  fail({ message, code, usage }: Event<'RUN_ERROR'>): Events {
    this.#hasFailed = true;
    const error = message || 'The agent reports an error.';
    return [
      ...this.#addUsage(usage),
      { type: 'error', data: { eventId: this.#context.eventId, error, ...(code && { code }) } },
      this.response({ finish: 'error' }),
    ];
  }

  showStep(name: string): Events {
    return [this.#emitFor((this.#speaker ??= this.#context.newId()), { phase: { name } })];
  }

  startText({ messageId, role, name }: Event<'TEXT_MESSAGE_START'>): Events {
    const opened = this.#openText(messageId, role, name);
    this.#openTexts.add(messageId);
    return opened;
  }

  appendText(id: string, delta: string): Events {
    if (this.#hidden.has(id)) return [];
    const opened = this.#openText(id);
    const by = this.#messages.speakerOf(id);
    if (by === undefined || !delta) return opened;
    this.#messages.appendText(id, delta);
    if (by === this.#speaker) this.#lastText = id;
    return [...opened, this.#emitFor(by, { content: delta })];
  }

  endText({ messageId }: Event<'TEXT_MESSAGE_END'>): Events {
    this.#openTexts.delete(messageId);
    return [];
  }

  takeTextChunk({ messageId, role, name, delta }: Event<'TEXT_MESSAGE_CHUNK'>): Events {
    const id = this.chunkId(messageId);
    return [...this.#openText(id, role, name), ...this.appendText(id, delta ?? '')];
  }

  /** The id of a message that arrives in chunks: only the first of them needs to have it. */
  chunkId(id: string | null | undefined): string {
    return (this.#chunkId = id ?? this.#chunkId ?? this.#context.newId());
  }

  appendReasoning(id: string, delta: string): Events {
    if (!delta) return [];
    const by = this.#messages.speakerOf(id, 'reasoning') ?? this.#speakerFor(id);
    this.#messages.open(id, 'reasoning', by);
    this.#messages.appendText(id, delta, 'reasoning');
    this.#lastText = undefined;
    return [this.#emitFor(by, { reasoning_content: delta })];
  }

  appendThinking(delta: string): Events {
    return this.appendReasoning((this.#thinkingId ??= this.#context.newId()), delta);
  }

  encrypt({ entityId, encryptedValue }: Event<'REASONING_ENCRYPTED_VALUE'>): Events {
    this.#messages.encrypt(entityId, encryptedValue, this.#speakerFor(entityId));
    return [];
  }

  startCall(id: string, name: string, parent: string | null | undefined): Events {
    if (this.#messages.callOf(id)) return [];
    const owner = parent ?? id;
    const by = this.#messages.speakerOf(owner) ?? this.#speakerFor(owner);
    this.#messages.open(owner, 'assistant', by);
    this.#messages.addCall(owner, id, name);
    this.#lastText = undefined;
    return [this.#emitFor(by, { tool_call: 'start', tool_call_id: id, tool_call_name: name })];
  }

  appendArguments(id: string, delta: string): Events {
    if (!delta) return [];
    this.#messages.addArguments(id, delta);
    return [this.response({ tool_call: 'update', tool_call_id: id, tool_call_params: delta })];
  }

  takeCallChunk({ toolCallId, toolCallName, parentMessageId, delta }: Event<'TOOL_CALL_CHUNK'>): Events {
    const id = (this.#callId = toolCallId ?? this.#callId ?? this.#context.newId());
    const opened = toolCallName ? this.startCall(id, toolCallName, parentMessageId) : [];
    return [...opened, ...this.appendArguments(id, delta ?? '')];
  }

  takeResult({ toolCallId: id, messageId, content }: Event<'TOOL_CALL_RESULT'>): Events {
    const text = asText(content);
    const by = this.#messages.callOf(id)?.entry.author ?? this.#speakerFor(id);
    this.#messages.answer(messageId ?? `${id}-result`, id, text, by);
    this.#lastText = undefined;
    // The protocol has no flag for a failed tool.
    const state = isToolFailure({}, text) ? 'error' : 'end';
    return [this.#emitFor(by, { tool_call: state, tool_call_id: id, tool_call_response: text })];
  }

  setState(value: unknown): Events {
    this.#state = value;
    return [this.response({ state: { value }, metadata: { state: value } })];
  }

  patchState({ delta }: Event<'STATE_DELTA'>, frame: Frame): Events {
    const next = this.#applyPatch(this.#state ?? {}, delta);
    return next === undefined ? this.#refusePatch('This patch does not fit the state.', frame) : this.setState(next);
  }

  replaceActivity({ messageId: id, activityType, content, replace }: Event<'ACTIVITY_SNAPSHOT'>): Events {
    return replace === false && this.#activities.has(id) ? [] : [this.#showActivity(id, activityType, content)];
  }

  patchActivity({ messageId: id, patch }: Event<'ACTIVITY_DELTA'>, frame: Frame): Events {
    const existing = this.#activities.get(id);
    const content = existing && this.#applyPatch(existing.content, patch);
    return existing && content !== undefined
      ? [this.#showActivity(id, existing.type, content)]
      : this.#refusePatch('This patch fits no activity.', frame);
  }

  replaceMessages(list: readonly AgUiMessage[]): Events {
    const start = list.findLastIndex(({ role }) => role === 'user') + 1;
    const activities = list.slice(start).filter(({ role }) => role === 'activity');
    const events = this.#messages
      .replaceAll(list, this.#speaker ?? list.at(-1)?.id ?? this.#context.eventId)
      .map((data): LLMAgentEvent => {
        this.#speaker ??= data.message?.id;
        this.#lastSpeaker = data.message?.id ?? this.#lastSpeaker;
        return this.response(data);
      });
    const emptied = new Set(
      events.flatMap(({ type, data }) => (type === 'response' && data.message?.replace ? [data.message.id] : [])),
    );
    return [...events, ...this.#repeatOthers(emptied), ...this.#repeatActivities(activities, emptied)];
  }

  takeCustom({ name, value }: Event<'CUSTOM'>): Events {
    if (name === 'on_interrupt') this.#legacyQuestions.push(value);
    // Events for the page only; the widget renders none of them.
    return [this.response({ metadata: { custom: { name, value } } })];
  }

  #emitFor(by: MessageId, data: Data): LLMAgentEvent {
    const isCurrent = this.#lastSpeaker === by || data.message !== undefined;
    this.#lastSpeaker = by;
    return this.response(isCurrent ? data : { message: { id: by }, ...data });
  }

  /** Content other than text joins the message of the current agent; without one it starts a message. */
  #speakerFor(id: string): MessageId {
    this.#lastText = undefined;
    if (this.#author.role === 'assistant') return (this.#speaker ??= id);
    this.#author = { role: 'assistant', name: undefined };
    return (this.#speaker = id);
  }

  #openText(id: string, givenRole?: string | null, name?: string | null): Events {
    const role = givenRole ?? 'assistant';
    if (role === 'user' || role === 'developer') this.#hidden.add(id);
    if (this.#hidden.has(id) || this.#messages.speakerOf(id) !== undefined) return [];
    const author: Author = { role, name: name ?? undefined };
    if (this.#speaker !== undefined && !this.#isSeparate(author)) {
      this.#messages.open(id, role, this.#speaker, name);
      return [];
    }
    this.#author = author;
    this.#lastSpeaker = this.#speaker = id;
    this.#messages.open(id, role, id, name);
    return [
      this.response({ message: { id, ...(name && { name }), ...(role === 'system' && { role: 'system' as const }) } }),
    ];
  }

  /** Whether a text is a message of its own. Parallel or consecutive texts would otherwise run together. */
  #isSeparate({ role, name }: Author): boolean {
    return (
      this.#openTexts.size > 0 ||
      this.#lastText !== undefined ||
      role !== this.#author.role ||
      name !== this.#author.name
    );
  }

  #showActivity(id: string, type: string, content: unknown): LLMAgentEvent {
    const author = this.#activities.get(id)?.author ?? this.#speakerFor(id);
    this.#activities.set(id, { author, type, content });
    return this.#emitFor(author, activityEvent(id, type, content));
  }

  #refusePatch(detail: string, frame: Frame): Events {
    this.#context.report({ kind: 'malformed', detail, frame });
    return [];
  }

  /** A replaced message loses the blocks that are not in the snapshot. */
  #repeatOthers(emptied: ReadonlySet<MessageId>): Events {
    const first = this.#firstSpeaker;
    return first !== undefined && emptied.has(first)
      ? this.#emitted.others.map((data) => this.#emitFor(first, data))
      : [];
  }

  #repeatActivities(listed: readonly AgUiMessage[], emptied: ReadonlySet<MessageId>): Events {
    for (const { id, activityType, content } of listed) {
      const author = this.#activities.get(id)?.author ?? this.#speakerFor(id);
      this.#activities.set(id, { author, type: activityType ?? '', content });
    }
    const ids = new Set(listed.map(({ id }) => id));
    return [...this.#activities]
      .filter(([id, { author }]) => ids.has(id) || (ids.size === 0 && emptied.has(author)))
      .map(([id, { type, content }]) => this.#showActivity(id, type, content));
  }

  #addUsage(usage: Event<'RUN_ERROR'>['usage']): Events {
    if (!usage?.length) return [];
    for (const { inputTokens, outputTokens, totalTokens } of usage) {
      const [prompt, completion] = [inputTokens ?? 0, outputTokens ?? 0];
      const before = this.#totalUsage;
      this.#totalUsage = {
        prompt_tokens: (before?.prompt_tokens ?? 0) + prompt,
        completion_tokens: (before?.completion_tokens ?? 0) + completion,
        total_tokens: (before?.total_tokens ?? 0) + (totalTokens ?? prompt + completion),
      };
    }
    return this.#totalUsage ? [this.response({ totalUsage: this.#totalUsage })] : [];
  }

  /** The questions of a finished run: its interrupts, otherwise those of the legacy events before it. */
  #questions(interrupts: readonly unknown[]): readonly InterruptQuestion[] {
    const findCall = (id: string): ShownCall | undefined => this.#findCall(id);
    const legacy = this.#legacyQuestions;
    this.#legacyQuestions = [];
    const questions = interrupts.flatMap((item) => {
      const parsed = interruptSchema.safeParse(item);
      return parsed.success && !isPageToolCall(parsed.data) ? [interruptQuestion(parsed.data, findCall)] : [];
    });
    return questions.length > 0
      ? questions
      : legacy.map((value, index) => legacyInterruptQuestion(value, `on_interrupt-${String(index)}`, findCall));
  }

  #ask(questions: readonly InterruptQuestion[]): Events {
    if (questions.length === 0) return [];
    const by = this.#speakerFor(this.#context.newId());
    return [
      ...questions.map(({ data }) => this.#emitFor(by, data)),
      this.response({ metadata: { interrupts: questions.map(({ open }) => open) } }),
    ];
  }

  /** A call of this stream or of the message that it continues. */
  #findCall(id: string): ShownCall | undefined {
    const gathered = this.#messages.callOf(id)?.call.function;
    if (gathered) return { name: gathered.name, params: gathered.arguments };
    const block = this.#openReply?.blocks.findLast((item) => item.type === 'tool_call' && item.tool_call.id === id);
    const shownCall = block?.type === 'tool_call' ? block.tool_call : undefined;
    return shownCall && { name: shownCall.name ?? '', params: shownCall.params ?? '' };
  }

  /** The ids that resume this stream: those of its first run, on servers that can resume. */
  #resumePoint(runId: string | null | undefined, { id }: Frame): object {
    if (this.#hasBegun) return {};
    this.#hasBegun = true;
    const { providerState, url } = this.#context;
    const isHosted =
      providerState?.copilotKit !== undefined || (url !== undefined && agentActionUrl(url, '') !== undefined);
    return {
      ...(id !== undefined && { firstEventId: id }),
      ...(isHosted && runId && { copilotKit: { ...providerState?.copilotKit, runId } }),
    };
  }

  /** Reasoning in the legacy events is not stored: older servers reject messages with the role `reasoning`. */
  #storeRounds(): Events {
    const { turn } = this.#context;
    return [...this.#messages.itemsBySpeaker()].map(([by, all]) => {
      const items = all.filter(({ id }) => id !== this.#thinkingId);
      const stored = turn.messages.filter(({ metadata }) => metadata?.['messageId'] === by);
      const metadata = roundsMetadata({ ...turn, messages: stored }, { protocol: AG_UI, items });
      return this.#emitFor(by, { metadata: { ...metadata } });
    });
  }
}

/** What each type of event with visible content does. */
const HANDLERS: Handlers<AgUiReply, VisibleEvent, Events> = {
  RUN_STARTED: (reply, event, frame) => reply.startRun(event, frame),
  RUN_FINISHED: (reply, event) => reply.endRun(event),
  RUN_ERROR: (reply, event) => reply.fail(event),
  STEP_STARTED: (reply, { stepName }) => reply.showStep(stepName),
  TEXT_MESSAGE_START: (reply, event) => reply.startText(event),
  TEXT_MESSAGE_CONTENT: (reply, { messageId, delta }) => reply.appendText(messageId, delta),
  TEXT_MESSAGE_END: (reply, event) => reply.endText(event),
  TEXT_MESSAGE_CHUNK: (reply, event) => reply.takeTextChunk(event),
  TOOL_CALL_START: (reply, { toolCallId, toolCallName, parentMessageId }) =>
    reply.startCall(toolCallId, toolCallName, parentMessageId),
  TOOL_CALL_ARGS: (reply, { toolCallId, delta }) => reply.appendArguments(toolCallId, delta),
  TOOL_CALL_CHUNK: (reply, event) => reply.takeCallChunk(event),
  TOOL_CALL_RESULT: (reply, event) => reply.takeResult(event),
  REASONING_MESSAGE_CONTENT: (reply, { messageId, delta }) => reply.appendReasoning(messageId, delta),
  REASONING_MESSAGE_CHUNK: (reply, { messageId, delta }) =>
    reply.appendReasoning(reply.chunkId(messageId), delta ?? ''),
  REASONING_ENCRYPTED_VALUE: (reply, event) => reply.encrypt(event),
  THINKING_START: (reply, { title }) => (title ? reply.showStep(title) : []),
  THINKING_TEXT_MESSAGE_CONTENT: (reply, { delta }) => reply.appendThinking(delta),
  STATE_SNAPSHOT: (reply, { snapshot }) => reply.setState(snapshot),
  STATE_DELTA: (reply, event, frame) => reply.patchState(event, frame),
  MESSAGES_SNAPSHOT: (reply, { messages }) =>
    reply.replaceMessages(messages.flatMap((item) => agUiMessageSchema.safeParse(item).data ?? [])),
  ACTIVITY_SNAPSHOT: (reply, event) => reply.replaceActivity(event),
  ACTIVITY_DELTA: (reply, event, frame) => reply.patchActivity(event, frame),
  CUSTOM: (reply, event) => reply.takeCustom(event),
};

/** The message ids of the replies so far. */
const idsOf = (messages: readonly ChatMessage[]): ReadonlySet<string> =>
  new Set(
    messages.flatMap((message) =>
      providerRounds(message, AG_UI).flatMap(({ items }) => (items as readonly AgUiMessage[]).map(({ id }) => id)),
    ),
  );
