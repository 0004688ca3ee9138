/** Converts the events of AG-UI runs to the events of one reply. Source: `docs/protocols/ag-ui.md`; https://docs.ag-ui.com. */
import type { LLMAgentEvent, LLMAgentEventData } from '../../model/events/agent-events.ts';
import type { ChatMessage, FinishReason } from '../../model/message.ts';
import { isToolFailure } from '../../model/tool-failure.ts';
import { providerRounds, roundsMetadata } from '../../formats/provider-rounds.ts';
import type { Frame } from '../../transport/frame.ts';
import type { DecodeContext } from '../core/adapter.ts';
import { asText } from '../shared/as-text.ts';
import { emittedParts } from '../shared/emitted-parts.ts';
import type { EventOf, Handlers } from '../shared/handlers.ts';
import { activityEvent } from './activity.ts';
import { agentActionUrl } from './addresses.ts';
import type { AgUiState } from './copilotkit.ts';
import type * as questionForms from './interrupts.ts';
import type { ApplyPatch } from './json-patch.ts';
import { AgUiMessages, PARAGRAPH, type MessageId } from './messages.ts';
import { AG_UI, countRuns, newestMetadata } from './run-metadata.ts';
import { agUiMessageSchema, type AgUiEvent, type AgUiMessage } from './reply-schema.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;
type Event<Type extends AgUiEvent['type']> = EventOf<AgUiEvent, Type>;

/** The module of the questions. It is loaded on demand, since most runs have no interrupts. */
export type QuestionForms = typeof questionForms;

/** Author of a text; the text of another author is a separate message. */
interface Author {
  readonly role: string;
  readonly name: string | undefined;
}

interface Activity {
  readonly speaker: MessageId;
  readonly type: string;
  readonly content: unknown;
}

/** The state of one reply, and what an event changes in it. */
export class AgUiReply {
  readonly #context: DecodeContext<AgUiState>;
  readonly #applyPatch: ApplyPatch;
  /** The reply that this stream continues. */
  readonly #openReply: ChatMessage | undefined;
  readonly #emitted: ReturnType<typeof emittedParts>;
  readonly #firstSpeaker: MessageId | undefined;
  readonly #messages: AgUiMessages;
  /** Activities by message id. */
  readonly #activities = new Map<string, Activity>();
  #speaker: MessageId | undefined;
  #author: Author;
  /** Message of the last event. */
  #lastSpeaker: MessageId | undefined;
  /** Id of the last text message; undefined if other content has followed it. */
  #lastText: string | undefined;
  /** Id of the last reasoning message; undefined if other content has followed it. */
  #lastThought: string | undefined;
  readonly #openTexts = new Set<string>();
  /** Texts that are not part of the reply: the user's own messages and developer instructions. */
  readonly #hidden = new Set<string>();
  /** The calls whose arguments are complete, or that have a result. */
  readonly #endedCalls = new Set<string>();
  #chunkId: string | undefined;
  #callId: string | undefined;
  /** The legacy reasoning events have no ids. */
  #thinkingId: string | undefined;
  #beginsThinking = false;
  #state: unknown;
  #questionForms: QuestionForms | undefined;
  #oldQuestions: readonly unknown[] = [];
  #totalUsage: Data['totalUsage'];
  #finish: FinishReason | undefined;
  /** Whether the run has ended only to run the server's tools. */
  #runsTools = false;
  #hasBegun = false;
  #hasFailed = false;

  constructor(context: DecodeContext<AgUiState>, applyPatch: ApplyPatch) {
    const { turn } = context;
    const last = turn.messages.at(-1);
    this.#context = context;
    this.#applyPatch = applyPatch;
    this.#openReply = last?.role === 'assistant' ? last : undefined;
    this.#emitted = emittedParts(this.#openReply);
    this.#speaker = this.#firstSpeaker = this.#openReply?.metadata?.['messageId'] as MessageId | undefined;
    this.#author = { role: 'assistant', name: this.#openReply?.name };
    this.#state = newestMetadata(turn, 'state');
    const { parts } = this.#emitted;
    this.#messages = new AgUiMessages({
      ids: idsOf(turn.messages),
      speaker: this.#firstSpeaker,
      parts,
      answered: answeredCalls(turn.messages),
    });
  }

  /** Whether a run has ended and no other one has started. */
  get isIdle(): boolean {
    return this.#finish !== undefined && !this.#hasFailed && !this.#runsTools;
  }

  take(event: AgUiEvent, frame: Frame, forms?: QuestionForms): readonly LLMAgentEvent[] {
    this.#questionForms = forms;
    // No event is valid after an error. TypeScript cannot relate the key to the argument type; the mapped type guarantees it.
    return this.#hasFailed ? [] : HANDLERS[event.type](this, event as never, frame);
  }

  end(): readonly LLMAgentEvent[] {
    const { eventId } = this.#context;
    const finish = this.#hasFailed ? undefined : this.#finish;
    return [
      ...this.#storeRounds(),
      ...(finish ? [this.#response({ finish })] : []),
      ...(finish === 'cancelled' ? [{ type: 'end' as const, data: { eventId, userStop: true } }] : []),
    ];
  }

  startRun({ runId, parentRunId }: Event<'RUN_STARTED'>, frame: Frame): readonly LLMAgentEvent[] {
    this.#finish = undefined;
    const ids = { ...(runId && { runId }), ...(parentRunId && { parentRunId }) };
    const runs = countRuns(this.#context.turn) + 1;
    return [this.#response({ metadata: { interrupts: [], runs, ...ids, ...this.#resumePoint(runId, frame) } })];
  }

  endRun({ outcome, usage, result, metadata }: Event<'RUN_FINISHED'>): readonly LLMAgentEvent[] {
    const interrupts = outcome?.interrupts ?? [];
    // TanStack AI ends a run with each request to its model, and then runs the tools, however long they take.
    this.#runsTools = interrupts.length === 0 && metadata?.tanstack?.finishReason === 'tool_calls';
    const questions = this.#questionForms?.interruptQuestions(interrupts, this.#oldQuestions, this.#findCall) ?? [];
    this.#oldQuestions = [];
    const isUnreadable =
      outcome?.type === 'interrupt' && questions.length === 0 && !this.#questionForms?.hasInterrupt(interrupts);
    // A call without a result waits for one of the page's tools.
    const isWaiting = questions.length > 0 || this.#messages.openCalls().length > 0;
    this.#finish = outcome?.type === 'cancelled' ? 'cancelled' : isWaiting ? 'tool_use' : 'complete';
    const resultEvents = result === undefined || result === null ? [] : [this.#response({ metadata: { result } })];
    const events = [...this.#addUsage(usage), ...resultEvents, ...this.#emitQuestions(questions)];
    return isUnreadable && !isWaiting ? [...events, ...this.fail({ message: UNREADABLE })] : events;
  }

  fail({ message, code, usage }: Partial<Event<'RUN_ERROR'>>): readonly LLMAgentEvent[] {
    this.#hasFailed = true;
    const { eventId } = this.#context;
    const error = message || 'The agent reports an error.';
    return [
      ...this.#addUsage(usage),
      { type: 'error', data: { eventId, error, ...(code && { code }) } },
      this.#response({ finish: 'error' }),
    ];
  }

  startStep(name: string): readonly LLMAgentEvent[] {
    return [this.#emitFor((this.#speaker ??= this.#context.newId()), { phase: { name } })];
  }

  startText({ messageId, role, name }: Event<'TEXT_MESSAGE_START'>): readonly LLMAgentEvent[] {
    const opened = this.#openText(messageId, role ?? undefined, name);
    this.#openTexts.add(messageId);
    return opened;
  }

  addText(id: string, delta: string): readonly LLMAgentEvent[] {
    if (this.#hidden.has(id)) return [];
    const opened = this.#openText(id);
    const speaker = this.#messages.speakerOf(id);
    if (speaker === undefined || !delta) return opened;
    this.#messages.appendText(id, delta);
    if (speaker === this.#speaker) this.#lastText = id;
    const event = this.#emitFor(speaker, { content: delta });
    return opened.length > 0 ? [...opened, event] : [event];
  }

  endText(id: string): readonly LLMAgentEvent[] {
    this.#openTexts.delete(id);
    return [];
  }

  addTextChunk({ messageId, role, name, delta }: Event<'TEXT_MESSAGE_CHUNK'>): readonly LLMAgentEvent[] {
    const id = this.#idOfChunk(messageId);
    return [...this.#openText(id, role ?? undefined, name), ...this.addText(id, delta ?? '')];
  }

  addReasoning(id: string, delta: string): readonly LLMAgentEvent[] {
    if (!delta) return [];
    const speaker = this.#messages.speakerOf(id, 'reasoning') ?? this.#currentSpeaker(id);
    this.#messages.open(id, 'reasoning', speaker);
    this.#messages.appendText(id, delta, 'reasoning');
    this.#lastText = undefined;
    // Messages of reasoning have no separator: each becomes a paragraph. The older events count as one message.
    const isNext =
      this.#lastThought !== undefined &&
      ![id, this.#thinkingId].includes(this.#lastThought) &&
      this.#lastSpeaker === speaker;
    const event = this.#emitFor(speaker, { reasoning_content: isNext ? PARAGRAPH + delta : delta });
    this.#lastThought = id;
    return [event];
  }

  addReasoningChunk({ messageId, delta }: Event<'REASONING_MESSAGE_CHUNK'>): readonly LLMAgentEvent[] {
    return this.addReasoning(this.#idOfChunk(messageId), delta ?? '');
  }

  startThinking(): readonly LLMAgentEvent[] {
    this.#beginsThinking = true;
    return [];
  }

  addThinking({ delta }: Event<'THINKING_TEXT_MESSAGE_CONTENT'>): readonly LLMAgentEvent[] {
    const id = (this.#thinkingId ??= this.#context.newId());
    const isNext = this.#beginsThinking && delta !== '' && this.#lastThought === id;
    this.#beginsThinking &&= delta === '';
    return this.addReasoning(id, isNext ? PARAGRAPH + delta : delta);
  }

  encrypt({ entityId, encryptedValue }: Event<'REASONING_ENCRYPTED_VALUE'>): readonly LLMAgentEvent[] {
    this.#messages.encrypt(entityId, encryptedValue, this.#currentSpeaker(entityId));
    return [];
  }

  startCall(id: string, name: string, parent: string | null | undefined): readonly LLMAgentEvent[] {
    // A start may be repeated; with another name, or after its end, it is another call with the same id.
    if (this.#messages.callOf(id)?.call.function.name === name && !this.#endedCalls.has(id)) return [];
    this.#endedCalls.delete(id);
    const owner = parent ?? id;
    const speaker = this.#messages.speakerOf(owner) ?? this.#currentSpeaker(owner);
    this.#messages.open(owner, 'assistant', speaker);
    this.#messages.call(owner, id, name);
    this.#lastText = undefined;
    return [this.#emitFor(speaker, { tool_call: 'start', tool_call_id: id, tool_call_name: name })];
  }

  addArguments(id: string, delta: string): readonly LLMAgentEvent[] {
    if (!delta) return [];
    this.#messages.addArguments(id, delta);
    return [this.#response({ tool_call: 'update', tool_call_id: id, tool_call_params: delta })];
  }

  addCallChunk({
    toolCallId,
    toolCallName: name,
    parentMessageId: parent,
    delta,
  }: Event<'TOOL_CALL_CHUNK'>): readonly LLMAgentEvent[] {
    const id = (this.#callId = toolCallId ?? this.#callId ?? this.#context.newId());
    return [...(name ? this.startCall(id, name, parent) : []), ...this.addArguments(id, delta ?? '')];
  }

  endCall({ toolCallId }: Event<'TOOL_CALL_END'>): readonly LLMAgentEvent[] {
    this.#endedCalls.add(toolCallId ?? '');
    return [];
  }

  answerCall({ toolCallId: id, messageId, content, metadata }: Event<'TOOL_CALL_RESULT'>): readonly LLMAgentEvent[] {
    const result = asText(content);
    this.#endedCalls.add(id);
    const speaker = this.#messages.callOf(id)?.entry.speaker ?? this.#currentSpeaker(id);
    this.#messages.answer(messageId ?? `${id}-result`, id, result, speaker);
    this.#lastText = undefined;
    // The protocol has no flag for a failed tool, but TanStack AI adds one.
    const state = isToolFailure({ state: metadata?.tanstack?.state }, result) ? 'error' : 'end';
    return [this.#emitFor(speaker, { tool_call: state, tool_call_id: id, tool_call_response: result })];
  }

  setState(value: unknown): readonly LLMAgentEvent[] {
    this.#state = value;
    return [this.#response({ state: { value }, metadata: { state: value } })];
  }

  patchState({ delta }: Event<'STATE_DELTA'>, frame: Frame): readonly LLMAgentEvent[] {
    const next = this.#applyPatch(this.#state ?? {}, delta);
    if (next !== undefined) return this.setState(next);
    this.#context.report({ kind: 'malformed', detail: 'This patch does not fit the state.', frame });
    return [];
  }

  setActivity({
    messageId: id,
    activityType: type,
    content,
    replace,
  }: Event<'ACTIVITY_SNAPSHOT'>): readonly LLMAgentEvent[] {
    return replace === false && this.#activities.has(id) ? [] : [this.#showActivity(id, type, content)];
  }

  patchActivity({ messageId: id, patch }: Event<'ACTIVITY_DELTA'>, frame: Frame): readonly LLMAgentEvent[] {
    const known = this.#activities.get(id);
    const content = known && this.#applyPatch(known.content, patch);
    if (known && content !== undefined) return [this.#showActivity(id, known.type, content)];
    this.#context.report({ kind: 'malformed', detail: 'This patch fits no activity.', frame });
    return [];
  }

  /** These events are for the page only. The exception is `on_interrupt`: a question, which is asked when the run has ended. */
  takeCustom({ name, value }: Event<'CUSTOM'>): readonly LLMAgentEvent[] {
    if (name === 'on_interrupt') this.#oldQuestions = [...this.#oldQuestions, value];
    return [this.#response({ metadata: { custom: { name, value } } })];
  }

  replaceMessages({ messages }: Event<'MESSAGES_SNAPSHOT'>): readonly LLMAgentEvent[] {
    const list = messages.flatMap((item) => {
      const parsed = agUiMessageSchema.safeParse(item);
      return parsed.success ? [parsed.data] : [];
    });
    const { eventId } = this.#context;
    const changes = this.#messages.replaceAll(list, this.#speaker ?? list.at(-1)?.id ?? eventId);
    for (const { message } of changes) {
      this.#speaker ??= message?.id;
      this.#lastSpeaker = message?.id ?? this.#lastSpeaker;
    }
    const emptied = new Set(changes.flatMap(({ message }) => (message?.replace ? [message.id] : [])));
    const first = this.#firstSpeaker;
    const others = first !== undefined && emptied.has(first) ? this.#emitted.others : [];
    // The activities that belong to the answer are shown again, because a replaced message has lost its own.
    const listed = this.#takeActivities(list);
    const repeated = [...this.#activities].filter(
      ([id, { speaker }]) => listed.has(id) || (listed.size === 0 && emptied.has(speaker)),
    );
    return [
      ...changes.map((data) => this.#response(data)),
      ...others.map((data) => this.#emitFor(first ?? eventId, data)),
      ...repeated.map(([id, { type, content }]) => this.#showActivity(id, type, content)),
    ];
  }

  /** Stores the activities of a snapshot, and returns their ids. */
  #takeActivities(list: readonly AgUiMessage[]): ReadonlySet<string> {
    const start = list.findLastIndex(({ role }) => role === 'user') + 1;
    const activities = list.slice(start).filter(({ role }) => role === 'activity');
    for (const { id, activityType: type, content } of activities) {
      const speaker = this.#activities.get(id)?.speaker ?? this.#currentSpeaker(id);
      this.#activities.set(id, { speaker, type: type ?? '', content });
    }
    return new Set(activities.map(({ id }) => id));
  }

  #showActivity(id: string, type: string, content: unknown): LLMAgentEvent {
    const speaker = this.#activities.get(id)?.speaker ?? this.#currentSpeaker(id);
    this.#activities.set(id, { speaker, type, content });
    return this.#emitFor(speaker, activityEvent(id, type, content));
  }

  #openText(id: string, role = 'assistant', name?: string | null): readonly LLMAgentEvent[] {
    if (role === 'user' || role === 'developer') this.#hidden.add(id);
    if (this.#hidden.has(id) || this.#messages.speakerOf(id) !== undefined) return [];
    const author: Author = { role, name: name ?? undefined };
    // Parallel or consecutive texts would otherwise run together.
    const isSeparate =
      this.#openTexts.size > 0 ||
      this.#lastText !== undefined ||
      author.role !== this.#author.role ||
      author.name !== this.#author.name;
    if (this.#speaker !== undefined && !isSeparate) {
      this.#messages.open(id, 'assistant', this.#speaker, name);
      return [];
    }
    this.#author = author;
    this.#lastSpeaker = this.#speaker = id;
    this.#lastThought = undefined;
    this.#messages.open(id, 'assistant', id, name);
    const roleField = role === 'system' ? { role: 'system' as const } : {};
    return [this.#response({ message: { id, ...(name && { name }), ...roleField } })];
  }

  #idOfChunk(id: string | null | undefined): string {
    return (this.#chunkId = id ?? this.#chunkId ?? this.#context.newId());
  }

  /** Content other than text joins the message of the current agent; without one it starts a message. */
  #currentSpeaker(id: string): MessageId {
    this.#lastText = undefined;
    if (this.#author.role === 'assistant') return (this.#speaker ??= id);
    this.#author = { role: 'assistant', name: undefined };
    return (this.#speaker = id);
  }

  readonly #findCall = (id: string): { readonly name: string; readonly params: string } | undefined => {
    const known = this.#messages.callOf(id)?.call.function;
    if (known) return { name: known.name, params: known.arguments };
    const block = this.#openReply?.blocks.findLast((item) => item.type === 'tool_call' && item.tool_call.id === id);
    const call = block?.type === 'tool_call' ? block.tool_call : undefined;
    return call && { name: call.name ?? '', params: call.params ?? '' };
  };

  #emitQuestions(questions: ReturnType<QuestionForms['interruptQuestions']>): readonly LLMAgentEvent[] {
    if (questions.length === 0) return [];
    const speaker = this.#currentSpeaker(this.#context.newId());
    return [
      ...questions.map(({ data }) => this.#emitFor(speaker, data)),
      this.#response({ metadata: { interrupts: questions.map(({ open }) => open) } }),
    ];
  }

  #addUsage(usage: Event<'RUN_ERROR'>['usage']): readonly LLMAgentEvent[] {
    for (const { inputTokens, outputTokens, totalTokens } of usage ?? []) {
      const [prompt, completion] = [inputTokens ?? 0, outputTokens ?? 0];
      const before = this.#totalUsage;
      this.#totalUsage = {
        prompt_tokens: (before?.prompt_tokens ?? 0) + prompt,
        completion_tokens: (before?.completion_tokens ?? 0) + completion,
        total_tokens: (before?.total_tokens ?? 0) + (totalTokens ?? prompt + completion),
      };
    }
    return usage?.length && this.#totalUsage ? [this.#response({ totalUsage: this.#totalUsage })] : [];
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

  /**
   * Emits the messages as metadata, for later requests. Reasoning of the older `THINKING_` events is left out: older servers
   * reject messages with the role `reasoning`.
   */
  #storeRounds(): readonly LLMAgentEvent[] {
    const { turn } = this.#context;
    return [...this.#messages.itemsBySpeaker()].map(([speaker, all]) => {
      const items = all.filter(({ id }) => id !== this.#thinkingId);
      const stored = turn.messages.filter(({ metadata }) => metadata?.['messageId'] === speaker);
      const metadata = roundsMetadata({ ...turn, messages: stored }, { protocol: AG_UI, items });
      return this.#emitFor(speaker, { metadata: { ...metadata } });
    });
  }

  #emitFor(speaker: MessageId, data: Data): LLMAgentEvent {
    const isCurrent = this.#lastSpeaker === speaker || data.message !== undefined;
    this.#lastSpeaker = speaker;
    // All phases share one block, which does not separate the reasoning around it.
    if (!data.phase) this.#lastThought = undefined;
    return this.#response(isCurrent ? data : { message: { id: speaker }, ...data });
  }

  #response(data: Data): LLMAgentEvent {
    return { type: 'response', data: { eventId: this.#context.eventId, ...data } };
  }
}

const UNREADABLE = 'The agent waits for an answer, but the chat can’t read its question.';

const ignore = (): readonly LLMAgentEvent[] => [];

/** What each type of event does. */
const HANDLERS: Handlers<AgUiReply, AgUiEvent, readonly LLMAgentEvent[]> = {
  RUN_STARTED: (reply, event, frame) => reply.startRun(event, frame),
  RUN_FINISHED: (reply, event) => reply.endRun(event),
  RUN_ERROR: (reply, event) => reply.fail(event),
  STEP_STARTED: (reply, { stepName }) => reply.startStep(stepName),
  STEP_FINISHED: ignore,
  TEXT_MESSAGE_START: (reply, event) => reply.startText(event),
  TEXT_MESSAGE_CONTENT: (reply, { messageId, delta }) => reply.addText(messageId, delta),
  TEXT_MESSAGE_END: (reply, { messageId }) => reply.endText(messageId),
  TEXT_MESSAGE_CHUNK: (reply, event) => reply.addTextChunk(event),
  TOOL_CALL_START: (reply, { toolCallId, toolCallName, parentMessageId }) =>
    reply.startCall(toolCallId, toolCallName, parentMessageId),
  TOOL_CALL_ARGS: (reply, { toolCallId, delta }) => reply.addArguments(toolCallId, delta),
  TOOL_CALL_CHUNK: (reply, event) => reply.addCallChunk(event),
  TOOL_CALL_END: (reply, event) => reply.endCall(event),
  TOOL_CALL_RESULT: (reply, event) => reply.answerCall(event),
  REASONING_START: ignore,
  REASONING_END: ignore,
  REASONING_MESSAGE_START: ignore,
  REASONING_MESSAGE_CONTENT: (reply, { messageId, delta }) => reply.addReasoning(messageId, delta),
  REASONING_MESSAGE_CHUNK: (reply, event) => reply.addReasoningChunk(event),
  REASONING_MESSAGE_END: ignore,
  REASONING_ENCRYPTED_VALUE: (reply, event) => reply.encrypt(event),
  THINKING_START: (reply, { title }) => (title ? reply.startStep(title) : []),
  THINKING_END: ignore,
  THINKING_TEXT_MESSAGE_START: (reply) => reply.startThinking(),
  THINKING_TEXT_MESSAGE_CONTENT: (reply, event) => reply.addThinking(event),
  THINKING_TEXT_MESSAGE_END: ignore,
  STATE_SNAPSHOT: (reply, { snapshot }) => reply.setState(snapshot),
  STATE_DELTA: (reply, event, frame) => reply.patchState(event, frame),
  MESSAGES_SNAPSHOT: (reply, event) => reply.replaceMessages(event),
  ACTIVITY_SNAPSHOT: (reply, event) => reply.setActivity(event),
  ACTIVITY_DELTA: (reply, event, frame) => reply.patchActivity(event, frame),
  CUSTOM: (reply, event) => reply.takeCustom(event),
  RAW: ignore,
};

/** The message ids of the replies so far. */
const idsOf = (messages: readonly ChatMessage[]): ReadonlySet<string> =>
  new Set(
    messages.flatMap((message) =>
      providerRounds(message, AG_UI).flatMap(({ items }) => (items as readonly AgUiMessage[]).map(({ id }) => id)),
    ),
  );

/** The ids of the calls of the current turn that have a result. */
const answeredCalls = (messages: readonly ChatMessage[]): ReadonlySet<string> =>
  new Set(
    messages
      .slice(messages.findLastIndex(({ role }) => role === 'user') + 1)
      .flatMap(({ blocks }) =>
        blocks.flatMap((block) =>
          block.type === 'tool_call' && block.status !== 'loading' ? (block.tool_call.id ?? []) : [],
        ),
      ),
  );
